/**
 * What route data by key guarantees however fast it is, on four processes under load: a revoked key is refused by the next
 * request, no answer is older than the last commit before its request, and no answered request is missing from the log.
 */
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, startService } from "../testing/service.ts";
import { cloneOf, openTestServer, prepareSeededTemplate } from "../testing/test-server.ts";

/** Four starts take longer than other hooks. */
const startLimitMs = 600_000;

type Key = { id: number; headers: Record<string, string> };

let server: Awaited<ReturnType<typeof openTestServer>>;
let database: { url: string; drop(): Promise<void> };
let sql: postgres.Sql;
let services: Service[];
let routeId: number;
let reader: { accountId: number; token: string };
let load: { stop(): Promise<void> };

beforeAll(async () => {
  server = await openTestServer();
  database = await cloneOf(server.adminUrl, await prepareSeededTemplate(server.adminUrl));
  sql = postgres(database.url, { max: 2, onnotice: () => {} });
  services = [];
  for (let started = 0; started < 4; started++) services.push(await startService({ databaseUrl: database.url }));
  // A sample route needs no subscription and is read like any other.
  const [sample] = await sql`select id from routes where is_sample and retired_at is null limit 1`;
  routeId = sample?.id;
  reader = await register("reader");
  load = await startLoad();
}, startLimitMs);
afterAll(async () => {
  await load?.stop();
  await Promise.all((services ?? []).map((service) => service.stop()));
  await sql?.end({ timeout: 1 });
  await database?.drop();
  await server?.stop();
});

const send = async (service: Service, method: string, path: string, body: unknown, token?: string) => {
  const response = await fetch(`${service.url}/api${path}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
};

const first = () => services[0] as Service;

const register = async (username: string) => {
  const account = { email: `${username}@example.com`, password: "correct horse battery", username };
  const { access_token } = await send(first(), "POST", "/auth/register", account);
  const [row] = await sql`update accounts set plan = 'enterprise' where username = ${username} returning id`;
  return { accountId: row?.id as number, token: access_token as string };
};

const issueKey = async (token: string): Promise<Key> => {
  const issued = await send(
    first(),
    "POST",
    "/api-keys/generate",
    { api_key_name: "Guarantees", user: "machine" },
    token,
  );
  return { id: issued.id, headers: { "X-API-Key": issued.api_key, "X-Username": "machine" } };
};

const readRoute = (service: Service, key: Key): Promise<Response> =>
  fetch(`${service.url}/api/api-routes-data?id=${routeId}&limit=1`, { headers: key.headers });

const readEverywhere = (key: Key): Promise<Response[]> =>
  Promise.all(services.map((service) => readRoute(service, key)));

/** Keeps every process busy with requests of another account. Those over its burst are refused, and logged like the rest. */
const startLoad = async () => {
  const { token } = await register("load");
  const key = await issueKey(token);
  let isStopped = false;
  const work = async (service: Service) => {
    while (!isStopped) {
      const response = await readRoute(service, key).catch(() => null);
      // The process has been killed.
      if (response === null) return;
      await response.arrayBuffer().catch(() => null);
    }
  };
  const working = services.flatMap((service) => [work(service), work(service)]);
  const stop = async () => {
    isStopped = true;
    await Promise.all(working);
  };
  return { stop };
};

describe("Under load on four processes", () => {
  it.each([
    [
      "deactivated",
      (key: Key) => send(first(), "PUT", `/api-keys/${key.id}/status`, { status: "inactive" }, reader.token),
    ],
    ["deleted", (key: Key) => send(first(), "DELETE", `/api-keys/${key.id}`, undefined, reader.token)],
  ])("a key that is %s is rejected by the next request, in every process", async (_, revoke) => {
    for (let round = 0; round < 5; round++) {
      const key = await issueKey(reader.token);
      expect((await readEverywhere(key)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      await revoke(key);
      expect((await readEverywhere(key)).map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    }
  });

  it("an answer contains what was committed before the request, in every process", async () => {
    const key = await issueKey(reader.token);
    for (let round = 0; round < 20; round++) {
      const [route] = await sql`
        update routes set distance_nm = distance_nm + 1, version = version + 1, updated_at = now()
        where id = ${routeId} returning distance_nm`;
      const read = await Promise.all((await readEverywhere(key)).map((response) => response.json()));
      expect(read.map(({ distance_nm }) => distance_nm)).toEqual(Array(4).fill(route?.distance_nm));
    }
  });

  it("access that is withdrawn is rejected by the next request, in every process", async () => {
    const key = await issueKey(reader.token);
    for (const [standing, status] of [
      ["suspended", 403],
      ["good", 200],
    ] as const) {
      await sql`update accounts set standing = ${standing} where id = ${reader.accountId}`;
      expect((await readEverywhere(key)).map((response) => response.status)).toEqual(Array(4).fill(status));
    }
  });

  it("the log has every request that was answered before a process was killed, and the totals count them", async () => {
    const killed = services.at(-1) as Service;
    const key = await issueKey(reader.token);
    const answered: string[] = [];
    const work = async () => {
      for (;;) {
        const response = await readRoute(killed, key).catch(() => null);
        if (response === null) return;
        answered.push(response.headers.get("x-request-id") ?? "");
        if (answered.length === 300) void killed.terminate("SIGKILL");
        // The body may be cut off: its head has been answered all the same.
        await response.arrayBuffer().catch(() => null);
      }
    };
    services.pop();
    await Promise.all(Array.from({ length: 16 }, work));
    expect(answered.length).toBeGreaterThanOrEqual(300);
    const logged = await sql`select request_id from usage_logs where request_id = any(${answered})`;
    expect(logged).toHaveLength(answered.length);
    const [counted] = await sql`
      select (select count(*) from usage_logs where account_id = ${reader.accountId})::int as logs,
        (select sum(requests) from usage_hours where account_id = ${reader.accountId})::int as hours,
        (select sum(requests) from usage_days where account_id = ${reader.accountId})::int as days`;
    expect(counted?.hours).toBe(counted?.logs);
    expect(counted?.days).toBe(counted?.logs);
  });
});
