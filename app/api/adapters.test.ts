/** The response when an adapter or the wrapper itself fails. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { getService, stop } from "../context.server.ts";
import { cloneDatabase } from "../testing/database.ts";
import { adapt } from "./adapters.server.ts";

const crashing = adapt(async () => {
  throw new Error("the password is swordfish");
});
/** Endless. Counts the parts that were made, and notes when the maker was ended. */
const progress = { parts: 0, ended: false };
const streaming = adapt(async () => ({
  status: 200,
  headers: { "Content-Type": "text/plain" },
  body: "",
  stream: (async function* () {
    Object.assign(progress, { parts: 0, ended: false });
    try {
      for (;;) {
        progress.parts += 1;
        yield "part\n".repeat(20_000);
      }
    } finally {
      progress.ended = true;
    }
  })(),
}));
const breaking = adapt(async () => ({
  status: 200,
  headers: {},
  body: "",
  stream: (async function* () {
    yield "part\n";
    throw new Error("the database is unavailable");
  })(),
}));
const unwritable = adapt(async () => ({ status: 200, headers: { "X-Name": "line\nbreak" }, body: "{}" }));

let server: Server;
let base: string;
let dropDatabase: () => Promise<void>;
beforeAll(async () => {
  const database = await cloneDatabase();
  dropDatabase = database.drop;
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("SECRETS_KEY", Buffer.alloc(32, "tests").toString("base64"));
  await getService();
  const actions: Record<string, typeof crashing> = {
    "/api/crash": crashing,
    "/api/unwritable": unwritable,
    "/api/streaming": streaming,
    "/api/breaking": breaking,
  };
  server = createServer((req, res) => void actions[req.url ?? ""]?.node(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await stop();
  await dropDatabase();
});

describe("A crash below /api", () => {
  it.each<[string, () => Promise<Response>]>([
    ["by node:http", () => fetch(`${base}/api/crash`)],
    ["by node:http, in writing", () => fetch(`${base}/api/unwritable`)],
    ["by Remix", () => crashing({ request: new Request(`${base}/api/crash`), params: {}, context: {} })],
    ["by Remix, in writing", () => unwritable({ request: new Request(`${base}/api/x`), params: {}, context: {} })],
  ])("is answered with the API's headers and logged, %s", async (_, ask) => {
    const logged: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((line) => {
      logged.push(String(line));
      return true;
    });
    const { status, headers, ...response } = await ask().then(async (it) => ({
      status: it.status,
      headers: it.headers,
      body: await it.json(),
    }));
    const id = headers.get("x-request-id");
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(status).toBe(500);
    expect(response.body).toEqual({ success: false, message: "Internal server error", request_id: id });
    expect(headers.get("x-ratelimit-limit")).toBe("60");
    expect(headers.get("x-ratelimit-remaining")).toBe("60");
    expect(headers.get("x-ratelimit-reset")).toMatch(/^\d+$/);
    expect(logged.filter((line) => line.includes(id ?? ""))).toHaveLength(1);
  });
});

describe("A streamed response", () => {
  const byRemix = (signal: AbortSignal) =>
    streaming({ request: new Request(`${base}/api/streaming`, { signal }), params: {}, context: {} });

  it.each<[string, (signal: AbortSignal) => Promise<Response>]>([
    ["by node:http", (signal) => fetch(`${base}/api/streaming`, { signal })],
    ["by Remix", byRemix],
  ])("is made as the client reads, and ended when the client leaves, %s", async (_, ask) => {
    const client = new AbortController();
    const { body } = await ask(client.signal);
    const reader = body?.getReader();
    const read = await reader?.read();
    expect(Buffer.from(read?.value ?? "").toString()).toMatch(/^part\n/);
    // What fits into the buffers between them.
    expect(progress.parts).toBeLessThan(200);
    client.abort();
    await reader?.read().catch(() => {});
    await vi.waitFor(() => expect(progress.ended).toBe(true), { timeout: 20_000 });
  });

  it("that breaks off is an error for the client", async () => {
    const response = await fetch(`${base}/api/breaking`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });
});
