import { dollars, lastDayInWords, openAccount, paid, pay } from "./account.ts";
import { readByKey, signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("A cancelled subscription keeps its data until the end, and can be resumed", async ({ page, request }) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  const key = await api.createKey("Stays", account.username);
  const { id, end_date: end, next_charge: charge } = await api.buy(route);
  const main = page.getByRole("main");

  await page.goto(`/subscriptions/${id}`);
  await page.getByRole("button", { name: "Cancel subscription" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Yes, cancel subscription" }).click();
  await expect(page.getByRole("button", { name: "Resume subscription" })).toBeVisible();
  await expect(main).toContainText("Cancelled");
  await expect(main).toContainText(lastDayInWords(end));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  expect(await api.subscription(id)).toMatchObject({ status: "cancelled", auto_renew: false, next_charge: null });
  expect(await readByKey(request, route.id, key)).toBe(200);

  await page.getByRole("button", { name: "Resume subscription" }).click();
  await expect(page.getByRole("button", { name: "Cancel subscription" })).toBeVisible();
  await expect(main).toContainText(dollars(charge?.amount_cents ?? 0));
  expect(await api.subscription(id)).toMatchObject({ status: "active", auto_renew: true, next_charge: charge });
});

test("Auto-renewal is saved as soon as it is changed", async ({ page, request }) => {
  const api = await signIn(request, await openAccount(page));
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  const { id, next_charge: charge } = await api.buy(route);
  const main = page.getByRole("main");
  const renews = page.getByRole("checkbox", { name: "Renew automatically" });

  await page.goto(`/subscriptions/${id}`);
  await renews.uncheck();
  await expect(page.getByRole("region", { name: "Messages" })).toContainText("Auto-renewal is off");
  await expect(main).toContainText(/Next charge\s*None/);
  await expect(renews).toBeFocused();
  expect(await api.subscription(id)).toMatchObject({ status: "active", auto_renew: false, next_charge: null });

  await renews.check();
  await expect(page.getByRole("region", { name: "Messages" })).toContainText("Auto-renewal is on");
  await expect(main).toContainText(dollars(charge?.amount_cents ?? 0));
  expect(await api.subscription(id)).toMatchObject({ auto_renew: true, next_charge: charge });
});

test("A change of term shows the credit for unused days, and applies it", async ({ page, request }) => {
  const api = await signIn(request, await openAccount(page));
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  const { id } = await api.buy(route, { term: "3_months" });
  const [before] = await api.invoices();
  const main = page.getByRole("main");
  // Bought today, so all days are unused.
  const credit = dollars(before?.amount_cents ?? 0);

  await page.goto(`/subscriptions/${id}`);
  await expect(main).toContainText(`worth ${credit}`);
  const change = page.locator("form", { has: page.locator("[value='change-term']") });
  const year = change.getByRole("radio", { name: /^12 months/ });
  await page.getByText("Change term", { exact: true }).click();
  await year.check();
  await expect(change).toContainText(`− ${credit}`);
  await change.getByRole("button", { name: "Continue to payment" }).click();
  await expect(page.getByRole("heading", { name: "Payment", level: 1 })).toBeVisible();
  await expect(main).toContainText(`−${credit}`);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await pay(page, { number: "4242 4242 4242 4242" });
  await paid(page);

  const [invoice] = await api.invoices();
  expect(invoice?.lines).toMatchObject([{ credit_cents: before?.amount_cents, total_cents: invoice?.amount_cents }]);
  expect(await api.subscription(id)).toMatchObject({ subscription_term: "12_months", status: "active" });
  await page.goto(`/billing/${invoice?.id}`);
  await expect(main).toContainText(/unused days/i);
  await expect(main).toContainText(dollars(invoice?.amount_cents ?? 0));
  await expectAccessible(page);
});
