import type { Page } from "playwright/test";
import { type NewAccount, openAccount, operator, signOut } from "./account.ts";
import { codeOf, secretOn } from "./authenticator.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";
import { mailTo } from "./mailbox.ts";

const pageIsFine = async (page: Page) => {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
};

const givePassword = async (page: Page, { email, password }: NewAccount) => {
  await page.goto("/sign-in?next=%2Fbilling");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/sign-in\/two-factor/);
};

test("Two-factor sign-in is set up, asks for a code, accepts each recovery code once, and can be turned off by an operator", async ({
  page,
  browser,
  complaints,
}) => {
  complaints.allow(422);
  const account = await openAccount(page);
  let secret = "";
  let recoveryCode = "";

  await test.step("sets it up with the password and a code of the app", async () => {
    await page.goto("/account/security");
    await page.getByRole("link", { name: "Set up" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Set up two-factor sign-in");
    await page.getByLabel("Current password", { exact: true }).fill(account.password);
    await pageIsFine(page);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("img", { name: /^QR code/ })).toBeVisible();
    secret = await secretOn(page);
    await pageIsFine(page);
    await page.getByLabel("Code", { exact: true }).fill("12");
    await page.getByRole("button", { name: "Turn on" }).click();
    await expect(page.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(/The code is wrong/);
    await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
    await page.getByRole("button", { name: "Turn on" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Two-factor sign-in is on");
    const codes = page.getByRole("region", { name: /recovery codes/ }).getByRole("listitem");
    await expect(codes).toHaveCount(10);
    recoveryCode = (await codes.first().textContent()) ?? "";
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download as text" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("recovery-codes.txt");
    await pageIsFine(page);
    await page.getByRole("link", { name: "I have saved the codes" }).click();
    await expect(page.getByText("10 recovery codes are left")).toBeVisible();
    await page.getByText("Create new recovery codes").click();
    await page.getByText("Turn off two-factor sign-in").click();
    await pageIsFine(page);
    expect((await mailTo(page, account.email))[0]?.subject).toBe("Two-factor sign-in was turned on");
  });

  await test.step("signs in with a code, not with a wrong one", async () => {
    await signOut(page);
    await givePassword(page, account);
    await pageIsFine(page);
    await page.goto("/billing");
    await expect(page).toHaveURL("/sign-in?next=%2Fbilling");
    await givePassword(page, account);
    await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, 20));
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(/wrong or was used before/);
    await pageIsFine(page);
    await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, 1));
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL("/billing");
  });

  await test.step("signs in with a recovery code, once", async () => {
    await signOut(page);
    await givePassword(page, account);
    await page.getByRole("link", { name: "Use a recovery code" }).click();
    await expect(page.getByText("we can turn two-factor off")).toBeVisible();
    await page.getByLabel("Recovery code").fill(recoveryCode);
    await pageIsFine(page);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("You signed in with a recovery code. You have 9 codes left")).toBeVisible();
    await pageIsFine(page);
    await page.getByRole("link", { name: "Continue" }).click();
    await expect(page).toHaveURL("/billing");
    await signOut(page);
    await givePassword(page, account);
    await page.goto(`${page.url()}&with=recovery-code`);
    await page.getByLabel("Recovery code").fill(recoveryCode);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByLabel("Recovery code")).toHaveAccessibleDescription(/wrong or was used before/);
  });
  expect((await mailTo(page, account.email))[0]?.subject).toBe("A recovery code was used");

  await test.step("an operator turns it off, with a reason", async () => {
    const desk = await browser.newContext();
    complaints.watch(desk);
    const console = await desk.newPage();
    await console.request.post("/sign-in", { form: operator });
    await console.goto(`/operations/accounts?q=${account.username}`);
    await console.getByRole("link", { name: account.username }).click();
    await expect(console.getByText("9 recovery codes left")).toBeVisible();
    await console.locator("main summary", { hasText: "Turn off two-factor sign-in" }).click();
    await pageIsFine(console);
    const turnOff = console.getByRole("button", { name: "Turn off two-factor sign-in" });
    await turnOff.click();
    const reason = console.getByLabel("Reason").and(console.locator("[name=two_factor_reason]"));
    await expect(reason).toHaveAccessibleDescription(/Say why/);
    await reason.fill("Known by voice");
    await turnOff.click();
    await expect(console.getByRole("status").filter({ hasText: "Two-factor sign-in is off" })).toBeVisible();
    await expect(turnOff).toHaveCount(0);
    await expect(console.getByRole("table", { name: "Changes to this account, newest first" })).toContainText(
      "Turned two-factor sign-in off for the account holder: Known by voice",
    );
    await desk.close();
  });

  await test.step("gets a mail about it, and signs in with the password alone", async () => {
    const [mail] = await mailTo(page, account.email);
    expect(mail?.subject).toBe("We have turned off two-factor sign-in for you");
    expect(mail?.text).toContain("Known by voice");
    await page.request.post("/sign-in", { form: { email: account.email, password: account.password } });
    await page.goto("/account/security");
    await expect(page.getByRole("link", { name: "Set up" })).toBeVisible();
  });
});

