/** Terms and privacy policy, and the monthly statements of an account. */
import { findRoute, newAccount, openAccount, order, paid, pay } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("The terms and the privacy policy are linked where they are accepted", async ({ page }) => {
  const account = newAccount();
  await page.goto("/");
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy policy");
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Terms of service");
  await expect(page.getByRole("article")).toContainText("not legal advice");
  await expect(page.getByRole("heading", { name: "4. Prices and payment" })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.goto("/register");
  const main = page.getByRole("main");
  for (const name of ["terms", "privacy policy"]) await expect(main.getByRole("link", { name })).toBeVisible();
  await page.getByLabel("Work e-mail").fill(account.email);
  await page.getByLabel("Username").fill(account.username);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/account");
  await expect(main).toContainText(/Accepted terms\s*Version of 22 Nov 2026/);

  await order(page, await findRoute(page));
  await expect(main.getByRole("link", { name: "terms" })).toBeVisible();
});

test("A month's statement is shown, downloaded and asked for by e-mail", async ({ page }) => {
  await openAccount(page);
  await page.goto("/billing/statements");
  await expect(page.getByText("No statements yet")).toBeVisible();
  await order(page, await findRoute(page));
  await pay(page, { number: "4242 4242 4242 4242" });
  await paid(page);
  await page.goto("/billing");
  await page.getByRole("link", { name: "Statements" }).click();
  await expect(page).toHaveURL("/billing/statements");
  await expectAccessible(page);
  await page.getByLabel("E-mail me each statement").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("We will e-mail you each statement after its month.")).toBeVisible();
  await expect(page.getByLabel("E-mail me each statement")).toBeChecked();

  await page.getByRole("table").getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Statement for /);
  await expect(page.getByRole("table", { name: "Entries, oldest first" }).getByRole("rowheader")).toHaveCount(2);
  await expect(page.getByRole("main")).toContainText(/Closing balance\s*\$0\.00/);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  for (const [name, type] of [
    ["CSV", "text/csv"],
    ["Download PDF", "application/pdf"],
  ] as const) {
    const href = await page.getByRole("link", { name }).getAttribute("href");
    const file = await page.request.get(href ?? "");
    expect([file.status(), file.headers()["content-type"]]).toEqual([200, expect.stringContaining(type)]);
  }
});
