import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright/test";
import { demo, findRoute } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

const openRoute = async (page: Page, search = "") => {
  await page.request.post("/sign-in", { form: demo });
  await page.goto(`${await findRoute(page)}/charts${search}`);
};

/** What the legend says: `{ Observed: "16 Nov 2026", "Base rate": "$4,610.00" }`. */
const readoutOf = async (chart: Locator): Promise<Record<string, string>> =>
  Object.fromEntries(
    await chart
      .locator("figure dl > div")
      .evaluateAll((items) =>
        items.map((item) => [item.querySelector("dt")?.textContent ?? "", item.querySelector("dd")?.textContent ?? ""]),
      ),
  );

const rowsOf = async (chart: Locator): Promise<string[][]> =>
  chart
    .locator("table tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));

test("Equipment, range and scale are chosen by links, and are in the address", async ({ page }) => {
  await openRoute(page);
  const rates = page.locator("#rate-history");
  await expect(rates.getByText("All-in, ")).toBeVisible();
  const highCube = await readoutOf(rates);
  await rates.getByRole("link", { name: "20′ dry (22G1)" }).click();
  await expect(page).toHaveURL(/equipment=22G1/);
  await expect.poll(() => readoutOf(rates)).not.toEqual(highCube);

  const range = page.getByRole("navigation", { name: "Range" });
  const year = (await rowsOf(rates)).length;
  await range.getByRole("link", { name: "3 months" }).click();
  await expect(page).toHaveURL(/equipment=22G1.*range=3_months/);
  await expect.poll(async () => (await rowsOf(rates)).length).toBeLessThan(year / 3);
  await expect(range.getByRole("link", { name: "3 months" })).toHaveAttribute("aria-current", "true");

  await rates.getByRole("link", { name: "Zoomed lines" }).click();
  await expect(rates.getByText(/^The axis begins at \$[\d,]+, not at zero\.$/)).toBeVisible();
  await expect(rates).toContainText("Standard, 20′ dry (22G1), USD per container");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test("The crosshair moves with the arrow keys, Home and End, and reads out what the table says", async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, "a phone has no keyboard");
  await openRoute(page);
  const rates = page.locator("#rate-history");
  const rows = await rowsOf(rates);
  const slider = rates.getByRole("slider", { name: "Freight rate, by observed" });
  const read = async () => Object.values(await readoutOf(rates));
  await slider.focus();
  for (const [key, row] of [
    ["ArrowLeft", rows.at(-2)],
    ["ArrowLeft", rows.at(-3)],
    ["ArrowRight", rows.at(-2)],
    ["Home", rows[0]],
    ["End", rows.at(-1)],
  ] as const) {
    await slider.press(key);
    await expect.poll(read, key).toEqual(row);
    const [day = "", ...values] = row ?? [];
    const text = await slider.getAttribute("aria-valuetext");
    expect(text?.startsWith(`${day}, Base rate: ${values[0]}`), text ?? "").toBe(true);
  }
  await slider.press("Home");
  await slider.press("Escape");
  await expect.poll(read, "the newest again").toEqual(rows.at(-1));
});

test("The crosshair follows the mouse, and ends where it leaves", async ({ page, isMobile }) => {
  test.skip(isMobile, "a phone has no mouse");
  await openRoute(page);
  const rates = page.locator("#rate-history");
  const rows = await rowsOf(rates);
  const plot = rates.locator(".chart-plot");
  const read = async () => Object.values(await readoutOf(rates));
  await plot.hover({ position: { x: 1, y: 80 } });
  await expect.poll(read).toEqual(rows[0]);
  await page.getByRole("heading", { name: "History", exact: true }).hover();
  await expect.poll(read).toEqual(rows.at(-1));
});

test("The crosshair follows a finger", async ({ page, isMobile }) => {
  test.skip(!isMobile, "only a phone has a touch screen");
  await openRoute(page);
  const capacity = page.locator("#capacity");
  const rows = await rowsOf(capacity);
  const plot = capacity.locator(".chart-plot");
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (!box) throw new Error("The plot is not visible");
  const finger = await page.context().newCDPSession(page);
  const at = (share: number) => ({ touchPoints: [{ x: box.x + box.width * share, y: box.y + 60 }] });
  const read = async () => Object.values(await readoutOf(capacity));
  await finger.send("Input.dispatchTouchEvent", { type: "touchStart", ...at(0.75) });
  await expect.poll(read).not.toEqual(rows.at(-1));
  expect(rows.slice(1, -1)).toContainEqual(await read());
  for (const share of [0.5, 0.25, 0.002]) {
    await finger.send("Input.dispatchTouchEvent", { type: "touchMove", ...at(share) });
  }
  await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect.poll(read).toEqual(rows[0]);
});

test("A chart is downloaded as CSV and SVG, with the selected options", async ({ page }) => {
  await openRoute(page, "?equipment=22G1&range=3_months");
  const rates = page.locator("#rate-history");
  const rows = await rowsOf(rates);
  const [csv] = await Promise.all([
    page.waitForEvent("download"),
    rates.getByRole("link", { name: "Rates as CSV" }).click(),
  ]);
  expect(csv.suggestedFilename()).toBe("C-CNSHA-NLRTM-PEL9_rates.csv");
  const [header, ...lines] = (await readFile(await csv.path(), "utf8")).trim().split("\r\n");
  expect(header).toMatch(/^observed_at,service_level,equipment_type,.*all_in_cents$/);
  expect(lines).toHaveLength(rows.length);
  const newest = Number(lines.at(-1)?.split(",").at(-1)) / 100;
  expect(rows.at(-1)?.at(-1)).toBe(`$${newest.toLocaleString("en-GB", { minimumFractionDigits: 2 })}`);

  const [svg] = await Promise.all([
    page.waitForEvent("download"),
    rates.getByRole("link", { name: "Rates as SVG" }).click(),
  ]);
  expect(svg.suggestedFilename()).toBe("C-CNSHA-NLRTM-PEL9_rates.svg");
  const drawing = await readFile(await svg.path(), "utf8");
  const problem = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    return parsed.querySelector("parsererror")?.textContent ?? null;
  }, drawing);
  expect(problem).toBeNull();
  expect(drawing).toContain("20′ dry (22G1)");
});

test.describe("Without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the chart has tooltips and a table, and its links work", async ({ page }) => {
    await openRoute(page);
    const rates = page.locator("#rate-history");
    await expect(rates.getByRole("img", { name: /^Freight rate\. Base rate/ })).toBeVisible();
    await expect(rates.getByRole("slider")).toHaveCount(0);
    await rates.getByText("Show as a table").click();
    const rows = rates.getByRole("table", { name: "Freight rate" }).getByRole("rowheader");
    const all = await rows.count();
    expect(await rates.locator(".chart-hit title").count()).toBe(all);
    await page.getByRole("navigation", { name: "Range" }).getByRole("link", { name: "3 months" }).click();
    await rates.getByRole("link", { name: "20′ dry (22G1)" }).click();
    await expect(page).toHaveURL(/range=3_months.*equipment=22G1/);
    expect(await rates.locator(".chart-hit title").count()).toBeLessThan(all);
  });
});
