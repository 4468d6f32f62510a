import { demo, openAccount } from "./account.ts";
import { readByKey, signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("A new account's three steps are ticked one by one, and make room for its own data", async ({ page, request }) => {
  const account = await openAccount(page);
  const main = page.getByRole("main");
  const step = (number: number) => main.getByRole("listitem").nth(number - 1);

  await test.step("begins with a sample route", async () => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Home");
    await expect(main.getByRole("heading", { level: 2 })).toHaveText(["Get started", "Watchlist"]);
    await expectAccessible(page);
    await main.getByRole("button", { name: "View sample" }).click();
    await expect(page).toHaveURL(/\/routes\/\d+$/);
    await expect(page.getByRole("table", { name: "Next departures" })).toBeVisible();
    // The logo leads home.
    await page.getByRole("banner").getByRole("link", { name: /home$/ }).click();
    await expect(step(1)).toContainText("done");
    await expect(step(2)).not.toContainText("done");
  });

  const api = await signIn(request, account);
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  await test.step("shows the data of the first subscription", async () => {
    await api.buy(route);
    await page.goto("/");
    await expect(main.getByRole("heading", { level: 2 })).toHaveText([
      "Renewals",
      "Changes on your routes",
      "Next departures",
      "Get started",
      "Watchlist",
      "Spend",
    ]);
    await expect(main.getByRole("link", { name: route.name }).first()).toBeVisible();
    await main.getByRole("link", { name: "All departures" }).click();
    await expect(page.getByRole("table", { name: "Departures" }).getByRole("rowheader").first()).toHaveText(route.name);
  });

  await test.step("shows the usage after the first call with a key", async () => {
    const key = await api.createKey("First call", account.username);
    expect(await readByKey(request, route.id, key)).toBe(200);
    await page.goto("/");
    await expect(main.getByRole("heading", { name: "Get started" })).toHaveCount(0);
    await expect(main.getByRole("heading", { name: "API requests" })).toBeVisible();
  });
});

test("An account with data sees at most six cards, each with a link to its page", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(demo.email);
  await page.getByLabel("Password", { exact: true }).fill(demo.password);
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 2 })).toHaveCount(6);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  for (const [name, address] of [
    ["All subscriptions", "/subscriptions"],
    ["Compare with market", "/market"],
    ["All departures", "/schedule"],
    ["View watchlist", "/watchlist"],
    ["Usage", "/usage"],
    ["Billing", "/billing"],
  ] as const) {
    await expect(main.getByRole("link", { name, exact: true })).toHaveAttribute("href", address);
  }
});
