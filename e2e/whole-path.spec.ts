import type { APIRequestContext, Page } from "playwright/test";
import { newAccount, paid, pay } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("A visitor finds a route, buys its data, reads it by API, and deletes the key", async ({ page, request }) => {
  const account = newAccount();
  const pageIsFine = async () => {
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  };

  await test.step("opens an account from the landing page", async () => {
    await page.goto("/");
    await pageIsFine();
    await page.getByRole("main").getByRole("link", { name: "Create an account" }).click();
    await expect(page.getByRole("heading", { name: "Create your account" })).toBeVisible();
    await pageIsFine();
    await page.getByLabel("Work e-mail").fill(account.email);
    await page.getByLabel("Username").fill(account.username);
    await page.getByLabel("Password", { exact: true }).fill(account.password);
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page).toHaveURL("/");
  });

  await test.step("finds Shanghai to Rotterdam by the names of the ports", async () => {
    await pageIsFine();
    await page.getByRole("main").getByRole("link", { name: "Browse all routes" }).click();
    await page.getByRole("searchbox", { name: "Search" }).fill("Shanghai Rotterdam");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page).toHaveURL(/q=Shanghai/);
    await expect(page.getByRole("main").getByRole("status")).toHaveText(/^\d{1,2} routes/);
    await page
      .getByRole("link", { name: /^Shanghai.*Rotterdam/ })
      .first()
      .click();
    await expect(page.getByRole("heading", { level: 1, name: /Shanghai.*Rotterdam/ })).toBeVisible();
  });

  await test.step("sees the map and the price of every term, but not the data", async () => {
    await expect(page.getByRole("img", { name: /^Map of the route from Shanghai to Rotterdam/ })).toBeVisible();
    const terms = page.getByRole("group", { name: "Term" });
    await expect(terms.locator("label")).toHaveText([/^1 month/, /^2 /, /^3 /, /^6 /, /^12 /]);
    await expect(terms.locator("label", { hasText: /^3 months/ })).toContainText(/\$\d/);
    await expect(page.getByRole("heading", { name: "What you get" })).toBeVisible();
    await expect(page.getByRole("table", { name: "Waypoints" })).toHaveCount(0);
    await pageIsFine();
  });

  const routeId = Number(/\/routes\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1]);

  await test.step("subscribes for three months and pays the displayed price", async () => {
    const threeMonths = page.getByRole("radio", { name: /^3 months/ });
    await threeMonths.check();
    const term = await page.locator("label", { has: threeMonths }).textContent();
    const price = /\$[\d.,]+$/.exec(term ?? "")?.[0];
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await expect(page.getByRole("heading", { name: "Payment", level: 1 })).toBeVisible();
    await expect(page.getByRole("button", { name: `Pay ${price}` })).toBeVisible();
    await pageIsFine();
    await pay(page, { number: "4242 4242 4242 4242" });
    await paid(page);
    await expect(page.getByRole("main")).toContainText(`We charged ${price}`);
    await pageIsFine();
  });

  await test.step("reads the data on the route's page", async () => {
    await page.getByRole("link", { name: "View route data" }).click();
    await expect(page).toHaveURL(`/routes/${routeId}`);
    await expect(page.getByRole("table", { name: "Waypoints" }).getByRole("rowheader")).not.toHaveCount(0);
    await expect(page.getByRole("table", { name: "Base rates" }).getByRole("row")).not.toHaveCount(0);
    await expect(page.getByRole("table", { name: "Next departures" }).getByRole("rowheader")).not.toHaveCount(0);
    await pageIsFine();
  });

  await test.step("finds the subscription and its invoice", async () => {
    await page.goto("/subscriptions");
    await expect(page.getByRole("table", { name: "Active subscriptions" }).getByRole("rowheader")).toHaveCount(1);
    await pageIsFine();
    await page.goto("/billing");
    await expect(page.getByRole("table", { name: "Invoices" }).getByRole("rowheader")).toHaveCount(1);
    await pageIsFine();
  });

  await test.step("creates a key, which is shown once", async () => {
    await page.goto("/api-keys");
    await pageIsFine();
    await page.getByLabel("Name", { exact: true }).fill("Rate sync");
    await page.getByRole("button", { name: "Create key" }).click();
    await expect(page.getByRole("heading", { name: "Rate sync: copy this key now" })).toBeVisible();
    await pageIsFine();
  });

  const secret = await secretOn(page);
  const user = account.username;

  await test.step("reads the same route by API, with both headers only", async () => {
    const answer = await dataByKey(request, routeId, secret, user);
    expect(answer.status()).toBe(200);
    const body = await answer.json();
    expect(body).toMatchObject({
      id: routeId,
      origin_port: { name: "Shanghai" },
      destination_port: { unlocode: "NLRTM" },
    });
    expect((await dataByKey(request, routeId, secret, `${user}-2`)).status()).toBe(401);
    expect((await dataByKey(request, routeId, withAnotherLastCharacter(secret), user)).status()).toBe(401);
  });

  await test.step("never sees the key again", async () => {
    await page.goto("/api-keys");
    await expect(page.getByRole("table", { name: "API keys" })).toContainText("Rate sync");
    expect(await page.content()).not.toContain(secret);
  });

  await test.step("deactivates the key, and its requests fail at once", async () => {
    await page.getByRole("button", { name: "Deactivate Rate sync" }).click();
    await expect(page.getByRole("button", { name: "Activate Rate sync", exact: true })).toBeVisible();
    expect((await dataByKey(request, routeId, secret, user)).status()).toBe(401);
    await pageIsFine();
  });

  await test.step("deletes the key after a confirmation", async () => {
    await page.getByRole("button", { name: "Delete Rate sync" }).click();
    await page.getByRole("button", { name: "Delete key" }).click();
    await expect(page.getByText("No keys yet")).toBeVisible();
    expect((await dataByKey(request, routeId, secret, user)).status()).toBe(401);
  });
});

const secretOn = async (page: Page): Promise<string> => {
  const text = await page.getByLabel("New key").locator("code").first().textContent();
  if (!/^srd_live_[0-9A-Za-z]{40,}$/.test(text ?? "")) throw new Error("The page shows no key");
  return text ?? "";
};

/** A key that no account has: the random key may end in any character, so a fixed one could be its own. */
const withAnotherLastCharacter = (secret: string) => `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`;

const dataByKey = (request: APIRequestContext, routeId: number, key: string, user: string) =>
  request.get(`/api/api-routes-data?id=${routeId}`, { headers: { "X-API-Key": key, "X-Username": user } });
