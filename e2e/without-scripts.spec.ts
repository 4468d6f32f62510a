import { type Card, dollars, fillCard, newAccount, openAccount, operator, paid, pay, signOut } from "./account.ts";
import { signIn } from "./api.ts";
import { expect, test } from "./journey.ts";
import { mailTo } from "./mailbox.ts";

test.use({ javaScriptEnabled: false });

test("An account is opened, a route bought and a key managed without scripts", async ({ page, complaints }) => {
  complaints.allow(422);
  const account = newAccount();

  await test.step("opens an account, after a rejected form", async () => {
    await page.goto("/register");
    await page.getByLabel("Work e-mail").fill(account.email);
    await page.getByLabel("Username").fill(account.username);
    await page.getByLabel("Password", { exact: true }).fill("xq7zk");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByRole("alert")).toContainText("At least 12 characters");
    await expect(page.getByLabel("Work e-mail")).toHaveValue(account.email);
    expect(await page.content()).not.toContain("xq7zk");
    await page.getByLabel("Password", { exact: true }).fill(account.password);
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page).toHaveURL("/");
  });

  await test.step("searches with filters", async () => {
    await page.getByRole("main").getByRole("link", { name: "Browse all routes" }).click();
    await page.getByRole("searchbox", { name: "Search" }).fill("Rotterdam");
    const filters = page.getByRole("button", { name: "Filters" });
    // On a phone the filters are a sheet, which also opens without scripts.
    if (await filters.isVisible()) await filters.click();
    await page.getByRole("checkbox", { name: /^Container/ }).check();
    await page.getByRole("checkbox", { name: /^Express/ }).check();
    await page.getByRole("button", { name: "Apply filters" }).click();
    await expect(page).toHaveURL(/q=Rotterdam&cargo_type=container/);
    await expect(page.getByRole("link", { name: "Remove Container" })).toBeVisible();
    await expect(page.getByRole("main").getByRole("status")).toContainText(/^[1-9]\d* routes?/);
    await page
      .getByRole("table", { name: "Routes" })
      .getByRole("link", { name: /Rotterdam/ })
      .first()
      .click();
    await expect(page.getByRole("img", { name: /^Map of the route/ })).toBeVisible();
  });

  await test.step("pays with another card after a declined one", async () => {
    await page.getByRole("radio", { name: /^1 month/ }).check();
    await page.getByRole("checkbox", { name: "Renew automatically" }).uncheck();
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await pay(page, { number: "4000 0000 0000 0002", expiry: "11 / 33", cvc: "987" });
    await expect(page.getByLabel("Card number")).toHaveAccessibleDescription(/declined/);
    await expect(page.getByLabel("Expiry")).toHaveValue("11 / 33");
    await expect(page.getByLabel("Card number")).toHaveValue("");
    await expect(page.getByLabel("Security code")).toHaveValue("");
    await pay(page, { number: "4000 0025 0000 3155" });
    await page.getByRole("button", { name: "Approve" }).click();
    await paid(page);
    await expect(page.getByText("does not renew")).toBeVisible();
    await page.getByRole("link", { name: "View route data" }).click();
    await expect(page.getByRole("table", { name: "Base rates" })).toBeVisible();
  });

  await test.step("creates, copies, deactivates and deletes a key", async () => {
    await page.goto("/api-keys");
    await page.getByLabel("Name", { exact: true }).fill("Without scripts");
    await page.getByRole("button", { name: "Create key" }).click();
    await expect(page.getByLabel("New key")).toContainText(/srd_live_/);
    await page.getByRole("button", { name: "Deactivate Without scripts" }).click();
    await expect(page.getByRole("table", { name: "API keys" })).toContainText("Inactive");
    await page.getByRole("button", { name: "Delete Without scripts" }).click();
    await page.getByRole("button", { name: "Delete key" }).click();
    await expect(page.getByText("No keys yet")).toBeVisible();
  });

  await test.step("signs out", async () => {
    await signOut(page);
    await page.goto("/subscriptions");
    await expect(page).toHaveURL("/sign-in?next=%2Fsubscriptions");
  });
});

