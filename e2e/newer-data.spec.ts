import type { Browser, Page, Request } from "playwright/test";
import { demo, findRoute, operator } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("A reader of a route is notified of newer data, and loads it without losing their place", async ({
  page,
  browser,
}, { project }) => {
  const route = await openAsDemo(page);
  const news = page.getByRole("status", { name: "Data updates" });

  await test.step("without newer data there is no notice, and one request a minute, which gets a 304", async () => {
    expect(await requestsOfAMinute(page)).toEqual([`${route}/version 304`]);
    await expect(news).toBeEmpty();
  });

  const freeOnNextShip = page.getByRole("term").filter({ hasText: "Space available per sailing" }).locator("xpath=..");
  const free = project.name === "phone" ? 411 : 412;
  await bringCapacity(browser, free);

  await test.step("newer data is announced where the reader is, without a layout shift", async () => {
    const rates = page.getByRole("heading", { name: "Rates", exact: true });
    await rates.scrollIntoViewIfNeeded();
    const before = await rates.boundingBox();
    expect(await requestsOfAMinute(page)).toEqual([`${route}/version 204`]);
    await expect(news).toContainText("Newer data is available");
    expect(await rates.boundingBox()).toEqual(before);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("polling stops, and the data is loaded on demand", async () => {
    expect(await requestsOfAMinute(page)).toEqual([]);
    await expect(freeOnNextShip).not.toContainText(`${free}`);
    const scrolled = await page.evaluate(() => window.scrollY);
    await news.getByRole("button", { name: "Refresh" }).click();
    await expect(news).toBeEmpty();
    await expect(freeOnNextShip).toContainText(`${free}`);
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
    await expect(page.getByText(/^As of \d/).locator("xpath=..")).toBeFocused();
    expect(await requestsOfAMinute(page)).toEqual([`${route}/version 304`]);
  });
});

test("A hidden tab does not poll, and polls as soon as it is visible again", async ({ page }) => {
  const route = await openAsDemo(page);
  await setVisibility(page, "hidden");
  expect(await requestsOfAMinute(page)).toEqual([]);
  const answered = page.waitForResponse(/\/version$/);
  await setVisibility(page, "visible");
  expect(new URL((await answered).url()).pathname).toBe(`${route}/version`);
});

/** Opens the demo's route. From here on, only `requestsOfAMinute` moves the page's clock. */
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
  await expect(page.getByText(/^As of \d/)).toBeVisible();
  await expect(page.locator("html[data-asks-every-minute]")).toBeAttached();
  return route;
};

/** The requests that the page makes in a minute, with their status. */
const requestsOfAMinute = async (page: Page): Promise<string[]> => {
  const requests: Promise<string>[] = [];
  const note = (request: Request) => {
    requests.push(
      request.response().then((response) => `${new URL(request.url()).pathname} ${response?.status() ?? "unanswered"}`),
    );
  };
  page.on("request", note);
  await page.clock.fastForward("01:01");
  // Gives requests time to be sent: they are, immediately, when the interval is over.
  await page.evaluate(() => fetch("/favicon.svg").then(() => null));
  page.off("request", note);
  return (await Promise.all(requests)).filter((line) => !line.startsWith("/favicon.svg"));
};

/** Sets the visibility as the browser does when tabs are switched. */
const setVisibility = (page: Page, state: "visible" | "hidden") =>
  page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: state });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);

/** An operator imports a capacity report of the carrier. */
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
  await page.getByRole("button", { name: "Apply to catalogue" }).click();
  await expect(page.getByText(/^Applied/).last()).toBeVisible();
  await page.close();
};
