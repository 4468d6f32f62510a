/** Route data as of an earlier time: whatever was answered then is answered again. */
import { Readable } from "node:stream";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "#drizzle/schema/index.ts";
import type { Caller, OperatorCaller } from "../domain/accounts/caller.ts";
import { issueKey } from "../domain/api-keys/issue.server.ts";
import { deleteOldHistory } from "../domain/catalogue/as-of.server.ts";
import { browse } from "../domain/catalogue/browse.server.ts";
import { feedDemo } from "../domain/catalogue/demo-feed.server.ts";
import { lockCatalogue } from "../domain/catalogue/import.server.ts";
import { turnPeriods } from "../domain/catalogue/turn-periods.server.ts";
import { applyImport, checkFile } from "../domain/imports/imports.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { feedDemoSchedule } from "../domain/schedules/demo/demo-schedule.server.ts";
import {
  changeRecord,
  createRecord,
  restoreRecord,
  retireRecord,
  setBasePrice,
} from "../domain/stock/change-records.server.ts";
import { readRecord } from "../domain/stock/list-records.server.ts";
import { closePeriod, setLanePromise } from "../domain/stock/manage-periods.server.ts";
import { releasePrice, setPrice } from "../domain/stock/set-price.server.ts";
import { recomputePopularity } from "../domain/subscriptions/popularity.server.ts";
import { moveToSuccessors } from "../domain/subscriptions/succession.server.ts";
import { call } from "../testing/api-client.ts";
import { periodOf, subscribe } from "../testing/purchases.ts";
import { createWorld, type World } from "../testing/world.ts";

const routeCode = "C-CNSHA-NLRTM-PEL9";
const start = "2026-11-20T09:30:00.000Z";

type Reader = {
  world: World;
  operator: OperatorCaller;
  caller: Caller;
  routeId: number;
  key: { secret: string; user: string };
};

const openReader = async (): Promise<Reader> => {
  const world = await createWorld({ webhooks: false, routeCodes: [routeCode, "C-CNNGB-GBFXT-MRG9"], now: start });
  const { caller } = await world.account("reader");
  await subscribe(world, caller, { periodId: periodOf(world, routeCode), term: "12_months" });
  const { secret } = await issueKey(world.ctx, caller, { api_key_name: "as of", user: "reader" });
  const routeId = world.routes.find(({ code }) => code === routeCode)?.id ?? 0;
  return { world, operator: await world.operator(), caller, routeId, key: { secret, user: "reader" } };
};

const read = ({ world, routeId, key }: Reader, query = "", headers: Record<string, string> = {}) => {
  world.ctx.rateLimiter = memoryRateLimiter();
  return call(world, "GET", `/api-routes-data?id=${routeId}${query}`, { key, headers });
};

/** The document with the reports of all pages, from two months on. */
const readAll = async (reader: Reader, query = "") => {
  const every = `&from=2026-10-01&limit=60${query}`;
  const { body: document } = await read(reader, every);
  for (let cursor = document.next_cursor; cursor !== null; ) {
    const { body } = await read(reader, `${every}&cursor=${cursor}`);
    document.reports.push(...body.reports);
    cursor = body.next_cursor;
  }
  return { ...document, next_cursor: null };
};

/** As text, without what follows from the subscriptions of the present. */
const withoutAccess = (document: Record<string, unknown>): string =>
  JSON.stringify(document, (name, value) => (name === "access" || name === "has_access" ? undefined : value), 1);

