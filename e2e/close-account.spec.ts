import type { Page } from "playwright/test";
import { type NewAccount, openAccount, operator } from "./account.ts";
import { readByKey, signIn } from "./api.ts";
import { codeOf, secretOn } from "./authenticator.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";
import { mailTo } from "./mailbox.ts";

const pageIsFine = async (page: Page) => {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
};

const code = (page: Page) => page.getByLabel("Code", { exact: true });

const fill = async (page: Page, { username, password }: Pick<NewAccount, "username" | "password">) => {
  await page.getByLabel(/^Your username/).fill(username);
  await page.getByLabel("Current password", { exact: true }).fill(password);
};

const close = (page: Page) => page.getByRole("button", { name: "Close account permanently" }).click();

/** Needs a page on which nobody is signed in. */
const isRefusedAtTheDoor = async (page: Page, { email, password }: NewAccount) => {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toHaveText("E-mail address or password is incorrect");
};

test("A closed account cannot be accessed any more, and its invoices are kept", async ({
  page,
  request,
  browser,
  complaints,
}) => {
  complaints.allow(422);
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  await api.buy(route);
  const key = await api.createKey("Rate sync", "sync");
  expect(await readByKey(request, route.id, key)).toBe(200);
  const [invoice] = await api.invoices();
  let secret = "";
  const theirs = await browser.newContext();
  complaints.watch(theirs);
  const desk = await theirs.newPage();

  await test.step("operators see the account", async () => {
    await desk.request.post("/sign-in", { form: operator });
    await desk.goto(`/operations/accounts?q=${encodeURIComponent(account.email)}`);
    await desk.getByRole("link", { name: account.username, exact: true }).click();
    await expect(desk.getByRole("main")).toContainText(account.email);
  });

  await test.step("the holder turns on two-factor sign-in", async () => {
    await page.goto("/account/security/two-factor");
    await page.getByLabel("Current password", { exact: true }).fill(account.password);
    await page.getByRole("button", { name: "Continue" }).click();
    secret = await secretOn(page);
    await code(page).fill(codeOf(secret));
    await page.getByRole("button", { name: "Turn on" }).click();
    await expect(page.getByText("Save these recovery codes now")).toBeVisible();
  });

  await test.step("the page says what ends", async () => {
    await page.goto("/account/data");
    await page.getByRole("link", { name: "Close the account…" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Close account");
    const main = page.getByRole("main");
    await expect(main).toContainText("1 active subscription ends immediately, without a refund");
    await expect(main).toContainText("1 API key is deleted");
    await expect(main).toContainText("1 saved card is removed");
    await pageIsFine(page);
  });

  await test.step("rejects another username, a wrong password and a missing code", async () => {
    await close(page);
    await expect(page.getByRole("alert")).toContainText("Enter your username");
    await expect(page.getByRole("alert")).toContainText("Enter your current password");
    await pageIsFine(page);
    await fill(page, { username: "somebody-else", password: account.password });
    await close(page);
    await expect(page.getByLabel(/^Your username/)).toHaveAccessibleDescription(
      new RegExp(`Enter your username exactly: ${account.username}`),
    );
    await fill(page, { username: account.username, password: "not the right one" });
    await close(page);
    await expect(page.getByLabel("Current password", { exact: true })).toHaveAccessibleDescription(/not your current/);
    await fill(page, account);
    await close(page);
    await expect(page.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(/Enter the current code from/);
    await expect(page.getByLabel(/^Your username/)).toHaveValue(account.username);
    await pageIsFine(page);
    expect(await readByKey(request, route.id, key)).toBe(200);
  });

  await test.step("closes the account with the code", async () => {
    await fill(page, account);
    await code(page).fill(codeOf(secret, 1));
    await close(page);
    await expect(page).toHaveURL("/sign-in?account=closed");
    await expect(page.getByText("Your account is closed")).toBeVisible();
    await pageIsFine(page);
    expect((await mailTo(page, account.email))[0]?.subject).toBe("Your account is closed");
  });

  await test.step("rejects the session, the password, the token and the key", async () => {
    await page.goto("/subscriptions");
    await expect(page).toHaveURL("/sign-in?next=%2Fsubscriptions");
    await isRefusedAtTheDoor(page, account);
    expect((await api.ask("GET", "/subscriptions/my-routes")).status()).toBe(401);
    expect(await readByKey(request, route.id, key)).toBe(401);
  });

  await test.step("operators still see the invoice", async () => {
    await desk.reload();
    await expect(desk.getByRole("main")).toContainText(invoice?.number ?? "?");
    await expect(desk.getByRole("main")).not.toContainText(account.email);
    await theirs.close();
  });

  await test.step("the e-mail address can register again", async () => {
    const answer = await page.request.post("/register", { form: account, maxRedirects: 0 });
    expect(answer.status()).toBe(302);
    await page.goto("/subscriptions");
    await expect(page.getByRole("main")).not.toContainText(route.name);
  });
});

test.describe("Without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("an account can be closed", async ({ page, complaints }) => {
    complaints.allow(422);
    const account = await openAccount(page);
    await page.goto("/account/close");
    await fill(page, { ...account, password: "not the right one" });
    await close(page);
    await expect(page.getByRole("alert")).toHaveText("This is not your current password");
    await expect(page.getByLabel(/^Your username/)).toHaveValue(account.username);
    await fill(page, account);
    await close(page);
    await expect(page.getByText("Your account is closed")).toBeVisible();
    await isRefusedAtTheDoor(page, account);
  });
});
