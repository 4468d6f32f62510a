import type { Page, Response } from "playwright/test";
import { demo, findRoute, openAccount, operator, order } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

const open = async (page: Page, path: string): Promise<Response> => {
  const response = await page.goto(path);
  if (!response) throw new Error(`${path} was not loaded`);
  return response;
};

const expectSecure = (response: Response, path: string): void => {
  const headers = response.headers();
  expect(headers, path).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": expect.stringMatching(/private|no-store/),
  });
  expect(headers, path).not.toHaveProperty("x-powered-by");
  const policy = headers["content-security-policy"] ?? "";
  expect(policy, path).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/=]{20,}'/);
  expect(policy, path).toContain("frame-ancestors 'none'");
  expect(policy, path).not.toMatch(/unsafe-(inline|eval)|\*/);
};

const pagesOfAnAccount = [
  "/",
  "/routes",
  "/routes/saved",
  "/subscriptions",
  "/schedule",
  "/market",
  "/watchlist",
  "/watchlist/alerts",
  "/api-keys",
  "/usage",
  "/usage?period=days&from=2026-01-01&to=2026-02-01",
  "/usage/logs",
  "/plans",
  "/subscriptions/bulk",
  "/download",
  "/billing",
  "/billing/statements",
  "/billing/statements/2026-01",
  "/billing/details",
  "/billing/quotes",
  "/plan",
  "/support",
  "/support/new?request_id=7f3c9a",
  "/account",
  "/account/security",
  "/account/security/two-factor",
  "/account/webhooks",
  "/account/activity",
  "/account/data",
  "/account/close",
];

test("Every page of a visitor has strict security headers and fits the screen", async ({ page }) => {
  const nonces = new Set<string>();
  const paths = [
    "/",
    "/routes",
    "/routes?q=xyzzy",
    "/routes?view=map",
    "/plans",
    "/regions",
    "/regions/EAS",
    "/trade-lanes/EAS-NEU",
    "/route-groups/EAS-NEU-C-CN",
    "/compare",
    "/compare?origin=JPYOK&destination=USLAX",
    await findRoute(page),
    // Its route group has a long name.
    await findRoute(page, "C-FRLEH-USMSY-ALD9"),
    "/sign-in",
    "/register",
    "/forgot-password",
    "/reset-password",
    "/verify-email",
    "/terms",
    "/privacy",
    "/status",
    "/docs/changelog",
    "/docs/assistants",
  ];
  for (const path of paths) {
    const response = await open(page, path);
    expect([path, response.status()]).toEqual([path, 200]);
    expectSecure(response, path);
    nonces.add(/nonce-[^']+/.exec(response.headers()["content-security-policy"] ?? "")?.[0] ?? "");
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page).toHaveTitle(/Shipping Route Data Service$/);
    await expectNoSidewaysScroll(page);
  }
  expect(nonces.size, "a nonce is used once").toBe(paths.length);
});

test("Every page of an account has strict security headers and fits the screen, and its cookies are HttpOnly", async ({
  page,
  context,
}) => {
  await openAccount(page);
  await order(page, await findRoute(page));
  const checkout = new URL(page.url()).pathname;
  for (const path of [...pagesOfAnAccount, checkout]) {
    const response = await open(page, path);
    expect([path, response.status()]).toEqual([path, 200]);
    expectSecure(response, path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expectNoSidewaysScroll(page);
  }
  const cookies = (await context.cookies()).sort((a, b) => a.name.localeCompare(b.name));
  expect(cookies).toEqual(
    ["srds_device", "srds_recent_searches", "srds_return", "srds_session"].map((name) =>
      expect.objectContaining({ name, httpOnly: true, sameSite: "Lax", path: "/" }),
    ),
  );
  expect(await page.evaluate(() => document.cookie)).toBe("");
});

test("The changelog and the guides to clients are accessible", async ({ page }) => {
  for (const path of ["/docs/changelog", "/docs/assistants", "/docs/clients"]) {
    await open(page, path);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
});

test("The pages of an account with data are accessible", async ({ page }) => {
  await page.request.post("/sign-in", { form: demo });
  await page.goto("/subscriptions");
  const manage = page.getByRole("link", { name: "Manage" }).first();
  const subscription = (await manage.getAttribute("href")) ?? "";
  const settings = ["/account", "/account/security", "/account/webhooks", "/account/activity", "/account/data"];
  const paidRenewal = `${subscription}/pay?end=2020-01-01`;
  const schedule = `${await findRoute(page)}/schedule`;
  for (const path of [
    "/",
    "/schedule",
    "/usage",
    "/usage/logs",
    "/download",
    schedule,
    ...settings,
    subscription,
    paidRenewal,
  ]) {
    await open(page, path);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
});

test("Every page of the operators' console has strict security headers, fits the screen and is accessible", async ({
  page,
}) => {
  await page.request.post("/sign-in", { form: operator });
  const lists = [
    "accounts",
    "subscriptions",
    "quotes",
    "support",
    "catalogue",
    "import",
    "jobs",
    "jobs/runs",
    "mail",
    "audit",
  ];
  const single = ["accounts/1", "accounts?q=xyzzy", "support?q=xyzzy", "mail?state=given_up", "mail?state=sent"];
  const kinds = ["regions", "ports", "carriers", "trade-lanes", "route-groups", "routes", "periods"];
  const records = kinds.flatMap((kind) => ["", "/new", "/1"].map((rest) => `catalogue/${kind}${rest}`));
  records.push("catalogue/exchange-rates", "catalogue/plan-prices");
  for (const path of ["/operations", ...[...lists, ...single, ...records].map((list) => `/operations/${list}`)]) {
    const response = await open(page, path);
    expect([path, response.status()]).toEqual([path, 200]);
    expectSecure(response, path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page).toHaveTitle(/Operations · Shipping Route Data Service$/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
});

test("An unknown address and a foreign record both show the page for not found", async ({
  page,
  browser,
  complaints,
}) => {
  complaints.allow(404);
  const other = await browser.newContext();
  const theirs = await other.newPage();
  await openAccount(theirs);
  await order(theirs, await findRoute(theirs));
  const foreignOrder = new URL(theirs.url()).pathname;
  await other.close();

  await openAccount(page);
  for (const path of [
    "/no/such/page",
    "/routes/999999999",
    "/routes/abc",
    "/regions/NOWHERE",
    "/checkout/0",
    foreignOrder,
  ]) {
    const response = await open(page, path);
    expect([path, response.status()]).toEqual([path, 404]);
    expectSecure(response, path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
    await expect(page).toHaveTitle(/^Error 404/);
  }
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole("main").getByRole("link", { name: "Browse routes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Routes");
});