describe("As of any moment of the past", () => {
  it("the whole document is the one that was answered then", async () => {
    const reader = await openReader();
    const { world, operator, routeId } = reader;
    const { ctx } = world;
    const records: { at: string; document: Record<string, unknown> }[] = [];
    const remember = async (at: string) => {
      world.clock.set(at);
      records.push({ at, document: await readAll(reader) });
    };
    const bySql = (...statements: ReturnType<typeof sql>[]) =>
      ctx.db.transaction(async (tx) => {
        await lockCatalogue(tx, { now: ctx.clock.now(), source: "operator" });
        for (const statement of statements) await tx.execute(statement);
      });
    const bump = sql`update routes set version = version + 1, updated_at = ${sql.raw("current_setting('service.now')::timestamptz")} where id = ${routeId}`;
    const imported = async (text: string) => {
      const { id, done } = await checkFile(ctx, operator, {
        fileName: "file",
        content: Readable.from([Buffer.from(text)]),
      });
      await done;
      await (await applyImport(ctx, operator, { id })).done;
    };
    const lane = world.routes.find(({ code }) => code === routeCode)?.tradeLane.code ?? "";
    const period = `${routeCode}/2026-Q4`;
    await bySql(sql`update periods set freshness = 'real_time' where ends_on is null`);
    const before = await readAll(reader);
    const [rate] = before.reports.filter(({ report_type }: { report_type: string }) => report_type === "rate");
    const header =
      "route_code,service_level,valid_from,valid_to,equipment_type,charge_type,charge_code,amount,currency,basis";

    const changes: [name: string, change: () => Promise<unknown>][] = [
      ["the feed", () => feedDemo(ctx)],
      [
        "new rates",
        () =>
          imported(
            `${header}\n${routeCode},standard,2026-11-21,,45G1,base,BAS,4410,USD,per_container\n${routeCode},standard,2026-11-21,,45G1,surcharge,BAF,655,USD,per_container\n`,
          ),
      ],
      [
        "a corrected report",
        () =>
          imported(
            `${JSON.stringify({ route_code: routeCode, report_type: "rate", observed_at: rate.observed_at, external_id: "corrected", data: { service_level: rate.service_level, equipment_type: rate.equipment_type, market: "spot", currency: "USD", basis: "per_container", base_rate: 1234 } })}\n`,
          ),
      ],
      ["a deleted report", () => bySql(sql`delete from reports where id = ${rate.id}`, bump)],
      ["the feed a week later", () => feedDemo(ctx)],
      [
        "a delayed sailing",
        () =>
          bySql(
            sql`update sailings set etd = etd + interval '1 day', eta = eta + interval '1 day' where route_id = ${routeId} and etd > current_setting('service.now')::timestamptz`,
            bump,
          ),
      ],
      [
        "another vessel",
        () =>
          bySql(
            sql`update sailing_legs set vessel = 'Another Vessel' where sailing_id in (select id from sailings where route_id = ${routeId})`,
            bump,
          ),
      ],
      [
        "a withdrawn sailing",
        () =>
          bySql(
            sql`delete from sailings where id = (select min(id) from sailings where route_id = ${routeId} and etd > current_setting('service.now')::timestamptz)`,
            bump,
          ),
      ],
      [
        "a lost rate",
        () => bySql(sql`delete from base_rates where route_id = ${routeId} and amount_cents = 441000`, bump),
      ],
      // The path is changed second, so that the first change has kept the row without it.
      ["another path", () => bySql(bump, sql`update routes set waypoints = waypoints - 1 where id = ${routeId}`)],
      [
        "a slower service",
        () => bySql(sql`update service_levels set transit_days = transit_days + 1 where route_id = ${routeId}`, bump),
      ],
      [
        "a renamed port",
        () => changeRecord(ctx, operator, { kind: "port", code: "CNSHA", values: { name: "Port of Shanghai" } }),
      ],
      [
        "a renamed carrier",
        () => changeRecord(ctx, operator, { kind: "carrier", code: "PEL9", values: { name: "Another name (demo)" } }),
      ],
      [
        "an operator's price",
        () =>
          setPrice(ctx, operator, {
            code: period,
            values: { kind: "override", monthly_price: "99.00", valid_from: "", valid_to: "", reason: "A test" },
          }),
      ],
      ["the price released", () => releasePrice(ctx, operator, { code: period })],
      [
        "a lane's price",
        () =>
          setBasePrice(ctx, operator, {
            code: lane,
            values: { base_price: "77.00", valid_from: ctx.clock.now().toISOString().slice(0, 10) },
          }),
      ],
      [
        "a lane's promise",
        () =>
          setLanePromise(ctx, operator, {
            code: lane,
            values: { real_time_minutes: "15", daily_minutes: "60", weekly_minutes: "1440", period_freshness: "" },
          }),
      ],
      ["another demand", () => recomputePopularity(ctx)],
      ["a retired period", () => retireRecord(ctx, operator, { kind: "period", code: period })],
      ["the period restored", () => restoreRecord(ctx, operator, { kind: "period", code: period })],
      [
        "two changes at once",
        () =>
          bySql(
            sql`update routes set capacity_available = 1 where id = ${routeId}`,
            sql`update routes set capacity_available = 2 where id = ${routeId}`,
            bump,
          ),
      ],
      ["the feed after some weeks", () => feedDemo(ctx)],
    ];
    let time = Date.parse(start);
    const pass = (hours: number) => {
      time += hours * 3_600_000;
      return new Date(time).toISOString();
    };
    await remember(pass(1));
    const unseen: string[] = [];
    for (const [name, change] of changes) {
      world.clock.set(pass(13));
      const { text: unchanged } = await read(reader);
      await change();
      if ((await read(reader)).text === unchanged) unseen.push(name);
      await remember(new Date(time).toISOString());
      await remember(pass(7));
    }
    expect(unseen).toEqual([]);
    // The feed thins its capacities after some days.
    for (let run = 0; run < 12; run++) {
      world.clock.set(pass(11));
      await feedDemo(ctx);
      await feedDemoSchedule(ctx);
      await remember(new Date(time).toISOString());
    }
    world.clock.set(pass(1));
    const [current] = await ctx.db.execute<{ id: number }>(sql`select id from periods where code = ${period}`);
    await closePeriod(ctx, operator, {
      id: current?.id ?? 0,
      endsOn: new Date(time + 86_400_000).toISOString().slice(0, 10),
      opensNext: true,
    });
    await remember(pass(1));
    world.clock.set("2027-01-02T00:10:00.000Z");
    await feedDemo(ctx);
    await turnPeriods(ctx);
    await moveToSuccessors(ctx);
    await remember("2027-01-02T00:20:00.000Z");
    world.clock.set("2027-02-01T00:00:00.000Z");
    await feedDemo(ctx);

    const thinned = await ctx.db.execute(sql`select from history.reports where external_id = 'demo feed'`);
    expect(thinned.length).toBeGreaterThan(5);
    for (const { at, document } of records) {
      const now = await readAll(reader, `&as_of=${at}`);
      expect(now.as_of).toBe(at);
      expect(withoutAccess({ ...now, as_of: null }), at).toBe(withoutAccess(document));
    }
    await world.close();
  }, 600_000);
});