test("A basket is filled, changed and paid, and its subscriptions are managed, without scripts", async ({
  page,
  request,
}) => {
  const api = await signIn(request, await openAccount(page));
  const [first, second, third] = await api.routesOnSale(3);
  if (!first || !second || !third) throw new Error("Too little is on sale");
  const main = page.getByRole("main");

  await test.step("adds three routes to the basket", async () => {
    for (const { id } of [first, second, third]) {
      await page.goto(`/routes/${id}`);
      await page.getByRole("radio", { name: /^1 month/ }).check();
      await page.getByRole("button", { name: "Add to basket" }).click();
    }
    await page.goto("/basket");
    for (const { name } of [first, second, third]) await expect(main).toContainText(name);
  });

  await test.step("changes a term and removes a route", async () => {
    const line = page.getByRole("listitem").filter({ hasText: first.name });
    await line.getByRole("combobox").selectOption({ label: "12 months" });
    await line.getByRole("button", { name: "Change" }).click();
    await page.getByRole("button", { name: `Remove ${third.name}` }).click();
    await expect(page.getByRole("button", { name: `Remove ${third.name}` })).toHaveCount(0);
    const { total_cents: total } = await api.quote([
      { period_id: first.periodId, subscription_term: "12_months" },
      { period_id: second.periodId, subscription_term: "1_month" },
    ]);
    await expect(main).toContainText(dollars(total));
  });

  await test.step("pays for the remaining two", async () => {
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await pay(page, { number: "4242 4242 4242 4242" });
    await paid(page);
    await page.goto("/subscriptions");
    await expect(page.getByRole("table", { name: "Active subscriptions" }).getByRole("rowheader")).toHaveCount(2);
    await page.goto("/basket");
    await expect(main).toContainText("Your basket is empty");
  });

  await test.step("cancels and resumes a subscription, and turns its renewal off", async () => {
    const one = (await api.subscriptions()).find(({ route_id }) => route_id === second.id);
    await page.goto(`/subscriptions/${one?.id}`);
    await page.getByRole("button", { name: "Cancel subscription" }).click();
    await page.getByRole("button", { name: "Yes, cancel subscription" }).click();
    await page.getByRole("button", { name: "Resume subscription" }).click();
    await page.getByRole("checkbox", { name: "Renew automatically" }).uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    expect(await api.subscription(one?.id ?? 0)).toMatchObject({ status: "active", auto_renew: false });
  });

  await test.step("reads and downloads the invoice", async () => {
    const [invoice] = await api.invoices();
    await page.goto("/billing");
    await page.getByRole("link", { name: invoice?.number ?? "?", exact: true }).click();
    await expect(main).toContainText(dollars(invoice?.amount_cents ?? 0));
    expect((await page.request.get(`/billing/${invoice?.id}/receipt.pdf`)).status()).toBe(200);
  });
});

