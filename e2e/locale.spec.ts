import { demo } from "./account.ts";
import { expect, test } from "./journey.ts";

const regions = [
  { locale: "en-US", lang: "en-US", total: /^\$\d{1,3},\d{3}\.\d{2}$/, day: /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/ },
  { locale: "de-DE", lang: "en-DE", total: /^\$\d{1,3}\.\d{3},\d{2}$/, day: /^\d{1,2} [A-Z][a-z]{2,3} \d{4}$/ },
  { locale: "fr-CH", lang: "en-CH", total: /^\$\s\d{1,3}'\d{3}\.\d{2}$/, day: /^\d{1,2} [A-Z][a-z]{2,3} \d{4}$/ },
  { locale: "hi-IN", lang: "en-IN", total: /^\$[\d,]+\.\d{2}$/, day: /^\d{1,2} [A-Z][a-z]{2,3} \d{4}$/ },
  { locale: "ar-EG", lang: "en-GB", total: /^\$\d{1,3},\d{3}\.\d{2}$/, day: /^\d{1,2} [A-Z][a-z]{2,3} \d{4}$/ },
];

for (const { locale, lang, total, day } of regions) {
  test.describe(`A reader in ${locale}`, () => {
    test.use({ locale });

    test(`sees dates and money in the format of ${lang}, before and after hydration`, async ({ page }) => {
      await page.request.post("/sign-in", { form: demo });
      const response = await page.goto("/billing");
      expect(response?.headers().vary).toMatch(/Accept-Language/i);
      await expect(page.locator("html")).toHaveAttribute("lang", lang);
      const spent = page.getByText("Total paid").locator("xpath=following-sibling::dd").locator("span").first();
      const date = page
        .getByRole("table", { name: /^Invoices/ })
        .getByRole("cell")
        .first();
      await expect(spent).toHaveText(total);
      await expect(date).toHaveText(day);
      // A page rendered by the browser looks the same.
      const [spentByServer, dateByServer] = [await spent.textContent(), await date.textContent()];
      await page.goto("/billing/cards");
      await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Billing" }).click();
      await expect(spent).toHaveText(spentByServer ?? "");
      await expect(date).toHaveText(dateByServer ?? "");
    });
  });
}
