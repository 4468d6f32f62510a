import { readFile } from "node:fs/promises";
import type { Page } from "playwright/test";
import { addDays } from "../app/domain/dates.ts";
import { demo, findRoute } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

const signInAsDemo = async (page: Page) => {
  const answer = await page.request.post("/sign-in", { form: demo, maxRedirects: 0 });
  expect(answer.status()).toBe(302);
};

test("A subscriber opens a period's reports from a route, filters them, and downloads them", async ({ page }) => {
  await signInAsDemo(page);
  const route = await findRoute(page);
  await page.goto(route);
  await expect(page.getByText(/^As of \d/)).toBeVisible();
  await expect(page.getByRole("table", { name: "Vessels" })).toContainText("UTC");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.getByRole("link", { name: "View charts" }).click();
  const history = page.locator("#rate-history");
  await expect(history).toContainText("Standard, 40′ high cube (45G1), USD per container");
  await history.getByRole("link", { name: "20′ dry (22G1)" }).click();
  await expect(page).toHaveURL(/equipment=22G1/);
  await expect(history).toContainText("Standard, 20′ dry (22G1), USD per container");
  await expect(history.getByRole("link", { name: "20′ dry (22G1)" })).toHaveAttribute("aria-current", "page");
  await page.goto(route);

  const periods = page.getByRole("table", { name: "Periods" });
  const ended = periods.getByRole("link", { name: /^\d{4} Q\d$/ }).first();
  const name = await ended.textContent();
  await ended.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name ?? "");
  await page.getByRole("link", { name: "Rates", exact: true }).click();
  const reports = page.getByRole("table", { name: "Reports" });
  await expect(reports.getByRole("row").nth(1)).toContainText(/\$\d/);
  await expect(reports.getByRole("row").nth(1)).toContainText("USD per container");
  const all = await reports.getByRole("rowheader").count();
  const [year, quarter] = (name ?? "").split(" Q").map(Number);
  const lastMonth = String((quarter ?? 1) * 3).padStart(2, "0");
  await page.getByLabel("From").fill(`${year}-${lastMonth}-01`);
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/type=rate.*from=/);
  await expect.poll(() => reports.getByRole("rowheader").count()).toBeLessThan(all);
  const filtered = await reports.getByRole("rowheader").count();
  await page.getByLabel("Equipment").selectOption("45R1");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/equipment_type=45R1/);
  await expect.poll(() => reports.getByRole("rowheader").count()).toBe(filtered / 3);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const [csv] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("main").getByRole("link", { name: "CSV" }).click(),
  ]);
  expect(csv.suggestedFilename()).toMatch(/^C-CNSHA-NLRTM-\w+_\d{4}-Q\d\.csv$/);
  const [header, ...rows] = (await readFile(await csv.path(), "utf8")).trim().split("\r\n");
  expect(header).toContain("id,observed_at,report_type");
  expect(header).toContain(
    "basis,currency,base_rate_cents,surcharges,surcharges_cents,all_in_cents,available_capacity,capacity_unit",
  );
  expect(rows.filter((row) => row.includes(",rate,"))).toHaveLength(all);

  const json = await page.request.get(`${new URL(page.url()).pathname}/reports.json`);
  expect(json.headers()["content-disposition"]).toMatch(/\.json"$/);
  expect((await json.json()).reports).toHaveLength(rows.length);
  const way = await page.request.get(`${route}/way.geojson`);
  expect((await way.json()).features.length).toBeGreaterThan(3);
});

