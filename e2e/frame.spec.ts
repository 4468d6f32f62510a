/** What surrounds every page: menus, theme, sign-out, the status page, and pages for errors outside of the app. */
import type { Page } from "playwright/test";
import { openAccount, openMenu, signOut } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("The menu closes on Escape and on a click outside, and the focus returns", async ({ page }) => {
  await openAccount(page);
  await page.goto("/routes");
  const settings = page.getByRole("banner").getByRole("link", { name: "Account settings" });
  const button = await openMenu(page);
  await expect(settings.and(page.locator(":visible"))).toHaveCount(1);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press("Escape");
  await expect(settings.and(page.locator(":visible"))).toHaveCount(0);
  await expect(button).toBeFocused();

  await openMenu(page);
  await page.getByRole("contentinfo").getByText("not for navigation").click({ force: true });
  await expect(settings.and(page.locator(":visible"))).toHaveCount(0);

  await openMenu(page);
  await settings.and(page.locator(":visible")).click();
  await expect(page).toHaveURL("/account");
  await expect(settings.and(page.locator(":visible"))).toHaveCount(0);
});

test.describe("The theme", () => {
  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
      test.use({ javaScriptEnabled });

      test("is chosen on any page, which stays open", async ({ page }) => {
        await page.goto("/regions/EAS?from=journey");
        const choose = (name: string) => page.getByRole("contentinfo").getByRole("button", { name });
        await expect(choose("Match system")).toHaveAttribute("aria-pressed", "true");
        await choose("Dark").click();
        await expect(choose("Dark")).toHaveAttribute("aria-pressed", "true");
        await expect(page).toHaveURL("/regions/EAS?from=journey");
        await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
        await page.goto("/sign-in");
        await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
        await choose("Match system").click();
        await expect(page.locator("html")).not.toHaveAttribute("data-theme");
      });
    });
  }
});

test("Signing out stays on a public page, and leads home from an account's page", async ({ page }) => {
  await openAccount(page);
  await page.goto("/routes?q=Rotterdam");
  await signOut(page);
  await expect(page).toHaveURL("/routes?q=Rotterdam");

  await openAccount(page);
  await page.goto("/billing");
  await signOut(page);
  await expect(page).toHaveURL("/");
});

test("The status page lists the components and is linked from every page", async ({ page }) => {
  await page.goto("/routes");
  await page.getByRole("contentinfo").getByRole("link", { name: "Status" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Service status");
  for (const component of ["API", "Portal", "Database", "Payments", "E-mail", "Scheduled jobs"]) {
    await expect(page.getByRole("listitem").filter({ hasText: component }).first()).toContainText("Operational");
  }
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test("A sign-in form on another site gets a page that explains what to do", async ({ page, complaints, baseURL }) => {
  complaints.allow(403);
  await postFromElsewhere(page, `${baseURL}/sign-in`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This form was sent from another site");
  await expect(page.getByText("Request ID")).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole("link", { name: "Open the page" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
});

/** Opens a page of another site and submits its form. */
const postFromElsewhere = async (page: Page, action: string) => {
  const form = `<!doctype html><form method="post" action="${action}"><input name="email" value="a@b.example"><button>Go</button></form>`;
  await page.route("http://elsewhere.example/**", (route) =>
    route.fulfill({ contentType: "text/html", body: new URL(route.request().url()).pathname === "/" ? form : "" }),
  );
  await page.goto("http://elsewhere.example/", { waitUntil: "load" });
  await page.getByRole("button", { name: "Go" }).click();
};
