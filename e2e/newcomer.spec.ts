/** A newcomer's way from the landing page to its own call: how many clicks and fields it takes. */
import type { Locator } from "playwright/test";
import { newAccount } from "./account.ts";
import { readByKey } from "./api.ts";
import { expect, test } from "./journey.ts";

const most = { clicks: 10, fields: 6 };

test("A newcomer gets from the landing page to a call in the usage in at most 10 clicks and 6 fields", async ({
  page,
  request,
}) => {
  const spent = { clicks: 0, fields: 0 };
  const click = async (target: Locator) => {
    spent.clicks += 1;
    await target.click();
  };
  const fill = async (label: string, value: string) => {
    spent.fields += 1;
    await page.getByLabel(label, { exact: true }).fill(value);
  };
  const main = page.getByRole("main");
  const account = newAccount();

  await page.goto("/");
  await click(main.getByRole("link", { name: /^View route Shanghai/ }));
  await click(page.getByRole("radio", { name: /^6 months/ }));
  await click(main.getByRole("button", { name: "Subscribe" }));

  await fill("Work e-mail", account.email);
  await fill("Username", account.username);
  await fill("Password", account.password);
  await click(main.getByRole("button", { name: "Create account" }));

  // The choice made before registering is still there.
  await expect(page.getByRole("radio", { name: /^6 months/ })).toBeChecked();
  const routeId = Number(/\/routes\/(\d+)/.exec(page.url())?.[1]);
  await click(main.getByRole("button", { name: "Continue to payment" }));
  await expect(main).toContainText("6 months");
  await fill("Card number", "4242 4242 4242 4242");
  await fill("Expiry", "12 / 34");
  await fill("Security code", "123");
  await click(main.getByRole("button", { name: /^Pay \$/ }));

  await click(main.getByRole("link", { name: "Create an API key" }));
  await click(main.getByRole("button", { name: "Create key" }));
  const secret = (await page.getByLabel("New key").locator("code").first().textContent()) ?? "";
  await expect(page.getByLabel("New key")).toContainText(`id=${routeId}`);
  expect(await readByKey(request, routeId, { secret, user: account.username })).toBe(200);

  // On a phone the link is in the menu.
  const usage = page.getByRole("banner").getByRole("link", { name: "Usage" });
  if (!(await usage.first().isVisible())) await click(page.getByRole("banner").getByRole("button", { name: "Menu" }));
  await click(usage.and(page.locator(":visible")));
  await expect(page).toHaveURL("/usage");
  await expect(main).toContainText("First key");

  expect(spent.clicks, "clicks").toBeLessThanOrEqual(most.clicks);
  expect(spent.fields, "fields").toBeLessThanOrEqual(most.fields);
});
