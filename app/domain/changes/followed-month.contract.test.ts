/** Followers of changes against the built service: a month of the service's time, processes that die, and other ends. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { EventSourceMessage } from "eventsource-parser";
import { EventSourceParserStream } from "eventsource-parser/stream";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Service, startService } from "../../testing/service.ts";
import { cloneOf, openTestServer, prepareSeededTemplate } from "../../testing/test-server.ts";

let server: Awaited<ReturnType<typeof openTestServer>>;
let database: { url: string; drop(): Promise<void> };
let sql: postgres.Sql;
/** `remix` is served by remix-serve, which does not schedule anything. */
let services: { one: Service; two: Service; remix: Service };
let token: string;
let key: Record<string, string>;
let keyId: number;
let routeIds: number[];

// biome-ignore lint/suspicious/noExplicitAny: each use knows the shape
type Json = any;

const api = async (method: string, path: string, body?: unknown): Promise<Json> => {
  const response = await fetch(`${services.two.url}/api${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
};

beforeAll(async () => {
  server = await openTestServer();
  database = await cloneOf(server.adminUrl, await prepareSeededTemplate(server.adminUrl));
  sql = postgres(database.url, { max: 2, onnotice: () => {} });
  const one = await startService({ databaseUrl: database.url });
  const two = await startService({ databaseUrl: database.url });
  const remix = await startService({ by: "remix-serve", databaseUrl: database.url });
  services = { one, two, remix };
  const account = { email: "follower@example.com", password: "correct horse battery", username: "follower" };
  token = (await api("POST", "/auth/register", account)).access_token;
  await sql`update accounts set plan = 'enterprise', email_verified_at = now() where username = 'follower'`;
  const issued = await api("POST", "/api-keys/generate", { api_key_name: "Follower", user: "follower" });
  keyId = issued.id;
  key = { "X-API-Key": issued.api_key, "X-Username": "follower" };
  const { routes } = await api("GET", "/route-access/all-routes?cargo_type=container");
  const bought = routes.filter(({ periods }: Json) => periods.length === 1).slice(0, 4);
  routeIds = bought.map(({ id }: Json) => id);
  const items = bought.map(({ periods }: Json) => ({ period_id: periods[0].id, subscription_term: "3_months" }));
  const order = await api("POST", "/subscriptions/create-payment-intent", { items });
  const payment = new URLSearchParams({ client_secret: order.client_secret, payment_method: "pm_card_visa" });
  await fetch(order.confirm_url, { method: "POST", body: payment });
  await api("POST", "/subscriptions/payment-success", { payment_intent_id: order.payment_intent_id });
});
afterAll(async () => {
  await Promise.all(Object.values(services ?? {}).map((service) => service.stop()));
  await sql?.end({ timeout: 1 });
  await database?.drop();
  await server?.stop();
});

const lastId = async (): Promise<number> =>
  Number((await sql`select coalesce(max(id), 0) as id from route_changes`)[0]?.id);
const cursorAfter = (id: number) => Buffer.from(JSON.stringify(["changes", id])).toString("base64url");
/** A change of the account's first route. */
const change = () => sql`update routes set distance_nm = distance_nm + 1 where id = ${routeIds[0] ?? 0}`;

/** Node's streams can be iterated, unlike those of all browsers. */
const eventsIn = ({ body }: Response): AsyncIterable<EventSourceMessage> =>
  body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()) as never;

type Stream = { status: number; events: AsyncGenerator<{ id: string; data: Json }>; close(): void };

const connect = async (service: Service, lastEventId?: string): Promise<Stream> => {
  const closing = new AbortController();
  const response = await fetch(`${service.url}/api/route-access/updates`, {
    headers: { ...key, ...(lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId }) },
    signal: closing.signal,
  });
  async function* events() {
    for await (const { id, event, data } of eventsIn(response)) {
      expect(event).toBe("change");
      yield { id: id ?? "", data: JSON.parse(data) };
    }
  }
  return { status: response.status, events: events(), close: () => closing.abort() };
};

/** Alternates between the processes, as a load balancer would. */
const oneOf = (attempt: number) => (attempt % 2 === 0 ? services.one : services.two);

/** Follows the events until it is stopped, and reconnects whenever the stream ends. */
const followByEvents = (start: string) => {
  const seen: number[] = [];
  let isStopped = false;
  let stream: Stream | null = null;
  const work = (async () => {
    let last = start;
    for (let attempt = 0; !isStopped; attempt++) {
      try {
        stream = await connect(oneOf(attempt), last);
        for await (const { id, data } of stream.events) {
          seen.push(data.id);
          last = id;
        }
      } catch {
        // The process has died. A client waits a moment before it connects again.
      }
      if (!isStopped) await sleep(100);
    }
  })();
  return {
    seen,
    stop: async () => {
      isStopped = true;
      stream?.close();
      await work;
    },
  };
};

const followByPolling = (start: string) => {
  const seen: number[] = [];
  let isStopped = false;
  const work = (async () => {
    let since = start;
    for (let attempt = 0; !isStopped; attempt++) {
      try {
        const response = await fetch(`${oneOf(attempt).url}/api/route-access/changes?limit=7&since=${since}`, {
          headers: key,
        });
        const page: Json = await response.json();
        if (response.ok) {
          seen.push(...page.changes.map(({ id }: { id: number }) => id));
          since = page.next_cursor;
          if (page.has_more) continue;
        }
      } catch {
        // The process has died.
      }
      await sleep(50);
    }
  })();
  return {
    seen,
    stop: async () => {
      isStopped = true;
      await work;
    },
  };
};

const dayMs = 86_400_000;
const clockOf = async (service: Service): Promise<number> =>
  Date.parse(((await (await fetch(`${service.url}/test-mode/clock`)).json()) as Json).now);
const advance = (service: Service, days: number) =>
  fetch(`${service.url}/test-mode/clock`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ advance_days: days }),
  });

describe("A stream", () => {
  it.each(["one", "remix"] as const)("has changes that another process commits (%s)", async (name) => {
    const stream = await connect(services[name]);
    expect(stream.status).toBe(200);
    const next = stream.events.next();
    await change();
    expect((await next).value?.data).toMatchObject({
      type: "route_changed",
      route_id: routeIds[0],
      id: await lastId(),
    });
    stream.close();
    await stream.events.return(undefined);
  });

  it("counts as one request, and frees its slot when the client has gone", async () => {
    const counted = async () =>
      (await sql`select count(*)::int as n from usage_logs where endpoint = '/route-access/updates'`)[0]?.n;
    const before = await counted();
    const streams = await Promise.all([1, 2, 3, 4, 5].map(() => connect(services.one)));
    expect(await counted()).toBe(before + 5);
    const refused = await fetch(`${services.two.url}/api/route-access/updates`, { headers: key });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      message: "Too many requests - Rate limit exceeded",
      errors: [{ path: "connections" }],
    });
    for (const stream of streams) stream.close();
    await expect.poll(async () => (await sql`select from change_streams`).length).toBe(0);
  });

  it("has its size in the usage log once it has ended", async () => {
    const start = await lastId();
    await change();
    const stream = await connect(services.one, cursorAfter(start));
    expect((await stream.events.next()).value?.data.id).toBe(await lastId());
    stream.close();
    const newest = async () =>
      (
        await sql`select response_bytes from usage_logs where endpoint = '/route-access/updates' order by id desc limit 1`
      )[0];
    await expect.poll(async () => (await newest())?.response_bytes).toBeGreaterThan(100);
  });

  it("waits for a slow reader, who then has everything once", async () => {
    const start = await lastId();
    const response = await fetch(`${services.one.url}/api/route-access/updates`, {
      headers: { ...key, "Last-Event-ID": cursorAfter(start) },
    });
    // More than the buffers of a connection hold.
    await sql`
      insert into route_changes (revision, route_id, type, source, occurred_at, after)
      select -n, ${routeIds[0] ?? 0}, 'route_changed', 'operator', now(), jsonb_build_object('name', repeat('x', 2000))
      from generate_series(1, 10000) n`;
    await sql`notify route_changes`;
    await expect.poll(() => isStalled(services.one)).toBe(true);
    const seen: number[] = [];
    for await (const { data } of eventsIn(response)) {
      seen.push(JSON.parse(data).id);
      if (seen.length === 10_000) break;
    }
    const written = await sql<{ id: string }[]>`select id from route_changes where id > ${start} order by id`;
    expect(seen).toEqual(written.map(({ id }) => Number(id)));
    await sql`delete from route_changes where revision < 0`;
  });

  it("ends when its key is deactivated", async () => {
    const stream = await connect(services.one);
    await api("PUT", `/api-keys/${keyId}/status`, { status: "inactive" });
    await change();
    expect((await stream.events.next()).done).toBe(true);
    expect((await connect(services.one)).status).toBe(401);
    await api("PUT", `/api-keys/${keyId}/status`, { status: "active" });
  });
});

/** Asks again while the jobs of the last move's end are running. */
const advanceWhenFree = async (service: Service, days: number): Promise<void> => {
  for (;;) {
    const { status } = await advance(service, days);
    if (status !== 409) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

/** Whether a connection of the service has bytes that its client does not take, in Linux's table of connections. */
const isStalled = ({ url }: Service): boolean => {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  return ["/proc/net/tcp", "/proc/net/tcp6"]
    .flatMap((table) => readFileSync(table, "utf8").split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .some(([, local, , , queues]) => local?.endsWith(`:${port}`) && Number.parseInt(queues ?? "0", 16) > 0);
};

it("A month is followed through killed processes, by events and by polling, each change once", async () => {
  const start = await lastId();
  const startedAt = await clockOf(services.two);
  const followers = [followByEvents(cursorAfter(start)), followByPolling(cursorAfter(start))];
  onTestFinished(async () => {
    for (const follower of followers) await follower.stop();
  });
  for (let day = 6; day <= 30; day += 6) {
    const moved = advanceWhenFree(services.one, 6).catch(() => null);
    if (day === 12 || day === 24) {
      // In the middle of the move: the clock has passed the end of the move before.
      const before = startedAt + (day - 6) * dayMs;
      await expect
        .poll(() => clockOf(services.two), { interval: 20, timeout: 120_000 })
        .toBeGreaterThan(before + dayMs);
      await services.one.terminate("SIGKILL");
      services.one = await startService({ databaseUrl: database.url });
    }
    await moved;
    // A long move continues after its answer, and an interrupted one is resumed by the next process.
    await expect
      .poll(() => clockOf(services.two), { timeout: 200_000 })
      .toBeGreaterThanOrEqual(startedAt + day * dayMs);
  }
  // 409 while the last move's jobs run.
  await expect.poll(async () => (await advance(services.two, 1)).status, { timeout: 120_000 }).toBeLessThan(300);
  await expect.poll(() => clockOf(services.one), { timeout: 200_000 }).toBeGreaterThanOrEqual(startedAt + 31 * dayMs);
  const written = await sql<{ id: string }[]>`
    select id from route_changes where id > ${start} and route_id = any(${routeIds}) order by id`;
  const expected = written.map(({ id }) => Number(id));
  expect(expected.length).toBeGreaterThan(50);
  for (const { seen } of followers) await expect.poll(() => seen.length).toBeGreaterThanOrEqual(expected.length);
  for (const follower of followers) await follower.stop();
  for (const { seen } of followers) expect(seen).toEqual(expected);
}, 900_000);

describe("SIGTERM", () => {
  it("ends open streams, and the process", async () => {
    const { stream, lease } = await connectWithLease(services.one);
    const next = stream.events.next();
    expect(await services.one.terminate("SIGTERM")).toMatchObject({ code: 0 });
    expect((await next).done).toBe(true);
    await expect.poll(leases).not.toContain(lease);
  });

  it("ends open streams of remix-serve", async () => {
    const { stream, lease } = await connectWithLease(services.remix);
    const next = stream.events.next();
    process.kill(services.remix.pid, "SIGTERM");
    expect((await next).done).toBe(true);
    await expect.poll(leases).not.toContain(lease);
  });
});

/** Those of killed processes stay until they expire. */
const leases = async (): Promise<string[]> =>
  (await sql`select lease_id from change_streams`).map((row) => row.lease_id);

const connectWithLease = async (service: Service) => {
  const before = await leases();
  const stream = await connect(service);
  const [lease] = (await leases()).filter((id) => !before.includes(id));
  expect(lease).toBeDefined();
  return { stream, lease };
};
