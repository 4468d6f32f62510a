import type { Page } from "playwright/test";
import { dayInWords, dollars, lastDayInWords, openAccount, paid, pay, signInAgain } from "./account.ts";
import { card, mailTo, signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll } from "./journey.ts";
import { daysFrom, test } from "./own-service.ts";

const bannerOf = (page: Page) => page.getByRole("complementary", { name: "Past due" });

test("A declined renewal is shown on every page, and paid with another card", async ({ page, request, clock }) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  const bought = await api.buy(route, { number: card.declinedLater });
  const main = page.getByRole("main");
  const payNow = main.getByRole("link", { name: "Update card and pay now" });
  const [firstTry, secondTry] = [daysFrom(bought.end_date, -3), daysFrom(bought.end_date, -2)];

  await test.step("says on the pages that concern it what failed, why, and what comes next", async () => {
    await page.goto("/routes");
    await expect(bannerOf(page)).toHaveCount(0);
    await clock.moveTo(firstTry);
    await signInAgain(page, account);
    const { renewal, next_charge: next } = await (await signIn(request, account)).subscription(bought.id);
    expect(renewal).toMatchObject({ state: "past_due", next_attempt_on: secondTry });
    expect(next).toEqual({ date: secondTry, amount_cents: renewal.amount_cents });
    const amount = dollars(renewal.amount_cents ?? 0);
    for (const path of ["/subscriptions", `/subscriptions/${bought.id}`, "/billing", `/routes/${bought.route_id}`]) {
      await page.goto(path);
      await expect(main).toContainText(`The payment of ${amount} failed on ${dayInWords(firstTry)}`);
      await expect(main).toContainText("Your card was declined.");
      await expect(main).toContainText(`We will try again on ${dayInWords(secondTry)}.`);
      await expect(main).toContainText(`your last day with access is ${lastDayInWords(bought.end_date)}`);
      await expect(payNow).toHaveCount(1);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    }
  });

  await test.step("says after the last attempt that there is none left", async () => {
    await clock.moveTo(daysFrom(bought.end_date, -1));
    await signInAgain(page, account);
    await page.goto(`/subscriptions/${bought.id}`);
    await expect(main).toContainText("We will not try again.");
    const { next_charge: next } = await (await signIn(request, account)).subscription(bought.id);
    expect(next).toBeNull();
  });

  await test.step("shows a banner on other pages, until the renewal is paid", async () => {
    await page.goto("/usage");
    await expect(bannerOf(page)).toContainText(`The renewal of ${bought.route_name} is past due.`);
    await bannerOf(page).getByRole("link", { name: "Pay now" }).click();
    await expect(page.getByRole("heading", { name: "Payment", level: 1 })).toBeVisible();
    const payment = page.url();
    await page.goto("/billing");
    await payNow.click();
    await expect(page).toHaveURL(payment);
    await pay(page, { number: "5555 5555 5555 4444", expiry: "12 / 39" });
    await paid(page);
    await expect(bannerOf(page)).toHaveCount(0);

    const now = await signIn(request, account);
    const renewed = await now.subscription(bought.id);
    expect(renewed.end_date > bought.end_date).toBe(true);
    expect(renewed.renewal).toMatchObject({ state: "scheduled", last_failure: null });
    expect(await now.invoices()).toHaveLength(2);
    await page.goto("/billing/cards");
    await expect(main.getByRole("listitem").filter({ hasText: "4444" })).toContainText("Default");
  });
});

test("The mail's link resumes a payment that the bank wants approved, after signing in, once", async ({
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
  await pay(page, { number: "4000 0027 6000 3184", expiry: "12 / 39" });
  await page.getByRole("button", { name: "Approve" }).click();
  await paid(page);
  const [bought] = await api.subscriptions();
  if (!bought) throw new Error("Nothing was bought");

  await clock.moveTo(daysFrom(bought.end_date, -3));
  const [mail] = await mailTo(request, account.email);
  expect(mail?.subject).toBe(`Your bank asks you to approve the renewal of ${bought.route_name}`);
  const link = /http\S+\/pay\S+/.exec(mail?.text ?? "")?.[0] ?? "";
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
  await page.getByLabel("E-mail").fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();

  await expect(page.getByRole("heading", { name: "Approve the payment" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("3184");
  await expect(bannerOf(page)).toContainText("needs your approval");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: /^Approve and pay \$/ }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await paid(page);

  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This renewal is already paid");
  await expectAccessible(page);
  const now = await signIn(request, account);
  const renewed = await now.subscription(bought.id);
  await expect(page.getByRole("main")).toContainText(
    `Your last day with access is ${lastDayInWords(renewed.end_date)}`,
  );
  expect(renewed.end_date > bought.end_date).toBe(true);
  await clock.moveTo(bought.end_date);
  expect(await (await signIn(request, account)).invoices()).toHaveLength(2);
});
