import { EventEmitter, once } from "node:events";
import type { Page } from "playwright/test";
import { pdfText } from "../app/testing/pdf-text.ts";
import { dollars, openAccount, paid, pay } from "./account.ts";
import { type RouteOnSale, signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("Five routes in one basket get the volume discount, and every document has the same total", async ({
  page,
  request,
}) => {
  const api = await signIn(request, await openAccount(page));
  const routes = await api.routesOnSale(5);
  expect(routes).toHaveLength(5);
  const main = page.getByRole("main");
  const { total_cents: total } = await api.quote(asItems(routes));
  const { total_cents: totalOfFour } = await api.quote(asItems(routes.slice(0, 4)));

  await test.step("announces the discount before the fifth route", async () => {
    for (const route of routes.slice(0, 3)) await putIntoBasket(page, route);
    await page.goto(`/routes/${routes[3]?.id}`);
    await page.getByRole("radio", { name: /^3 months/ }).check();
    const added = page.waitForResponse((answer) => answer.request().method() === "POST");
    await page.getByRole("button", { name: "Add to basket" }).click();
    await added;
    await page.goto("/basket");
    await expect(main).toContainText(/1 more route: 5% off/);
    await expect(main).toContainText("5%");
    await expect(main).toContainText(dollars(totalOfFour));
    await expect(main).not.toContainText(/volume discount on every route/);
  });

  await test.step("applies the discount to every route from the fifth on", async () => {
    await putIntoBasket(page, routes[4]);
    await page.goto("/basket");
    await expect(main).toContainText(/5% volume discount/);
    await expect(main).toContainText(dollars(total));
    for (const { name } of routes) await expect(main).toContainText(name);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("asks for the same total at the payment", async () => {
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await expect(page.getByRole("button", { name: `Pay ${dollars(total)}` })).toBeVisible();
    await expect(main).toContainText(/Volume discount of 5%/);
    await pay(page, { number: "4242 4242 4242 4242" });
    await paid(page);
    await expect(main).toContainText(dollars(total));
  });

  await test.step("shows the discount on the invoice, the PDF and the CSV, line by line", async () => {
    const [invoice] = await api.invoices();
    if (!invoice) throw new Error("There is no invoice");
    expect(invoice.amount_cents).toBe(total);
    expect(invoice.lines.map((line) => line.volume_discount_percent)).toEqual([5, 5, 5, 5, 5]);
    expect(invoice.lines.reduce((sum, line) => sum + line.total_cents, 0)).toBe(total);

    await page.goto(`/billing/${invoice.id}`);
    await expect(main).toContainText(dollars(total));
    await expect(main).toContainText(/Volume discount of 5%/);
    for (const line of invoice.lines) await expect(main).toContainText(dollars(line.total_cents));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    const pdf = await page.request.get(`/billing/${invoice.id}/receipt.pdf`);
    expect(pdf.headers()["content-type"]).toBe("application/pdf");
    const paper = pdfText(await pdf.body());
    for (const cents of [total, ...invoice.lines.map((line) => line.total_cents)])
      expect(paper).toContain(dollars(cents));
    const csv = await (await page.request.get("/billing.csv")).text();
    expect(csv.split("\r\n")[1]).toMatch(new RegExp(`^${invoice.number},invoice,.*,USD,${total},visa,4242,0,,,no$`));
  });

  await test.step("counts the five active subscriptions when a sixth is bought", async () => {
    const [sixth] = (await api.routesOnSale(6)).slice(5);
    await putIntoBasket(page, sixth);
    await page.goto("/basket");
    await expect(main).toContainText(/5% volume discount/);
  });
});

test("Routes in a basket can be changed and removed one by one", async ({ page, request }) => {
  const api = await signIn(request, await openAccount(page));
  const routes = await api.routesOnSale(2);
  for (const route of routes) await putIntoBasket(page, route);
  const [first, second] = routes;
  await page.goto("/basket");
  const main = page.getByRole("main");
  await page.getByLabel(`Term of ${first?.name}`).first().selectOption({ label: "12 months" });
  const { total_cents: changed } = await api.quote([
    { period_id: first?.periodId ?? 0, subscription_term: "12_months" },
    { period_id: second?.periodId ?? 0, subscription_term: "3_months" },
  ]);
  await expect(main).toContainText(dollars(changed));
  for (const { name } of routes)
    await page
      .getByRole("button", { name: `Remove ${name}` })
      .first()
      .click();
  await expect(page.getByText("Your basket is empty", { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test("Changes to a basket that follow each other closely are all kept", async ({ page, request }) => {
  const api = await signIn(request, await openAccount(page));
  const routes = await api.routesOnSale(3);
  for (const route of routes) await putIntoBasket(page, route);
  await page.goto("/basket");
  const firstChange = new EventEmitter();
  let sent = 0;
  await page.route(/\/basket\b/, async (route) => {
    if (route.request().method() === "POST" && sent++ === 0) await once(firstChange, "answer");
    await route.continue();
  });
  const [changed, ...removed] = routes;
  await page.getByLabel(`Term of ${changed?.name}`).first().selectOption({ label: "12 months" });
  for (const { name } of removed) {
    await page
      .getByRole("button", { name: `Remove ${name}` })
      .first()
      .click();
  }
  firstChange.emit("answer");
  await expect(page.getByRole("heading", { name: "1 route", exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Term of" })).toHaveCount(1);
  await expect(page.getByLabel(`Term of ${changed?.name}`)).toHaveValue("12_months");
});

const asItems = (routes: RouteOnSale[]) =>
  routes.map(({ periodId }) => ({ period_id: periodId, subscription_term: "3_months" }));

/** Adds a route as its page does. */
const putIntoBasket = async (page: Page, route: RouteOnSale | undefined): Promise<void> => {
  if (!route) throw new Error("There is no such route");
  const form = { intent: "add", period_id: String(route.periodId), term: "3_months", auto_renew: "on" };
  const answer = await page.request.post(`/routes/${route.id}`, { form, maxRedirects: 0 });
  expect(answer.status()).toBe(302);
};
