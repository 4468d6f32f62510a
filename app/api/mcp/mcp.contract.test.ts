/** `/api/mcp` on both servers, with the protocol's own client. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, inject, it } from "vitest";

const { server, remixServe } = inject("services");

const json = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...address, ...headers },
    body: JSON.stringify(body),
  });
  return JSON.parse(await response.text());
};

/** Other tests use up the limits of the machine's own address. */
const address = { "X-Forwarded-For": "192.0.2.50" };

/** Its own account for each server, as the limits count per account. */
const keyOf = async (base: string, name: string): Promise<Record<string, string>> => {
  const account = { email: `${name}@example.com`, username: name, password: "correct horse battery" };
  const { access_token } = await json(`${base}/api/auth/register`, account);
  const bearer = { Authorization: `Bearer ${access_token}` };
  const { api_key } = await json(`${base}/api/api-keys/generate`, { api_key_name: "MCP", user: name }, bearer);
  return { "X-API-Key": api_key, "X-Username": name };
};

describe.each([
  ["our server", server, "mcp-ours"],
  ["remix-serve", remixServe, "mcp-remix"],
])("On %s", (_, base, name) => {
  it("a client connects, lists the tools and calls them", async () => {
    const headers = await keyOf(base, name);
    const client = new Client({ name: "tests", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL(`${base}/api/mcp`), { requestInit: { headers } });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThanOrEqual(6);
    const found = await client.callTool({ name: "search_routes", arguments: { origin: "CNSHA", limit: 2 } });
    const { routes } = found.structuredContent as { routes: { id: number; periods: { period_id: number }[] }[] };
    expect(routes).toHaveLength(2);
    const refused = await client.callTool({ name: "get_route_data", arguments: { id: routes[0]?.id } });
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
      true,
      expect.stringContaining("forbidden (403)"),
    ]);
    const items = [{ period_id: routes[0]?.periods[0]?.period_id, subscription_term: "12_months" }];
    const quote = await client.callTool({ name: "quote_prices", arguments: { items } });
    expect(quote.structuredContent).toMatchObject({ lines: [{ term_discount_percent: 25 }] });
    await client.close();
  });

  it("a client without credentials is rejected", async () => {
    const client = new Client({ name: "tests", version: "1.0.0" });
    const requestInit = { headers: address };
    const transport = new StreamableHTTPClientTransport(new URL(`${base}/api/mcp`), { requestInit });
    await expect(client.connect(transport as Parameters<Client["connect"]>[0])).rejects.toMatchObject({ code: 401 });
  });
});
