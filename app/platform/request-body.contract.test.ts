/** Bodies over the limit, sent to every URL of the built service, on both servers. */
import fs from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contracts } from "../api/contracts/all.ts";
import { mcp } from "../api/mcp/contract.ts";
import { exchange, type RawAnswer } from "../testing/raw-http.ts";
import { type Service, startService } from "../testing/service.ts";

type Module = { loader?: unknown; action?: unknown };
type BuiltRoute = { id: string; parentId?: string; path?: string; index?: boolean; module: Module };

/** The Inngest endpoint exists only with a signing key. */
const env = { INNGEST_SIGNING_KEY: `signkey-test-${"5ec3e7".repeat(8)}` };
const services: Record<string, Service> = {};
const credentials: Record<string, string[]> = {};
let routes: Record<string, BuiltRoute>;

beforeAll(async () => {
  const server = await startService({ env });
  services.server = server;
  services["remix-serve"] = await startService({ env, by: "remix-serve", databaseUrl: server.databaseUrl });
  const sql = postgres(server.databaseUrl, { max: 1, onnotice: () => {} });
  await sql`update accounts set plan = 'enterprise' where username = 'operator'`;
  await sql.end();
  const byApi = await fetch(`${server.url}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(operator),
  });
  const { access_token } = (await byApi.json()) as { access_token: string };
  credentials.api = [`Authorization: Bearer ${access_token}`, "Content-Type: application/json"];
  credentials.portal = [`Cookie: ${await signIn(operator)}`, "Content-Type: multipart/form-data; boundary=b"];
  const build = fileURLToPath(new URL("../../build/server/index.js", import.meta.url));
  routes = (await import(/* @vite-ignore */ build)).routes;
});
afterAll(async () => {
  await services["remix-serve"]?.stop();
  await services.server?.stop();
});

const operator = { email: "operator@example.com", password: "demo-bridge-2026" };
const demo = { email: "demo@example.com", password: "demo-harbour-2026" };

/** @returns the session's cookie */
const signIn = async (login: Record<string, string>): Promise<string> => {
  const form = { method: "POST", body: new URLSearchParams(login), redirect: "manual" } as const;
  const answer = await fetch(`${services.server?.url}/sign-in`, form);
  const set = answer.headers.getSetCookie().find((each) => each.startsWith("srds_session="));
  return set?.split(";", 1)[0] ?? "";
};

const pathOf = ({ parentId, path = "" }: BuiltRoute): string => {
  const parent = parentId === undefined ? undefined : routes[parentId];
  return [parent ? pathOf(parent) : "", path].filter(Boolean).join("/");
};

type Target = { method: string; path: string; headers: string[]; statuses: number[] };

/**
 * A route that reads bodies has an action; the others refuse the method, and one whose loader and action are the same
 * function may do either.
 */
const targets = (): Target[] =>
  Object.values(routes)
    .filter(({ id }) => id !== "root")
    .flatMap((route): Target[] => {
      const template = `/${pathOf(route)}`;
      const path = template.replace(/:\w+/g, "1").replace("*", "v1/payment_intents/pi_1/confirm");
      if (!path.startsWith("/api/")) {
        const { loader, action } = route.module;
        const statuses = [...(action ? [413] : []), ...(action === loader || !action ? [405] : [])];
        const suffix = route.index && route.path === undefined ? "?index" : "";
        return [{ method: "POST", path: path + suffix, headers: credentials.portal ?? [], statuses }];
      }
      const own = [...contracts, mcp].filter((each) => `/api${each.path}` === template.replace(/:(\w+)/g, "{$1}"));
      const writing = own.filter(({ method }) => method !== "GET");
      const headers = credentials.api ?? [];
      if (writing.length === 0) return [{ method: "POST", path, headers, statuses: own.length > 0 ? [405] : [404] }];
      return writing.map(({ method }) => ({ method, path, headers, statuses: [413] }));
    });

const headOf = (base: string, { method, path, headers }: Target, framing: string) =>
  [`${method} ${path} HTTP/1.1`, `Host: ${new URL(base).host}`, ...headers, framing, "", ""].join("\r\n");

function* chunked(bytes: number) {
  const size = 64 * 1024;
  const chunk = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`;
  for (let sent = 0; sent < bytes; sent += size) yield chunk;
  yield "0\r\n\r\n";
}

/** Repeats a request that exceeded the limit of its second. */
const unlimited = async (send: () => Promise<RawAnswer>): Promise<RawAnswer> => {
  for (;;) {
    const answer = await send();
    if (answer.status !== 429) return answer;
    await setTimeout(Number(answer.headers.get("retry-after")) * 1_000);
  }
};

/** Files of any size, by operators. */
const uploads = ["/operations/import", "/operations/import/upload"];

/** Longer than any limit. */
const overlong = 21 * 1024 * 1024;

describe.each(["server", "remix-serve"])("Bodies over the limit, by %s", (by) => {
  it("are rejected by every URL, with Content-Length and chunked", async () => {
    const base = services[by]?.url ?? "";
    const all = targets().filter(({ path }) => !uploads.includes(path));
    expect(all.length).toBeGreaterThan(90);
    const answered: [string, boolean][] = [];
    for (const target of all) {
      const announced = await unlimited(() => exchange(base, headOf(base, target, `Content-Length: ${overlong}`)));
      const inChunks = await unlimited(() => {
        const options = { body: chunked(overlong), untilAnswered: true };
        return exchange(base, headOf(base, target, "Transfer-Encoding: chunked"), options);
      });
      const name = `${target.method} ${target.path}: ${announced.status}, ${inChunks.status}`;
      answered.push([name, [announced, inChunks].every(({ status }) => target.statuses.includes(status))]);
    }
    expect(answered.filter(([, isRight]) => !isRight)).toEqual([]);
  }, 180_000);

  it.each([
    ["/hooks/stripe", 2],
    ["/hooks/inngest", 2],
    ["/sign-in", 1],
    ["/test-mode/clock", 1],
    ["/test-mode/stripe/v1/payment_intents/pi_1/confirm", 1],
    ["/api/auth/login", 1],
  ])("are answered although the client reads only when it has sent all of them: %s", async (path, megabytes) => {
    const base = services[by]?.url ?? "";
    const headers = (path.startsWith("/api/") ? credentials.api : credentials.portal) ?? [];
    const target = { method: "POST", path, headers, statuses: [] };
    const head = headOf(base, target, "Transfer-Encoding: chunked");
    const answer = await exchange(base, head, { body: chunked(megabytes * 1024 * 1024) });
    expect(answer.status).toBe(413);
  });
});

describe.each(["server", "remix-serve"])("Uploads, by %s", (by) => {
  it.each(uploads)("are rejected before the file arrives, unless an operator sends it: %s", async (path) => {
    const base = services[by]?.url ?? "";
    const form = "Content-Type: multipart/form-data; boundary=b";
    const begun = '--b\r\nContent-Disposition: form-data; name="file"; filename="ports.csv"\r\n\r\nunlocode';
    const statusFor = async (headers: string[]) => {
      const head = headOf(
        base,
        { method: "POST", path, headers: [...headers, form], statuses: [] },
        "Content-Length: 1000000",
      );
      return (await exchange(base, head, { body: [begun], untilAnswered: true })).status;
    };
    expect(await statusFor([])).toBe(302);
    expect(await statusFor([`Cookie: ${await signIn(demo)}`])).toBe(404);
  });

  it.each(uploads)("without a file are read to their end and refused: %s", async (path) => {
    const base = services[by]?.url ?? "";
    const target = { method: "POST", path, headers: credentials.portal ?? [], statuses: [] };
    const answer = await exchange(base, headOf(base, target, "Transfer-Encoding: chunked"), {
      body: chunked(overlong),
    });
    expect(answer.status).toBe(422);
  });
});

describe("Our own server", () => {
  it("closes the connection after 413 and sends Connection: close", async () => {
    const base = services.server?.url ?? "";
    for (const path of ["/hooks/stripe", "/sign-in", "/test-mode/clock", "/api/auth/login"]) {
      const headers = (path.startsWith("/api/") ? credentials.api : credentials.portal) ?? [];
      const target = { method: "POST", path, headers, statuses: [] };
      const answer = await exchange(base, headOf(base, target, `Content-Length: ${overlong}`));
      expect([path, answer.status, answer.headers.get("connection")]).toEqual([path, 413, "close"]);
    }
  });

  it.skipIf(process.platform !== "linux")("does not keep a long unsigned body in memory", async () => {
    const { url = "", pid = 0 } = services.server ?? {};
    const peakMegabytes = () =>
      Number(/VmHWM:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
    const before = peakMegabytes();
    const target = {
      method: "POST",
      path: "/hooks/inngest",
      headers: ["Content-Type: application/json"],
      statuses: [],
    };
    // Below the limit up to which bodies are read and discarded.
    const body = chunked(200 * 1024 * 1024);
    expect((await exchange(url, headOf(url, target, "Transfer-Encoding: chunked"), { body })).status).toBe(413);
    expect(peakMegabytes() - before).toBeLessThan(100);
  });
});
