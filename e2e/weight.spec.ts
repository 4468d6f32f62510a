/**
 * The weight of each page with an empty cache: compressed bytes over the wire, as the browser counts them. `npm run
 * weight` prints it as a table.
 */
import type { Browser, Page, Request } from "playwright/test";
import { demo, findRoute, operator } from "./account.ts";
import { expect, test } from "./journey.ts";

const limits = { script: 120_000, total: 200_000 };

const kinds = ["document", "script", "stylesheet", "font", "image", "other"] as const;
type Kind = (typeof kinds)[number];
type Weight = Record<Kind, number> & { total: number };

// Screenshots and traces are of no use here.
test.use({ trace: "off", screenshot: "off" });

test.describe("With an empty cache", () => {
  test.skip(({ isMobile }) => isMobile, "the same bytes");

  test("No page of a visitor exceeds its limit", async ({ browser, page }) => {
    await expectLight(browser, null, [
      "/",
      "/routes",
      "/routes?view=map",
      "/regions",
      "/regions/EAS",
      "/trade-lanes/EAS-NEU",
      "/route-groups/EAS-NEU-C-CN",
      await findRoute(page),
      "/sign-in",
      "/register",
      "/forgot-password",
      "/terms",
      "/privacy",
      "/status",
      "/docs",
      "/docs/reference",
      await firstLink(page, "/docs/reference", /href="(\/docs\/reference\/\w+)"/),
      "/no/such/page",
    ]);
  });

  test("No page of an account with data exceeds its limit", async ({ browser, page }) => {
    await page.request.post("/sign-in", { form: demo });
    const subscribed = await firstLink(page, "/subscriptions", /href="(\/routes\/\d+)"/);
    await expectLight(browser, await page.context().storageState(), [
      "/",
      "/routes",
      "/routes?view=map",
      subscribed,
      await firstLink(page, subscribed, /href="(\/routes\/\d+\/periods\/\d+)"/),
      `${subscribed}/schedule`,
      `${subscribed}/charts`,
      "/basket",
      "/download",
      "/subscriptions",
      await firstSelection(page),
      await firstLink(page, "/subscriptions", /href="(\/subscriptions\/\d+)"/),
      "/watchlist",
      "/watchlist/alerts",
      "/schedule",
      "/api-keys",
      await firstLink(page, "/api-keys", /href="(\/api-keys\/\d+)"/),
      "/usage",
      "/usage/logs",
      await firstLink(page, "/usage/logs", /href="(\/usage\/requests\/[\w-]+)"/),
      "/plans",
      "/billing",
      await firstLink(page, "/billing", /href="(\/billing\/\d+)"/),
      "/billing/statements",
      await firstLink(page, "/billing/statements", /href="(\/billing\/statements\/[\d-]+)"/),
      "/billing/cards",
      "/billing/cards/new",
      "/account",
      "/account/security",
      "/account/security/two-factor",
      "/account/activity",
      "/account/data",
      "/account/close",
      "/plan",
      await askForHelp(page),
      "/support",
      "/support/new",
    ]);
  });

  test("No page of the operators' console exceeds its limit", async ({ browser, page }) => {
    await page.request.post("/sign-in", { form: operator });
    await expectLight(browser, await page.context().storageState(), [
      "/operations",
      "/operations/accounts",
      await firstLink(page, "/operations/accounts", /href="(\/operations\/accounts\/\d+)"/),
      "/operations/subscriptions",
      "/operations/catalogue/plan-prices",
      "/operations/support",
      "/operations/import",
      "/operations/jobs",
      "/operations/jobs/runs",
      "/operations/mail",
      "/operations/audit",
    ]);
  });
});

/** Creates a support request. @returns the path of its page */
const askForHelp = async (page: Page): Promise<string> => {
  const form = { intent: "ask", topic: "technical", subject: "A surcharge", message: "What is BAF?", reference: "" };
  const answer = await page.request.post("/support/new", { form, maxRedirects: 0 });
  expect(answer.status()).toBe(302);
  return answer.headers().location ?? "";
};

const firstLink = async (page: Page, path: string, link: RegExp): Promise<string> => {
  const found = link.exec(await (await page.request.get(path)).text())?.[1];
  if (found === undefined) throw new Error(`${path} has no link like ${link}`);
  return found;
};

/** The confirmation of an act on everything in the list of subscriptions. */
const firstSelection = async (page: Page): Promise<string> => {
  const list = await (await page.request.get("/subscriptions")).text();
  const ids = [...list.matchAll(/name="id"[^>]*value="(\d+)"/g)].map(([, id = ""]) => ["id", id]);
  if (ids.length === 0) throw new Error("The list has nothing to select");
  return `/subscriptions/bulk?${new URLSearchParams([["act", "renew"], ...ids])}`;
};

type State = Awaited<ReturnType<import("playwright/test").BrowserContext["storageState"]>>;

const expectLight = async (browser: Browser, storageState: State | null, paths: readonly string[]) => {
  const weights: [path: string, weight: Weight][] = [];
  for (const path of paths) weights.push([path, await weigh(browser, storageState, path)]);
  process.stdout.write(`${tableOf(weights)}\n`);
  const heavy = weights.filter(([, { script, total }]) => script > limits.script || total > limits.total);
  expect(heavy, "pages over the limit").toEqual([]);
};

const weigh = async (browser: Browser, storageState: State | null, path: string): Promise<Weight> => {
  const context = await browser.newContext(storageState ? { storageState } : {});
  const page = await context.newPage();
  const finished: Request[] = [];
  page.on("requestfinished", (request) => finished.push(request));
  await page.goto(path, { waitUntil: "networkidle" });
  const weight: Weight = { document: 0, script: 0, stylesheet: 0, font: 0, image: 0, other: 0, total: 0 };
  for (const request of finished) {
    const status = (await request.response())?.status();
    expect([request.url(), status], path).toEqual([request.url(), path === "/no/such/page" ? expect.anything() : 200]);
    const { responseBodySize } = await request.sizes();
    const kind = kinds.find((one) => one === request.resourceType()) ?? "other";
    weight[kind] += responseBodySize;
    weight.total += responseBodySize;
  }
  await context.close();
  return weight;
};

const tableOf = (weights: readonly [path: string, weight: Weight][]): string => {
  const columns = [...kinds, "total"] as const;
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1).padStart(10);
  return [
    `${"KB".padEnd(34)}${columns.map((column) => column.padStart(10)).join("")}`,
    ...weights.map(([path, weight]) => path.padEnd(34) + columns.map((column) => kilobytes(weight[column])).join("")),
  ].join("\n");
};
