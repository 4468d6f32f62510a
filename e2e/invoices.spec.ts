import { findRoute, openAccount, order, paid, pay } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("A company enters its billing details, buys, and downloads an invoice that it can book", async ({
  page,
  complaints,
}) => {
  complaints.allow(422);
  await openAccount(page);
  await order(page, await findRoute(page));
  await page.getByRole("link", { name: "Add billing details" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Billing details");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.getByLabel("Company or name").fill("上海海运 Rederij B.V.");
  await page.getByLabel("Address", { exact: true }).fill("Kade 1");
  await page.getByLabel("City").fill("Hamburg");
  await page.getByLabel("Country").selectOption("DE");
  await page.getByLabel("VAT or other tax number").fill("NL123456789B01");
  await page.getByRole("button", { name: "Save billing details" }).click();
  await expect(page.getByLabel("VAT or other tax number")).toHaveAccessibleDescription(/valid tax number/);
  await expectAccessible(page);

  await page.getByLabel("VAT or other tax number").fill("");
  await page.getByLabel(/^Purchase order number/).fill("PO-4711");
  await page.getByRole("button", { name: "Save billing details" }).click();
  await expect(page.getByText("Billed to 上海海运 Rederij B.V., Germany")).toBeVisible();
  await pay(page, { number: "4242 4242 4242 4242" });
  await paid(page);

  await page.goto("/billing");
  await page.getByRole("link", { name: /^\d{4}-\d{6}$/ }).click();
  const invoice = page.getByRole("article");
  for (const words of ["DE123456789", "上海海运 Rederij B.V.", "Kade 1", "PO-4711", "Net amount", "due on receipt"]) {
    await expect(invoice).toContainText(words);
  }
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download PDF" }).click();
  expect((await download).suggestedFilename()).toMatch(/^invoice-\d{4}-\d{6}\.pdf$/);
});