test("Cards are saved, made the default and removed without scripts", async ({ page, complaints }) => {
  complaints.allow(422);
  await openAccount(page);
  const cards = page.getByRole("main").getByRole("listitem");
  const row = (last4: string) => cards.filter({ hasText: `Visa •••• ${last4}` });
  const save = async (card: Card) => {
    await fillCard(page, card);
    await page.getByRole("button", { name: "Save card" }).click();
  };

  await test.step("saves a card, after a declined one", async () => {
    await page.goto("/billing/cards");
    await expect(page.getByText("No saved cards")).toBeVisible();
    await page.getByRole("link", { name: "Add a card" }).click();
    await save({ number: "4000 0000 0000 0002", expiry: "11 / 33" });
    await expect(page.getByLabel("Card number")).toHaveAccessibleDescription(/declined/);
    await expect(page.getByLabel("Expiry")).toHaveValue("11 / 33");
    await save({ number: "4242 4242 4242 4242" });
    await expect(page.getByText("The card is saved.")).toBeVisible();
    await expect(row("4242")).toContainText("Default");
  });

  await test.step("saves another card, whose bank first rejects and then approves it", async () => {
    for (const answer of ["Refuse", "Approve"]) {
      await page.goto("/billing/cards/new");
      await save({ number: "4000 0025 0000 3155" });
      await page.getByRole("button", { name: answer }).click();
      if (answer === "Refuse") await expect(page.getByRole("alert")).toContainText("The card was not saved");
    }
    await expect(page).toHaveURL("/billing/cards");
    await expect(row("3155")).toContainText("Default");
    await expect(row("4242")).not.toContainText("Default");
  });

  await test.step("makes the first card the default again", async () => {
    await page.getByRole("button", { name: "Make Visa •••• 4242 the default" }).click();
    await expect(page.getByText("Default card changed. We charge renewals to it from now on.")).toBeVisible();
    await expect(row("4242")).toContainText("Default");
    await expect(row("3155")).not.toContainText("Default");
  });

  await test.step("removes both cards, with a confirmation each", async () => {
    for (const [last4, left] of [
      ["4242", 1],
      ["3155", 0],
    ] as const) {
      const remove = row(last4).getByRole("button", { name: "Remove card" });
      await expect(remove).toBeHidden();
      await row(last4)
        .getByRole("button", { name: `Remove Visa •••• ${last4}` })
        .click();
      await remove.click();
      await expect(page.getByText("Card removed")).toBeVisible();
      await expect(row("4242").or(row("3155"))).toHaveCount(left);
    }
    await expect(page.getByText("No saved cards")).toBeVisible();
  });
});

test("A support conversation works without scripts", async ({ page, browser, complaints }) => {
  complaints.allow(422);
  const account = await openAccount(page);
  const subject = `Cut-off times are missing (${account.username})`;
  const message = page.getByLabel("Message", { exact: true });
  const last = page.getByRole("article").last();

  await test.step("sends a request, after a rejected one", async () => {
    await page.goto("/support/new");
    await page.getByLabel("Subject").fill(subject);
    await message.fill("There are none.\n\nSince Monday.");
    await page.getByRole("button", { name: "Send request" }).click();
    await expect(page.getByRole("alert")).toContainText("Choose a topic");
    await expect(message).toHaveValue("There are none.\n\nSince Monday.");
    await page.getByLabel("Topic").selectOption("data");
    await page.getByRole("button", { name: "Send request" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(subject);
    await expect(page.getByText("Waiting for our reply")).toBeVisible();
  });

  await test.step("an operator answers", async () => {
    const staff = await browser.newContext();
    complaints.watch(staff);
    const desk = await staff.newPage();
    await desk.request.post("/sign-in", { form: operator });
    await desk.goto("/operations/support");
    await desk.getByRole("searchbox").fill(account.username);
    await desk.getByRole("button", { name: "Search", exact: true }).click();
    await desk.getByRole("link", { name: subject }).click();
    await desk.getByLabel("Message", { exact: true }).fill("They are back.");
    await desk.getByRole("button", { name: "Send reply" }).click();
    await expect(desk.getByRole("article").last()).toContainText("They are back.");
    await staff.close();
  });

  await test.step("opens the request from the list, replies, closes and reopens it", async () => {
    expect((await mailTo(page, account.email))[0]?.text).toContain("They are back.");
    await page.goto("/support");
    await page.getByRole("link", { name: subject }).click();
    await expect(last).toContainText("They are back.");
    await page.getByRole("button", { name: "Send reply" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await message.fill("Thank you.");
    await page.getByRole("button", { name: "Send reply" }).click();
    await expect(last).toContainText("Thank you.");
    await page.getByRole("button", { name: "Close request" }).click();
    await expect(page.getByText("This request is closed")).toBeVisible();
    await message.fill("One more thing.");
    await page.getByRole("button", { name: "Send reply" }).click();
    await expect(last).toContainText("One more thing.");
    await expect(page.getByText("Waiting for our reply")).toBeVisible();
  });
});
