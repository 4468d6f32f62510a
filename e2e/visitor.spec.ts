/** A visitor chooses first and opens an account later: nothing has to be chosen again. */
import type { Page } from "playwright/test";
import { dollars, findRoute, newAccount, openAccount } from "./account.ts";
import { signIn } from "./api.ts";
import { codeOf, secretOn } from "./authenticator.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";
import { linkTo } from "./mailbox.ts";

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "With scripts" : "Without scripts", () => {
    test.use({ javaScriptEnabled });

    const pageIsFine = async (page: Page) => {
      await expectNoSidewaysScroll(page);
      if (javaScriptEnabled) await expectAccessible(page);
    };

    test("A visitor's term and renewal survive registration and the confirmation of the address", async ({ page }) => {
      const account = newAccount();
      const route = await findRoute(page);
      const chosen = new RegExp(`${route}\\?offer=\\d+&term=6_months&auto_renew=off#subscribe$`);
      const expectChoice = async () => {
        await expect(page).toHaveURL(chosen);
        await expect(page.getByRole("radio", { name: /^6 months/ })).toBeChecked();
        await expect(page.getByRole("checkbox", { name: "Renew automatically" })).not.toBeChecked();
      };
      await page.goto(route);
      await expect(page.getByRole("group", { name: "Term and price" })).toBeVisible();
      await pageIsFine(page);
      await page.getByRole("radio", { name: /^6 months/ }).check();
      await page.getByRole("checkbox", { name: "Renew automatically" }).uncheck();
      await page.getByRole("button", { name: "Subscribe" }).click();

      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create your account");
      await expect(page.getByRole("main").getByRole("link", { name: "Sign in" })).toHaveAttribute(
        "href",
        /\/sign-in\?next=%2Froutes/,
      );
      await pageIsFine(page);
      await page.getByLabel("Work e-mail").fill(account.email);
      await page.getByLabel("Username").fill(account.username);
      await page.getByLabel("Password", { exact: true }).fill(account.password);
      await page.getByRole("button", { name: "Create account" }).click();
      await expectChoice();

      await page.goto(await linkTo(page, account.email));
      await page.getByRole("button", { name: "Confirm address" }).click();
      await page.getByRole("link", { name: "Continue" }).click();
      await expectChoice();
      await expect(page.getByRole("group", { name: "Term and your price" })).toBeVisible();
      const price = /\$[\d.,]+$/.exec((await page.locator("label", { hasText: /^6 months/ }).textContent()) ?? "")?.[0];
      await page.getByRole("button", { name: "Continue to payment" }).click();
      await expect(page.getByRole("button", { name: `Pay ${price}` })).toBeVisible();
      await expect(page.getByRole("main")).toContainText("Does not renew");
    });

    test("A visitor's basket survives signing in with a second factor", async ({ page, context, request }) => {
      const account = await openAccount(page);
      const api = await signIn(request, account);
      const routes = await api.routesOnSale(2);
      const { total_cents: total } = await api.quote(
        routes.map(({ periodId }) => ({ period_id: periodId, subscription_term: "2_months" })),
      );
      const secret = await turnOnTwoFactor(page, account.password);
      await context.clearCookies();

      for (const { id } of routes) {
        await page.goto(`/routes/${id}`);
        await page.getByRole("radio", { name: /^2 months/ }).check();
        await page.getByRole("button", { name: "Add to basket" }).click();
        await expect(page.getByRole("region", { name: "Messages" })).toContainText("Added to your basket for 2 months");
      }
      await page.goto("/basket");
      await pageIsFine(page);
      await page.getByRole("checkbox", { name: "Renew automatically" }).uncheck();
      await page.getByRole("button", { name: "Subscribe" }).click();
      await expect(page).toHaveURL("/register?next=%2Fbasket");
      await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
      // The form that the link leaves has an e-mail field, too.
      await expect(page).toHaveURL("/sign-in?next=%2Fbasket");
      await page.getByLabel("E-mail").fill(account.email);
      await page.getByLabel("Password", { exact: true }).fill(account.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      // The code that turned two-factor on does not work again.
      await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, 1));
      await page.getByRole("button", { name: "Sign in" }).click();

      await expect(page).toHaveURL("/basket");
      await expect(page.getByRole("button", { name: /^Remove / })).toHaveCount(2);
      await expect(page.getByRole("checkbox", { name: "Renew automatically" })).not.toBeChecked();
      await page.getByRole("button", { name: "Continue to payment" }).click();
      await expect(page.getByRole("button", { name: `Pay ${dollars(total)}` })).toBeVisible();
    });
  });
}

/** @returns the secret of the authenticator app */
const turnOnTwoFactor = async (page: Page, password: string): Promise<string> => {
  await page.goto("/account/security/two-factor");
  await page.getByLabel("Current password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  const secret = await secretOn(page);
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Two-factor sign-in is on");
  return secret;
};
