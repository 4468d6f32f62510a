/** The security headers of every kind of answer, from both servers, at a site with HTTPS. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { exchange, type RawAnswer } from "../testing/raw-http.ts";
import { type Service, startService } from "../testing/service.ts";

let ours: Service;
let remixServe: Service;
/** The same for both, as they share the database. */
let cookie: string;
let token: string;
let invoice: string;
let message: number;

const site = { APP_URL: "https://data.example.com", TEST_MODE: "on", TRUST_PROXY: "1" };

beforeAll(async () => {
  ours = await startService({ env: site });
  remixServe = await startService({ env: site, by: "remix-serve", databaseUrl: ours.databaseUrl });
  const signedIn = await answerOf(ours, {
    method: "POST",
    path: "/sign-in",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ email: "demo@example.com", password: "demo-harbour-2026" }).toString(),
  });
  expect(signedIn.status).toBe(302);
  cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const login = JSON.stringify({ email: "demo@example.com", password: "demo-harbour-2026" });
  const opened = await answerOf(ours, { method: "POST", path: "/api/auth/login", headers: json, body: login });
  token = JSON.parse(opened.body).access_token;
  const billing = await answerOf(ours, { path: "/billing", headers: { Cookie: cookie } });
  invoice = /\/billing\/\d+/.exec(billing.body)?.[0] ?? "";
  const mailbox = JSON.parse((await answerOf(ours, { path: "/test-mode/mailbox.json" })).body);
  message = mailbox.messages[0].id;
});
afterAll(async () => {
  await remixServe?.stop();
  await ours?.stop();
});

type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string };

