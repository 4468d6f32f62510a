import type { Page } from "playwright/test";
import { newAccount, openAccount, signOut } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";
import { linkTo, mailTo } from "./mailbox.ts";

const askForLink = async (page: Page, email: string): Promise<string> => {
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page).toHaveURL("/forgot-password");
  await expectAccessible(page);
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  const answer = page.getByRole("status").filter({ hasText: "we sent a link to it" });
  await expect(answer).toBeVisible();
  return ((await answer.textContent()) ?? "").replace(email, "…");
};

test("A forgotten password is reset by the link in an e-mail", async ({ page, complaints }) => {
  complaints.allow(422);
  const account = await openAccount(page);
  await page.goto("/routes");
  await signOut(page);
  await askForLink(page, account.email);
  const [mail] = await mailTo(page, account.email);
  expect(mail?.subject).toBe("Set a new password");
  const link = await linkTo(page, account.email);

  await page.goto(link);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByLabel("New password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByLabel("New password", { exact: true })).toHaveAccessibleDescription(/At least 12 characters$/);
  await page.getByLabel("New password", { exact: true }).fill("another calm sea in march");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page).toHaveURL(/\/sign-in\?/);
  await expect(page.getByText("Password changed")).toBeVisible();

  await page.getByLabel("E-mail").fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill("another calm sea in march");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/");
  expect((await mailTo(page, account.email)).map(({ subject }) => subject)).toEqual([
    "Your password was changed",
    "Set a new password",
    "Confirm your e-mail address",
  ]);

  await page.goto(link);
  await expect(page.getByText("This link is no longer valid")).toBeVisible();
  await expectAccessible(page);
});

test("The page does not reveal whether an e-mail address has an account", async ({ page }) => {
  const { email } = await openAccount(page);
  await page.context().clearCookies();
  expect(await askForLink(page, email)).toBe(await askForLink(page, newAccount().email));
});

test("The mailbox shows a message as a mail program does", async ({ page }) => {
  const { email } = await openAccount(page);
  await page.context().clearCookies();
  await askForLink(page, email);
  await page.goto(`/test-mode/mailbox?to=${encodeURIComponent(email)}`);
  await page.getByText("Set a new password").first().click();
  await page.getByRole("link", { name: /as HTML/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Set a new password");
  await expectNoSidewaysScroll(page);
  await page.getByRole("link", { name: "Set a new password" }).click();
  await expect(page.getByRole("button", { name: "Set password" })).toBeVisible();
});
