import { operator, signInAgain } from "./account.ts";
import { signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll } from "./journey.ts";
import { daysFrom, test } from "./own-service.ts";

const routeCode = "C-CNSHA-NLRTM-PEL9";
const staff = { ...operator, username: "operator" };

/** The first day of the quarter after this day. */
const quarterAfter = (day: string): string => {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return new Date(Date.UTC(year, Math.ceil(month / 3) * 3, 1)).toISOString().slice(0, 10);
};

test("An operator closes a period early, the quarter turns, and the data keeps coming", async ({
  page,
  request,
  clock,
}) => {
  const main = page.getByRole("main");
  const periodOfRoute = async () => {
    const { routes } = await (
      await (await signIn(request, staff)).ask("GET", `/route-access/all-routes?q=${routeCode}`)
    ).json();
    return routes[0].periods;
  };
  const today: string = (await (await request.get("/test-mode/clock")).json()).now.slice(0, 10);
  // A quarterly period can only be closed within its quarter. In the last days of a quarter, take the next one.
  const daysToHandover = 5;
  const isTooLate = daysFrom(today, daysToHandover) >= quarterAfter(today);
  if (isTooLate) await clock.moveTo(quarterAfter(today));
  const handover = daysFrom(isTooLate ? quarterAfter(today) : today, daysToHandover);
  await signInAgain(page, staff);

  await test.step("finds the open period by the route's code", async () => {
    await page.goto("/operations/periods");
    await page.getByLabel("Route code").fill(routeCode);
    await page.getByRole("button", { name: "Show" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Periods of ${routeCode}`);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await main.getByRole("table").getByRole("link").first().click();
    await expect(page).toHaveURL(/\/operations\/periods\/\d+$/);
    // Late until the feed has caught up with the time since the demo's last report.
    await expect(async () => {
      await page.reload();
      await expect(main).toContainText("On sale", { timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("closes it on a day of its own, and the next one opens there", async () => {
    await page.getByLabel("First day without data").fill(handover);
    await page.getByRole("button", { name: "Close the period" }).click();
    await expect(main).toContainText("The period ends on");
    await clock.moveTo(handover);
    expect(await periodOfRoute()).toMatchObject([{ starts_on: handover, ends_on: null, is_stale: false }]);
  });

  await test.step("after the end of the quarter the next quarter is on sale, with data of the last hour", async () => {
    const quarter = quarterAfter(handover);
    const dayOfTurn = daysFrom(quarter, 1);
    await clock.moveTo(dayOfTurn);
    expect(await periodOfRoute()).toMatchObject([{ starts_on: quarter, ends_on: null, is_stale: false }]);
    const api = await signIn(request, staff);
    const { routes } = await (await api.ask("GET", "/route-access/all-routes?freshness=real_time&limit=100")).json();
    const ages = routes.flatMap(({ periods }: { periods: { data_as_of: string }[] }) =>
      periods.map(({ data_as_of: at }) => Date.parse(`${dayOfTurn}T12:00:00Z`) - Date.parse(at)),
    );
    expect(ages.length).toBeGreaterThan(10);
    expect(Math.max(...ages)).toBeLessThanOrEqual(60 * 60_000);
  });

  await test.step("retires a period from its page, which takes it off sale", async () => {
    await signInAgain(page, staff);
    await page.goto(`/operations/periods?route=${routeCode}`);
    await main.getByRole("table").getByRole("link").first().click();
    await page.getByRole("link", { name: "Edit or retire" }).click();
    await page.getByRole("button", { name: "Retire", exact: true }).click();
    await page.getByRole("button", { name: "Retire record" }).click();
    await expect(main).toContainText("Retired");
    const { routes } = await (
      await (await signIn(request, staff)).ask("GET", `/route-access/all-routes?q=${routeCode}`)
    ).json();
    expect(routes[0]?.periods ?? []).toEqual([]);
  });
});
