/** Actions on several subscriptions at once, with and without scripts. */
import type { Page } from "playwright/test";
import { dollars, lastDayInWords, openAccount, paid, pay } from "./account.ts";
import { type Subscription, signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

const choose = async (page: Page, act: string): Promise<void> => {
  await page.getByLabel("With the selected").selectOption({ label: act });
  await page.getByRole("button", { name: "Continue" }).click();
};

test("Several subscriptions are renewed with one payment, and cancelled together", async ({ page, request }) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const routes = await api.routesOnSale(3);
  const bought: Subscription[] = [];
  for (const route of routes) bought.push(await api.buy(route));
  const main = page.getByRole("main");

  await test.step("selects by keyboard, and all that the filter matches", async () => {
    await page.goto("/subscriptions");
    const [first] = await page.getByRole("checkbox", { name: /^Select / }).all();
    await first?.focus();
    await page.keyboard.press("Space");
    await expect(main.getByRole("status").filter({ hasText: "1 selected" })).toBeVisible();
    await page.getByRole("button", { name: "Select all 3" }).click();
    await expect(main.getByRole("status").filter({ hasText: "3 selected" })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("shows what each renewal costs, for its own term or another one", async () => {
    await choose(page, "Renew");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Renew subscriptions");
    await expect(page.getByRole("table").getByRole("rowheader")).toHaveCount(3);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const total = bought.reduce((sum, { next_charge }) => sum + (next_charge?.amount_cents ?? 0), 0);
    await expect(main).toContainText(dollars(total));
    await page.getByLabel("Renew for").selectOption({ label: "3 months" });
    await expect(page).toHaveURL(/term=3_months/);
    await expect(page.getByRole("table")).toContainText("3 months, from");
    await page.getByLabel("Renew for").selectOption({ label: "Each subscription's renewal term" });
    await expect(main).toContainText(dollars(total));
  });

  await test.step("pays for all of them at once", async () => {
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await expect(page.getByRole("heading", { name: "Payment", level: 1 })).toBeVisible();
    await expect(main).toContainText("Renews automatically");
    await pay(page, { number: "4242 4242 4242 4242" });
    await paid(page);
    const renewed = await api.subscriptions();
    expect(renewed.every(({ id, end_date }) => end_date > (bought.find((one) => one.id === id)?.end_date ?? ""))).toBe(
      true,
    );
    expect((await api.invoices())[0]?.lines).toHaveLength(3);
  });

  await test.step("cancels two, and says why the cancelled one cannot be cancelled again", async () => {
    await page.goto("/subscriptions");
    const boxes = await page.getByRole("checkbox", { name: /^Select / }).all();
    for (const box of boxes.slice(0, 2)) await box.check();
    await choose(page, "Cancel");
    await expect(page.getByRole("table")).toContainText("Last day");
    await page.getByRole("button", { name: "Cancel 2 subscriptions" }).click();
    await expect(page).toHaveURL("/subscriptions");
    await expect(page.getByText("2 subscriptions cancelled.")).toBeVisible();
    // What was chosen before selecting all stays chosen.
    await page
      .getByRole("checkbox", { name: /^Select / })
      .first()
      .check();
    await page.getByLabel("With the selected").selectOption({ label: "Cancel" });
    await page.getByRole("button", { name: "Select all 3" }).click();
    await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(3);
    await expect(page.getByLabel("With the selected")).toHaveValue("cancel");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("table", { name: "Subscriptions that stay as they are" })).toContainText(
      "The subscription is already cancelled",
    );
    await expect(page.getByRole("button", { name: "Cancel 1 subscription" })).toBeVisible();
    await expectAccessible(page);
    await main.getByRole("link", { name: "Back", exact: true }).click();
    await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(3);
  });
});

test.describe("Without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("auto-renewal is turned off and on again for a selection", async ({ page, request }) => {
    const account = await openAccount(page);
    const api = await signIn(request, account);
    const bought: Subscription[] = [];
    for (const route of await api.routesOnSale(2)) bought.push(await api.buy(route));
    await page.goto("/subscriptions");
    await page.getByRole("button", { name: "Select all 2" }).click();
    await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);
    await choose(page, "Turn auto-renewal off");
    await expect(page.getByRole("table")).toContainText(`Last day ${lastDayInWords(bought[0]?.end_date ?? "")}`);
    await page.getByRole("button", { name: "Turn off for 2 subscriptions" }).click();
    await expect(page.getByText("2 subscriptions set to end without renewal.")).toBeVisible();
    expect((await api.subscriptions()).map(({ auto_renew }) => auto_renew)).toEqual([false, false]);

    await page
      .getByRole("checkbox", { name: /^Select / })
      .first()
      .check();
    await choose(page, "Turn auto-renewal on");
    await page.getByRole("button", { name: "Turn on for 1 subscription" }).click();
    await expect(page.getByText("1 subscription set to renew automatically.")).toBeVisible();

    await choose(page, "Renew");
    await expect(page.getByText("No subscriptions selected")).toBeVisible();
  });
});
