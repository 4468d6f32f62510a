import type { Page } from "playwright/test";
import { pdfText } from "../app/testing/pdf-text.ts";
import { dollars, openAccount, operator, paid, pay } from "./account.ts";
import { signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("21 routes are quoted by an operator, and paid at exactly the offered price", async ({
  page,
  browser,
  request,
}) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const routes = await api.routesOnSale(21);
  const main = page.getByRole("main");
  const checked = async (on: Page) => {
    await expectAccessible(on);
    await expectNoSidewaysScroll(on);
  };

  await test.step("keeps every line of the basket, each with its price and a button to remove it", async () => {
    for (const route of routes) {
      const form = { intent: "add", period_id: String(route.periodId), term: "3_months", auto_renew: "on" };
      const answer = await page.request.post(`/routes/${route.id}`, { form, maxRedirects: 0 });
      expect(answer.status()).toBe(302);
    }
    await page.goto("/basket");
    await expect(page.getByRole("button", { name: /^Remove / })).toHaveCount(21);
    await expect(page.getByRole("button", { name: "Continue to payment" })).toHaveCount(0);
    await checked(page);
  });

  await test.step("requests a quote", async () => {
    await main.getByRole("link", { name: "Request a quote" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Request a quote");
    await checked(page);
    await page.getByRole("textbox", { name: "Message" }).fill("Ten more routes follow in spring.");
    await page.getByRole("button", { name: "Request a quote" }).click();
    await expect(main).toContainText("We are preparing an offer");
    await checked(page);
  });
  const quotePath = new URL(page.url()).pathname;
  const number = quotePath.split("/").at(-1);

  await test.step("is answered in the console, with a discount that stays", async () => {
    const office = await (await browser.newContext()).newPage();
    await office.request.post("/sign-in", { form: operator });
    await office.goto(`/operations/quotes?q=${account.username}`);
    await checked(office);
    await office.getByRole("link", { name: `Quote ${number}` }).click();
    await expect(office.getByRole("main")).toContainText("Ten more routes follow in spring.");
    await checked(office);
    await office.getByLabel("Volume discount in percent").fill("80");
    await office.getByRole("button", { name: "Send offer" }).click();
    await expect(office.getByRole("main")).toContainText("A whole number from 1 to 70");
    await office.getByLabel("Volume discount in percent").fill("30");
    await office.getByLabel("Apply this discount to later orders").check();
    await office.getByRole("textbox", { name: "Message" }).fill("Welcome aboard.");
    await office.getByRole("button", { name: "Send offer" }).click();
    await expect(office.getByRole("heading", { name: "Change the offer" })).toBeVisible();
    await checked(office);
    await office.context().close();
  });

  const total = await test.step("shows the offer, on the page and as PDF", async () => {
    await page.goto("/billing/quotes");
    await checked(page);
    await page.getByRole("link", { name: `Quote ${number}` }).click();
    await expect(main).toContainText("Welcome aboard.");
    await checked(page);
    const text = ((await main.locator("dl").first().textContent()) ?? "").match(/\$[\d,]+\.\d\d/g)?.at(-1) ?? "";
    expect(text).toMatch(/^\$/);
    const pdf = await page.request.get(`${quotePath}/quote.pdf`);
    expect(pdf.headers()["content-type"]).toBe("application/pdf");
    const paper = pdfText(await pdf.body());
    expect(paper).toContain(`Quote ${number}`);
    expect(paper).toContain(text);
    expect(paper).toContain(`Volume discount of 30% of quote ${number}`);
    return text;
  });

  await test.step("is paid at that price, which the invoice repeats", async () => {
    await page.getByRole("button", { name: "Accept and pay" }).click();
    await expect(page.getByRole("button", { name: `Pay ${total}` })).toBeVisible();
    await pay(page, { number: "4242 4242 4242 4242" });
    await paid(page);
    const [invoice] = await api.invoices();
    expect(dollars(invoice?.amount_cents ?? 0)).toBe(total);
    expect(invoice?.lines).toHaveLength(21);
    await page.goto(quotePath);
    await expect(main).toContainText("You can read the data of the routes in this quote.");
    await checked(page);
    await page.goto("/basket");
    await expect(page.getByText("Your basket is empty", { exact: true })).toBeVisible();
  });

  await test.step("keeps the discount for later purchases", async () => {
    await page.goto("/plan");
    await expect(main).toContainText("30%");
  });
});

test("The link in the API's error requests a quote for the same routes", async ({ page, request }) => {
  const api = await signIn(request, await openAccount(page));
  const items = (await api.routesOnSale(21)).map(({ periodId }) => ({
    period_id: periodId,
    subscription_term: "12_months",
  }));
  const answer = await api.ask("POST", "/subscriptions/calculate-subscription-price", { items });
  expect(answer.status()).toBe(422);
  const refused = (await answer.json()) as { message: string; sales_url: string };
  expect(refused.message).toBe("Custom pricing: contact sales");
  await page.goto(refused.sales_url);
  await expect(page.getByRole("main")).toContainText("12 months");
  await expect(page.getByRole("button", { name: "Request a quote" })).toBeVisible();
  await expectAccessible(page);
});
