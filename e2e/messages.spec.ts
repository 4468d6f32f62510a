import { type Browser, devices } from "playwright/test";
import { findRoute, openAccount } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("A success message is shown once, and can be dismissed", async ({ page }) => {
  await openAccount(page);
  await page.goto(await findRoute(page));
  await page.getByRole("button", { name: "Add to basket" }).click();
  const messages = page.getByRole("region", { name: "Messages" });
  await expect(messages).toContainText("Added to your basket for 3 months.");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await messages.getByRole("link", { name: "View basket" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Basket");
  // It stays during navigation.
  await expect(messages).toContainText("Added to your basket");
  await messages.getByRole("button", { name: "Dismiss" }).click();
  await expect(messages).toHaveText("");
  await expect(page.getByRole("main")).toBeFocused();

  await page.getByRole("button", { name: /^Remove/ }).click();
  await expect(messages).toContainText("Your basket is empty.");
  await page.reload();
  await expect(page.getByText("Your basket is empty", { exact: true })).toBeVisible();
  await expect(messages).toHaveText("");
});

test("A message disappears automatically, but not while the pointer is over it", async ({ page }) => {
  await page.clock.install();
  await openAccount(page);
  await page.goto(await findRoute(page));
  await page.getByRole("button", { name: "Add to basket" }).click();
  const message = page.getByRole("region", { name: "Messages" }).getByText("Added to your basket");
  await page.clock.runFor(5_900);
  await message.hover();
  await page.clock.runFor(60_000);
  await expect(message).toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.runFor(60_000);
  await expect(message).toHaveCount(0);
});

test("Without scripts a message stays in view, on its page only", async ({ browser }, { project }) => {
  const page = await withoutScripts(browser, project.name);
  await openAccount(page);
  await page.goto(await findRoute(page));
  await page.getByRole("button", { name: "Add to basket" }).click();
  const message = page.getByText("Added to your basket for 3 months.");
  // The page opens at the section with the offer.
  await expect(page).toHaveURL(/#subscribe$/);
  await expect(message).toBeInViewport();
  await expect(page.getByRole("heading", { name: "Subscribe" })).toBeInViewport();
  await expect(page.getByRole("button", { name: "Dismiss" })).toHaveCount(0);
  await page.goto("/basket");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Basket");
  await expect(message).toHaveCount(0);
  await page.context().close();
});

test("Without a connection the portal says so, and opens the page once it is back", async ({
  page,
  context,
  complaints,
}) => {
  complaints.allow("no connection");
  await openAccount(page);
  await page.goto("/subscriptions");
  const link = page.getByRole("main").getByRole("link", { name: "Find a route" });
  // Loads the code of the other page in advance.
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Routes");
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Subscriptions");
  await context.setOffline(true);
  await page.evaluate(() => dispatchEvent(new Event("offline")));
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No connection");
  await expectAccessible(page);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Routes");
});

const withoutScripts = async (browser: Browser, project: string) => {
  const context = await browser.newContext({
    ...(project === "phone" ? devices["Pixel 7"] : {}),
    javaScriptEnabled: false,
    locale: "en-GB",
  });
  return context.newPage();
};
