/** The protocol's own client against `/api/mcp`. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { issueKey } from "../../domain/api-keys/issue.server.ts";
import { memoryRateLimiter } from "../../domain/rate-limit/memory.ts";
import { call } from "../../testing/api-client.ts";
import { type ApiServer, serveApi } from "../../testing/api-server.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";

let world: World;
let server: ApiServer;
let holder: Awaited<ReturnType<World["account"]>>;
let keyHeaders: Record<string, string>;
let subscribedRoute: number;
let otherRoute: number;
const clients: Client[] = [];

beforeAll(async () => {
  world = await createWorld();
  server = await serveApi(world);
  holder = await world.account("analyst");
  const { secret, user } = await issueKey(world.ctx, holder.caller, { api_key_name: "assistant", user: "analyst" });
  keyHeaders = { "X-API-Key": secret, "X-Username": user };
  const subscription = await subscribe(world, holder.caller);
  subscribedRoute = subscription.routeId;
  otherRoute = world.routes.find(({ id }) => id !== subscribedRoute)?.id ?? 0;
});
afterAll(async () => {
  await server.close();
  await world.close();
});
beforeEach(() => {
  world.ctx.rateLimiter = memoryRateLimiter();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

const connect = async (headers: Record<string, string> = keyHeaders) => {
  const client = new Client({ name: "tests", version: "1.0.0" });
  clients.push(client);
  let noteStreamAnswer = () => {};
  const streamAnswered = new Promise<void>((resolve) => {
    noteStreamAnswer = resolve;
  });
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers },
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (init?.method === "GET") noteStreamAnswer();
      return response;
    },
  });
  // The SDK's own types disagree about an optional property.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  // The client asks for a stream in the background, which counts as a request.
  await streamAnswered;
  return client;
};

const callTool = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: args })) as CallToolResult & {
    // biome-ignore lint/suspicious/noExplicitAny: each test asserts the shape
    structuredContent: any;
  };

const textOf = ({ content }: CallToolResult) => content.map((one) => (one.type === "text" ? one.text : "")).join("\n");

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/mcp`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...keyHeaders,
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const listTools = { jsonrpc: "2.0", id: 1, method: "tools/list" };

describe("The tools", () => {
  it("are listed with schemas that stand alone, and only read", async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "search_routes",
      "get_route_data",
      "list_schedules",
      "list_changes",
      "compare_routes",
      "check_access",
      "list_subscriptions",
      "quote_prices",
    ]);
    for (const { inputSchema, outputSchema, annotations, description, title } of tools) {
      expect([description, title]).toEqual([expect.any(String), expect.any(String)]);
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
      // Several models' APIs reject these at the top level.
      expect(Object.keys(inputSchema)).not.toEqual(expect.arrayContaining(["oneOf", "anyOf", "allOf", "$ref"]));
      expect(JSON.stringify([inputSchema, outputSchema])).not.toContain("#/components/");
    }
    expect(tools[1]?.inputSchema).toMatchObject({
      required: ["id"],
      properties: { id: { type: "integer" }, limit: { default: 20 } },
    });
  });

  it("search the catalogue page by page", async () => {
    const client = await connect();
    await client.listTools();
    const first = await callTool(client, "search_routes", { limit: 1, cargo_type: "container" });
    expect(first.structuredContent.routes).toHaveLength(1);
    expect(textOf(first)).toContain("1 route, more with next_cursor");
    expect(JSON.parse(first.content[1]?.type === "text" ? first.content[1].text : "")).toEqual(first.structuredContent);
    const { next_cursor: cursor } = first.structuredContent;
    const second = await callTool(client, "search_routes", { limit: 1, cargo_type: "container", cursor });
    expect(second.structuredContent.routes[0].id).not.toBe(first.structuredContent.routes[0].id);
  });

  it("return the data of a subscribed route as the API does", async () => {
    const client = await connect();
    await client.listTools();
    const { structuredContent } = await callTool(client, "get_route_data", { id: subscribedRoute });
    const { body } = await call(world, "GET", `/route-access/routes-data?id=${subscribedRoute}&limit=20`, {
      token: holder.token,
    });
    expect(structuredContent).toEqual(body);
  });

  it("check access, list subscriptions, sailings and changes, and quote prices", async () => {
    const client = await connect({ Authorization: `Bearer ${holder.token}` });
    await client.listTools();
    const access = await callTool(client, "check_access", { route_ids: [subscribedRoute, otherRoute] });
    expect(access.structuredContent.routes).toMatchObject([{ has_access: true }, { has_access: false }]);
    const mine = await callTool(client, "list_subscriptions");
    expect(mine.structuredContent.subscriptions).toMatchObject([{ route_id: subscribedRoute }]);
    const sailings = await callTool(client, "list_schedules");
    expect(sailings.structuredContent.schedules).toEqual(expect.any(Array));
    const changes = await callTool(client, "list_changes", { since: "2026-11-20" });
    expect(changes.structuredContent).toMatchObject({ changes: expect.any(Array), has_more: false });
    const compared = await callTool(client, "compare_routes", { origin: "CNSHA", destination: "NLRTM" });
    expect(compared.structuredContent).toMatchObject({ routes: expect.any(Array) });
    const items = [{ period_id: periodOf(world), subscription_term: "3_months" }];
    const quote = await callTool(client, "quote_prices", { items });
    expect(quote.structuredContent).toMatchObject({ currency: "USD", amount_cents: expect.any(Number) });
  });

  it.each([
    [
      "without a subscription",
      "get_route_data",
      () => ({ id: otherRoute }),
      "forbidden (403): Insufficient permissions",
    ],
    ["for a route that does not exist", "get_route_data", () => ({ id: 999_999 }), "not_found (404): Route not found"],
    [
      "for a missing argument",
      "get_route_data",
      () => ({}),
      "invalid (422): The request is not valid; see errors\nid: ",
    ],
    ["for an argument of the wrong type", "get_route_data", () => ({ id: "first" }), "id: Must be a whole number"],
    ["for an unknown argument", "search_routes", () => ({ harbour: "CNSHA" }), "harbour: Unknown argument"],
    ["for an unknown field", "quote_prices", () => ({ items: [], pay: true }), "pay: Unknown field"],
    ["for an object where text belongs", "search_routes", () => ({ q: { $ne: 1 }, origin: {} }), "origin: "],
  ])("answer with an error that the model can read %s", async (_, name, args, expected) => {
    const result = await callTool(await connect(), name, args());
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toContain(expected);
  });

  it("ignore arguments that are null", async () => {
    const result = await callTool(await connect(), "search_routes", { origin: null, cursor: null });
    expect(result.isError).toBeUndefined();
  });

  it("reject the name of a tool that does not exist", async () => {
    await expect((await connect()).callTool({ name: "buy_subscription" })).rejects.toThrow(
      "There is no tool buy_subscription",
    );
  });
});

describe("Limits and the usage log", () => {
  const logs = async () =>
    (await call(world, "GET", "/api-usage-logs?limit=1", { token: holder.token })).body.usage_logs[0];

  it("count each call as one request, and log the tool, its result and the route", async () => {
    const client = await connect();
    const remaining = async () =>
      Number(
        (await call(world, "GET", "/subscriptions/my-routes", { token: holder.token })).headers[
          "X-RateLimit-Remaining"
        ],
      );
    const before = await remaining();
    await callTool(client, "get_route_data", { id: otherRoute });
    expect(await remaining()).toBe(before - 2);
    await callTool(client, "get_route_data", { id: otherRoute });
    expect(await logs()).toMatchObject({
      method: "POST",
      endpoint: "/mcp/get_route_data",
      status: 403,
      route_id: otherRoute,
      api_key_name: "assistant",
    });
    await client.ping();
    expect(await logs()).toMatchObject({ endpoint: "/mcp", status: 200, route_id: null });
  });

  it("answer 429 with Retry-After over the limit", async () => {
    const client = await connect();
    for (let count = 0; count < 30; count++) await post(listTools);
    await expect(callTool(client, "search_routes")).rejects.toMatchObject({
      code: 429,
      message: expect.stringContaining("Too many requests - Rate limit exceeded"),
    });
    const refused = await post(listTools);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  });
});

describe("The endpoint", () => {
  it.each([
    ["no credentials", {}],
    ["a wrong key", { "X-API-Key": "srd_live_wrong", "X-Username": "analyst" }],
    ["a made-up token", { Authorization: "Bearer made-up" }],
  ])("returns 401 for %s", async (_, headers) => {
    await expect(connect(headers as Record<string, string>)).rejects.toMatchObject({ code: 401 });
  });

  it.each(["GET", "DELETE", "PUT"])("returns 405 for %s, as it keeps no sessions", async (method) => {
    const response = await fetch(`${server.url}/mcp`, {
      method,
      headers: { ...keyHeaders, Accept: "text/event-stream" },
    });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("negotiates the version, and rejects one in the header that it does not know", async () => {
    const initialize = (protocolVersion: string) =>
      post({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion, capabilities: {}, clientInfo: { name: "tests", version: "1" } },
      });
    expect(await (await initialize("2025-03-26")).json()).toMatchObject({ result: { protocolVersion: "2025-03-26" } });
    const newest = await (await initialize("2099-01-01")).json();
    expect(newest.result.protocolVersion).toMatch(/^202\d-\d\d-\d\d$/);
    expect(newest.result).toMatchObject({ serverInfo: { name: "shipping-route-data" }, capabilities: { tools: {} } });
    expect((await post(listTools, { "MCP-Protocol-Version": "2099-01-01" })).status).toBe(400);
    expect((await post(listTools, { "MCP-Protocol-Version": "2025-06-18" })).status).toBe(200);
  });

  it("rejects requests from pages of other sites", async () => {
    expect((await post(listTools, { Origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await post(listTools, { Origin: "null" })).status).toBe(403);
    expect((await post(listTools, { Origin: world.ctx.settings.appUrl })).status).toBe(200);
  });

  it("accepts a notification without a body", async () => {
    const response = await post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect([response.status, await response.text()]).toEqual([202, ""]);
  });

  it.each([
    ["a batch", JSON.stringify([listTools, listTools]), 422],
    ["what is no JSON-RPC", JSON.stringify({ id: 1 }), 422],
    ["a message without a method", JSON.stringify({ jsonrpc: "2.0", id: 1, method: 7 }), 400],
    ["broken JSON", "{", 400],
    ["more than 64 KiB", JSON.stringify({ ...listTools, params: { text: "x".repeat(70_000) } }), 413],
  ])("rejects %s", async (_, body, status) => {
    expect((await post(body)).status).toBe(status);
  });

  it("continues after a client has cancelled a call", async () => {
    const client = await connect();
    const stopped = new AbortController();
    const cancelled = client.callTool({ name: "search_routes" }, undefined, { signal: stopped.signal });
    stopped.abort();
    await expect(cancelled).rejects.toThrow();
    expect((await callTool(client, "search_routes")).isError).toBeUndefined();
  });

  it("returns 500 without internal details when a tool breaks", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_subscriptions" } };
    const { clock } = world.ctx;
    let reads = 0;
    // The time is read by the wrapper first, then by the verb.
    world.ctx.clock = {
      now: () => {
        reads += 1;
        if (reads === 3) throw new Error("inside");
        return clock.now();
      },
    };
    const response = await post(message);
    world.ctx.clock = clock;
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("inside");
    expect(world.complaints.splice(0)).toEqual(["An API request failed: Error: inside"]);
  });
});
