/** Requests that a trusted proxy marks as plain HTTP, in production. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { accounts } from "#drizzle/schema/index.ts";
import { getService, stop } from "../context.server.ts";
import { loader as billingFile } from "../routes/portal/billing/history-csv.ts";
import { action as register } from "../routes/portal/register.tsx";
import { cloneDatabase } from "../testing/database.ts";

let close: () => Promise<void>;
beforeAll(async () => {
  const database = await cloneDatabase();
  vi.stubEnv("NODE_ENV", "production");
  vi.stubEnv("APP_URL", "https://data.example.com");
  vi.stubEnv("TEST_MODE", "on");
  vi.stubEnv("TRUST_PROXY", "1");
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("SECRETS_KEY", Buffer.alloc(32, "tests").toString("base64"));
  await getService();
  close = async () => {
    await stop();
    await database.drop();
  };
});
afterAll(() => close());

const overHttp = { "X-Forwarded-Proto": "http" };
const thrownBy = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((thrown) => thrown);

it("Downloads are redirected to HTTPS", async () => {
  const request = new Request("http://data.example.com/billing.csv", { headers: overHttp });
  const answer = await thrownBy(billingFile({ request, params: {}, context: {} }));
  expect(answer).toBeInstanceOf(Response);
  expect(answer).toHaveProperty("status", 308);
  expect((answer as Response).headers.get("Location")).toBe("https://data.example.com/billing.csv");
});

it("The redirect goes to APP_URL, not to the request's host", async () => {
  const headers = { ...overHttp, Host: "data.example.com" };
  const request = new Request("http://evil.example//evil.example/billing.csv?a=b", { headers });
  const answer = await thrownBy(billingFile({ request, params: {}, context: {} }));
  expect((answer as Response).headers.get("Location")).toBe("https://data.example.com//evil.example/billing.csv?a=b");
});

it("A form is redirected to HTTPS before it has an effect", async () => {
  const body = new URLSearchParams({ email: "a@example.com", username: "aaa", password: "correct horse battery" });
  const request = new Request("http://data.example.com/register", { method: "POST", body, headers: overHttp });
  expect(await thrownBy(register({ request, params: {}, context: {} }))).toHaveProperty("status", 308);
  const { ctx } = await getService();
  expect(await ctx.db.$count(accounts, sql`true`)).toBe(0);
});
