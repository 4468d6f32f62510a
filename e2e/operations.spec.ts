import type { APIRequestContext, Page } from "playwright/test";
import { findRoute, type NewAccount, openAccount, openMenu, operator, order, paid, pay } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

/** Opens an action on an account's page. */
const act = async (page: Page, name: string) => {
  await page.locator("main summary", { hasText: name }).click();
};

const answered = async (page: Page, text: string) => {
  await expect(page.getByRole("status").filter({ hasText: text })).toBeVisible();
};

const bearerOf = async (request: APIRequestContext, { email, password }: NewAccount) => {
  const answer = await request.post("/api/auth/login", { data: { email, password } });
  const { access_token } = (await answer.json()) as { access_token: string };
  return { Authorization: `Bearer ${access_token}` };
};

test("An operator changes an account's plan, suspends and reinstates it, with effect on its next request", async ({
  page,
  browser,
  request,
  complaints,
}) => {
  complaints.allow(422);
  const theirs = await (await browser.newContext()).newPage();
  const account = await openAccount(theirs);
  const route = await findRoute(theirs);
  await order(theirs, route);
  await pay(theirs, { number: "4242 4242 4242 4242" });
  await paid(theirs);
  await theirs.context().close();
  const headers = await bearerOf(request, account);
  const read = () => request.get(`/api/route-access/routes-data?id=${route.split("/").at(-1)}`, { headers });
  expect((await read()).status()).toBe(200);

  await page.request.post("/sign-in", { form: operator });
  await page.goto("/operations");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Find an account" }).click();
  await page.getByLabel("E-mail, username or number").fill(account.username);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("link", { name: account.username }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(account.username);
  await expectAccessible(page);

  await act(page, "Change plan");
  await page.getByLabel("New plan").selectOption("enterprise");
  await page.getByRole("button", { name: "Change plan" }).click();
  await expect(page.getByLabel("Reason").first()).toHaveAccessibleDescription(/Say why/);
  await expect(page.getByLabel("Reason").first()).toBeFocused();
  await page.getByLabel("Reason").first().fill("Signed today");
  await page.getByRole("button", { name: "Change plan" }).click();
  await answered(page, "The plan is now enterprise");
  expect((await read()).headers()["x-ratelimit-limit"]).toBe("25000");

  await act(page, "Custom hourly limit");
  await page.getByLabel("Requests per hour").fill("80000");
  await page.getByRole("button", { name: "Set the limit" }).click();
  await answered(page, "The hourly limit is now 80");
  expect((await read()).headers()["x-ratelimit-limit"]).toBe("80000");

  await act(page, "Suspend");
  await page.getByLabel("Reason").last().fill("Keys were shared");
  await page.getByRole("button", { name: "Suspend account" }).click();
  await answered(page, "The account is suspended");
  expect((await read()).status()).toBe(403);
  await act(page, "Reinstate");
  await page.getByLabel("Reason").last().fill("Keys were replaced");
  await page.getByRole("button", { name: "Reinstate account" }).click();
  await answered(page, "good standing again");
  expect((await read()).status()).toBe(200);

  const log = page.getByRole("table", { name: "Changes to this account" });
  await expect(log).toContainText("Suspended the account: Keys were shared");
  await page.goto("/operations/audit?action=account.restored");
  await expect(page.getByRole("table", { name: "Audit log" })).toContainText(
    "Restored the account: Keys were replaced",
  );
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test("An operator refunds an invoice once, with a credit note", async ({ page, browser, complaints }) => {
  complaints.allow(422);
  const theirs = await (await browser.newContext()).newPage();
  const account = await openAccount(theirs);
  await order(theirs, await findRoute(theirs));
  await pay(theirs, { number: "4242 4242 4242 4242" });
  await paid(theirs);

  await page.request.post("/sign-in", { form: operator });
  await page.goto(`/operations/accounts?q=${account.username}`);
  await page.getByRole("link", { name: account.username }).click();
  await page.getByRole("link", { name: /^Refund invoice/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Refund invoice/);
  const late = await page.context().newPage();
  await late.goto(page.url());
  await expectAccessible(page);
  await page.getByLabel("Amount in USD").fill("10.00");
  await page.getByLabel("Reason").fill("The data came late");
  await page.getByRole("button", { name: "Refund" }).click();
  const invoices = page.getByRole("table", { name: "Invoices and credit notes" });
  await expect(invoices).toContainText("Credit note");

  await late.getByLabel("Amount in USD").fill("10.00");
  await late.getByLabel("Reason").fill("The data came late");
  await late.getByRole("button", { name: "Refund" }).click();
  await expect(late.getByRole("alert")).toContainText("was refunded since you opened the page");
  await expectAccessible(late);
  await page.reload();
  await expect(invoices.getByText("Credit note", { exact: true })).toHaveCount(1);

  await theirs.goto("/billing");
  await expect(theirs.getByRole("table")).toContainText("Credit note");
  await theirs.context().close();
});

test("An operator runs a job, and sees its runs, the mail and all subscriptions", async ({ page }) => {
  await page.request.post("/sign-in", { form: operator });
  await page.goto("/operations/jobs");
  await page.getByRole("button", { name: "Run now: Delete old responses" }).click();
  await answered(page, "Delete old responses:");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Delete old responses" }).click();
  await expect(page.getByRole("table", { name: "Job runs" })).toContainText("Done");
  await expectAccessible(page);
  for (const path of ["/operations/mail?state=sent", "/operations/subscriptions?order=ends"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^(E-mail|Subscriptions)$/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
});

test("The console is in an operator's navigation and palette, next to the account pages", async ({
  page,
  isMobile,
}) => {
  await page.request.post("/sign-in", { form: operator });
  await page.goto("/billing");
  if (isMobile) await openMenu(page);
  const navigation = page.getByRole("navigation", { name: isMobile ? "Main, small screens" : "Main", exact: true });
  await expect(navigation.getByRole("link", { name: "Usage" })).toBeVisible();
  await navigation.getByRole("link", { name: "Operations" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Operations");
  await page.getByRole("banner").getByRole("link", { name: "Search" }).click();
  await page.getByRole("combobox", { name: /^Search/ }).fill("audit");
  await page.getByRole("option", { name: "Operations: audit" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit");
  await expect(
    page.getByRole("navigation", { name: "Operations" }).getByRole("link", { name: "Audit" }),
  ).toBeInViewport({ ratio: 0.95 });
});

test("The console does not exist for accounts that are not operators", async ({ page, complaints }) => {
  complaints.allow(404);
  await page.goto("/operations/accounts");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await openAccount(page);
  for (const path of ["/operations", "/operations/accounts/1", "/operations/audit.csv"]) {
    expect([path, (await page.request.get(path)).status()]).toEqual([path, 404]);
  }
});
