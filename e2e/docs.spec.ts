/** The consoles of the documentation. */
import { openAccount, signOut } from "./account.ts";
import { signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("The console next to the samples is filled in with the account's own route and key", async ({
  page,
  request,
  isMobile,
}) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  await api.buy(route);
  await page.goto("/api-keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = (await page.getByLabel("New key").locator("code").first().textContent()) ?? "";

  await page.goto("/docs/reference/get-route-data-by-key");
  const key = page.getByLabel("API key", { exact: true });
  await expect(key).toHaveValue(secret);
  await expect(page.getByLabel("Username", { exact: true })).toHaveValue(account.username);
  await expect(page.getByLabel("id", { exact: true })).toHaveValue(String(route.id));
  const samples = page.getByRole("region", { name: "Samples" });
  await expect(samples).toContainText(`id=${route.id}`);

  // Beside the samples, or on a phone right below them.
  const [sample, console] = [
    await samples.boundingBox(),
    await page.getByRole("heading", { name: "Try it" }).boundingBox(),
  ];
  expect(Math.abs((console?.y ?? 0) - ((sample?.y ?? 0) + (isMobile ? (sample?.height ?? 0) : 0)))).toBeLessThan(100);

  await page.getByRole("button", { name: "Send GET request" }).click();
  const response = page.getByRole("region", { name: "Response" });
  await expect(response).toContainText("Status 200");
  await expect(response).toContainText(route.name);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await test.step("another account in the same tab does not get the key", async () => {
    await signOut(page);
    await expect(page).toHaveURL("/docs/reference/get-route-data-by-key");
    await expect(key).toHaveValue("");
    await openAccount(page);
    await page.reload();
    await expect(key).toHaveValue("");
  });
});

test.describe("Without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the console cannot be used, and the samples show the same request", async ({ page }) => {
    await page.goto("/docs/reference/get-route-data-by-key");
    await expect(page.getByText("The console needs JavaScript")).toBeVisible();
    await expect(page.getByRole("button", { name: "Send GET request" })).toBeDisabled();
    await expect(page.getByRole("region", { name: "Samples" })).toContainText("X-API-Key");
  });
});

test("Many optional parameters are collapsed, and sent when they are filled in", async ({ page, request }) => {
  const account = await openAccount(page);
  const { ask } = await signIn(request, account);
  expect((await ask("GET", "/api-keys")).status()).toBe(200);
  const login = await request.post("/api/auth/login", { data: { email: account.email, password: account.password } });
  const { access_token: token } = await login.json();
  await page.goto("/docs/reference/list-routes");
  await page.getByLabel("Bearer token").fill(token);
  await page.getByText(/^\d+ optional parameters$/).click();
  await page.getByLabel("limit").fill("1");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send GET request" }).click();
  await expect(page.getByRole("region", { name: "Response" })).toContainText("Status 200");
});
