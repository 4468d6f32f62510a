import type { APIResponse } from "playwright/test";
import { openAccount } from "./account.ts";
import { signIn } from "./api.ts";
import { expect, expectAccessible, test } from "./journey.ts";

const headersOf = (answer: APIResponse) => answer.headers();

test("A burst over the plan's limit gets a 429 with a second to wait, and shows in the usage", async ({
  page,
  request,
}) => {
  const api = await signIn(request, await openAccount(page));
  const burst = () => Promise.all(Array.from({ length: 50 }, () => api.ask("GET", "/subscriptions/my-routes")));
  let refused: APIResponse[] = [];
  // More than twice the plan's twenty. Repeated in case a slow machine spreads them over several seconds.
  await expect(async () => {
    const answers = await burst();
    refused = answers.filter((answer) => answer.status() === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter((answer) => answer.status() === 200).length).toBeGreaterThanOrEqual(20);
  }).toPass();
  for (const answer of refused) {
    expect(headersOf(answer)).toMatchObject({ "retry-after": "1", "x-ratelimit-limit": "1000" });
    expect(await answer.json()).toMatchObject({
      success: false,
      message: "Too many requests - Rate limit exceeded",
    });
  }
  await expect(async () => expect((await api.ask("GET", "/subscriptions/my-routes")).status()).toBe(200)).toPass();

  await page.goto("/usage");
  const counted = await (await api.ask("GET", "/subscriptions/api-call-usage?period=days")).json();
  expect(counted.totals.rate_limited).toBeGreaterThanOrEqual(refused.length);
  await expect(page.getByRole("main")).toContainText(`${counted.totals.rate_limited} rate-limited`);
  await expectAccessible(page);
  await page.goto("/usage/logs?status=429");
  await expect(page.getByRole("table", { name: "Requests" }).getByText("429", { exact: true }).first()).toBeVisible();
});

test("An address without credentials has its own sixty requests per hour", async ({ page, request }) => {
  const api = await signIn(request, await openAccount(page));
  let last = await request.get("/api/route-access/all-routes");
  expect([last.status(), headersOf(last)["x-ratelimit-limit"]]).toEqual([401, "60"]);
  // More than the hour's sixty, and enough if the hour ends meanwhile. Until the sixty are used up, a 429 is the burst's.
  const usedUp = () => last.status() === 429 && headersOf(last)["x-ratelimit-remaining"] === "0";
  for (let sent = 0; sent < 150 && !usedUp(); sent++) last = await request.get("/api/route-access/all-routes");
  expect(last.status()).toBe(429);
  const wait = Number(headersOf(last)["retry-after"]);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(3600);
  const reset = Number(headersOf(last)["x-ratelimit-reset"]);
  expect(reset % 3600).toBe(0);

  const other = await request.get("/api/route-access/all-routes", { headers: { "X-Forwarded-For": "192.0.2.200" } });
  expect(other.status()).toBe(401);
  expect((await api.ask("GET", "/subscriptions/my-routes")).status()).toBe(200);
});
