import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("The catalogue searches while typing, keeps the caret, and adds one step to the history", async ({ page }) => {
  await page.goto("/");
  await page.goto("/routes");
  const words = page.getByRole("searchbox", { name: "Search" });
  await words.pressSequentially("Rotterdam", { delay: 20 });
  await expect(page).toHaveURL("/routes?q=Rotterdam");
  await expect(page.getByRole("status")).toHaveText(/^\d{2,3} routes$/);
  await expect(words).toBeFocused();
  await words.press("Home");
  await page.keyboard.type("Shanghai ");
  await expect(page).toHaveURL("/routes?q=Shanghai+Rotterdam");
  expect(await words.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe("Shanghai ".length);
  const routes = page.getByRole("table", { name: "Routes" }).getByRole("rowheader");
  await expect(routes.first()).toContainText("Shanghai – Rotterdam");
  await expect(routes.last()).toContainText("Rotterdam – Shanghai");
  await expectAccessible(page);
  await page.goBack();
  await expect(page).toHaveURL("/");
});

test("Text typed before hydration is searched for", async ({ page }) => {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto("/routes", { waitUntil: "commit" });
  await page.getByRole("searchbox", { name: "Search" }).fill("Rotterdam");
  arrive();
  await expect(page).toHaveURL("/routes?q=Rotterdam");
  await expect(page.getByRole("status")).toHaveText(/^\d{2,3} routes$/);
});

test("Results can be narrowed by facets, sorted, and widened again with the chips", async ({ page }) => {
  await page.goto("/routes?q=Rotterdam");
  const status = page.getByRole("status");
  const before = await status.textContent();
  const openFilters = page.getByRole("button", { name: /^Filters/ });
  const isPhone = await openFilters.isVisible();
  if (isPhone) await openFilters.click();
  const bulk = page.getByRole("checkbox", { name: /^Bulk/ });
  const wouldLeave = Number((await bulk.locator("xpath=..").textContent())?.replace(/\D/g, ""));
  await bulk.check();
  await expect(status).toHaveText(new RegExp(`^${wouldLeave} routes?$`));
  await expect(bulk).toBeChecked();
  await expectAccessible(page);
  if (isPhone) await page.getByRole("button", { name: /^Show/ }).click();

  await page.getByLabel("Sort by").selectOption("Price");
  await expect(page).toHaveURL(/cargo_type=bulk&sort=price$/);
  // The address changes a moment before the table.
  await expect(async () => {
    const shown = await page.getByRole("table", { name: "Routes" }).locator("td:last-child").allTextContents();
    const prices = shown.map((text) => Number(text.replace(/[^\d.]/g, "")));
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
  }).toPass({ timeout: 30_000 });

  await page.getByRole("link", { name: "Remove Bulk" }).click();
  await expect(status).toHaveText(before ?? "");
  await expectNoSidewaysScroll(page);
});

test("The map shows all results, and its ports narrow the search", async ({ page }) => {
  await page.goto("/routes?view=map&trade_lane=EAS-NEU");
  await expect(page.getByText(/^Map of \d+ matching routes, \d+ ports/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: /^Rotterdam \d/ }).click();
  await expect(page).toHaveURL(/port=NLRTM/);
  await expect(page.getByRole("link", { name: "Remove Port Rotterdam" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Routes" }).getByRole("rowheader").first()).toContainText("Rotterdam");
});
