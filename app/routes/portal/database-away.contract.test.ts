/** What users of the built service see while its database is unavailable. */
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Service, startService } from "../../testing/service.ts";

let service: Service;
let admin: postgres.Sql;
let database: string;
let sessionCookie: string;

beforeAll(async () => {
  service = await startService({ env: { DATABASE_WAIT_SECONDS: "3" } });
  const url = new URL(service.databaseUrl);
  database = url.pathname.slice(1);
  url.pathname = "/postgres";
  admin = postgres(url.href, { max: 1, onnotice: () => {} });
  const body = new URLSearchParams({ email: "demo@example.com", password: "demo-harbour-2026" });
  const signedIn = await request("/sign-in", { method: "POST", body });
  sessionCookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
});
afterAll(async () => {
  await admin?.end();
  await service?.stop();
});

const setAllowConnections = async (isAllowed: boolean) => {
  await admin.unsafe(`alter database "${database}" with allow_connections ${isAllowed}`);
  if (!isAllowed) await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;
};

const request = (path: string, init: RequestInit = {}) => fetch(service.url + path, { redirect: "manual", ...init });

it("rejects loader requests that no page makes with 400", async () => {
  expect((await request("/routes?_data=root")).status).toBe(400);
  expect((await request("/?_data=nowhere")).status).toBe(400);
});

describe("the service while its database is unavailable", () => {
  beforeAll(() => setAllowConnections(false));
  afterAll(() => setAllowConnections(true));

  it("answers pages with 503, Retry-After and a message that the problem is temporary", async () => {
    const response = await request("/routes?q=Rotterdam");
    const text = await response.text();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(text).toContain("The service is temporarily unavailable");
    expect(text).toContain("Try again");
    expect(text).not.toContain(database);
  });

  it("still shows the status page, also to an account", async () => {
    const response = await request("/status", { headers: { Cookie: sessionCookie } });
    const text = await response.text();
    expect(response.status).toBe(200);
    for (const words of ["Some components are down", "Outage", "Past incidents cannot be read"])
      expect(text).toContain(words);
    expect(text).not.toContain(database);
  });

  it("reloads the page on client-side navigation, to show that message", async () => {
    const response = await request("/routes.data?q=Rotterdam");
    const text = await response.text();
    expect(response.status).toBe(202);
    expect(text).toContain("/routes?q=Rotterdam");
    expect(text).toContain("reload");
  });

  it("returns a submitted form with an error instead of losing it", async () => {
    const body = new URLSearchParams({ email: "demo@example.com", password: "demo-harbour-2026" });
    const response = await request("/sign-in.data", { method: "POST", body });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("The service is temporarily unavailable");
  });

  it("answers API requests with 503 and Retry-After", async () => {
    const response = await request("/api/auth/login", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: "demo@example.com", password: "demo-harbour-2026" }),
    });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  });
});

it("recovers pages and API without a restart once the database is back", async () => {
  for (const round of [1, 2, 3]) {
    await setAllowConnections(false);
    const requests = ["/routes", "/regions", "/sign-in", "/api/openapi.json"].map((path) => request(path));
    expect(
      (await Promise.all(requests)).map(({ status }) => status),
      `round ${round}`,
    ).not.toContain(500);
    await setAllowConnections(true);
    await vi.waitFor(async () => expect((await request("/routes")).status).toBe(200), {
      timeout: 25_000,
      interval: 100,
    });
  }
  const body = JSON.stringify({ email: "demo@example.com", password: "demo-harbour-2026" });
  const response = await request("/api/auth/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  expect(response.status).toBe(200);
});