test("A session can be ended from another one", async ({ page, browser, complaints }) => {
  const account = await openAccount(page);
  const elsewhere = await browser.newContext();
  complaints.watch(elsewhere);
  const other = await elsewhere.newPage();
  const { email, password } = account;
  await other.request.post("/sign-in", { form: { email, password } });
  await other.goto("/subscriptions");
  await expect(other).toHaveURL("/subscriptions");
  await page.goto("/account/security");
  await page.getByRole("button", { name: /^Sign out .*, signed in/ }).click();
  await expect(page.getByText("The session is signed out.")).toBeVisible();
  await other.goto("/subscriptions");
  await expect(other).toHaveURL(/\/sign-in/);
  await elsewhere.close();
  await page.getByRole("button", { name: "Sign out everywhere", exact: true }).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/account");
  await expect(page).toHaveURL(/\/sign-in/);
});

test.describe("Without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("two-factor sign-in is set up, renewed and turned off", async ({ page, complaints }) => {
    complaints.allow(422);
    const account = await openAccount(page);
    await page.goto("/account/security/two-factor");
    await page.getByLabel("Current password", { exact: true }).fill(account.password);
    await page.getByRole("button", { name: "Continue" }).click();
    const secret = await secretOn(page);
    await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
    await page.getByRole("button", { name: "Turn on" }).click();
    await expect(page.getByText("Save these recovery codes now")).toBeVisible();
    await page.goto("/account/security");
    await page.getByText("Create new recovery codes").click();
    await page.locator("#recovery-codes-password").fill(account.password);
    await page.getByRole("button", { name: "Create new codes" }).click();
    await expect(page.locator("#recovery-codes-code")).toHaveAccessibleDescription(/Enter the current code from/);
    await page.locator("#recovery-codes-password").fill(account.password);
    await page.locator("#recovery-codes-code").fill(codeOf(secret, 1));
    await page.getByRole("button", { name: "Create new codes" }).click();
    await expect(page.getByText("Save these recovery codes now")).toBeVisible();
    const codes = page.getByRole("region", { name: /recovery codes/ }).getByRole("listitem");
    const recoveryCode = (await codes.first().textContent()) ?? "";
    await page.getByText("Turn off two-factor sign-in").click();
    await page.locator("#two-factor-off-password").fill(account.password);
    await page.locator("#two-factor-off-code").fill("not a code");
    await page.getByRole("button", { name: "Turn two-factor sign-in off" }).click();
    await expect(page.locator("#two-factor-off-code")).toHaveAccessibleDescription(/wrong or was used before/);
    await page.locator("#two-factor-off-password").fill(account.password);
    await page.locator("#two-factor-off-code").fill(recoveryCode);
    await page.getByRole("button", { name: "Turn two-factor sign-in off" }).click();
    await expect(page.getByText("Two-factor sign-in is off.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Set up" })).toBeVisible();
  });
});
