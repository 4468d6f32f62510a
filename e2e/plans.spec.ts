import { openAccount } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("The plans are public, and lead to a request for another plan", async ({ page }) => {
  await page.goto("/plans");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plans");
  const main = page.getByRole("main");
  await expect(main).toContainText("5,000 requests an hour");
  await expect(main).toContainText("Price on request");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await main.getByRole("link", { name: "Request Professional" }).click();
  await expect(page).toHaveURL(/\/register\?next=/);

  await openAccount(page);
  await page.goto("/plans");
  await expect(main.getByText("Your plan", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await main.getByRole("link", { name: "Request Enterprise" }).click();
  await expect(page).toHaveURL("/plan?plan=enterprise#request");
  await expect(page.getByRole("radio", { name: /^Enterprise/ })).toBeChecked();
});
