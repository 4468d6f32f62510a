/** The reports of many routes: formats, resumption, access and cost. */
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { periods, reports } from "#drizzle/schema/index.ts";
import { recognise } from "../domain/accounts/session.server.ts";
import { issueKey } from "../domain/api-keys/issue.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { checkout } from "../domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "../domain/subscriptions/settle.server.ts";
import { type CallOptions, call } from "../testing/api-client.ts";
import { createWorld, payWith, type World } from "../testing/world.ts";

// biome-ignore lint/suspicious/noExplicitAny: each test asserts the shape
type Row = Record<string, any>;

let world: World;
let token: string;
let key: { secret: string; user: string };
let stranger: string;
/** Two subscribed routes, and one that is not. */
let routeIds: number[];
let foreignRouteId: number;

beforeAll(async () => {
  world = await createWorld({ webhooks: false });
  const holder = await world.account("analyst");
  token = holder.token;
  stranger = (await world.account("stranger")).token;
  const [first, second, third] = world.routes.toSorted((a, b) => a.id - b.id);
  routeIds = [first?.id ?? 0, second?.id ?? 0];
  foreignRouteId = third?.id ?? 0;
  const items = [first, second].map((route) => ({ periodId: route?.periods[0]?.id ?? 0, term: "1_month" as const }));
  const { intent } = await checkout(world.ctx, holder.caller, { items, autoRenew: false });
  await payWith(world, intent);
  await confirmPayment(world.ctx, holder.caller, { paymentIntentId: intent.id });
  const issued = await issueKey(world.ctx, holder.caller, { api_key_name: "bulk", user: "analyst" });
  key = { secret: issued.secret, user: "analyst" };
});
afterAll(() => world.close());
beforeEach(() => {
  world.ctx.rateLimiter = memoryRateLimiter();
});

const get = (query: string, options: CallOptions = { token }) =>
  call(world, "GET", `/route-access/reports?${query}`, options);

const jsonLines = (text: string): Row[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** As in RFC 4180. */
const csvRows = (text: string): Row[] => {
  const [header = [], ...rows] = [...text.matchAll(/((?:(?:"(?:[^"]|"")*"|[^",\r\n]*),?)+)\r\n/g)].map(
    ([, line = ""]) =>
      [...`${line},`.matchAll(/(?:"((?:[^"]|"")*)"|([^",]*)),/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
      ),
  );
  return rows.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index]])));
};

const parquetRows = (bytes: Uint8Array): Promise<Row[]> =>
  parquetReadObjects({ file: new Uint8Array(bytes).buffer as ArrayBuffer });

const allPages = async (query = ""): Promise<Row[]> => {
  const rows: Row[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { body } = await get(`limit=100&${query}${cursor ? `&cursor=${cursor}` : ""}`);
    rows.push(...body.reports);
    cursor = body.next_cursor;
  }
  return rows;
};

const idsOf = (rows: Row[]) => rows.map(({ id }) => Number(id));

