import type { Page } from "playwright/test";
import { dayInWords, dollars, lastDayInWords, openAccount, paid, pay } from "./account.ts";
import { type Api, signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

const visa = "4242 4242 4242 4242";
const mastercard = "5555 5555 5555 4444";

const begin = async (page: Page, routeId: number): Promise<void> => {
  await page.goto(`/routes/${routeId}`);
  await page.getByRole("radio", { name: /^3 months/ }).check();
  await page.getByRole("button", { name: /^Continue to payment$/ }).click();
  await expect(page.getByRole("heading", { name: "Payment", level: 1 })).toBeVisible();
};

/** The card that renewals are charged to, as the page of cards names it. */
const expectDefaultCard = async (page: Page, last4: string): Promise<void> => {
  await page.goto("/billing/cards");
  const byDefault = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByText("Default", { exact: true }) });
  await expect(byDefault).toHaveCount(1);
  await expect(byDefault).toContainText(last4);
};

/** What the page said before the payment is what the subscription then has. */
const expectDeal = (text: string, bought: Awaited<ReturnType<Api["subscriptions"]>>[number]) => {
  expect(text).toContain(`${dayInWords(bought.start_date)} – ${lastDayInWords(bought.end_date)}`);
  expect(text).toContain(dayInWords(bought.next_charge?.date ?? ""));
  expect(text).toContain(dollars(bought.next_charge?.amount_cents ?? 0));
};

test("Saved cards pay, and another card asks before renewals are charged to it", async ({
  page,
  request,
  complaints,
}) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [first, second, third, fourth] = await api.routesOnSale(4);
  if (!first || !second || !third || !fourth) throw new Error("Too little is on sale");
  const main = page.getByRole("main");
  const forRenewals = page.getByRole("checkbox", { name: "Use this card for renewals too" });
  const payButton = page.getByRole("button", { name: /^Pay \$/ });

  await test.step("shows the whole deal before the first payment, which saves the card", async () => {
    await begin(page, first.id);
    await expect(main).toContainText("Term discount of 10% for 3 months");
    await expect(main).toContainText("A renewal costs at most 10% more than what you last paid");
    await expect(main).toContainText("No pauses or refunds");
    await expect(main).toContainText("We save this card and charge renewals to it.");
    await expect(forRenewals).toHaveCount(0);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const deal = (await main.textContent()) ?? "";
    await pay(page, { number: visa });
    await paid(page);
    const [bought] = await api.subscriptions();
    if (!bought) throw new Error("Nothing was bought");
    expectDeal(deal, bought);
    await expect(main).toContainText(`Last day ${lastDayInWords(bought.end_date)}`);
  });

  await test.step("pays with the saved card", async () => {
    await begin(page, second.id);
    await expect(page.getByRole("radio", { name: /Visa •••• 4242/ })).toBeChecked();
    await expect(forRenewals).toBeHidden();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await payButton.click();
    await paid(page);
    await expectDefaultCard(page, "4242");
  });

  await test.step("asks about a declined card, then about the next one, which is not used for renewals", async () => {
    complaints.allow(422);
    await begin(page, third.id);
    await pay(page, { number: "4000 0000 0000 9995" });
    await expect(page.getByLabel("Card number")).toHaveAccessibleDescription(
      "Your card has insufficient funds. Add funds and try again, or pay with another card.",
    );
    await expect(forRenewals).not.toBeChecked();
    await expect(main).toContainText("Otherwise we charge renewals to Visa •••• 4242.");
    await expectAccessible(page);
    await pay(page, { number: mastercard });
    await paid(page);
    await expectDefaultCard(page, "4242");
    await expect(main).toContainText("4444");
  });

  await test.step("uses another saved card for renewals once its holder says so", async () => {
    await begin(page, fourth.id);
    await page.getByRole("radio", { name: /Mastercard •••• 4444/ }).check();
    await expect(forRenewals).toBeVisible();
    await expect(forRenewals).not.toBeChecked();
    await forRenewals.check();
    await expectAccessible(page);
    await payButton.click();
    await paid(page);
    await expectDefaultCard(page, "4444");
  });

  await test.step("renews early with a new card that becomes the one for renewals", async () => {
    const [bought] = await api.subscriptions();
    if (!bought) throw new Error("Nothing was bought");
    await page.goto(`/subscriptions/${bought.id}`);
    await page.getByText("Renew now", { exact: true }).click();
    const form = page.locator("form", { has: page.locator("[value='renew']") });
    await form.getByRole("button", { name: "Continue to payment" }).click();
    await expect(main).toContainText("of additional access");
    await expect(main).toContainText(dayInWords(bought.end_date));
    await page.getByRole("link", { name: "Pay with another card" }).click();
    await forRenewals.check();
    await pay(page, { number: visa, expiry: "11 / 35" });
    await paid(page);
    await expectDefaultCard(page, "11/2035");
  });
});

test("A saved card whose bank asks for authentication pays after the approval", async ({ page, request }) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [first, second] = await api.routesOnSale(2);
  if (!first || !second) throw new Error("Too little is on sale");
  await begin(page, first.id);
  await pay(page, { number: "4000 0027 6000 3184" });
  await page.getByRole("button", { name: "Approve" }).click();
  await paid(page);

  await begin(page, second.id);
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await page.getByRole("button", { name: "Refuse" }).click();
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Payment failed");
  await expect(alert).toContainText(
    "Your bank did not approve the payment. Try again and approve it, or pay with another card.",
  );
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await paid(page);
});

test.describe("Without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a saved card pays, and another one is asked about", async ({ page, request }) => {
    const account = await openAccount(page);
    const api = await signIn(request, account);
    const routes = await api.routesOnSale(3);
    const buy = async (routeId: number | undefined, act: () => Promise<void>) => {
      await begin(page, routeId ?? 0);
      await act();
      await paid(page);
    };
    await buy(routes[0]?.id, () => pay(page, { number: visa }));
    await buy(routes[1]?.id, () => page.getByRole("button", { name: /^Pay \$/ }).click());
    await buy(routes[2]?.id, async () => {
      await page.getByRole("link", { name: "Pay with another card" }).click();
      await page.getByRole("checkbox", { name: "Use this card for renewals too" }).check();
      await pay(page, { number: mastercard });
    });
    await expectDefaultCard(page, "4444");
  });
});
