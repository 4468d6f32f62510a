/** Steps that many journeys begin with: open an account, find a route, place an order. */
import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "playwright/test";

export type NewAccount = { email: string; username: string; password: string };

/** The demo account, with a year of data. */
export const demo = { email: "demo@example.com", password: "demo-harbour-2026" };

/** The operator of the demo. */
export const operator = { email: "operator@example.com", password: "demo-bridge-2026" };

export const newAccount = (): NewAccount => {
  const name = `journey-${randomUUID().slice(0, 8)}`;
  return { email: `${name}@forwarder.example`, username: name, password: "a calm sea in november" };
};

/** Registers an account and signs the page's context in, by posting the form directly. */
export const openAccount = async (page: Page): Promise<NewAccount> => {
  const account = newAccount();
  const answer = await page.request.post("/register", { form: account, maxRedirects: 0 });
  expect(answer.status()).toBe(302);
  return account;
};

/** Signs in by posting the form. Needed after moving the clock, when the session has expired. */
export const signInAgain = async (page: Page, { email, password }: NewAccount): Promise<void> => {
  const answer = await page.request.post("/sign-in", { form: { email, password }, maxRedirects: 0 });
  expect(answer.status()).toBe(302);
};

/** The path of a route of the demo, by default that from Shanghai to Rotterdam. */
export const findRoute = async (page: Page, code = "C-CNSHA-NLRTM-PEL9"): Promise<string> => {
  const answer = await page.request.get(`/routes?q=${code}`);
  const path = /href="(\/routes\/\d+)"/.exec(await answer.text())?.[1];
  if (path === undefined) throw new Error(`The demo has no route ${code}`);
  return path;
};

/** Orders three months on the route's page, up to the payment. */
export const order = async (page: Page, routePath: string): Promise<void> => {
  await page.goto(routePath);
  await page.getByRole("radio", { name: /^3 months/ }).check();
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await expect(page.getByRole("heading", { name: "Payment", level: 1 })).toBeVisible();
};

export type Card = { number: string; expiry?: string; cvc?: string };

export const fillCard = async (page: Page, { number, expiry = "12 / 34", cvc = "123" }: Card): Promise<void> => {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry").fill(expiry);
  await page.getByLabel("Security code").fill(cvc);
};

/** Pays with a new card, also if the account has saved ones. */
export const pay = async (page: Page, card: Card): Promise<void> => {
  await expect(page.getByRole("button", { name: /^Pay \$/ })).toBeVisible();
  const another = page.getByRole("main").getByRole("link", { name: "Pay with another card", exact: true });
  if (await another.isVisible()) {
    await another.click();
    await expect(another).toHaveCount(0);
  }
  await fillCard(page, card);
  await page.getByRole("button", { name: /^Pay \$/ }).click();
};

export const paid = async (page: Page): Promise<void> => {
  await expect(page).toHaveURL(/\/checkout\/\d+\/done$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payment successful");
};

/** Opens the menu of the top bar that is visible at this screen size. @returns its button */
export const openMenu = async (page: Page): Promise<Locator> => {
  const button = page.getByRole("banner").locator("button[popovertarget]:visible");
  await button.click();
  return button;
};

/** Signs out through the menu. */
export const signOut = async (page: Page): Promise<void> => {
  await openMenu(page);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByText("You are signed out.")).toBeVisible();
};

/** Formats an amount as pages do: `$1,234.50`. */
export const dollars = (cents: number): string =>
  `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** Formats a day as pages do: `30 Nov 2026`. */
export const dayInWords = (day: string): string =>
  new Date(day).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** The last day with access, of a subscription whose end is `endDate`. */
export const lastDayInWords = (endDate: string): string =>
  dayInWords(new Date(Date.parse(endDate) - 86_400_000).toISOString());