describe("A request with as_of", () => {
  let reader: Reader;
  beforeAll(async () => {
    reader = await openReader();
  });
  afterAll(() => reader.world.close());

  const change = async (at: string, ...statements: ReturnType<typeof sql>[]) => {
    reader.world.clock.set(at);
    await reader.world.ctx.db.transaction(async (tx) => {
      await lockCatalogue(tx, { now: new Date(at), source: "operator" });
      for (const statement of statements) await tx.execute(statement);
      await tx
        .update(routes)
        .set({ version: sql`${routes.version} + 1` })
        .where(eq(routes.id, reader.routeId));
    });
  };
  const renamed = (name: string) => sql`update routes set name = ${name} where id = ${reader.routeId}`;
  const nameAt = async (query: string) => (await read(reader, `&limit=1${query}`)).body.name;

  it("takes a date for its first instant, and repeats the time", async () => {
    await change("2026-11-21T12:00:00Z", renamed("Second"));
    const reply = await read(reader, "&as_of=2026-11-21&limit=1");
    expect(reply.body).toMatchObject({ as_of: "2026-11-21T00:00:00.000Z", name: "Shanghai – Rotterdam" });
    expect(await nameAt("&as_of=2026-11-21T12:59:59%2B01:00")).toBe("Shanghai – Rotterdam");
    expect(await nameAt("&as_of=2026-11-21T13:00:00%2B01:00")).toBe("Second");
    expect((await read(reader, "&limit=1")).body).toMatchObject({ as_of: null, name: "Second" });
  });

  it.each([
    ["in the future", "2026-11-21T12:00:00.001Z", "Must not be in the future"],
    ["before the kept history", "2025-10-16", "We keep earlier values for 400 days. Must be 2025-10-17 or later"],
    ["that is no time", "yesterday", "Must be a date (2026-11-20) or a time in ISO 8601 (2026-11-20T09:30:00Z)"],
  ])("%s is a 422", async (_, asOf, message) => {
    const { status, body } = await read(reader, `&as_of=${asOf}`);
    expect([status, body.errors]).toEqual([422, [{ path: "as_of", message }]]);
  });

  it("has its own ETag", async () => {
    const tags = await Promise.all(
      ["", "&as_of=2026-11-20", "&as_of=2026-11-21"].map(async (query) => (await read(reader, query)).headers.ETag),
    );
    expect(new Set(tags).size).toBe(3);
    const again = await read(reader, "&as_of=2026-11-21", { "If-None-Match": tags[2] ?? "" });
    expect(again.status).toBe(304);
  });

  it("pages through what was known, whatever arrives meanwhile", async () => {
    const [asOf, query] = ["2026-11-21T12:00:00.000Z", "&report_type=rate"];
    const expected = (await readAll(reader, `${query}&as_of=${asOf}`)).reports;
    const first = (await read(reader, `${query}&limit=5&as_of=${asOf}`)).body;
    await change(
      "2026-11-21T13:00:00Z",
      sql`delete from reports where id = ${expected[7].id}`,
      sql`update reports set base_rate_cents = 1, observed_at = observed_at + interval '1 hour' where id = ${expected[8].id}`,
    );
    const second = (await read(reader, `${query}&limit=5&as_of=${asOf}&cursor=${first.next_cursor}`)).body;
    expect([...first.reports, ...second.reports]).toEqual(expected.slice(0, 10));
    expect((await readAll(reader, query)).reports).not.toContainEqual(expected[7]);
  });

  it("leaves the connections as they were", async () => {
    await change("2026-11-22T12:00:00Z", renamed("Third"));
    const times = ["", "&as_of=2026-11-21", "&as_of=2026-11-22", "&as_of=2026-11-22T12:00:00Z"];
    const names: [number, string][] = [];
    // Rounds within the limit of requests a second.
    for (let round = 0; round < 8; round++) {
      const answered = times.map(
        async (time, i): Promise<[number, string]> => [i, await nameAt(`${time}&from=${2000 + round}-01-01`)],
      );
      names.push(...(await Promise.all(answered)));
    }
    const expected = ["Third", "Shanghai – Rotterdam", "Second", "Third"];
    expect(names).toEqual(names.map(([time]) => [time, expected[time]]));
  });

  it("finds the demo's first reports as of when they were observed", async () => {
    const { reports } = await readAll(reader, "&as_of=2026-11-01");
    expect(reports.length).toBeGreaterThan(10);
    for (const { observed_at } of reports) expect(observed_at <= "2026-11-01T00:00:00.000Z").toBe(true);
  });

  it("answers the same with a bearer token", async () => {
    const { caller, token } = await reader.world.account("bearer");
    await subscribe(reader.world, caller, { periodId: periodOf(reader.world, routeCode) });
    const path = `/route-access/routes-data?id=${reader.routeId}&as_of=2026-11-21T12:00:00Z&limit=3`;
    const { body } = await call(reader.world, "GET", path, { token });
    expect(withoutAccess(body)).toBe(withoutAccess((await read(reader, "&as_of=2026-11-21T12:00:00Z&limit=3")).body));
  });

  it("requires access today, not at that time", async () => {
    const { world } = reader;
    const { caller, token } = await world.account("lapsed");
    const path = `/route-access/routes-data?id=${reader.routeId}&as_of=2026-11-20`;
    expect((await call(world, "GET", path, { token })).status).toBe(403);
    await subscribe(world, caller, { periodId: periodOf(world, routeCode), autoRenew: false });
    expect((await call(world, "GET", path, { token })).status).toBe(200);
  });

  it("finds no route that was not known yet", async () => {
    const { world, key } = reader;
    world.clock.set("2026-11-23T00:00:00Z");
    const { id } = await createRoute();
    expect((await call(world, "GET", `/api-routes-data?id=${id}&limit=1`, { key })).status).toBe(200);
    const then = await call(world, "GET", `/api-routes-data?id=${id}&as_of=2026-11-22`, { key });
    expect([then.status, then.body.message]).toEqual([404, "Route not found"]);
  });

  /** A copy of another route, to which the reader subscribes. */
  const createRoute = async (): Promise<{ id: number }> => {
    const { world } = reader;
    const values = (await readRecord(world.ctx, reader.operator, { kind: "route", id: reader.routeId })).values;
    const code = "C-CNSHA-NLRTM-MRG9";
    await createRecord(world.ctx, reader.operator, {
      kind: "route",
      values: { ...values, record_code: code, carrier_code: "MRG9" },
    });
    await createRecord(world.ctx, reader.operator, {
      kind: "period",
      values: { record_code: "", route_code: code, starts_on: "2026-11-01", ends_on: "", freshness: "weekly" },
    });
    const { rows } = await browse(world.ctx, { q: code }, { limit: 1 });
    const route = rows[0];
    await subscribe(world, reader.caller, { periodId: route?.periods[0]?.id ?? 0 });
    return { id: route?.id ?? 0 };
  };
});

describe("Earlier values", () => {
  it("are deleted once no request can ask for them", async () => {
    const { world } = await openReader();
    const { ctx, clock } = world;
    const rename = async (at: string, name: string) => {
      clock.set(at);
      await ctx.db.transaction(async (tx) => {
        await lockCatalogue(tx, { now: new Date(at), source: "operator" });
        await tx.execute(sql`update carriers set name = ${name} where code = 'PEL9'`);
      });
    };
    await rename("2026-11-21T00:00:00Z", "Second");
    await rename("2026-11-22T00:00:00Z", "Third");
    clock.set("2027-12-26T04:12:00Z");
    expect(await deleteOldHistory(ctx)).toBeGreaterThan(0);
    expect(await deleteOldHistory(ctx)).toBe(0);
    const kept = await ctx.db.execute<{ name: string }>(sql`select name from history.carriers`);
    expect(kept.map(({ name }) => name)).toEqual(["Second"]);
    await world.close();
  });
});
