/** Raw requests that no client library sends, to the built service. */
import { afterAll, describe, expect, inject, it } from "vitest";
import { anyAddress } from "../testing/live-api.ts";
import { exchange, type RawAnswer } from "../testing/raw-http.ts";
import { startService } from "../testing/service.ts";

const { remixServe } = inject("services");
/** Of its own, as requests that cannot be read use up the limit of the connection's address, which other tests share. */
const service = await startService({ env: { TRUST_PROXY: "1" } });
afterAll(service.stop);
const server = service.url;
const { host } = new URL(server);

/** Each request comes from an address of its own, so that no limit rejects it. */
const ask = (base: string, ...lines: string[]) =>
  exchange(base, [...lines, `X-Forwarded-For: ${anyAddress()}`, "", ""].join("\r\n"));
const send = (...lines: string[]) => ask(server, ...lines);

const expectApiAnswer = ({ headers, body }: RawAnswer) => {
  for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"])
    expect([name, headers.get(name)]).toEqual([name, expect.stringMatching(/^\d+$/)]);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  const id = headers.get("x-request-id");
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.parse(body)).toEqual({ success: false, message: expect.any(String), request_id: id });
};

describe("Request targets", () => {
  it("in absolute form are served like those in origin form, for the host in the target", async () => {
    const page = await send(`GET http://${host}/docs HTTP/1.1`, "Host: ignored.example");
    expect([page.status, page.body.includes("<html")]).toEqual([200, true]);
    const api = await send(`GET http://${host}/api/api-keys HTTP/1.1`, `Host: ${host}`);
    expect(api.status).toBe(401);
    expectApiAnswer(api);
  });

  it.each(["GET * HTTP/1.1", "GET ftp://localhost/ HTTP/1.1", "GET http://[ HTTP/1.1"])(
    "are refused as %s",
    async (line) => {
      const { status } = await send(line, `Host: ${host}`);
      expect([400, 405]).toContain(status);
    },
  );
});

describe("The Host header", () => {
  it.each([["a b"], ["user@host"], ["host:port"], ["a/b"], [""]])("is rejected as %j", async (value) => {
    expect((await send("GET /docs HTTP/1.1", `Host: ${value}`)).status).toBe(400);
    const api = await send("GET /api/api-keys HTTP/1.1", `Host: ${value}`);
    expect(api.status).toBe(400);
    expectApiAnswer(api);
  });

  it("must be sent exactly once", async () => {
    for (const hosts of [[], [`Host: ${host}`, "Host: evil.example"]]) {
      expect((await send("GET /docs HTTP/1.1", ...hosts)).status).toBe(400);
      const api = await send("GET /api/api-keys HTTP/1.1", ...hosts);
      expect(api.status).toBe(400);
      expectApiAnswer(api);
    }
  });

  it("may be missing from HTTP/1.0", async () => {
    expect((await send("GET /hooks/health HTTP/1.0")).status).toBe(200);
  });
});

describe("Methods", () => {
  it("are listed by OPTIONS *", async () => {
    const answer = await send("OPTIONS * HTTP/1.1", `Host: ${host}`);
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, expect.stringContaining("GET")]);
  });

  it.each(["TRACE", "PROPFIND"])("like %s are 405", async (method) => {
    const page = await send(`${method} /docs HTTP/1.1`, `Host: ${host}`);
    expect([page.status, page.headers.get("allow")]).toEqual([405, expect.stringContaining("GET")]);
    const api = await send(`${method} /api/api-keys HTTP/1.1`, `Host: ${host}`);
    expect([api.status, api.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expectApiAnswer(api);
  });

  it("like CONNECT are 405", async () => {
    expect((await send("CONNECT evil.example:443 HTTP/1.1", "Host: evil.example:443")).status).toBe(405);
  });

  it.each(["OPTIONS", "PUT", "PATCH", "DELETE"])("like %s never cause a 5xx", async (method) => {
    for (const path of ["/", "/docs", "/sign-in", "/hooks/health", "/nowhere"])
      expect((await send(`${method} ${path} HTTP/1.1`, `Host: ${host}`)).status).toBeLessThan(500);
  });
});

