import type { Page } from "playwright/test";
import { findRoute, openAccount, order, paid, pay } from "./account.ts";
import { expect, expectAccessible, test } from "./journey.ts";

test.beforeEach(async ({ page }) => {
  await openAccount(page);
  await order(page, await findRoute(page));
});

for (const { card, why, words } of [
  { card: "4000 0000 0000 0002", why: "is declined", words: /declined/ },
  { card: "4000 0000 0000 9995", why: "has insufficient funds", words: /insufficient funds/ },
]) {
  test(`A card that ${why} is rejected with an alert and at its field, and another card pays`, async ({
    page,
    complaints,
  }) => {
    complaints.allow(422);
    await pay(page, { number: card, expiry: "11 / 33" });
    const number = page.getByLabel("Card number");
    await expect(number).toHaveAttribute("aria-invalid", "true");
    await expect(number).toHaveAccessibleDescription(words);
    await expect(page.getByLabel("Expiry")).toHaveValue("11 / 33");
    await expect(number).toBeFocused();
    await expect(page.getByRole("alert")).toContainText(/pay with another card/);
    await expectAccessible(page);
    await expectNothingCharged(page);

    await page.goBack();
    await pay(page, { number: "4242 4242 4242 4242" });
    await paid(page);
  });
}

test("An incomplete card form shows an error at each field", async ({ page, complaints }) => {
  complaints.allow(422);
  await pay(page, { number: "4242", expiry: "13 / 99", cvc: "x" });
  for (const label of ["Card number", "Expiry", "Security code"]) {
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(/^Enter /);
  }
  await expect(page.getByRole("alert")).toHaveText(/Fix 3 fields to continue/);
  await expect(page.getByLabel("Card number")).toBeFocused();
});

test("A payment rejected on the bank's page charges nothing, and an approved one succeeds", async ({ page }) => {
  await pay(page, { number: "4000 0025 0000 3155" });
  await expect(page.getByText("Simulated bank, no real card")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Refuse" }).click();
  await expect(page.getByRole("alert")).toContainText("Payment failed");
  await expect(page.getByRole("alert")).toContainText("Nothing was charged");
  await expectNothingCharged(page);

  await page.goBack();
  await pay(page, { number: "4000 0025 0000 3155" });
  await page.getByRole("button", { name: "Approve" }).click();
  await paid(page);
});

test("A paid order cannot be paid again", async ({ page }) => {
  const checkout = page.url();
  await pay(page, { number: "4242 4242 4242 4242" });
  await paid(page);
  await page.goto(checkout);
  await paid(page);
});

const expectNothingCharged = async (page: Page): Promise<void> => {
  await page.goto("/billing");
  await expect(page.getByText("No invoices yet")).toBeVisible();
};
