import type { Page } from "playwright/test";
import { dayInWords, dollars, lastDayInWords, openAccount, paid, pay, signInAgain } from "./account.ts";
import { card, mailTo, readByKey, signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll } from "./journey.ts";
import { daysFrom, test } from "./own-service.ts";

test("A subscription renews: a reminder a week before, the charge three days before its end, and an invoice", async ({
  page,
  request,
  clock,
}) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  const bought = await api.buy(route);
  const chargeDay = daysFrom(bought.end_date, -3);
  const main = page.getByRole("main");

  await test.step("shows the next charge on its page", async () => {
    await page.goto(`/subscriptions/${bought.id}`);
    expect(bought.next_charge?.date).toBe(chargeDay);
    await expect(main).toContainText(dollars(bought.next_charge?.amount_cents ?? 0));
    await expect(main).toContainText(dayInWords(chargeDay));
    await expectAccessible(page);
  });

  await test.step("announces the charge, its day and its price a week before the end", async () => {
    await clock.moveTo(daysFrom(bought.end_date, -8));
    const early = (await mailTo(request, account.email)).map(({ subject }) => subject);
    expect(early.filter((subject) => subject.includes(bought.route_name))).toEqual([]);
    await clock.moveTo(daysFrom(bought.end_date, -7));
    const [reminder] = await mailTo(request, account.email);
    const { next_charge: next } = await (await signIn(request, account)).subscription(bought.id);
    expect(reminder?.subject).toBe(`Your subscription to ${bought.route_name} renews on ${dayInWords(chargeDay)}`);
    expect(reminder?.text).toContain(`the last day is ${lastDayInWords(bought.end_date)}`);
    expect(reminder?.text).toContain(`USD ${dollars(next?.amount_cents ?? 0).slice(1)} on ${dayInWords(chargeDay)}`);
    await page.goto(`/subscriptions/${bought.id}`);
    await expect(main).toContainText("Expiring soon");
  });

  await test.step("is charged three days before the end, and not earlier", async () => {
    await clock.moveTo(daysFrom(chargeDay, -1));
    expect(await (await signIn(request, account)).invoices()).toHaveLength(1);
    await clock.moveTo(chargeDay);
    const now = await signIn(request, account);
    const renewed = await now.subscription(bought.id);
    expect(renewed.end_date > bought.end_date).toBe(true);
    expect(renewed.status).toBe("active");
    const [invoice, first] = await now.invoices();
    expect(first?.amount_cents).toBeGreaterThan(0);
    const [receipt] = await mailTo(request, account.email);
    expect(receipt?.subject).toBe(`Your receipt: invoice ${invoice?.number}`);
    expect(receipt?.text).toContain(`${dayInWords(bought.end_date)} – ${lastDayInWords(renewed.end_date)}`);

    await page.goto(`/subscriptions/${bought.id}`);
    await expect(main).toContainText(dayInWords(renewed.end_date));
    await page.goto("/billing");
    await page.getByRole("link", { name: invoice?.number ?? "?", exact: true }).click();
    await expect(main).toContainText(dollars(invoice?.amount_cents ?? 0));
    await expect(main).toContainText(/renewal/i);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});

test("A declined renewal is tried three times, then access ends, and a new payment restores it", async ({
  page,
  request,
  clock,
}) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  const key = await api.createKey("Declined", account.username);
  const bought = await api.buy(route, { number: card.declinedLater });
  const main = page.getByRole("main");
  const declines = async () =>
    (await mailTo(request, account.email)).filter(({ subject }) => subject.startsWith("Payment failed"));

  await test.step("tries on three days, with a mail each", async () => {
    for (const [tries, daysLeft] of [
      [1, 3],
      [2, 2],
      [3, 1],
    ] as const) {
      await clock.moveTo(daysFrom(bought.end_date, -daysLeft));
      expect(await declines()).toHaveLength(tries);
      expect(await readByKey(request, route.id, key)).toBe(200);
    }
    expect((await declines())[2]?.text).toContain(`try again on ${dayInWords(daysFrom(bought.end_date, -2))}`);
    expect((await declines())[0]?.text).toContain("We will not try again");
  });

  await test.step("expires at its end, by API and on the pages", async () => {
    await clock.moveTo(bought.end_date);
    expect(await readByKey(request, route.id, key)).toBe(403);
    const now = await signIn(request, account);
    expect((await now.subscription(bought.id)).status).toBe("expired");
    expect(await now.invoices()).toHaveLength(1);
    expect((await mailTo(request, account.email))[0]?.subject).toBe(
      `Your subscription to ${bought.route_name} has ended`,
    );
    await signInAgain(page, account);
    await page.goto(`/routes/${route.id}`);
    await expect(main).toContainText("Your subscription has ended");
    await expect(page.getByRole("table", { name: "Base rates" })).toHaveCount(0);
    await page.goto("/subscriptions");
    await expect(page.getByRole("table", { name: "Ended subscriptions" })).toContainText(bought.route_name);
    await expectAccessible(page);
  });

  await test.step("restores access once it is renewed with another card", async () => {
    await page.goto(`/subscriptions/${bought.id}`);
    await expect(main).toContainText("Expired");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await pay(page, { number: "4242 4242 4242 4242", expiry: "12 / 39" });
    await paid(page);
    expect(await readByKey(request, route.id, key)).toBe(200);
    await page.goto(`/routes/${route.id}`);
    await expect(page.getByRole("table", { name: "Base rates" })).toBeVisible();
  });
});

