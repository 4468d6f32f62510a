import { readFile } from "node:fs/promises";
import type { Download, Page } from "playwright/test";
import { workbookCells } from "../app/testing/workbook-cells.ts";
import { demo, findRoute, openAccount } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

const signInAsDemo = (page: Page) => page.request.post("/sign-in", { form: demo });

const downloaded = async (page: Page, button: string): Promise<Download> => {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("main").getByRole("button", { name: button }).click(),
  ]);
  return file;
};

const csvOf = async (file: Download) => {
  const text = await readFile(await file.path(), "utf8");
  expect(text.startsWith("\uFEFF"), "a byte order mark, for Excel").toBe(true);
  const [header = "", ...rows] = text.slice(1).trimEnd().split("\r\n");
  return { columns: header.split(","), rows: rows.map((row) => row.split(",")) };
};

test("A subscriber downloads a route's reports as CSV and as an Excel workbook", async ({ page }) => {
  await signInAsDemo(page);
  await page.goto(await findRoute(page));
  await page.getByRole("link", { name: "Download", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Download data", level: 1 })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("C-CNSHA-NLRTM-PEL9");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.getByLabel("Type").selectOption("capacity");
  await page.getByLabel("Format", { exact: true }).first().selectOption("csv");
  const file = await downloaded(page, "Download reports");
  expect(file.suggestedFilename()).toMatch(/^reports-\d{4}-\d\d-\d\d\.csv$/);
  const { columns, rows } = await csvOf(file);
  expect(columns.slice(0, 2)).toEqual(["route_id", "route_code"]);
  expect(new Set(rows.map((row) => row[columns.indexOf("report_type")]))).toEqual(new Set(["capacity"]));
  expect(new Set(rows.map((row) => row[1]))).toEqual(new Set(["C-CNSHA-NLRTM-PEL9"]));

  await page.getByLabel("Type").selectOption("rate");
  const rates = await csvOf(await downloaded(page, "Download reports"));
  await page.getByLabel("Format", { exact: true }).first().selectOption("xlsx");
  const rateCells = workbookCells(await readFile(await (await downloaded(page, "Download reports")).path()));
  const breakdown = rates.columns.indexOf("surcharges");
  expect(rateCells[0]?.slice(breakdown, breakdown + 2)).toEqual(["Surcharge breakdown", "Surcharges"]);
  // All of them in dollars: the amounts add up to the column beside it.
  const [, first] = rateCells;
  const amounts = [...(first?.[breakdown] ?? "").matchAll(/ (\d+\.\d\d) USD/g)].map(([, amount]) => Number(amount));
  expect(amounts.length).toBeGreaterThan(1);
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(Number(first?.[breakdown + 1]), 6);

  await page.getByLabel("Type").selectOption("capacity");
  const workbook = await downloaded(page, "Download reports");
  const cells = workbookCells(await readFile(await workbook.path()));
  expect(cells).toHaveLength(rows.length + 1);
  expect(cells[0]?.slice(0, 2)).toEqual(["Route ID", "Route code"]);
  const capacity = columns.indexOf("available_capacity");
  expect(cells.slice(1).map((row) => row[capacity])).toEqual(rows.map((row) => row[capacity]));
});

test("A subscriber downloads the rates of several selected subscriptions", async ({ page }) => {
  await signInAsDemo(page);
  await page.goto("/subscriptions");
  await page.getByRole("checkbox", { name: /C-CNSHA-NLRTM-PEL9/ }).check();
  await page.getByRole("checkbox", { name: /B-AUPHE-CNTAO-GRN9/ }).check();
  await page.getByLabel("With the selected").selectOption({ label: "Download data" });
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "2 routes" })).toBeVisible();
  await page.getByRole("radio", { name: "CSV" }).check();
  const { columns, rows } = await csvOf(await downloaded(page, "Download rates"));
  expect(new Set(rows.map((row) => row[1]))).toEqual(new Set(["C-CNSHA-NLRTM-PEL9", "B-AUPHE-CNTAO-GRN9"]));
  expect(new Set(rows.map((row) => row[columns.indexOf("charge")]))).toEqual(new Set(["base_rate", "surcharge"]));
});

test("Everybody downloads the catalogue", async ({ page }) => {
  await page.goto("/routes");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download all (CSV)" }).click(),
  ]);
  const { columns, rows } = await csvOf(file);
  expect(columns.slice(0, 3)).toEqual(["id", "code", "name"]);
  expect(rows.length).toBeGreaterThan(2_000);
});

test("An account without a subscription gets a link to the catalogue", async ({ page }) => {
  await openAccount(page);
  await page.goto("/download");
  await expect(page.getByRole("main")).toContainText("You are not subscribed to any routes yet");
  await page.getByRole("link", { name: "Find a route" }).click();
  await expect(page.getByRole("heading", { name: "Routes", level: 1 })).toBeVisible();
});

test.describe("Without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a subscriber downloads reports", async ({ page }) => {
    await signInAsDemo(page);
    await page.goto("/download");
    const file = await downloaded(page, "Download reports");
    expect(workbookCells(await readFile(await file.path())).length).toBeGreaterThan(100);
  });
});
