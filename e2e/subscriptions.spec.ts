/** The list of subscriptions: groups, filters and the selection. And the acts of one subscription, with their consequences. */
import { dayInWords, dollars, lastDayInWords, openAccount, paid, pay } from "./account.ts";
import { type Subscription, signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("Subscriptions are grouped and filtered, at their own address, and selected for an act", async ({
  page,
  request,
}) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [first, second, third, fourth] = await api.routesOnSale(4);
  if (!first || !second || !third || !fourth) throw new Error("Too little is on sale");
  await api.buy(first, { term: "12_months" });
  await api.buy(second);
  await api.buy(third, { autoRenew: false });
  const cancelled = await api.buy(fourth);
  expect((await api.ask("POST", `/subscriptions/${cancelled.id}/cancel`)).status()).toBe(200);
  const rows = page.getByRole("rowheader");
  const bar = page.getByRole("group", { name: "Selected subscriptions" });
  const checked = async () => {
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  };

  await test.step("groups by status, carrier and trade lane", async () => {
    await page.goto("/subscriptions");
    await expect(page.getByRole("table", { name: "Active subscriptions" }).getByRole("rowheader")).toHaveCount(4);
    await page.getByLabel("Group by").selectOption({ label: "Status" });
    await expect(page).toHaveURL(/group=status/);
    await expect(page.getByRole("table", { name: "Active subscriptions" }).getByRole("rowheader")).toHaveCount(3);
    await expect(page.getByRole("table", { name: "Cancelled subscriptions" }).getByRole("rowheader")).toHaveCount(1);
    await checked();
    for (const grouping of ["Carrier", "Trade lane"]) {
      await page.getByLabel("Group by").selectOption({ label: grouping });
      await expect(page).toHaveURL(grouping === "Carrier" ? /group=carrier/ : /group=lane/);
      await expect(page.getByRole("table", { name: "Active subscriptions" })).toHaveCount(0);
      await expect(rows).toHaveCount(4);
    }
    await checked();
  });

  await test.step("filters by auto-renewal, by the last day and by words, together with a status", async () => {
    await page.getByLabel("Auto-renewal").selectOption({ label: "Off" });
    await expect(rows).toHaveCount(2);
    await page.getByRole("navigation", { name: "By status" }).getByRole("link", { name: "Active" }).click();
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText(third.name);
    await expect(page).toHaveURL(/group=lane/);
    await page.goto("/subscriptions?expiring=30");
    const soon = await api.ask("GET", "/subscriptions/upcoming-expirations?days=30");
    const { subscriptions } = (await soon.json()) as { subscriptions: Subscription[] };
    await expect(rows).toHaveCount(subscriptions.length);
    await expect(page.getByRole("main")).not.toContainText(first.name);
    await page.goto("/subscriptions");
    await page.getByLabel("Search", { exact: true }).fill(second.name);
    await page.getByRole("main").getByRole("button", { name: "Search" }).click();
    await expect(rows).toHaveCount(1);
    await page.getByLabel("Auto-renewal").selectOption({ label: "Off" });
    await expect(page.getByText("No matching subscriptions")).toBeVisible();
    await checked();
    await page.getByRole("link", { name: "Show all subscriptions" }).click();
    await expect(rows).toHaveCount(4);
  });

  await test.step("shows the acts once something is selected, above the list and not over it", async () => {
    await expect(bar.getByRole("button", { name: "Continue" })).toBeHidden();
    const box = page.getByRole("checkbox", { name: new RegExp(`^Select ${third.name}`) });
    await box.check();
    await expect(bar.getByRole("status")).toHaveText("1 selected");
    await expect(bar.getByRole("button", { name: "Continue" })).toBeVisible();
    await checked();
    const lowest = await bar.evaluate((element) => element.getBoundingClientRect().bottom);
    const highest = await page
      .getByRole("table")
      .first()
      .evaluate((element) => element.getBoundingClientRect().top);
    expect(lowest).toBeLessThanOrEqual(highest);
    await box.uncheck();
    await expect(bar.getByRole("button", { name: "Continue" })).toBeHidden();
  });

  await test.step("keeps filters and selection through the confirmation of an act", async () => {
    await page.goto("/subscriptions?group=carrier&renewal=on");
    await page.getByRole("button", { name: "Select all 2" }).click();
    await page.getByLabel("With the selected").selectOption({ label: "Turn auto-renewal off" });
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Turn auto-renewal off");
    await page.getByRole("main").getByRole("link", { name: "Back", exact: true }).click();
    await expect(page).toHaveURL(/renewal=on.*group=carrier|group=carrier.*renewal=on/);
    await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);
  });
});

test("A subscription's page has each act once, with its consequences, and a timeline", async ({ page, request }) => {
  const api = await signIn(request, await openAccount(page));
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  const { id, end_date: end, next_charge: charge } = await api.buy(route);
  if (!charge) throw new Error("It does not renew");
  const main = page.getByRole("main");
  const timeline = page.locator("section", { has: page.getByRole("heading", { name: "Timeline" }) });
  const [price, day] = [dollars(charge.amount_cents), dayInWords(charge.date)];

  await test.step("says what each act leads to", async () => {
    await page.goto(`/subscriptions/${id}`);
    for (const act of ["Renew now", "Change term", "Auto-renewal", "Cancel"]) {
      await expect(main.getByRole("heading", { name: act, exact: true })).toHaveCount(1);
    }
    await expect(main).toContainText(`It starts when your current term ends, on ${dayInWords(end)}.`);
    await expect(main).toContainText(`On. We charge ${price} on ${day} for 1 month`);
    await expect(main).toContainText(`Your last day with access is ${lastDayInWords(end)}.`);
    await expect(main).toContainText(`We do not charge the ${price} due on ${day}.`);
    const [invoice] = await api.invoices();
    await expect(timeline.getByRole("listitem").first()).toContainText(`Invoice ${invoice?.number}`);
    await expect(timeline).toContainText(`Charge of ${price}`);
    await expect(timeline).toContainText("Next term starts");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("changes the term of the next renewal without a payment", async () => {
    await page.getByText("Change term", { exact: true }).click();
    await page.getByLabel("Renew for").selectOption("6_months");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Save term" }).click();
    await expect(page.getByRole("region", { name: "Messages" })).toContainText("Renews for 6 months next time.");
    const changed = await api.subscription(id);
    expect(changed).toMatchObject({ renewal_term: "6_months", auto_renew: true });
    await expect(timeline).toContainText(`Charge of ${dollars(changed.next_charge?.amount_cents ?? 0)}`);
  });

  await test.step("renews now, after which the charge moves behind the new term", async () => {
    await page.getByText("Renew now", { exact: true }).click();
    const renewal = page.locator("form", { has: page.locator("[value='renew']") });
    await renewal.getByRole("radio", { name: /^2 months/ }).check();
    await renewal.getByRole("button", { name: "Continue to payment" }).click();
    await expect(main).toContainText("2 months of additional access");
    await pay(page, { number: "4242 4242 4242 4242" });
    await paid(page);
    const renewed = await api.subscription(id);
    expect(renewed.end_date > end).toBe(true);
    await page.goto(`/subscriptions/${id}`);
    await expect(timeline.getByRole("listitem").filter({ hasText: "Paid" })).toHaveCount(2);
    await expect(main).toContainText(lastDayInWords(renewed.end_date));
  });
});