describe("The reports of many routes", () => {
  it("are those of every subscribed route and its history, by route, observation and id", async () => {
    const rows = jsonLines((await get("format=jsonl")).text);
    expect(new Set(rows.map(({ route_id }) => route_id))).toEqual(new Set(routeIds));
    const keys = rows.map(({ route_id, observed_at, id }) => [route_id, Date.parse(observed_at), id]);
    expect(keys).toEqual(keys.toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]));
    expect(rows.length).toBeGreaterThan(200);
    const own: number[] = [];
    for (const id of routeIds) {
      let next = "";
      do {
        const { body } = await call(world, "GET", `/route-access/routes-data?id=${id}&limit=100${next}`, { token });
        own.push(...idsOf(body.reports));
        next = body.next_cursor ? `&cursor=${body.next_cursor}` : "";
      } while (next);
    }
    expect(idsOf(rows).toSorted((a, b) => a - b)).toEqual(own.toSorted((a, b) => a - b));
  });

  it("are the same rows in every format", async () => {
    const pages = await allPages();
    const lines = await get("format=jsonl");
    const csv = await get("", { token, headers: { Accept: "text/csv, application/json;q=0.5" } });
    const parquet = await get("", { key, headers: { Accept: "application/vnd.apache.parquet" } });
    // The rows of pages name the newest report in each cursor, so that they agree here.
    expect(jsonLines(lines.text)).toEqual(pages);
    const text = (value: unknown) => (value === null || value === undefined ? "" : String(value));
    const comparable = ["route_id", "route_code", "period_id", "id", "observed_at", "report_type", "transit_days"];
    const money = ["base_rate_cents", "surcharges_cents", "all_in_cents", "available_capacity", "on_time_percent"];
    const columns = [...comparable, ...money, "currency", "basis", "booking_status", "equipment_type", "cursor"];
    const picked = (rows: Row[], names: string[]) =>
      rows.map((row) => names.map((name) => text(row[name] instanceof Date ? row[name].toISOString() : row[name])));
    expect(picked(csvRows(csv.text), columns)).toEqual(picked(pages, columns));
    const inParquet = await parquetRows(parquet.bytes);
    const withoutCursor = columns.filter((name) => name !== "cursor");
    expect(picked(inParquet, withoutCursor)).toEqual(picked(pages, withoutCursor));
    expect(inParquet[0]).toMatchObject({ id: expect.any(BigInt), observed_at: expect.any(Date) });
    expect([lines, csv, parquet].map(({ headers }) => headers["Content-Type"])).toEqual([
      "application/x-ndjson",
      "text/csv; charset=utf-8; header=present",
      "application/vnd.apache.parquet",
    ]);
    expect(lines.headers["X-Total-Rows"]).toBe(String(pages.length));
  });

  it("are filtered by route, lane, time, type, service level and equipment", async () => {
    const all = await allPages();
    const matching = async (query: string, matches: (row: Row) => boolean) => {
      const expected = idsOf(all.filter(matches));
      expect(expected.length).toBeGreaterThan(0);
      world.ctx.rateLimiter = memoryRateLimiter();
      expect(idsOf(jsonLines((await get(`format=jsonl&${query}`)).text))).toEqual(expected);
      expect(idsOf(await allPages(query))).toEqual(expected);
    };
    await matching(`route_id=${routeIds[1]}`, ({ route_id }) => route_id === routeIds[1]);
    await matching(`trade_lane=${all[0]?.trade_lane}`, ({ trade_lane }) => trade_lane === all[0]?.trade_lane);
    await matching(
      "from=2026-06-01&to=2026-09-01",
      ({ observed_at }) => observed_at >= "2026-06-01" && observed_at < "2026-09-01",
    );
    await matching("report_type=capacity", ({ report_type }) => report_type === "capacity");
    await matching("service_level=standard", ({ service_level }) => service_level === "standard");
    await matching("equipment_type=45g1", ({ equipment_type }) => equipment_type === "45G1");
  });

  it("may be none, in every format", async () => {
    const none = "from=2031-01-01";
    expect((await get(none)).body).toEqual({ reports: [], next_cursor: null });
    expect((await get(`${none}&format=jsonl`)).text).toBe("");
    const csv = await get(`${none}&format=csv`);
    expect(csv.text).toMatch(/^route_id,.*,cursor\r\n$/);
    expect(csv.headers).toMatchObject({ "X-Request-Cost": "1", "X-Total-Rows": "0" });
    expect(await parquetRows((await get(`${none}&format=parquet`)).bytes)).toEqual([]);
    expect(jsonLines((await get("format=jsonl", { token: stranger })).text)).toEqual([]);
    expect((await get("trade_lane=NO-SUCH-LANE&format=jsonl")).text).toBe("");
  });
});

describe("Access to the reports of many routes", () => {
  it("is rejected for a route without a subscription, and for one that does not exist", async () => {
    expect((await get(`route_id=${routeIds[0]},${foreignRouteId}`)).status).toBe(403);
    expect((await get(`route_id=${routeIds[0]}&format=csv`, { token: stranger })).status).toBe(403);
    expect((await get("route_id=2147483647&format=csv")).status).toBe(404);
  });

  it.each(["route_id=", "route_id=1,x", "route_id=0", "format=xml", "format=csv&limit=5", "cursor=nonsense"])(
    "is refused for %s",
    async (query) => {
      expect((await get(query)).status).toBe(422);
    },
  );
});

it.each(["json", "csv"])("An end before the start is rejected at `to`: %s", async (format) => {
  const response = await get(`format=${format}&from=2026-11-20&to=2026-11-01`);
  expect(response.status).toBe(422);
  expect(JSON.parse(response.text)).toMatchObject({
    errors: [{ path: "to", message: "Must not be before the start" }],
  });
});

