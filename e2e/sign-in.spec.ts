import type { Page } from "playwright/test";
import { type NewAccount, newAccount, openAccount, signOut } from "./account.ts";
import { expect, expectAccessible, test } from "./journey.ts";

const signIn = async (page: Page, { email, password }: Pick<NewAccount, "email" | "password">) => {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
};

test("A password is hidden until it is shown, and may be pasted and filled in by password managers", async ({
  page,
}) => {
  for (const [path, autocomplete] of [
    ["/sign-in", "current-password"],
    ["/register", "new-password"],
  ] as const) {
    await page.goto(path);
    const field = page.getByLabel("Password", { exact: true });
    await expect(field).toHaveAttribute("autocomplete", autocomplete);
    await expect(field).toHaveAttribute("type", "password");
    const isPasteAllowed = await field.evaluate((input) =>
      input.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true })),
    );
    expect(isPasteAllowed).toBe(true);
    await page.getByRole("button", { name: "Show password" }).click();
    await expect(field).toHaveAttribute("type", "text");
    await page.getByRole("button", { name: "Show password" }).click();
    await expect(field).toHaveAttribute("type", "password");
  }
});

test("A wrong password is reported, and the e-mail address stays filled in", async ({ page, complaints }) => {
  complaints.allow(422);
  await page.goto("/sign-in");
  await signIn(page, { email: newAccount().email, password: "not the right one" });
  const alert = page.getByRole("alert");
  await expect(alert).toHaveText("E-mail address or password is incorrect");
  await expect(alert).toBeFocused();
  await expect(page.getByLabel("E-mail")).toHaveValue(/@forwarder\.example$/);
  await expectAccessible(page);
});

test("An invalid registration shows an error at each field", async ({ page, complaints }) => {
  complaints.allow(422);
  await page.goto("/register");
  await page.getByLabel("Work e-mail").fill("nobody");
  await page.getByLabel("Username").fill("x");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Work e-mail")).toHaveAccessibleDescription(/Enter an e-mail address/);
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(/At least 12 characters$/);
  await expect(page.getByLabel("Work e-mail")).toHaveValue("nobody");
  await expect(page.getByLabel("Username")).toHaveValue("x");
  await expectAccessible(page);
});

test("A page of an account asks a visitor to sign in first", async ({ page }) => {
  const account = await openAccount(page);
  await page.goto("/billing");
  await signOut(page);
  await page.goto("/billing");
  await expect(page).toHaveURL("/sign-in?next=%2Fbilling");
  await signIn(page, account);
  await expect(page).toHaveURL("/billing");
});

test("Signing in ends the browser's previous session", async ({ page, playwright, baseURL }) => {
  const { email, password } = await openAccount(page);
  const before = await page.context().storageState();
  await page.request.post("/sign-in", { form: { email, password } });
  await page.goto("/account");
  await expect(page).toHaveURL("/account");
  const old = await playwright.request.newContext({ storageState: before, ...(baseURL ? { baseURL } : {}) });
  const answer = await old.get("/account", { maxRedirects: 0 });
  expect(answer.headers().location).toMatch(/^\/sign-in/);
  await old.dispose();
});

test("After signing out, neither the pages nor the old cookie give access", async ({ page, context }) => {
  await openAccount(page);
  await page.goto("/subscriptions");
  const cookies = await context.cookies();
  await signOut(page);
  expect((await context.cookies()).filter(({ name }) => name === "srds_session")).toEqual([]);
  for (const path of ["/subscriptions", "/api-keys", "/billing"]) {
    await page.goto(path);
    await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(path)}`);
  }
  await context.addCookies(cookies);
  await page.goto("/subscriptions");
  await expect(page).toHaveURL("/sign-in?next=%2Fsubscriptions");
});

test("After signing out, Back shows nothing of the account, and the browser's choices stay", async ({ page }) => {
  const { username } = await openAccount(page);
  await page.request.post("/theme", { form: { theme: "dark" } });
  for (const path of ["/account", "/routes", "/api-keys", "/docs"]) await page.goto(path);
  await page.evaluate(() => sessionStorage.setItem("srds_created_key", "a secret"));
  await signOut(page);
  expect(await page.evaluate(() => sessionStorage.getItem("srds_created_key"))).toBeNull();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  for (const url of ["/sign-in?next=%2Fapi-keys", "/routes", "/sign-in?next=%2Faccount"]) {
    await page.goBack();
    await expect(page).toHaveURL(url);
    // On a phone it is in the menu.
    await expect(page.getByRole("link", { name: "Sign in", includeHidden: true }).first()).toBeAttached();
    await expect(page.getByText(username)).toHaveCount(0);
  }
});

test("Signing in never redirects to another site", async ({ page }) => {
  const { email, password } = await openAccount(page);
  await page.goto("/routes");
  await signOut(page);
  for (const next of ["//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example"]) {
    const answer = await page.request.post("/sign-in", { form: { email, password, next }, maxRedirects: 0 });
    expect([next, answer.headers().location]).toEqual([next, "/"]);
  }
});

test("A form sent from another site is rejected", async ({ page }) => {
  const account = await openAccount(page);
  const form = { intent: "create", api_key_name: "Foreign", user: account.username };
  for (const headers of [
    { Origin: "https://elsewhere.example" },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
  ]) {
    const answer = await page.request.post("/api-keys", { form, headers });
    expect([headers, answer.status()]).toEqual([headers, 403]);
  }
  await page.goto("/api-keys");
  await expect(page.getByText("No keys yet")).toBeVisible();
});
