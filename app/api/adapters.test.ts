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
  server = createServer((req, res) => void (req.url === "/api/crash" ? crashing : unwritable).node(req, res));
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
