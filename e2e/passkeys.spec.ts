import type { CDPSession, Page } from "playwright/test";
import { type NewAccount, openAccount, signOut } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll } from "./journey.ts";
import { mailTo } from "./mailbox.ts";
import { daysFrom, test } from "./own-service.ts";

const pageIsFine = async (page: Page) => {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
};

/** A phone or laptop that verifies its person and keeps passkeys, as Chromium simulates it. */
const authenticatorOf = async (page: Page): Promise<{ cdp: CDPSession; id: string }> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId: id } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id };
};

const addPasskey = async (page: Page, name: string) => {
  await page.goto("/account/security");
  await page.locator("#passkey-name").fill(name);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByRole("status").filter({ hasText: `The passkey “${name}” is added.` })).toBeVisible();
};

const givePassword = async (page: Page, { email, password }: NewAccount) => {
  await page.goto("/sign-in?next=%2Fbilling");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/sign-in\/two-factor/);
};

test("A passkey signs in alone, is the second factor after a password, and can be lost", async ({
  page,
  complaints,
}) => {
  complaints.allow(422);
  const account = await openAccount(page);
  const { cdp, id } = await authenticatorOf(page);
  let recoveryCode = "";

  await test.step("adds a passkey and gets recovery codes", async () => {
    await page.goto("/account/security");
    await pageIsFine(page);
    await addPasskey(page, "Laptop");
    const codes = page.getByRole("region", { name: /recovery codes/ }).getByRole("listitem");
    await expect(codes).toHaveCount(10);
    recoveryCode = (await codes.first().textContent()) ?? "";
    await expect(page.getByRole("table", { name: "Passkeys" })).toContainText("Laptop");
    await pageIsFine(page);
    expect((await mailTo(page, account.email))[0]?.subject).toBe("A passkey was added to your account");
  });

  await test.step("the same device gets no second one", async () => {
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await expect(page.getByText("This device has a passkey for your account already")).toBeVisible();
  });

  await test.step("renames it", async () => {
    await page.getByText("Rename Laptop").click();
    await page.getByLabel("New name").fill("Work laptop");
    await pageIsFine(page);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("The passkey is now called “Work laptop”.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Remove Work laptop" })).toBeVisible();
  });

  await test.step("signs in with it alone, and returns to the page", async () => {
    await signOut(page);
    await page.goto("/sign-in?next=%2Fbilling");
    await pageIsFine(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await expect(page).toHaveURL("/billing");
  });

  await test.step("uses it after the password", async () => {
    await signOut(page);
    await givePassword(page, account);
    await pageIsFine(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await expect(page).toHaveURL("/billing");
  });

  await test.step("signs in with a recovery code when it is lost, and removes it", async () => {
    await signOut(page);
    await cdp.send("WebAuthn.clearCredentials", { authenticatorId: id });
    await givePassword(page, account);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await expect(page.getByText("No passkey was used. Try again, or use another way.")).toBeVisible();
    await page.getByRole("link", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(recoveryCode);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByText("If you have lost your passkey, remove it below and add a new one.")).toBeVisible();
    await page.getByRole("button", { name: "Remove Work laptop" }).click();
    await pageIsFine(page);
    await page.getByRole("button", { name: "Remove passkey" }).click();
    await expect(page.getByText("is removed. Two-factor sign-in is off.")).toBeVisible();
    await expect(page.getByRole("table", { name: "Passkeys" })).toHaveCount(0);
    expect((await mailTo(page, account.email))[0]?.subject).toBe("A passkey was removed from your account");
  });

  await test.step("a removed passkey is not accepted", async () => {
    await addPasskey(page, "Laptop");
    await page.getByRole("button", { name: "Remove Laptop" }).click();
    await page.getByRole("button", { name: "Remove passkey" }).click();
    await expect(page.getByText("is removed. Two-factor sign-in is off.")).toBeVisible();
    await expect(page.getByRole("table", { name: "Passkeys" })).toHaveCount(0);
    await signOut(page);
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "This passkey was not accepted" })).toBeVisible();
    await pageIsFine(page);
  });
});

test("A holder confirms who they are with a passkey before creating a key, and changing the password", async ({
  page,
  request,
  clock,
}) => {
  const account = await openAccount(page);
  await authenticatorOf(page);
  await addPasskey(page, "Laptop");
  const { now } = await (await request.get("/test-mode/clock")).json();
  await clock.moveTo(daysFrom(now.slice(0, 10), 1));

  await page.goto("/api-keys");
  await page.getByLabel("Name", { exact: true }).fill("Nightly import");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm it is you");
  await pageIsFine(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Nightly import");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("New key")).toContainText(/srd_live_/);

  await clock.moveTo(daysFrom(now.slice(0, 10), 2));
  await page.goto("/account/security");
  await page.getByRole("main").getByRole("link", { name: "confirm with your passkey" }).first().click();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL("/account/security");
  await page.locator("#current_password").fill(account.password);
  await page.locator("#new_password").fill("a new calm sea in december");
  await page.getByLabel("Also remove 1 passkey").check();
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("1 passkey was removed.")).toBeVisible();
  await expect(page.getByText("Recovery codes are your only second factor.")).toBeVisible();
  await pageIsFine(page);
});

test.describe("Without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("The pages say that passkeys need JavaScript, and other ways remain", async ({ page }) => {
    await page.goto("/sign-in");
    await expect(page.getByText("Passkeys need JavaScript. Sign in with your password.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Use a passkey" })).toBeHidden();
    await openAccount(page);
    await page.goto("/account/security");
    await expect(page.getByText("Passkeys need JavaScript. Use an authenticator app")).toBeVisible();
    await expect(page.getByRole("button", { name: "Add a passkey" })).toBeHidden();
  });
});
