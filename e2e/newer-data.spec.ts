import type { Browser, Page, Request } from "playwright/test";
import { demo, findRoute, operator } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("Whoever reads a route is told when newer data has come, and sees it without losing their place", async ({
  page,
  browser,
}, { project }) => {
  const route = await openAsDemo(page);
  const news = page.getByRole("status", { name: "News of the data" });

  await test.step("as long as nothing is new, nothing is said, and little is asked", async () => {
    expect(await askedAfterAMinute(page)).toEqual([`${route}/version 304`]);
    await expect(news).toBeEmpty();
  });

  const freeOnNextShip = page.getByRole("term").filter({ hasText: "Free per sailing" }).locator("xpath=..");
  const free = project.name === "phone" ? 411 : 412;
  await bringCapacity(browser, free);

  await test.step("what has come is told where the reader is, and moves nothing", async () => {
    const rates = page.getByRole("heading", { name: "Rates", exact: true });
    await rates.scrollIntoViewIfNeeded();
    const before = await rates.boundingBox();
    expect(await askedAfterAMinute(page)).toEqual([`${route}/version 204`]);
    await expect(news).toContainText("Newer data is available");
    expect(await rates.boundingBox()).toEqual(before);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("it is asked for no more, and comes when it is wanted", async () => {
    expect(await askedAfterAMinute(page)).toEqual([]);
    await expect(freeOnNextShip).not.toContainText(`${free}`);
    const scrolled = await page.evaluate(() => window.scrollY);
    await news.getByRole("button", { name: "Refresh" }).click();
    await expect(news).toBeEmpty();
    await expect(freeOnNextShip).toContainText(`${free}`);
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
    await expect(page.getByText(/^As of/).locator("xpath=..")).toBeFocused();
    expect(await askedAfterAMinute(page)).toEqual([`${route}/version 304`]);
  });
});

test("A tab that nobody sees asks for nothing, and asks as soon as it is seen again", async ({ page }) => {
  const route = await openAsDemo(page);
  await setVisibility(page, "hidden");
  expect(await askedAfterAMinute(page)).toEqual([]);
  const answered = page.waitForResponse(/\/version$/);
  await setVisibility(page, "visible");
  expect(new URL((await answered).url()).pathname).toBe(`${route}/version`);
});

/** On the demo's own route; from here on the page's time passes by `askedAfterAMinute` alone. */
const openAsDemo = async (page: Page): Promise<string> => {
  await page.request.post("/sign-in", { form: demo, maxRedirects: 0 });
  const route = await findRoute(page);
  await page.clock.install();
  await page.addInitScript(() => {
    const original = window.setInterval;
    window.setInterval = ((...args: Parameters<typeof original>) => {
      if (args[1] === 60_000) document.documentElement.dataset.asksEveryMinute = "";
      return original(...args);
    }) as typeof original;
  });
  await page.goto(route);
  await expect(page.getByText(/^As of/)).toBeVisible();
  await expect(page.locator("html[data-asks-every-minute]")).toBeAttached();
  return route;
};

/** What the page has asked the server while a minute passed, with the answers. */
const askedAfterAMinute = async (page: Page): Promise<string[]> => {
  const asked: Promise<string>[] = [];
  const note = (request: Request) => {
    asked.push(
      request.response().then((response) => `${new URL(request.url()).pathname} ${response?.status() ?? "unanswered"}`),
    );
  };
  page.on("request", note);
  await page.clock.fastForward("01:01");
  // Long enough for a request to leave: it does at once, when the interval is due.
  await page.evaluate(() => fetch("/favicon.svg").then(() => null));
  page.off("request", note);
  return (await Promise.all(asked)).filter((line) => !line.startsWith("/favicon.svg"));
};

/** As the browser does it for a tab behind another. */
const setVisibility = (page: Page, state: "visible" | "hidden") =>
  page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: state });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);

/** An operator imports what the carrier reports: so much is free on the next ship. */
const bringCapacity = async (browser: Browser, free: number): Promise<void> => {
  const page = await browser.newPage();
  await page.request.post("/sign-in", { form: operator });
  const { now } = await (await page.request.get("/test-mode/clock")).json();
  const report = {
    route_code: "C-CNSHA-NLRTM-PEL9",
    report_type: "capacity",
    observed_at: now,
    data: { sailing_date: now.slice(0, 10), unit: "TEU", nominal: 2200, available: free, booking_status: "open" },
  };
  await page.goto("/operations/import");
  await page.getByLabel("File", { exact: true }).setInputFiles({
    name: `capacity-${free}.jsonl`,
    mimeType: "application/x-ndjson",
    buffer: Buffer.from(`${JSON.stringify(report)}\n`),
  });
  await page.getByRole("button", { name: "Check file" }).click();
  await page.getByRole("button", { name: "Apply to the catalogue" }).click();
  await expect(page.getByText(/^Applied/).last()).toBeVisible();
  await page.close();
};