test("Without auto-renewal nothing is charged, and access ends after the last day", async ({
  page,
  request,
  clock,
}) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [off, cancelled] = await api.routesOnSale(2);
  if (!off || !cancelled) throw new Error("Too little is on sale");
  const key = await api.createKey("Ends", account.username);
  const first = await api.buy(off, { autoRenew: false });
  const second = await api.buy(cancelled);
  expect((await api.ask("POST", `/subscriptions/${second.id}/cancel`)).status()).toBe(200);

  await clock.moveTo(daysFrom(first.end_date, -7));
  const subjects = (await mailTo(request, account.email)).map(({ subject }) => subject);
  expect(subjects).toContain(`Your subscription to ${first.route_name} has 7 days left`);
  await clock.moveTo(daysFrom(first.end_date, -1));
  for (const { id } of [off, cancelled]) expect(await readByKey(request, id, key)).toBe(200);
  await clock.moveTo(first.end_date);
  for (const { id } of [off, cancelled]) expect(await readByKey(request, id, key)).toBe(403);
  expect(await (await signIn(request, account)).invoices()).toHaveLength(2);

  await signInAgain(page, account);
  await page.goto("/subscriptions");
  await expect(page.getByRole("table", { name: "Ended subscriptions" }).getByRole("rowheader")).toHaveCount(2);
  await page.goto(`/routes/${off.id}`);
  await expect(page.getByRole("main")).toContainText("Your subscription has ended");
  await expectAccessible(page);
});

test("An account holder who renews while the bank's approval is pending is charged once", async ({
  page,
  request,
  clock,
}) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  await page.goto(`/routes/${route.id}`);
  await page.getByRole("radio", { name: /^1 month/ }).check();
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await payAndApprove(page);
  const [bought] = await api.subscriptions();
  if (!bought) throw new Error("Nothing was bought");

  await clock.moveTo(daysFrom(bought.end_date, -3));
  const [mail] = await mailTo(request, account.email);
  expect(mail?.subject).toBe(`Your bank asks you to approve the renewal of ${bought.route_name}`);
  await signInAgain(page, account);
  await page.goto(`/subscriptions/${bought.id}`);
  const renewal = page.locator("details", { hasText: "Renew now" });
  await renewal.locator("summary").click();
  await renewal.getByRole("button", { name: "Continue to payment" }).click();
  await payAndApprove(page);

  const renewed = await (await signIn(request, account)).subscription(bought.id);
  expect(renewed.end_date > bought.end_date).toBe(true);
  await clock.moveTo(bought.end_date);
  const now = await signIn(request, account);
  expect(await now.invoices()).toHaveLength(2);
  expect((await now.subscription(bought.id)).end_date).toBe(renewed.end_date);
});

/** Buys with a card whose bank always requires authentication. */
const payAndApprove = async (page: Page): Promise<void> => {
  await pay(page, { number: "4000 0027 6000 3184", expiry: "12 / 39" });
  await page.getByRole("button", { name: "Approve" }).click();
  await paid(page);
};
