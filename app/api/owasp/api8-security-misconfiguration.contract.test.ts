/** OWASP API8:2023: headers, methods, cross-origin access and errors of the service as it is built. */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { named, urlOf } from "../../testing/contract-requests.ts";
import { anyAddress, liveApi } from "../../testing/live-api.ts";
import { exchange } from "../../testing/raw-http.ts";
import { contracts } from "../contracts/all.ts";

const { server } = inject("services");
const { send, register } = liveApi(server);

let token: string;
beforeAll(async () => {
  ({ token } = await register());
});

const inside = /node_modules|\.(?:server\.)?tsx?[:"]|at \w+ \(|select .+ from |postgres|drizzle|stack/i;

describe.each(named(contracts))("%s", (_, contract) => {
  it("gives other sites no access, is not guessed by browsers, and does not name its software", async () => {
    const { headers } = await send(contract.method, urlOf(contract, {}), {
      body: contract.body ? {} : undefined,
      headers: { Origin: "https://evil.example" },
    });
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect([headers.get("x-powered-by"), headers.get("server")]).toEqual([null, null]);
  });

  it.each(["TRACE", "PROPFIND"])("rejects %s", async (method) => {
    expect([400, 405]).toContain(await statusOf(method, urlOf(contract, {})));
  });
});

const statusOf = async (method: string, target: string): Promise<number> => {
  const fields = [`Host: ${new URL(server).host}`, `X-Forwarded-For: ${anyAddress()}`, "Connection: close"];
  return (await exchange(server, `${method} ${target} HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n`)).status;
};

/** Not for each endpoint: what HTTP's parser refuses counts against the connection's address, which other tests share. */
it.each([
  ["FOO", "/api/api-keys"],
  ["CONNECT", "/api/api-keys"],
  ["CONNECT", "localhost:22"],
])("%s %s is rejected", async (method, target) => {
  expect([400, 405]).toContain(await statusOf(method, target));
});

describe("An error", () => {
  it.each([
    ["GET", "/api/no-such-path", undefined],
    ["GET", "/api/api-keys/99999999999999999999", undefined],
    ["GET", "/api/api-keys?cursor=%00%ff", undefined],
    ["GET", "/api/route-access/all-routes?origin=%27%3B%20drop%20table%20accounts", undefined],
    ["POST", "/api/auth/login", "{broken"],
    ["POST", "/api/auth/login", "null"],
    ["POST", "/api/auth/login", '{"__proto__":{"role":"operator"}}'],
    ["POST", "/api/route-access/check-access", '{"route_id":{"$gt":0}}'],
    ["GET", "/no-such-page", undefined],
    ["GET", "/routes/%2e%2e%2f%2e%2e%2fetc%2fpasswd", undefined],
    ["GET", "/.env", undefined],
    ["GET", "/.git/config", undefined],
    ["GET", "/package.json", undefined],
    ["GET", "/build/server/index.js", undefined],
  ])("of %s %s shows nothing of the inside", async (method, path, body) => {
    const { status, text } = await send(method, path, { token, body });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<[^>]+>/g, "")).not.toMatch(inside);
  });
});

it("Pages have the headers that limit what a browser does with them", async () => {
  const { headers } = await send("GET", "/");
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/(^|; )script-src 'self' 'nonce-[\w+/=]{20,}'(;|$)/);
  expect(policy).toContain("object-src 'none'");
  expect(policy).not.toMatch(/unsafe-|\*/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).not.toBeNull();
  expect(headers.get("x-powered-by")).toBeNull();
});

it("security.txt says whom to tell", async () => {
  const { status, text, headers } = await send("GET", "/.well-known/security.txt");
  expect(status).toBe(200);
  expect(text).toMatch(/^Contact: /m);
  const [, expires = ""] = /^Expires: (.+)$/m.exec(text) ?? [];
  expect(new Date(expires).getTime()).toBeGreaterThan(new Date(headers.get("date") ?? "").getTime());
});
