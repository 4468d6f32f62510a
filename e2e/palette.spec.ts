import type { Page } from "playwright/test";
import { demo, openAccount } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, pressInSequence, test } from "./journey.ts";

const search = (page: Page) => page.getByRole("combobox", { name: /^Search routes/ });
const open = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Search" });

test("The palette finds routes, own subscriptions and pages, and opens them", async ({ page }) => {
  await page.request.post("/sign-in", { form: demo });
  await page.goto("/billing");
  await open(page).click();
  await expect(search(page)).toBeFocused();
  await search(page).fill("rotterdam");
  const list = page.getByRole("listbox", { name: "Found" });
  await expect(list.getByRole("group", { name: "Routes" }).getByRole("option")).not.toHaveCount(0);
  await expect(list.getByRole("group", { name: "Your subscriptions" }).getByRole("option")).not.toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await search(page).fill("request log");
  await expect(list.getByRole("group", { name: "Pages" }).getByRole("option")).toHaveText(["Request log"]);
  await expect(list.getByRole("group", { name: /^(Routes|Your subscriptions)$/ })).toHaveCount(0);
  await search(page).press("Enter");
  await expect(page).toHaveURL("/usage/logs");
  await expect(page.getByRole("main")).toBeFocused();
});

test("The palette finds settings, invoices, keys and documentation, and says when nothing matches", async ({
  page,
}) => {
  await page.request.post("/sign-in", { form: demo });
  await page.goto("/billing");
  const invoice = await page
    .getByRole("main")
    .getByText(/^\d{4}-\d{6}$/)
    .first()
    .textContent();
  await open(page).click();
  const inGroup = (name: string) => page.getByRole("group", { name }).getByRole("option");
  for (const [words, group, found] of [
    ["invoice", "Pages", /^Billing/],
    ["2fa", "Pages", /^Two-factor authentication/],
    ["rate limit", "Documentation", /^Rate limits/],
    ["bunker", "Documentation", /^BAF/],
    [invoice ?? "", "Invoices", new RegExp(invoice ?? "none")],
  ] as const) {
    await search(page).fill(words);
    await expect(inGroup(group).filter({ hasText: found }).first()).toBeVisible();
  }
  await expectAccessible(page);
  await search(page).fill("qqqqzzzz");
  await expect(page.getByRole("dialog").getByRole("status")).toContainText("No results for “qqqqzzzz”");
  await expect(page.getByRole("option")).toHaveCount(0);
  await search(page).fill("BAF");
  await inGroup("Documentation").filter({ hasText: /^BAF/ }).click();
  await expect(page).toHaveURL("/docs/glossary#baf");
});

test("The arrow keys select in the palette, and Esc restores the focus", async ({ page }) => {
  await page.goto("/routes");
  const button = open(page);
  await button.focus();
  // The palette handles keys shortly after.
  await expect(async () => {
    if (!(await search(page).isVisible())) await page.keyboard.press("Control+k");
    await expect(search(page)).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await search(page).fill("CNSHA NLRTM");
  const options = page.getByRole("group", { name: "Routes" }).getByRole("option");
  await expect(options).not.toHaveCount(0);
  const active = async () =>
    page.locator(`#${await search(page).getAttribute("aria-activedescendant")}[aria-selected="true"]`);
  await expect(async () => {
    await expect(await active()).toHaveText((await options.first().textContent()) ?? "", { timeout: 1_000 });
  }).toPass();
  await page.keyboard.press("ArrowUp");
  await expect(async () => {
    await expect(await active()).toContainText("All routes with “CNSHA NLRTM”", { timeout: 1_000 });
  }).toPass();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(search(page)).toHaveCount(0);
  await expect(button).toBeFocused();
});

test("With forced colours the selected entry still differs from the others", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/routes");
  await open(page).click();
  await expect(search(page)).toBeFocused();
  const frames = page
    .getByRole("option")
    .evaluateAll((options) =>
      options.map((option) => [option.getAttribute("aria-selected"), getComputedStyle(option).borderColor] as const),
    );
  const [chosen, ...others] = await frames;
  expect(chosen?.[0]).toBe("true");
  expect(others.length).toBeGreaterThan(0);
  expect(others.map(([, frame]) => frame)).not.toContain(chosen?.[1]);
});

test("When the search fails the palette says so, and its pages still work", async ({ page, complaints }) => {
  complaints.allow(503);
  await page.route("**/search?*", (route) => route.fulfill({ status: 503 }));
  await page.goto("/");
  await open(page).click();
  await search(page).fill("docs");
  await expect(page.getByRole("dialog").getByRole("status")).toHaveText(/Search is not available/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs/);
});

test("The palette does not find subscriptions of other accounts", async ({ page }) => {
  await openAccount(page);
  const answer = await page.request.get("/search?q=rotterdam");
  expect(await answer.json()).toMatchObject({ subscriptions: [], routes: expect.arrayContaining([expect.anything()]) });
});

test.describe("With a keyboard", () => {
  test.skip(({ isMobile }) => isMobile, "a phone has no keyboard");

  test("Single-key shortcuts open the main pages, are ignored in fields, and can be switched off", async ({ page }) => {
    await openAccount(page);
    await page.goto("/subscriptions");
    await pressInSequence(page, "gu", "/usage");
    await pressInSequence(page, "gr", "/routes");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Routes");
    await page.keyboard.press("/");
    const field = page.getByRole("main").getByRole("searchbox");
    await expect(field).toBeFocused();
    await page.keyboard.type("gu?/");
    await expect(field).toHaveValue("gu?/");
    await expect(page).toHaveURL("/routes");

    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect(dialog).toContainText("Go to API keys");
    await expectAccessible(page);
    const remembered = page.waitForResponse((response) => response.url().includes("/shortcuts"));
    await dialog.getByRole("checkbox", { name: /^Single keys/ }).uncheck();
    await remembered;
    await page.keyboard.press("Escape");
    await page.reload();
    await page.keyboard.press("?");
    await page.keyboard.press("g");
    await page.keyboard.press("u");
    await page.keyboard.press("Control+k");
    await expect(search(page)).toBeFocused();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(/\/routes/);
  });
});