test("A subscriber reads a route's data as of an earlier day", async ({ page }) => {
  await signInAsDemo(page);
  const route = await findRoute(page);
  await page.goto(route);
  const knownOn = page.getByLabel("Data as known on");
  const day = addDays((await knownOn.getAttribute("max")) ?? "", -60);
  await knownOn.fill(day);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page).toHaveURL(`${route}?as_of=${day}`);
  await expect(page.getByText(/^Data as known on \d/)).toBeVisible();
  await expect(page.getByText(/^As of \d/)).toHaveCount(0);
  await expect(page.getByRole("link", { name: "View charts" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Changes" })).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const file = await page.getByRole("link", { name: "JSON", exact: true }).getAttribute("href");
  const { as_of: asOf, reports } = await (await page.request.get(file ?? "")).json();
  expect(asOf).toBe(`${day}T23:59:59.999Z`);
  expect(reports.length).toBeGreaterThan(10);
  for (const { observed_at } of reports) expect(observed_at <= asOf).toBe(true);

  await page.getByRole("link", { name: "Show current data" }).click();
  await expect(page.getByText(/^As of \d/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Changes" })).toBeVisible();
  await page.goto(`${route}?as_of=1999-12-31`);
  await expect(page.getByText(/^We keep earlier values for 400 days/)).toContainText("Current data is shown.");
  await expect(knownOn).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
});

test("A subscriber reads a route's schedule, and downloads the same sailings", async ({ page }) => {
  await signInAsDemo(page);
  await page.goto(await findRoute(page));
  const next = await page.getByRole("table", { name: "Next departures" }).getByRole("rowheader").first().textContent();
  await page.getByRole("link", { name: "Full schedule" }).click();
  await expect(page.getByRole("heading", { name: "Schedule", level: 1 })).toBeVisible();
  const table = page.getByRole("table", { name: "Schedule" });
  const shown = await table.getByRole("rowheader").count();
  expect(shown).toBeGreaterThan(10);
  await expect(
    table
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader"), hasText: "IMO" })
      .first(),
  ).toContainText("VGM");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("main").getByRole("link", { name: "CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("C-CNSHA-NLRTM-PEL9_schedule.csv");
  const [header, ...rows] = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  const columns = header?.split(",") ?? [];
  const cell = (row: string, name: string) => row.split(",")[columns.indexOf(name)] ?? "";
  expect(rows.filter((row) => cell(row, "leg") === "1")).toHaveLength(shown);
  const days = rows
    .filter((row) => cell(row, "leg") === "1" && cell(row, "status") === "scheduled")
    .map((row) => Number(cell(row, "etd").slice(8, 10)));
  expect(days[0], "the day of the next departure, by the clock of the port").toBe(Number(/\d+/.exec(next ?? "")?.[0]));
});

test("After a subscription has ended, no page and no file has its data", async ({ page, complaints }) => {
  complaints.allow(403);
  await signInAsDemo(page);
  await page.goto("/routes?q=C-CNNGB-GBFXT-MRG9");
  await page.getByRole("table", { name: "Routes" }).getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "Your subscription has ended" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Base rates" })).toHaveCount(0);
  const route = new URL(page.url()).pathname;
  const period = await page.locator("input[name=period_id]").first().inputValue();
  for (const file of [
    "data.json",
    "way.geojson",
    "schedule",
    "schedule.csv",
    "charts/rates.csv",
    "charts/rates.svg",
    `periods/${period}/reports.csv`,
    `periods/${period}/reports.json`,
  ]) {
    const answer = await page.request.get(`${route}/${file}`);
    expect([file, answer.status()]).toEqual([file, 403]);
  }
  await page.goto(`${route}/periods/${period}`);
  await expect(page.getByText("Your subscription has ended")).toBeVisible();
  await expect(page.getByRole("table")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Renew" }).click();
  await expect(page).toHaveURL(`${route}#subscribe`);
});

test("Without a subscription the page's HTML and data contain no waypoint, rate or report", async ({ page }) => {
  const route = await findRoute(page);
  for (const path of [route, `${route}.data`]) {
    const text = await (await page.request.get(path)).text();
    for (const secret of ["Taiwan Strait", "allInCents", "baseCents", "Pelorin Tern", "departsOn", 'sailings":[{']) {
      expect(text, path).not.toContain(secret);
    }
  }
});
