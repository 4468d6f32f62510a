import { openAccount, signInAgain } from "./account.ts";
import { mailTo, signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll } from "./journey.ts";
import { daysFrom, test } from "./own-service.ts";

test("A watched route raises alerts as its data changes, until the link in the mail stops them", async ({
  page,
  request,
  clock,
  browser,
  complaints,
}) => {
  complaints.allow(422);
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  const bought = await api.buy(route);
  const today = daysFrom(bought.start_date, 0);
  const main = page.getByRole("main");

  await test.step("is watched from its page, and set up", async () => {
    await page.goto(`/routes/${bought.route_id}`);
    await page.getByRole("button", { name: `Watch ${bought.route_name}` }).click();
    await page.getByRole("link", { name: `Watching ${bought.route_name}` }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(bought.route_name);
    await page.getByLabel("Rate moves by, %").fill("0");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(main).toContainText("Must be a whole number from 1 to 100");
    await page.getByLabel("Rate moves by, %").fill("1");
    await page.getByLabel("All-in rate above, USD").fill("1.50");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByLabel("All-in rate above, USD")).toHaveValue("1.50");
    await expect(main).toContainText(/the all-in rate is \$\S+, above your threshold/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("is on the watchlist with its figures", async () => {
    await page.goto("/watchlist");
    await expect(main.getByRole("table")).toContainText(bought.route_name);
    await expect(main.getByRole("table")).toContainText("$");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("raises alerts within three months", async () => {
    const rateAlert = main.getByText(/all-in rate (up|down) \d/i).first();
    // In a quarter of all fortnights, the rates of a route move by less than 1 %.
    for (let days = 15; days <= 90 && !(await rateAlert.isVisible()); days += 15) {
      await clock.moveTo(daysFrom(today, days));
      await signInAgain(page, account);
      await page.goto("/watchlist");
    }
    await expect(rateAlert).toBeVisible();
    await expect(page.getByRole("heading", { name: /^Alerts, \d+ new$/ })).toBeVisible();
    await page.getByRole("link", { name: "All alerts" }).click();
    await expect(page).toHaveURL("/watchlist/alerts");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await expect(page.getByRole("button", { name: "Mark all as read" })).toHaveCount(0);
  });

  await test.step("is stopped by the link in the mail, signed out, and not by opening it", async () => {
    const mail = (await mailTo(request, account.email)).find(({ text }) => text.includes("Rate change: "));
    expect(mail?.subject).toMatch(/^\d+ alerts? about /);
    const [, name = "", link = ""] = /Stop watching (.+): (\S+)/.exec(mail?.text ?? "") ?? [];
    expect(name).toContain(bought.route_name);
    const visitor = await browser.newContext();
    const theirs = await visitor.newPage();
    await theirs.goto(new URL(link).pathname);
    await expect(theirs.getByRole("heading", { level: 1 })).toHaveText(`Stop watching ${name}?`);
    await page.goto("/watchlist");
    await expect(main.getByRole("table")).toContainText(bought.route_name);
    // Mail programs in a browser send their own origin (RFC 8058).
    const oneClick = await request.post(new URL(link).pathname, {
      headers: { Origin: "https://mail.example.com", "Sec-Fetch-Site": "cross-site" },
      form: { "List-Unsubscribe": "One-Click" },
    });
    expect(oneClick.status()).toBe(200);
    await page.goto("/watchlist");
    await expect(main).toContainText("You are not watching any routes yet");
    // Pressing the button too is harmless.
    await theirs.getByRole("button", { name: "Stop watching" }).click();
    await expect(theirs.getByRole("heading", { level: 1 })).toHaveText("Stopped");
    await visitor.close();
    await page.goto("/watchlist");
    await expect(main).toContainText("You are not watching any routes yet");
  });
});

test("A pair of ports is watched, and needs a subscription to show figures", async ({ page, complaints }) => {
  complaints.allow(422);
  await openAccount(page);
  const main = page.getByRole("main");
  await page.goto("/watchlist");
  await expect(main).toContainText("You are not watching any routes yet");
  await page.getByText("Watch a port pair", { exact: true }).click();
  await page.getByRole("combobox", { name: "From port" }).fill("Shanghai");
  await page.getByRole("combobox", { name: "To port" }).fill("XXXXX");
  await page.getByRole("button", { name: "Watch port pair" }).click();
  await expect(main).toContainText("No port has the code XXXXX");
  await page.getByRole("combobox", { name: "To port" }).fill("nlrtm");
  await page.getByRole("button", { name: "Watch port pair" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Shanghai → Rotterdam");
  await page.goto("/watchlist");
  await expect(main.getByRole("table")).toContainText("Not subscribed");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});
