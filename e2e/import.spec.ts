import { readFileSync } from "node:fs";
import { operator } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

const template = readFileSync(new URL("../public/import-templates/routes.csv", import.meta.url), "utf8");
const file = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

test("An operator uploads a file with errors, corrects it, applies it, and finds the route in the catalogue", async ({
  page,
  complaints,
}, { project }) => {
  complaints.allow(422);
  // Projects share the catalogue, so each imports its own route, to a port that no other journey searches for.
  const code = `C-CNSHA-DEHAM-${project.name.toUpperCase()}`;
  const right = template
    .replaceAll("C-CNSHA-NLRTM-ABCD", code)
    .replaceAll("NLRTM", "DEHAM")
    .replaceAll("Rotterdam", "Hamburg");
  await page.request.post("/sign-in", { form: operator });
  await page.goto("/operations/import");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const check = async (name: string, text: string) => {
    await page.goto("/operations/import");
    await page.getByLabel("File", { exact: true }).setInputFiles(file(name, text));
    await page.getByRole("button", { name: "Check file" }).click();
  };

  await test.step("an unreadable file is rejected at its field", async () => {
    await check("empty.csv", "");
    await expect(page.getByLabel("File", { exact: true })).toHaveAccessibleDescription(/The file is empty/);
    await check("rates.csv", right.replace(/^.*\n/, ""));
    await expect(page.getByLabel("File", { exact: true })).toHaveAccessibleDescription(
      /The first line must have the column names/,
    );
    await expectAccessible(page);
  });

  await test.step("wrong values are reported by line and column", async () => {
    await check("wrong.csv", right.replace(",10537,", ",10 537,"));
    await expect(page.getByText("Fix 1 error to apply this file")).toBeVisible();
    const errors = page.getByRole("table", { name: "Errors" });
    await expect(errors).toContainText("distance_nm");
    await expect(errors).toContainText("10 537");
    await expect(page.getByRole("button", { name: "Apply to catalogue" })).toHaveCount(0);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("the corrected file is previewed, and then applied", async () => {
    await check("routes.csv", right);
    await expect(page.getByText("Nothing written yet")).toBeVisible();
    await expect(page.getByRole("region", { name: "First lines of the file" })).toContainText(code);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Apply to catalogue" }).click();
    await expect(page.getByText(/^Applied \d|^Applied \w/).last()).toBeVisible();
    await expect(page.getByRole("button", { name: "Apply to catalogue" })).toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step("the route is in the catalogue, with its line on the map", async () => {
    await page.goto(`/routes?q=${code}`);
    await page
      .getByRole("table", { name: "Routes" })
      .getByRole("link", { name: /Shanghai/ })
      .first()
      .click();
    await expect(page.getByRole("img", { name: /^Map of the route/ })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Shanghai - Hamburg");
  });
});

test("A file can be checked and discarded without scripts", async ({ browser, complaints }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  complaints.watch(context);
  const page = await context.newPage();
  await page.request.post("/sign-in", { form: operator });
  await page.goto("/operations/import");
  await page.getByLabel("File", { exact: true }).setInputFiles(file("plain.csv", template));
  await page.getByRole("button", { name: "Check file" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("plain.csv");
  await expect(page.getByRole("button", { name: "Apply to catalogue" })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await page.getByRole("button", { name: "Discard file" }).click();
  await expect(page.getByRole("row", { name: /plain\.csv/ }).first()).toContainText("Discarded");
  await context.close();
});
