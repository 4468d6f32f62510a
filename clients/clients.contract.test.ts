/** Both clients against the running service, and the examples of their READMEs. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import postgres from "postgres";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { ApiError, createShippingRouteClient, type ShippingRouteClient } from "./typescript/src/index.ts";

const { server, databaseUrl } = inject("services");
const baseUrl = `${server}/api`;
const folder = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const username = "clients";
const login = { email: "clients@example.com", password: "correct horse battery" };
const execute = promisify(execFile);
const noPython = spawnSync("python3", ["--version"]).status !== 0;

let client: ShippingRouteClient;
let environment: Record<string, string>;
let routeId: number;

/** An account of its own, as the limits count per account. It buys a subscription with a test card. */
beforeAll(async () => {
  await createShippingRouteClient({ baseUrl }).post("/auth/register", { body: { ...login, username } });
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await sql`update accounts set plan = 'enterprise' where username = ${username}`;
  await sql.end();
  client = createShippingRouteClient({ baseUrl, login });
  const { routes } = await client.get("/route-access/all-routes", { params: { query: { limit: 1 } } });
  const order = await client.post("/subscriptions/create-payment-intent", {
    body: { period_id: routes[0]?.periods[0]?.id ?? 0, subscription_term: "1_month" },
  });
  const card = new URLSearchParams({ client_secret: order.client_secret, payment_method: "pm_card_visa" });
  await fetch(order.confirm_url, { method: "POST", body: card });
  const { subscriptions } = await client.post("/subscriptions/payment-success", {
    body: { payment_intent_id: order.payment_intent_id },
  });
  routeId = subscriptions[0]?.route_id ?? 0;
  const { api_key } = await client.post("/api-keys/generate", { body: { api_key_name: "clients", user: username } });
  client = createShippingRouteClient({ baseUrl, login, apiKey: { key: api_key, username } });
  environment = {
    SHIPPING_ROUTE_API: baseUrl,
    API_KEY: api_key,
    API_USERNAME: username,
    EMAIL: login.email,
    PASSWORD: login.password,
    ROUTE_ID: String(routeId),
    WEBHOOK_SECRET: "whsec_c2VjcmV0",
    PYTHONPATH: folder("python"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
});

describe("The TypeScript client", () => {
  it("reads data with a key and with a login", async () => {
    const byKey = await client.get("/api-routes-data", { params: { query: { id: routeId, limit: 2 } } });
    const byLogin = await client.get("/route-access/routes-data", { params: { query: { id: routeId, limit: 2 } } });
    expect(byKey.reports).toEqual(byLogin.reports);
  });

  it("reads every page of a list once", async () => {
    const ids: number[] = [];
    for await (const { id } of client.items("/catalogue/ports", "ports", { limit: 40 })) ids.push(id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(80);
  });

  it("rides out the burst limit", async () => {
    const limited = Array.from({ length: 130 }, () => client.get("/subscriptions/my-routes"));
    expect(await Promise.all(limited)).toHaveLength(130);
  });

  it("throws typed errors", async () => {
    const foreign = client.get("/api-keys/{api_key_id}", { params: { path: { api_key_id: 2_000_000_000 } } });
    await expect(foreign).rejects.toThrow(ApiError);
    await expect(foreign).rejects.toMatchObject({ status: 404, message: "API key not found" });
  });

  it("returns CSV as text", async () => {
    expect(await client.get("/api-keys/export")).toContain("clients");
  });

  it.each(examples("typescript/README.md", "ts"))("example %i of its README runs", async (_, code) => {
    const place = mkdtempSync(path.join(folder("typescript"), "example-"));
    try {
      const file = path.join(place, "example.ts");
      writeFileSync(file, code.replace('"@shipping-route-data/client"', '"../src/index.ts"'));
      await execute(process.execPath, ["--import", "tsx", file], { env: { ...process.env, ...environment } });
    } finally {
      rmSync(place, { recursive: true });
    }
  });
});

describe.skipIf(noPython)("The Python client", () => {
  const python = async (code: string) =>
    (await execute("python3", ["-c", code], { env: { ...process.env, ...environment } })).stdout;

  it("reads data, every page of a list, CSV and errors", async () => {
    const printed = await python(`
import json, os
from concurrent.futures import ThreadPoolExecutor
from shipping_route_data import ApiError, ApiKey, Login, ShippingRouteClient

client = ShippingRouteClient(
    os.environ["SHIPPING_ROUTE_API"],
    api_key=ApiKey(os.environ["API_KEY"], os.environ["API_USERNAME"]),
    login=Login(os.environ["EMAIL"], os.environ["PASSWORD"]),
)
route_id = int(os.environ["ROUTE_ID"])
by_key = client.get_route_data_by_key(id=route_id, limit=2)
by_login = client.get_route_data(id=route_id, limit=2)
ports = [port["id"] for port in client.iter_ports(limit=40)]
with ThreadPoolExecutor(40) as pool:
    burst = list(pool.map(lambda _: client.list_my_subscriptions(), range(130)))
try:
    client.get_api_key(2_000_000_000)
    status = None
except ApiError as error:
    status = error.status
print(json.dumps({
    "same": by_key["reports"] == by_login["reports"],
    "ports": [len(ports), len(set(ports))],
    "burst": len(burst),
    "status": status,
    "csv": "clients" in client.export_api_keys(),
}))
`);
    const found = JSON.parse(printed);
    expect(found).toMatchObject({ same: true, burst: 130, status: 404, csv: true });
    expect(found.ports[0]).toBeGreaterThan(80);
    expect(found.ports[1]).toBe(found.ports[0]);
  });

  it.each(examples("python/README.md", "python"))("example %i of its README runs", async (_, code) => {
    await python(code);
  });
});

/** The code of a README in one language, numbered. */
function examples(readme: string, language: string): [number, string][] {
  const text = readFileSync(folder(readme), "utf8");
  const blocks = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))];
  return blocks.map(([, code = ""], index) => [index + 1, code]);
}
