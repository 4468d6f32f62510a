import type { Page } from "playwright/test";
import { demo, findRoute } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

const from = (page: Page) => page.getByRole("combobox", { name: "From port" });
const to = (page: Page) => page.getByRole("combobox", { name: "To port" });
const suggestions = (page: Page) => page.getByRole("option");

test("Routes between two ports are found by name, alias and country, and offered again later", async ({ page }) => {
  await page.goto("/");
  await from(page).fill("shang");
  await expect(suggestions(page).first()).toContainText("Shanghai");
  await expectAccessible(page);
  await from(page).press("ArrowDown");
  await from(page).press("Enter");
  await expect(from(page)).toHaveValue("Shanghai (CNSHA)");
  await to(page).fill("netherlands");
  await suggestions(page).filter({ hasText: "Rotterdam" }).click();
  await page.getByRole("button", { name: "Find routes" }).click();

  await expect(page.getByRole("link", { name: "Remove From Shanghai" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Remove To Rotterdam" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Routes" }).getByRole("rowheader").first()).toContainText("Shanghai");
  await expect(page.getByRole("heading", { name: "Nearby ports" })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await to(page).fill("hambrug");
  await suggestions(page).filter({ hasText: "Hamburg" }).click();
  await expect(page).toHaveURL(/origin=CNSHA&destination=DEHAM/);
  await page.goto("/routes");
  await page.getByRole("link", { name: "Shanghai – Rotterdam", exact: true }).first().click();
  await expect(page).toHaveURL(/origin=CNSHA&destination=NLRTM/);
});

test("A misspelt search shows the words that it searched for, and an unknown port gets an error", async ({ page }) => {
  await page.goto("/routes?q=roterdam");
  await expect(page.getByText("Showing results for rotterdam")).toBeVisible();
  await page.goto("/routes?origin=Zzzzqqqq");
  await expect(page.getByText("No port found for “Zzzzqqqq”")).toBeVisible();
  await expectAccessible(page);
});

test("A route leads to other carriers and to ports nearby", async ({ page }) => {
  await page.goto(await findRoute(page));
  const others = page.locator("#others");
  await expect(others.getByRole("heading", { name: "Other carriers and nearby ports" })).toBeVisible();
  await others.getByRole("link", { name: / – / }).first().click();
  await expect(page).toHaveURL(/\/routes\?origin=\w{5}&destination=\w{5}$/);
});

test("A freight term explains itself, with the keyboard and by touch", async ({ page, isMobile }) => {
  await page.request.post("/sign-in", { form: demo });
  await page.goto("/schedule");
  const term = page.getByRole("button", { name: "ETA" }).last();
  if (isMobile) await term.tap();
  else {
    await term.focus();
    await page.keyboard.press("Enter");
  }
  const meaning = page.getByText("Estimated time of arrival.");
  await expect(meaning.last()).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press("Escape");
  await expect(meaning.last()).toBeHidden();
  await term.click();
  await meaning.last().getByRole("link", { name: "Glossary" }).click();
  await expect(page).toHaveURL("/docs/glossary#eta");
});

test.describe("Without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("Ports are taken by name or code, and terms are explained", async ({ page }) => {
    await page.goto("/");
    await from(page).fill("Shanghai");
    await to(page).fill("nlrtm");
    await page.getByRole("button", { name: "Find routes" }).click();
    await expect(page).toHaveURL("/routes?origin=CNSHA&destination=NLRTM");
    await page.goto("/compare");
    await from(page).fill("Yokohama");
    await to(page).fill("Los Angeles");
    await page.getByRole("button", { name: "Compare" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Yokohama – Los Angeles");
    await page.request.post("/sign-in", { form: demo });
    await page.goto("/schedule");
    await page.getByRole("button", { name: "ETD" }).last().click();
    await expect(page.getByText("Estimated time of departure.").last()).toBeVisible();
  });
});
