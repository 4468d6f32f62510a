import { openAccount } from "./account.ts";
import { readByKey, signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("A key works from creation to deletion, and only with its own username", async ({ page, request }) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  await api.buy(route);
  await page.goto("/api-keys");
  await page.getByLabel("Name", { exact: true }).fill("Nightly import");
  await page.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByLabel("New key");
  await expect(shown).toContainText(/srd_live_/);
  const secret = (await shown.locator("code").first().textContent()) ?? "";
  await expect(shown).toContainText(`X-Username: ${account.username}`);
  const key = { secret, user: account.username };

  await test.step("works at once, and with no other username", async () => {
    expect(await readByKey(request, route.id, key)).toBe(200);
    expect(await readByKey(request, route.id, { ...key, user: `${key.user}x` })).toBe(401);
    expect(await readByKey(request, route.id, { ...key, user: key.user.toUpperCase() })).toBe(401);
  });

  await test.step("is not shown a second time, on the page or in the export", async () => {
    await page.reload();
    await expect(page.getByRole("table", { name: "API keys" })).toContainText("Nightly import");
    expect(await page.content()).not.toContain(secret);
    const file = await api.ask("GET", "/api-keys/export");
    expect(file.headers()["content-type"]).toContain("text/csv");
    const csv = await file.text();
    expect(csv).toContain("Nightly import");
    expect(csv).not.toContain(secret);
    expect(csv).not.toContain(secret.slice(20));
  });

  await test.step("can be deactivated and activated with immediate effect", async () => {
    await page.getByRole("button", { name: "Deactivate Nightly import" }).click();
    await expect(page.getByRole("table", { name: "API keys" })).toContainText("Inactive");
    expect(await readByKey(request, route.id, key)).toBe(401);
    await page.getByRole("button", { name: "Activate Nightly import", exact: true }).click();
    await expect(page.getByRole("button", { name: "Deactivate Nightly import" })).toBeVisible();
    expect(await readByKey(request, route.id, key)).toBe(200);
  });

  await test.step("stops working once it is deleted", async () => {
    await page.getByRole("button", { name: "Delete Nightly import" }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("button", { name: "Delete Nightly import" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Delete key" }).click();
    await expect(page.getByText("No keys yet")).toBeVisible();
    expect(await readByKey(request, route.id, key)).toBe(401);
  });
});

test("The page, the form and the API all say when a plan's keys are used up", async ({ page, request }) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  await api.createKey("First", account.username);
  const second = await api.createKey("Second", account.username);
  await page.goto("/api-keys");
  await expect(page.getByRole("main")).toContainText("All keys of your plan are in use");
  await expect(page.getByRole("button", { name: "Create key" })).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const refused = await api.ask("POST", "/api-keys/generate", { api_key_name: "Third", user: account.username });
  expect(refused.status()).toBe(409);
  expect((await refused.json()).message).toMatch(/free plan.*2/i);
  const form = { intent: "create", api_key_name: "Third", user: account.username };
  expect(await (await page.request.post("/api-keys", { form })).text()).toMatch(/free plan/i);

  // Inactive keys count, deleted ones do not.
  await api.ask("PUT", `/api-keys/${second.id}/status`, { status: "inactive" });
  await page.reload();
  await expect(page.getByRole("button", { name: "Create key" })).toHaveCount(0);
  await api.ask("DELETE", `/api-keys/${second.id}`);
  await page.reload();
  await expect(page.getByRole("button", { name: "Create key" })).toBeVisible();
});
