/** The client address that rate limits count by, behind a trusted proxy and without one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, startService } from "../testing/service.ts";

/** Own services, so that other tests cannot use up the address's budget. Each runs on both servers. */
const behindProxy: Service[] = [];
const direct: Service[] = [];

const startBoth = async (services: Service[], env: Record<string, string>) => {
  const own = await startService({ env });
  services.push(own);
  services.push(await startService({ env, by: "remix-serve", databaseUrl: own.databaseUrl }));
};

beforeAll(async () => {
  await startBoth(behindProxy, { TRUST_PROXY: "1" });
  await startBoth(direct, {});
});
afterAll(async () => {
  for (const service of [...direct, ...behindProxy].reverse()) await service.stop();
});

/** The remaining budget of the address after one more request. */
const remaining = async (base: string, forwardedFor: string) => {
  const answer = await fetch(`${base}/api/api-keys`, { headers: { "X-Forwarded-For": forwardedFor } });
  return Number(answer.headers.get("x-ratelimit-remaining"));
};

describe("Behind a trusted proxy", () => {
  it.each([
    ["neighbours in a /64", ["2001:db8:1:2::1", "2001:db8:1:2::2", "[2001:DB8:1:2:ffff::3]:4711"]],
    ["one address from several ports", ["198.51.100.7:1", "198.51.100.7:2", "::ffff:198.51.100.7"]],
    ["whatever is no address", ["garbage-1", "garbage-2", "10.0.0.999"]],
    ["an address behind others that the client has made up", ["203.0.113.1, 192.0.2.9", "203.0.113.2, 192.0.2.9"]],
  ])("%s share a budget", async (_, addresses) => {
    for (const { url } of behindProxy) {
      const left: number[] = [];
      for (const address of addresses) left.push(await remaining(url, address));
      expect(left).toEqual(left.map((_, i) => (left[0] ?? 0) - i));
    }
  });

  it("strangers do not", async () => {
    for (const { url } of behindProxy) {
      expect(await remaining(url, "2001:db8:9:1::1")).toBe(59);
      expect(await remaining(url, "2001:db8:9:2::1")).toBe(59);
    }
  });

  it("rejects plain HTTP for the API and redirects pages to APP_URL", async () => {
    const [own] = behindProxy;
    const headers = { "X-Forwarded-Proto": "http", "X-Forwarded-For": "192.0.2.77" };
    expect((await fetch(`${own?.url}/api/openapi.json`, { headers })).status).toBe(403);
    const page = await fetch(`${own?.url}/docs?a=b`, { headers, redirect: "manual" });
    expect(page.headers.get("location")).toBe(`${own?.url.replace("http:", "https:")}/docs?a=b`);
  });
});

describe("Without a proxy", () => {
  it("ignores X-Forwarded-*", async () => {
    for (const { url } of direct) {
      const first = await remaining(url, "192.0.2.1");
      expect(await remaining(url, "192.0.2.2")).toBe(first - 1);
      const headers = { "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example" };
      expect((await fetch(`${url}/docs`, { headers, redirect: "manual" })).status).toBe(200);
    }
  });

  it("does not accept X-Forwarded-Host as proof of a form's origin", async () => {
    const headers = { Origin: "https://evil.example", "X-Forwarded-Host": "evil.example" };
    const body = new URLSearchParams({ email: "a@example.com", password: "x" });
    const answer = await fetch(`${direct[0]?.url}/sign-in`, { method: "POST", headers, body });
    expect(answer.status).toBe(403);
  });
});