const answerOf = (service: Pick<Service, "url">, { method = "GET", path, headers = {}, body }: Sent) => {
  const fields = {
    Host: new URL(service.url).host,
    Connection: "close",
    ...(body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return exchange(service.url, `${[`${method} ${path} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n${body ?? ""}`);
};

const nothingAllowed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const expectHeaders = ({ headers }: RawAnswer, { https = true } = {}): void => {
  expect(Object.fromEntries(headers)).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": expect.stringMatching(/^(strict-origin-when-cross-origin|same-origin)$/),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    ...(https ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  });
  const policy = headers.get("content-security-policy") ?? "";
  if (headers.get("content-type")?.startsWith("text/html")) {
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/default-src '(self|none)'/);
    const mayRunScripts = policy.includes("script-src");
    if (mayRunScripts) expect(headers.get("permissions-policy")).toContain("camera=()");
  } else {
    expect(policy).toBe(nothingAllowed);
  }
};

const bearer = (): Record<string, string> => ({ Authorization: `Bearer ${token}` });
const member = (): Record<string, string> => ({ Cookie: cookie });
const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const asset = async (service: Service): Promise<string> =>
  /\/assets\/[\w.-]+\.css/.exec((await answerOf(service, { path: "/docs" })).body)?.[0] ?? "";

/** A request for each kind of answer, and the status that shows that it is this kind. */
const kinds: [kind: string, status: number, (service: Service) => Sent | Promise<Sent>][] = [
  ["a public page", 200, () => ({ path: "/docs" })],
  ["HEAD of a page", 200, () => ({ method: "HEAD", path: "/docs" })],
  ["a page of an account", 200, () => ({ path: "/account", headers: member() })],
  ["a redirect to the sign-in", 302, () => ({ path: "/account" })],
  ["a redirect to HTTPS", 308, () => ({ path: "/account", headers: { "X-Forwarded-Proto": "http" } })],
  ["a page's data", 200, () => ({ path: "/account.data", headers: member() })],
  ["a redirect of data", 202, () => ({ path: "/account.data" })],
  ["a page that does not exist", 404, () => ({ path: "/no-such-page" })],
  ["a form that is shown again", 422, () => ({ method: "POST", path: "/sign-in", headers: form, body: "email=a" })],
  ["sign-out", 302, () => ({ method: "POST", path: "/sign-out", headers: form, body: "" })],
  ["robots.txt", 200, () => ({ path: "/robots.txt" })],
  ["an icon", 200, () => ({ path: "/favicon.svg" })],
  ["a build asset", 200, async (service) => ({ path: await asset(service) })],
  ["a compressed asset", 200, async (s) => ({ path: await asset(s), headers: { "Accept-Encoding": "br" } })],
  [
    "an asset that has not changed",
    304,
    async (service) => {
      const path = await asset(service);
      const { headers } = await answerOf(service, { path });
      return { path, headers: { "If-None-Match": headers.get("etag") ?? "" } };
    },
  ],
  ["an asset that does not exist", 404, () => ({ path: "/assets/none.js" })],
  ["the health check", 200, () => ({ path: "/hooks/health" })],
  [
    "a webhook with a wrong signature",
    400,
    () => ({ method: "POST", path: "/hooks/stripe", headers: json, body: "{}" }),
  ],
  ["a webhook's wrong method", 405, () => ({ path: "/hooks/stripe" })],
  ["a hook that is off", 404, () => ({ path: "/hooks/inngest" })],
  ["the feed of changes", 200, () => ({ path: "/docs/changelog.atom" })],
  ["llms.txt", 200, () => ({ path: "/llms.txt" })],
  ["a calendar that does not exist", 404, () => ({ path: `/calendar/${"a".repeat(43)}.ics` })],
  ["suggestions", 200, () => ({ path: "/suggestions?q=rotterdam" })],
  ["a receipt", 200, () => ({ path: `${invoice}/receipt.pdf`, headers: member() })],
  ["a CSV file", 200, () => ({ path: "/billing.csv", headers: member() })],
  ["the account's data", 200, () => ({ path: "/account/export.json", headers: member() })],
  ["the mailbox", 200, () => ({ path: "/test-mode/mailbox" })],
  ["a message", 200, () => ({ path: `/test-mode/mailbox/${message}` })],
  ["the test clock", 200, () => ({ path: "/test-mode/clock" })],
  ["a browser's call of the simulator", 404, () => ({ path: "/test-mode/stripe/v1/none" })],
  ["the API", 200, () => ({ path: "/api/openapi.json" })],
  ["HEAD of the API", 200, () => ({ method: "HEAD", path: "/api/openapi.json" })],
  ["the API without credentials", 401, () => ({ path: "/api/api-keys" })],
  ["an unknown path of the API", 404, () => ({ path: "/api/none" })],
  ["an API method that is not allowed", 405, () => ({ method: "PATCH", path: "/api/api-keys" })],
  ["the API over plain HTTP", 403, () => ({ path: "/api/api-keys", headers: { "X-Forwarded-Proto": "http" } })],
  ["a body that is no JSON", 400, () => ({ method: "POST", path: "/api/auth/login", headers: json, body: "{" })],
  ["fields that are wrong", 422, () => ({ method: "POST", path: "/api/auth/login", headers: json, body: "{}" })],
  ["an assistant's call", 405, () => ({ path: "/api/mcp" })],
  ["a CSV answer of the API", 200, () => ({ path: "/api/api-keys/export", headers: bearer() })],
  ["a streamed file of the API", 200, () => ({ path: "/api/catalogue/export" })],
  ["a foreign host at the API", 421, () => ({ path: "/api/openapi.json", headers: { Host: "evil.example" } })],
  ["a foreign host at a page", 421, () => ({ path: "/docs", headers: { Host: "evil.example" } })],
];

describe.each(["our server", "remix-serve"])("%s sends the security headers with", (name) => {
  const service = () => (name === "our server" ? ours : remixServe);
  it.each(kinds)("%s (%i)", async (_, status, sent) => {
    const answer = await answerOf(service(), await sent(service()));
    expect(answer.status).toBe(status);
    expectHeaders(answer);
  });

  it("a stream of events (200)", async () => {
    const reading = new AbortController();
    const { signal } = reading;
    const { status, headers } = await fetch(`${service().url}/api/route-access/updates`, { headers: bearer(), signal });
    reading.abort();
    expectHeaders({ status, headers, body: "" });
    expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  });
});

describe("our server sends the security headers with", () => {
  const crossSite = { ...form, "Sec-Fetch-Site": "cross-site", Accept: "text/html" };

  it.each<[string, number, Sent]>([
    ["a form of another site", 403, { method: "POST", path: "/sign-in", headers: crossSite, body: "a=b" }],
    [
      "the same to a program",
      403,
      { method: "POST", path: "/sign-in", headers: { ...crossSite, Accept: "*/*" }, body: "a=b" },
    ],
    ["a request with _data", 400, { path: "/docs?_data=root", headers: { Accept: "text/html" } }],
    ["a folder of the build", 404, { path: "/assets" }],
    ["a path that is not UTF-8", 400, { path: "/docs/%ff", headers: { Accept: "text/html" } }],
    ["a method that pages do not know", 405, { method: "TRACE", path: "/docs" }],
    ["a method that the API does not know", 405, { method: "TRACE", path: "/api/api-keys" }],
    ["an expectation that it does not know", 417, { path: "/docs", headers: { Expect: "more" } }],
    ["the same at the API", 417, { path: "/api/api-keys", headers: { Expect: "more" } }],
    ["OPTIONS of everything", 204, { method: "OPTIONS", path: "*" }],
    ["a Host that is invalid", 400, { path: "/docs", headers: { Host: "a b" } }],
    ["the same at the API", 400, { path: "/api/api-keys", headers: { Host: "a b" } }],
    ["a target that is invalid", 400, { path: "ftp://example.com/" }],
    ["a request that cannot be parsed", 400, { path: "/docs", headers: { "Bad Name": "x" } }],
    ["the same at the API", 400, { path: "/api/api-keys", headers: { "Bad Name": "x" } }],
    ["headers that are too large", 431, { path: "/docs", headers: { "X-Long": "x".repeat(70_000) } }],
    ["a tunnel", 405, { method: "CONNECT", path: "example.com:443" }],
  ])("%s (%i)", async (_, status, sent) => {
    const answer = await answerOf(ours, sent);
    expect(answer.status).toBe(status);
    expectHeaders(answer);
  });
});

describe("Without HTTPS", () => {
  it.each(["/docs", "/api/openapi.json", "/robots.txt"])("%s has the headers, but no HSTS", async (path) => {
    const answer = await answerOf({ url: inject("services").server }, { path });
    expectHeaders(answer, { https: false });
    expect(answer.headers.has("strict-transport-security")).toBe(false);
  });
});

describe("Cookies over HTTPS", () => {
  const cookiesOf = async (sent: Sent) => (await answerOf(ours, sent)).headers.getSetCookie();
  const posted = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Sent => ({
    method: "POST",
    path,
    headers: { ...form, ...headers },
    body: new URLSearchParams(fields).toString(),
  });
  const demo = { email: "demo@example.com", password: "demo-harbour-2026" };

  it("are bound to this host and to HTTPS by their names", async () => {
    const set = [
      ...(await cookiesOf(posted("/sign-in", demo))),
      ...(await cookiesOf(posted("/theme", { theme: "dark" }))),
      ...(await cookiesOf(posted("/shortcuts.data", { single_keys: "off" }))),
      ...(await cookiesOf(posted("/sign-out", {}))),
      ...(await cookiesOf({ path: "/routes?q=rotterdam" })),
    ];
    const names = new Set(set.map((line) => line.split("=")[0]));
    expect([...names].sort()).toEqual(
      ["device", "recent_searches", "session", "single_keys", "theme", "toast"].map((name) => `__Host-srds_${name}`),
    );
    for (const line of set) {
      expect(line).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      expect(line).not.toContain("Domain");
    }
  });

  it("grant nothing without the prefix, as another host of the domain could set them", async () => {
    expect((await answerOf(ours, { path: "/account", headers: member() })).status).toBe(200);
    const planted = { Cookie: cookie.replaceAll("__Host-", "") };
    expect((await answerOf(ours, { path: "/account", headers: planted })).status).toBe(302);
  });
});

describe("What browsers may store", () => {
  const cacheControlOf = async (path: string, headers: Record<string, string> = {}) =>
    (await answerOf(ours, { path, headers })).headers.get("cache-control");

  it.each(["/", "/account", "/billing", "/routes", "/docs"])("nothing that an account sees at %s", async (path) => {
    expect(await cacheControlOf(path, member())).toBe("private, no-store");
  });

  it.each(["/_root.data", "/account.data", "/billing.data"])("no data of an account's own pages: %s", async (path) => {
    expect(await cacheControlOf(path, member())).toBe("private, no-store");
  });

  it.each(["/reset-password", "/reset-password.data", "/verify-email", "/alerts/stop/token"])(
    "nothing at the address of a mailed link: %s",
    async (path) => {
      expect(await cacheControlOf(`${path}?token=secret`)).toBe("private, no-store");
    },
  );

  it.each(["/", "/routes", "/docs", "/docs.data"])(
    "what everybody sees at %s, to show it on going back",
    async (path) => {
      expect(await cacheControlOf(path)).toBe("private, no-cache");
    },
  );

  it("nothing that pages have stored, after signing out", async () => {
    const { headers } = await answerOf(ours, { method: "POST", path: "/sign-out", headers: form, body: "" });
    expect(headers.get("clear-site-data")).toBe('"storage"');
    expect(headers.getSetCookie().map((line) => line.split("=")[0])).toEqual([
      "__Host-srds_session",
      "__Host-srds_toast",
    ]);
  });
});