describe("A download that broke off", () => {
  it.each(["jsonl", "csv"] as const)(
    "goes on after the last complete row as %s, wherever it was cut",
    async (format) => {
      const { bytes } = await get(`format=${format}&route_id=${routeIds[0]}`);
      const rowsOf = format === "csv" ? csvRows : jsonLines;
      const end = format === "csv" ? "\r\n" : "\n";
      const whole = idsOf(rowsOf(Buffer.from(bytes).toString()));
      for (const part of [0.1, 0.37, 0.5, 0.83, 0.999]) {
        const received = Buffer.from(bytes.subarray(0, Math.floor(bytes.length * part))).toString();
        const rows = rowsOf(received.slice(0, received.lastIndexOf(end) + end.length));
        const rest = await get(`format=${format}&route_id=${routeIds[0]}&cursor=${rows.at(-1)?.cursor}`);
        expect([...idsOf(rows), ...idsOf(rowsOf(rest.text))]).toEqual(whole);
        expect(rest.headers["X-Total-Rows"]).toBe(String(whole.length - rows.length));
      }
    },
  );

  it("does not contain reports that were imported meanwhile, whatever their time", async () => {
    const before = jsonLines((await get("format=jsonl")).text);
    const [period] = await world.ctx.db.select().from(periods).limit(1);
    const found = before.find(({ period_id }) => period_id === period?.id) ?? before[0];
    const observations = ["2025-11-02T00:00:00Z", "2026-11-19T23:00:00Z"];
    await world.ctx.db.insert(reports).values(
      observations.map((observedAt) => ({
        ...{ periodId: Number(found?.period_id), type: "schedule" as const, serviceLevel: "standard" as const },
        ...{ observedAt: new Date(observedAt), vessel: '=HYPERLINK("x")\r\n"quoted", vessel' },
      })),
    );
    const [first] = before;
    const rest = jsonLines((await get(`format=jsonl&cursor=${first?.cursor}`)).text);
    expect(idsOf(rest)).toEqual(idsOf(before.slice(1)));
    const anew = jsonLines((await get("format=jsonl")).text);
    expect(anew).toHaveLength(before.length + 2);
  });

  it("keeps hostile names intact, and safe for spreadsheets", async () => {
    const { text } = await get("format=csv&report_type=schedule&to=2025-11-03");
    expect(csvRows(text).map(({ vessel }) => vessel)).toContain(`'=HYPERLINK("x")\r\n"quoted", vessel`);
    const parquet = await parquetRows((await get("format=parquet&report_type=schedule&to=2025-11-03")).bytes);
    expect(parquet.map(({ vessel }) => vessel)).toContain('=HYPERLINK("x")\r\n"quoted", vessel');
  });
});

describe("The cost of a download", () => {
  let wide: string;
  const bigPeriod = async (rows: number) => {
    const { caller, token } = await world.account();
    const route = world.routes.find(({ id }) => id === foreignRouteId);
    const periodId = route?.periods[0]?.id ?? 0;
    const items = [{ periodId, term: "1_month" as const }];
    const { intent } = await checkout(world.ctx, caller, { items, autoRenew: false });
    await payWith(world, intent);
    await confirmPayment(world.ctx, caller, { paymentIntentId: intent.id });
    const at = (index: number) => new Date(Date.UTC(2026, 10, 1, 0, index));
    for (let from = 0; from < rows; from += 2_000) {
      const batch = Array.from({ length: Math.min(2_000, rows - from) }, (_, i) => ({
        ...{ periodId, type: "capacity" as const, serviceLevel: "standard" as const, observedAt: at(from + i) },
      }));
      await world.ctx.db.insert(reports).values(batch).onConflictDoNothing();
    }
    return token;
  };
  beforeAll(async () => {
    wide = await bigPeriod(4_500);
  });
  const window = "from=2026-11-01&to=2026-11-05&report_type=capacity&service_level=standard";

  it("is one request for every 1,000 rows, in the header, the quota and the usage log", async () => {
    const reply = await get(`format=jsonl&${window}`, { token: wide });
    const rows = jsonLines(reply.text);
    expect(new Set(idsOf(rows)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(4_000);
    const cost = Math.ceil(rows.length / 1_000);
    expect(reply.headers).toMatchObject({
      "X-Request-Cost": String(cost),
      "X-Total-Rows": String(rows.length),
      "X-RateLimit-Remaining": String(1_000 - cost),
    });
    const { body } = await call(world, "GET", "/api-usage-logs", { token: wide });
    expect(body.usage_logs[0]).toMatchObject({
      endpoint: "/route-access/reports",
      request_cost: cost,
      response_bytes: reply.bytes.length,
    });
    const usage = await call(world, "GET", "/subscriptions/api-call-usage?period=hours", { token: wide });
    expect(usage.body.totals.requests).toBe(cost + 1);
    expect(usage.body.quota.remaining).toBe(1_000 - cost - 2);
  });

  it("is returned by HEAD, which costs one request", async () => {
    const before = (await call(world, "GET", "/subscriptions/my-stats", { token: wide })).body.requests.today;
    const head = await call(world, "HEAD", `/route-access/reports?format=csv&${window}`, { token: wide });
    expect(head.headers).toMatchObject({ "X-Request-Cost": "5", "X-RateLimit-Remaining": "998" });
    const after = (await call(world, "GET", "/subscriptions/my-stats", { token: wide })).body.requests.today;
    expect(after - before).toBe(2);
  });

  it("is rejected before the download begins if the hour does not cover it", async () => {
    const budget = { hourly: 1_000, burst: 20 };
    const caller = await recognise(world.ctx, wide, "bearer");
    const earlier = new Date(world.clock.now().getTime() - 5_000);
    await world.ctx.rateLimiter.take(`account:${caller?.account.id}`, budget, earlier, 996);
    const refused = await get(`format=csv&${window}`, { token: wide });
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({ "Retry-After": "1800", "X-RateLimit-Remaining": "3" });
    expect((await get("format=csv&from=2026-11-01&to=2026-11-02", { token: wide })).status).toBe(200);
  });
});
