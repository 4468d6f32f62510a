import { findRoute, openAccount, operator, order, pay } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("A disputed payment is named on the billing page, and its card is charged only if it is chosen again", async ({
  page,
  browser,
}) => {
  const account = await openAccount(page);
  await order(page, await findRoute(page));
  await pay(page, { number: "4000 0000 0000 0259" });
  await expect(page).toHaveURL(/\/checkout\/\d+\/done$/);
  const main = page.getByRole("main");
  await expect(async () => {
    await page.goto("/billing");
    await expect(main).toContainText("is disputed at the bank", { timeout: 2_000 });
  }).toPass();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.goto("/billing/cards");
  await expect(main.getByText("Disputed", { exact: true })).toBeVisible();
  await expect(main.getByText("Default", { exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Make Visa •••• 0259 the default" }).click();
  await expect(main.getByText("Default", { exact: true })).toBeVisible();
  await expect(main.getByText("Disputed", { exact: true })).toHaveCount(0);

  const office = await (await browser.newContext()).newPage();
  await office.request.post("/sign-in", { form: operator });
  await office.goto(`/operations/accounts?q=${account.username}`);
  await office.getByRole("link", { name: account.username }).click();
  await expect(office.getByRole("main")).toContainText("is disputed at the bank");
  await expectAccessible(office);
  await office.context().close();
});
