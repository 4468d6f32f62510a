import { demo, openAccount } from "./account.ts";
import { signIn } from "./api.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("Usage is filtered by date, key and route, and downloaded as it is shown", async ({ page }) => {
  await page.request.post("/sign-in", { form: demo });
  await page.goto("/usage");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "By route" })).toBeVisible();
  await page.getByLabel("Key", { exact: true }).selectOption({ label: "Rate sync, demo" });
  await page.getByLabel("Route", { exact: true }).selectOption({ index: 1 });
  const { now } = await (await page.request.get("/test-mode/clock")).json();
  const day = (daysAgo: number) => new Date(Date.parse(now) - daysAgo * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("From (UTC)").fill(day(10));
  await page.getByLabel("Before (UTC)").fill(day(3));
  await page.getByRole("button", { name: "Apply filters" }).click();
  await expect(page).toHaveURL(new RegExp(`from=${day(10)}&to=${day(3)}`));
  await expect(page.getByLabel("From (UTC)")).toHaveValue(day(10));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const requests = main.locator("dt", { hasText: /^Requests$/ }).locator("xpath=following-sibling::dd/span[1]");
  const shown = Number(await requests.textContent());
  const href = (await page.getByRole("link", { name: "Download CSV" }).getAttribute("href")) ?? "";
  const answer = await page.request.get(href);
  expect(answer.headers()["content-disposition"]).toContain(`api-usage-${day(10)}-to-${day(4)}.csv`);
  const [header, ...rows] = (await answer.text()).trim().split("\r\n");
  expect(header).toContain("day,api_key_id,api_key_name,route_id,route_code,endpoint,requests");
  const total = rows.reduce((sum, row) => sum + Number(row.split(",").at(-3)), 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBe(shown);

  await page.getByRole("link", { name: "By hour" }).click();
  await expect(page).toHaveURL(/period=hours/);
  await expect(page.getByLabel("From (UTC)")).toHaveValue(day(10));
  await page.getByRole("link", { name: "Clear filters" }).first().click();
  await expect(page.getByLabel("From (UTC)")).toHaveValue("");
});

test("An empty range is explained at its field", async ({ page }) => {
  await openAccount(page);
  await page.goto("/usage?from=2026-02-01&to=2026-01-01");
  await expect(page.getByLabel("From (UTC)")).toHaveAccessibleDescription(/Must be before the end of the range/);
  await page.goto("/usage?from=2020-01-01&to=2020-01-08");
  await expect(page.getByText("No requests match")).toBeVisible();
  await expectAccessible(page);
});

test("A request is found by the id from its error", async ({ page, request }) => {
  const account = await openAccount(page);
  const api = await signIn(request, account);
  await api.ask("GET", "/subscriptions/my-routes");
  const error = await (await api.ask("GET", "/route-access/routes-data?id=999999")).json();
  const requestId: string = error.request_id;

  await page.goto("/usage/logs");
  await page.getByLabel("Request ID").fill(requestId);
  await page.getByRole("button", { name: "Apply filters" }).click();
  const table = page.getByRole("table", { name: "Requests" });
  await expect(table.getByRole("row")).toHaveCount(2);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await table.getByRole("link", { name: /^Request of/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("GET /route-access/routes-data");
  const main = page.getByRole("main");
  await expect(main).toContainText(requestId);
  await expect(main).toContainText("Bearer token");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await main.getByRole("link", { name: "Contact support" }).click();
  await expect(page.getByLabel("Reference")).toHaveValue(`Request ID ${requestId}`);

  await page.goto("/usage/logs?status=4xx");
  await expect(table.getByText("200", { exact: true })).toHaveCount(0);
  await expect(table.getByRole("row")).not.toHaveCount(1);
  await page.goto("/usage/logs?status=5xx");
  await expect(page.getByText("No matching requests")).toBeVisible();
});

test("Quota alerts by e-mail are turned on and off", async ({ page }) => {
  await openAccount(page);
  await page.goto("/usage");
  const wanted = page.getByLabel("Send me alerts by e-mail");
  await expect(wanted).not.toBeChecked();
  await wanted.check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("region", { name: "Messages" })).toContainText("We send you quota alerts by e-mail.");
  await page.reload();
  await expect(wanted).toBeChecked();
  await page.goto("/account/activity");
  await expect(page.getByRole("main")).toContainText("Turned quota alerts by e-mail on");
});
