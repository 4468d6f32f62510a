import { openAccount, signOut } from "./account.ts";
import { codeOf, secretOn } from "./authenticator.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";
import { linkTo, mailTo } from "./mailbox.ts";

test("A new account confirms its e-mail address by the link in an e-mail", async ({ page }) => {
  const { email } = await openAccount(page);
  await page.goto("/routes");
  const notice = page.getByRole("complementary", { name: "E-mail address" });
  await expect(notice).toContainText(email);
  const first = await linkTo(page, email);
  await notice.getByRole("button", { name: "Send again" }).click();
  await expect(notice.getByRole("status").filter({ hasText: "We sent a new link to" })).toBeVisible();
  await expect(page).toHaveURL("/routes");
  await expectAccessible(page);
  await page.goto("/account");
  await expect(page.getByText("Not confirmed yet")).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.goto(first);
  await expect(page.getByText("This link is no longer valid")).toBeVisible();
  await expectAccessible(page);

  const link = await linkTo(page, email);
  await page.goto(link);
  await page.reload();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await expect(page.getByText("E-mail address confirmed")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Continue" }).click();
  await expect(page).toHaveURL("/");
  await expect(notice).toHaveCount(0);
});

test("An e-mail address is changed by a link sent to the new one, with a notice to the old one", async ({
  page,
  complaints,
}) => {
  complaints.allow(422);
  const { email, password } = await openAccount(page);
  const wanted = `new-${email}`;
  await page.goto("/account");
  await page.getByText("Change e-mail address").click();
  await page.getByLabel("New e-mail address").fill(wanted);
  await page.getByLabel("Current password", { exact: true }).fill("not the right one");
  await page.getByRole("button", { name: "Send link", exact: true }).click();
  await expect(page.getByLabel("Current password", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Current password", { exact: true })).toHaveAccessibleDescription(/not your current/);
  await expect(page.getByLabel("New e-mail address")).toHaveValue(wanted);
  await expectAccessible(page);
  await page.getByLabel("Current password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Send link", exact: true }).click();
  await expect(page.getByText(`Waiting for ${wanted}`)).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  expect((await mailTo(page, email))[0]?.subject).toBe("A change of your e-mail address was requested");

  await page.goto(await linkTo(page, wanted));
  await expect(page.getByText(`in place of ${email}`)).toBeVisible();
  await page.getByRole("button", { name: "Confirm address" }).click();
  await expect(page.getByText("E-mail address confirmed")).toBeVisible();
  expect((await mailTo(page, email))[0]?.subject).toBe("Your e-mail address was changed");

  await page.goto("/account");
  await signOut(page);
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(wanted);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/");
});

test("Resetting the password cancels a pending change of the e-mail address", async ({ page }) => {
  const { email, password } = await openAccount(page);
  const wanted = `intruder-${email}`;
  await page.goto("/account");
  await page.getByText("Change e-mail address").click();
  await page.getByLabel("New e-mail address").fill(wanted);
  await page.getByLabel("Current password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Send link", exact: true }).click();
  await expect(page.getByText(`Waiting for ${wanted}`)).toBeVisible();
  const theirs = await linkTo(page, wanted);

  await page.request.post("/forgot-password", { form: { email } });
  await page.goto(await linkTo(page, email));
  await page.getByLabel("New password", { exact: true }).fill("another calm sea in november");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page).toHaveURL("/sign-in?password=new");
  await page.goto(theirs);
  await expect(page.getByText("This link is no longer valid")).toBeVisible();

  await page.goto("/sign-in?next=%2Faccount");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("another calm sea in november");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/account");
  await expect(page.getByRole("main")).toContainText(email);
  await expect(page.getByText("Waiting for")).toHaveCount(0);
});

test("With two-factor sign-in, changing the e-mail address requires a code", async ({ page, complaints }) => {
  complaints.allow(422);
  const { email, password } = await openAccount(page);
  await page.goto("/account/security/two-factor");
  await page.getByLabel("Current password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  const secret = await secretOn(page);
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("Save these recovery codes now")).toBeVisible();

  await page.goto("/account");
  await page.getByText("Change e-mail address").click();
  await page.getByLabel("New e-mail address").fill(`new-${email}`);
  await page.getByLabel("Current password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Send link", exact: true }).click();
  await expect(page.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(/Enter the current code from/);
  await expectAccessible(page);
  await page.getByLabel("Current password", { exact: true }).fill(password);
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, 1));
  await page.getByRole("button", { name: "Send link", exact: true }).click();
  await expect(page.getByText(`Waiting for new-${email}`)).toBeVisible();
});
