import { openAccount } from "./account.ts";
import { readByKey, signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("A key is tested when it is created, rotated with an overlap, and given an expiry and a limit", async ({
  page,
  request,
  complaints,
}) => {
  complaints.allow(422);
  const account = await openAccount(page);
  const api = await signIn(request, account);
  const [route] = await api.routesOnSale(1);
  if (!route) throw new Error("Nothing is on sale");
  await api.buy(route);
  const shown = page.getByLabel("New key");
  const secretShown = async () => (await shown.locator("code").first().textContent()) ?? "";
  await page.goto("/api-keys");
  await page.getByLabel("Name", { exact: true }).fill("Rate sync");
  await page.getByRole("button", { name: "Create key" }).click();
  const first = { secret: await secretShown(), user: account.username };
  let second = first;

  await test.step("the test button sends a real request", async () => {
    await shown.getByRole("button", { name: "Test this key" }).click();
    const result = page.getByLabel("Result of the test");
    await expect(result).toContainText("200");
    await expect(result).toContainText("X-RateLimit-Remaining: ");
    await expect(result).toContainText('"code"');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("rotation shows a new key, and both work", async () => {
    await page.getByRole("table", { name: "API keys" }).getByRole("link", { name: "Rate sync" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Rate sync");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByLabel("Overlap").selectOption({ label: "3 days" });
    await page.getByRole("button", { name: "Rotate key" }).click();
    await expect(page.getByRole("main")).toContainText("This key works until");
    second = { secret: await secretShown(), user: account.username };
    expect(second.secret).not.toBe(first.secret);
    expect(await readByKey(request, route.id, first)).toBe(200);
    expect(await readByKey(request, route.id, second)).toBe(200);
    await expectAccessible(page);
  });

  await test.step("the list shows both, and its file too", async () => {
    await page.goto("/api-keys");
    const table = page.getByRole("table", { name: "API keys" });
    await expect(table.getByRole("link", { name: "Rate sync" })).toHaveCount(2);
    await expect(table).toContainText("Rotated, deleted after that");
    await expectNoSidewaysScroll(page);
    const csv = await (await page.request.get("/api-keys.csv")).text();
    expect(csv.trim().split("\r\n")).toHaveLength(3);
    expect(csv).not.toContain(first.secret.slice(20));
  });

  await test.step("an expiry can be set and removed", async () => {
    await page.getByRole("link", { name: "Rate sync" }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Rate sync");
    const lastDay = page.getByLabel("Last day");
    await lastDay.fill("2999-12-31");
    await page.getByRole("button", { name: "Save expiry" }).click();
    await expect(page.getByRole("main")).toContainText("Last day 31 Dec 2999");
    await lastDay.fill("");
    await page.getByRole("button", { name: "Save expiry" }).click();
    await expect(page.getByRole("region", { name: "Messages" })).toContainText("The key does not expire.");
  });

  await test.step("requests from other addresses are rejected", async () => {
    const addresses = page.getByLabel("IP addresses and networks");
    await addresses.fill("the office");
    await page.getByRole("button", { name: "Save addresses" }).click();
    await expect(addresses).toHaveAccessibleDescription(/Must be an IP address/);
    await addresses.fill("203.0.113.0/24");
    await page.getByRole("button", { name: "Save addresses" }).click();
    await expect(page.getByRole("region", { name: "Messages" })).toContainText("only from these addresses");
    expect(await readByKey(request, route.id, second)).toBe(403);
    await addresses.fill("");
    await page.getByRole("button", { name: "Save addresses" }).click();
    await expect(page.getByRole("region", { name: "Messages" })).toContainText("from all addresses");
    expect(await readByKey(request, route.id, second)).toBe(200);
  });

  await test.step("an hourly limit rejects requests above it", async () => {
    await page.getByLabel("Requests per hour").fill("0");
    await page.getByRole("button", { name: "Save limit" }).click();
    await expect(page.getByLabel("Requests per hour")).toHaveAccessibleDescription(/Must be at least 1/);
    await page.getByLabel("Requests per hour").fill("1");
    await page.getByRole("button", { name: "Save limit" }).click();
    await expect(page.getByRole("region", { name: "Messages" })).toContainText("limited to 1 request an hour");
    expect(await readByKey(request, route.id, second)).toBe(200);
    expect(await readByKey(request, route.id, second)).toBe(429);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("a deactivated key can be activated or deleted on its page", async () => {
    await page.getByRole("button", { name: "Deactivate key" }).click();
    await expect(page.getByRole("button", { name: "Activate key" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Rotate key" })).toHaveCount(0);
    await page.getByRole("button", { name: "Delete key…" }).click();
    await page.getByRole("button", { name: "Delete key", exact: true }).click();
    await expect(page).toHaveURL("/api-keys");
    await expect(page.getByRole("link", { name: "Rate sync" })).toHaveCount(1);
  });
});

test("An expiry in the past is rejected with an error at its field", async ({ page, complaints }) => {
  complaints.allow(422);
  await openAccount(page);
  await page.goto("/api-keys");
  await page.getByLabel("Name", { exact: true }).fill("Late");
  await page.getByLabel("Last day").fill("2020-01-01");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("Last day")).toHaveAccessibleDescription(/Must be in the future/);
  await expect(page.getByText("No keys yet")).toBeVisible();
});
