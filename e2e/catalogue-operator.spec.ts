import { randomUUID } from "node:crypto";
import type { Page } from "playwright/test";
import { openAccount, operator, paid, pay } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

/** Adds a record of a kind, by the labels of its form. Fields with a list are selected. */
const add = async (page: Page, kind: string, fields: Record<string, string>) => {
  await page.goto(`/operations/catalogue/${kind}/new`);
  for (const [label, value] of Object.entries(fields)) {
    const field = page.getByLabel(label, { exact: true });
    const isList = (await field.evaluate((element) => element.tagName)) === "SELECT";
    if (isList) await field.selectOption(value);
    else await field.fill(value);
  }
  await page.getByRole("button", { name: /^Add / }).click();
};

const added = async (page: Page, code: string) => {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(code);
};

for (const javaScriptEnabled of [true, false]) {
  /** axe waits for timers, which do not run without scripts. */
  const checkPage = async (page: Page) => {
    if (javaScriptEnabled) await expectAccessible(page);
  };
  test.describe(javaScriptEnabled ? "With scripts" : "Without scripts", () => {
    test.use({ javaScriptEnabled });

    test("An operator sets an exchange rate", async ({ page, complaints }) => {
      complaints.allow(422);
      await page.request.post("/sign-in", { form: operator });
      await page.goto("/operations/catalogue");
      await page.getByRole("link", { name: "Exchange rates" }).click();
      await page.getByLabel("Currency", { exact: true }).fill("EUR");
      await page.getByLabel("As of", { exact: true }).fill("2026-01-02");
      await page.getByLabel("Source", { exact: true }).fill("ECB");
      const rate = page.getByLabel("Rate", { exact: true });
      await rate.fill("1,0931");
      await page.getByRole("button", { name: "Set exchange rate" }).click();
      await expect(rate).toHaveAccessibleDescription(/Enter a rate with a decimal point/);
      await expect(page.getByLabel("Currency", { exact: true })).toHaveValue("EUR");
      await checkPage(page);
      await rate.fill("1.0931");
      await page.getByRole("button", { name: "Set exchange rate" }).click();
      await expect(page.getByRole("table", { name: "Exchange rates" })).toContainText("1 EUR = 1.0931 USD");
      await expect(rate).toHaveValue("");
      await checkPage(page);
      await expectNoSidewaysScroll(page);
    });

    test("An operator stocks a trade lane, and a customer buys its route", async ({ page, browser, complaints }) => {
      complaints.allow(422);
      const mark = randomUUID().slice(0, 6).toUpperCase();
      const [carrier, lane, group, route] = [`J${mark}`, `L-${mark}`, `G-${mark}`, `R-${mark}`];
      await page.request.post("/sign-in", { form: operator });

      await test.step("adds carrier, lane, group, route and period", async () => {
        await add(page, "carriers", { Code: carrier, Name: `Line ${mark}`, "Cargo types": "container" });
        await added(page, carrier);
        await add(page, "trade-lanes", {
          Code: lane,
          Name: `Lane ${mark}`,
          "Origin region": "EAS",
          "Destination region": "NEU",
          Haul: "head_haul",
          "Base price": "0",
          "Valid from": "2026-01-01",
        });
        const price = page.getByLabel("Base price", { exact: true });
        await expect(price).toHaveAccessibleDescription(/Must be more than 0/);
        await expect(page.getByLabel("Code", { exact: true })).toHaveValue(lane);
        await checkPage(page);
        await price.fill("120.00");
        await page.getByRole("button", { name: "Add trade lane" }).click();
        await added(page, lane);
        await expect(page.getByRole("table", { name: "Base prices" })).toContainText("$120.00");
        await checkPage(page);
        await expectNoSidewaysScroll(page);
        await add(page, "route-groups", {
          Code: group,
          Name: `Group ${mark}`,
          "Trade lane": lane,
          "Cargo type": "container",
        });
        await added(page, group);
        await add(page, "routes", {
          Code: route,
          Name: `Busan – Hamburg ${mark}`,
          "Route group": group,
          Carrier: carrier,
          "Origin port": "KRPUS",
          "Destination port": "DEHAM",
          Distance: "10900",
          "Transit days, standard (optional)": "35",
          "Sailings per week": "1",
          "Departure weekdays": "WED",
        });
        await added(page, route);
        await add(page, "periods", { Route: route, "Starts on": "2026-01-01", Freshness: "daily" });
        await added(page, `${route}/2026-01-01`);
      });

      const customer = await (await browser.newContext()).newPage();
      await test.step("a customer finds and buys the route", async () => {
        await openAccount(customer);
        await customer.goto(`/routes?q=${route}`);
        await customer
          .getByRole("link", { name: new RegExp(mark) })
          .first()
          .click();
        await customer.getByRole("radio", { name: /^1 month/ }).check();
        await customer.getByRole("button", { name: "Continue to payment" }).click();
        await pay(customer, { number: "4242 4242 4242 4242" });
        await paid(customer);
      });

      await test.step("the operator overrides the price, the customer sees it, and it is released", async () => {
        await page.goto(`/operations/catalogue/periods?q=${route}`);
        await page.getByRole("link", { name: route }).click();
        await page.getByLabel("What to do", { exact: true }).selectOption("override");
        await page.getByLabel("Monthly price (optional)", { exact: true }).fill("99.00");
        await page.getByRole("button", { name: "Set price" }).click();
        const reason = page.getByLabel("Reason", { exact: true });
        await expect(reason).toHaveAccessibleDescription(/Say why/);
        await checkPage(page);
        await reason.fill("Agreed with sales");
        await page.getByRole("button", { name: "Set price" }).click();
        await expect(page.getByRole("table", { name: "Prices set by operators" })).toContainText("Agreed with sales");
        await checkPage(page);
        await expectNoSidewaysScroll(page);
        await customer.goto(`/routes?q=${route}`);
        await customer
          .getByRole("link", { name: new RegExp(mark) })
          .first()
          .click();
        const history = customer.getByRole("table", { name: "Price history" });
        await expect(history).toContainText("Fixed price set");
        await expect(history).toContainText("$99.00");
        await expect(customer.getByText("Agreed with sales")).toHaveCount(0);
        await page.getByRole("button", { name: "Remove price" }).click();
        await page.getByRole("button", { name: "Remove it" }).click();
        await expect(page.getByRole("table", { name: "Prices set by operators" })).toContainText("Ended");
      });

      await test.step("the operator retires the lane, and the route leaves the catalogue", async () => {
        await page.goto(`/operations/catalogue/trade-lanes?q=${lane}`);
        await page.getByRole("link", { name: lane }).click();
        await page.getByRole("button", { name: "Retire", exact: true }).click();
        await page.getByRole("button", { name: "Retire record" }).click();
        await expect(page.getByText(/Retired on/)).toBeVisible();
        await checkPage(page);
        await customer.goto(`/routes?q=${route}`);
        await expect(customer.getByRole("table").getByRole("link", { name: new RegExp(mark) })).toHaveCount(0);
        await customer.goto("/subscriptions");
        await expect(customer.getByRole("main")).toContainText(mark);
        await customer.context().close();
      });
    });
  });
}
