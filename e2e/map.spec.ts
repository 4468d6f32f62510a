import type { Locator, Page } from "playwright/test";
import { findRoute } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

const mapOf = (page: Page) => page.getByRole("region", { name: /^Map\./ });

/** The visible part of the map: x, y, width and height. */
const viewOf = async (map: Locator) => {
  const [x = 0, y = 0, width = 0, height = 0] = ((await map.locator("svg").first().getAttribute("viewBox")) ?? "")
    .split(" ")
    .map(Number);
  return { x, y, width, height };
};

test("A map is zoomed and moved with its buttons and the keyboard, and reset", async ({ page }) => {
  await page.goto(await findRoute(page));
  const map = mapOf(page);
  const home = await viewOf(map);
  const reset = map.getByRole("button", { name: "Reset the map" });
  await expect(reset).toHaveAttribute("aria-disabled", "true");

  await map.getByRole("button", { name: "Zoom in" }).click();
  await map.getByRole("button", { name: "Zoom in" }).click();
  const closer = await viewOf(map);
  expect(closer.width).toBeLessThan(home.width / 2);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await map.focus();
  await page.keyboard.press("ArrowRight");
  expect((await viewOf(map)).x).toBeGreaterThan(closer.x);
  await page.keyboard.press("-");
  expect((await viewOf(map)).width).toBeGreaterThan(closer.width);
  await reset.click();
  expect(await viewOf(map)).toEqual(home);
  await expect(reset).toBeFocused();
});

test.describe("With a mouse", () => {
  test.skip(({ isMobile }) => isMobile, "a phone has none");

  test("A map is dragged, and zoomed with Ctrl and the wheel, and its ports can still be clicked", async ({ page }) => {
    await page.goto("/routes?view=map&trade_lane=EAS-NEU");
    const map = mapOf(page);
    await expect(map.getByRole("button", { name: "Zoom in" })).toBeVisible();
    const home = await viewOf(map);
    const box = await map.boundingBox();
    if (!box) throw new Error("There is no map");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];

    await page.mouse.move(x, y);
    await page.mouse.wheel(0, 100);
    expect(await viewOf(map)).toEqual(home);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -200);
    await page.keyboard.up("Control");
    await expect.poll(async () => (await viewOf(map)).width).toBeLessThan(home.width);
    const closer = await viewOf(map);

    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 120, y - 20, { steps: 4 });
    await page.mouse.up();
    expect((await viewOf(map)).x).toBeGreaterThan(closer.x);
    await expect(page).toHaveURL("/routes?view=map&trade_lane=EAS-NEU");

    await map.getByRole("button", { name: "Reset the map" }).click();
    const port = map.locator(".names-wide text").first();
    const name = await port.textContent();
    await port.scrollIntoViewIfNeeded();
    const dot = await port.evaluate((text) => {
      const { e, f } = (text.parentElement as unknown as SVGGElement).getScreenCTM() ?? { e: 0, f: 0 };
      return { x: e, y: f };
    });
    await page.mouse.move(dot.x, dot.y);
    await expect(map.locator(".names-wide .port-name")).toContainText(`${name}, `);
    await page.mouse.click(dot.x, dot.y);
    await expect(page).toHaveURL(/port=[A-Z]{5}/);
  });
});

test.describe("Without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("A map is a still picture, and its ports are links below it", async ({ page }) => {
    await page.goto("/routes?view=map&trade_lane=EAS-NEU");
    await expect(mapOf(page).locator("svg").first()).toBeVisible();
    await expect(mapOf(page).getByRole("button")).toHaveCount(0);
    await page.getByRole("link", { name: /^Rotterdam \d/ }).click();
    await expect(page).toHaveURL(/port=NLRTM/);
  });
});