describe("Expectations", () => {
  const login = '{"email":"nobody@example.com","password":"correct horse battery"}';
  const head = (path: string, expectation: string) =>
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      "Content-Type: application/json",
      `Content-Length: ${login.length}`,
      `Expect: ${expectation}`,
      `X-Forwarded-For: ${anyAddress()}`,
      "",
      "",
    ].join("\r\n");

  it("of 100-continue are met", async () => {
    const answer = await exchange(server, head("/api/auth/login", "100-continue"), { body: [login] });
    expect(answer.status).toBe(401);
    expectApiAnswer(answer);
  });

  it("of anything else are 417", async () => {
    expect((await exchange(server, head("/sign-in", "x"), { body: [login] })).status).toBe(417);
    const api = await exchange(server, head("/api/auth/login", "x"), { body: [login] });
    expect(api.status).toBe(417);
    expectApiAnswer(api);
  });
});

describe("Requests that cannot be read", () => {
  it.each([
    ["GET /docs HTTP/1.1", "Host: localhost", "No colon"],
    ["GET /docs HTTP/9.9", "Host: localhost"],
    ["NONSENSE"],
  ])("are 400: %s", async (...lines) => {
    const answer = await send(...lines);
    expect([answer.status, answer.headers.get("connection")]).toEqual([400, "close"]);
  });

  it("are 400 with the API's headers below /api", async () => {
    const answer = await send("GET /api/api-keys HTTP/1.1", "Host: localhost", "No colon");
    expect([answer.status, answer.headers.get("connection")]).toEqual([400, "close"]);
    expectApiAnswer(answer);
  });

  it("are 400 for a broken chunk", async () => {
    const head = ["POST /api/auth/login HTTP/1.1", `Host: ${host}`, "Transfer-Encoding: chunked"];
    const answer = await exchange(server, `${head.join("\r\n")}\r\n\r\n`, { body: ["zz\r\nbroken\r\n"] });
    expect(answer.status).toBe(400);
    expectApiAnswer(answer);
  });

  it.each([
    ["both lengths of a body", "Content-Length: 4", "Transfer-Encoding: chunked"],
    ["two lengths of a body", "Content-Length: 4", "Content-Length: 5"],
    ["an unknown transfer coding", "Transfer-Encoding: xchunked"],
  ])("are 400 for %s, which could smuggle a second request", async (_, ...lines) => {
    const head = ["POST /api/auth/login HTTP/1.1", `Host: ${host}`, "Content-Type: application/json", ...lines];
    const smuggled = "0\r\n\r\nGET /api/ HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const answer = await exchange(server, `${head.join("\r\n")}\r\n\r\n`, { body: [smuggled] });
    expect([answer.status, answer.headers.get("connection")]).toEqual([400, "close"]);
  });

  it("are 431 for headers that are too large", async () => {
    const answer = await send("GET /docs HTTP/1.1", `Host: ${host}`, `X-Large: ${"x".repeat(20_000)}`);
    expect([answer.status, answer.headers.get("connection")]).toEqual([431, "close"]);
  });
});

describe("In test mode a foreign host", () => {
  const askFor = (base: string, path: string, foreign: string) => ask(base, `GET ${path} HTTP/1.1`, `Host: ${foreign}`);

  it.each(["evil.example", "localhost.evil.example:3000", "192.168.0.7"])("is rejected as %s", async (foreign) => {
    for (const path of ["/", "/docs", "/test-mode/mailbox.json", "/hooks/health", "/favicon.svg"])
      expect([path, (await askFor(server, path, foreign)).status]).toEqual([path, 421]);
    const api = await askFor(server, "/api/api-keys", foreign);
    expect(api.status).toBe(421);
    expectApiAnswer(api);
  });

  it("is rejected by remix-serve too, where it matters", async () => {
    for (const path of [
      "/test-mode/mailbox.json",
      "/test-mode/mailbox/1",
      "/test-mode/mailbox.data",
      "/test-mode/clock",
    ])
      expect([path, (await askFor(remixServe, path, "evil.example")).body]).toEqual([
        path,
        expect.not.stringContaining("@"),
      ]);
    for (const path of ["/test-mode/mailbox.json", "/test-mode/clock", "/test-mode/stripe/v1/events"])
      expect([path, (await askFor(remixServe, path, "evil.example")).status]).toEqual([path, 404]);
    expect((await askFor(remixServe, "/", "evil.example")).status).toBe(421);
    const api = await askFor(remixServe, "/api/api-keys", "evil.example");
    expect(api.status).toBe(421);
    expectApiAnswer(api);
  });

  it.each(["localhost", "127.0.0.1:1", "[::1]:3000"])("is not %s", async (own) => {
    for (const base of [server, remixServe]) expect((await askFor(base, "/test-mode/clock", own)).status).toBe(200);
  });
});
