/** The age of data: the maximum, late data, and the demo's feed. */
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outboxMessages, periods, reports, routes } from "#drizzle/schema/index.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { runDueWork } from "../jobs/due-work.server.ts";
import { setLanePromise } from "../stock/manage-periods.server.ts";
import { openRouteData } from "../subscriptions/route-access.server.ts";
import { browse } from "./browse.server.ts";
import { feedDemo } from "./demo-feed.server.ts";
import { dataAge, maxAgeMinutes } from "./freshness.ts";
import { announceLateData, listLate } from "./late-data.server.ts";
import { surchargesTotalCents } from "./rate-report.ts";
import { turnPeriods } from "./turn-periods.server.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ webhooks: false });
});
afterEach(() => world.close());

const at = (instant: string) => world.clock.set(instant);
const setFreshness = (freshness: "real_time" | "daily" | "weekly") => world.ctx.db.update(periods).set({ freshness });
const ages = async () => (await browse(world.ctx, {}, { limit: 100 })).rows.flatMap(({ periods }) => periods);
const reportsIn = (condition = sql`true`) => world.ctx.db.$count(reports, condition);

describe("The age of a period's data", () => {
  const observed = { startsOn: "2026-10-01", endsOn: null, dataAsOf: new Date("2026-11-20T08:00:00Z") };
  const now = new Date("2026-11-20T09:00:00Z");

  it.each([
    ["real_time", "2026-11-20T09:00:00.000Z"],
    ["daily", "2026-11-21T08:00:00.000Z"],
    ["weekly", "2026-11-27T08:00:00.000Z"],
  ] as const)("makes the next %s observation due at %s", (freshness, due) => {
    const age = dataAge({ ...observed, maxAgeMinutes: maxAgeMinutes[freshness] }, now);
    expect([age.nextUpdateDue?.toISOString(), age.isStale]).toEqual([due, false]);
    expect(dataAge({ ...observed, maxAgeMinutes: 59 }, now).isStale).toBe(true);
  });

  it("counts from the first day while there is no observation", () => {
    const age = dataAge({ ...observed, dataAsOf: null, maxAgeMinutes: 60 }, now);
    expect(age).toEqual({ dataAsOf: null, nextUpdateDue: new Date("2026-10-01T01:00:00Z"), isStale: true });
  });

  it.each([
    ["has ended", { endsOn: "2026-11-20" }],
    ["has not begun", { startsOn: "2026-11-21" }],
  ])("is never late when the period %s", (_, change) => {
    expect(dataAge({ ...observed, ...change, maxAgeMinutes: 1 }, now)).toMatchObject({
      nextUpdateDue: null,
      isStale: false,
    });
  });

  it("follows the lane's own maximum", async () => {
    await setFreshness("real_time");
    await feedDemo(world.ctx);
    const [version] = await world.ctx.db.select({ of: routes.version }).from(routes).limit(1);
    for (const { tradeLane } of world.routes) {
      await setLanePromise(world.ctx, await world.operator(), {
        code: tradeLane.code,
        values: { real_time_minutes: "15", daily_minutes: "", weekly_minutes: "", period_freshness: "" },
      });
    }
    const due = new Set((await ages()).map(({ nextUpdateDue }) => nextUpdateDue?.toISOString()));
    expect(due).toEqual(new Set(["2026-11-20T09:45:00.000Z"]));
    const [changed] = await world.ctx.db.select({ of: routes.version }).from(routes).limit(1);
    expect(changed?.of).toBeGreaterThan(version?.of ?? 0);
  });
});

describe("The feed of the demo", () => {
  it("makes real-time data new, and keeps it within the hour", async () => {
    await setFreshness("real_time");
    expect((await ages()).every(({ isStale }) => isStale)).toBe(true);
    expect(await feedDemo(world.ctx)).toBe(world.routes.length);
    expect(await feedDemo(world.ctx)).toBe(0);
    for (const time of ["09:40", "09:50", "10:00", "10:10", "10:20", "10:30", "10:40", "10:50", "11:00"]) {
      at(`2026-11-20T${time}:00Z`);
      expect((await ages()).every(({ isStale }) => !isStale)).toBe(true);
      await feedDemo(world.ctx);
    }
  });

  it.each([
    ["daily", "2026-11-21T08:00:00Z", "2026-11-21T09:00:00Z"],
    ["weekly", "2026-11-27T08:00:00Z", "2026-11-27T09:00:00Z"],
  ] as const)("writes %s data at its own cadence", async (freshness, notYet, due) => {
    await setFreshness("real_time");
    await feedDemo(world.ctx);
    await setFreshness(freshness);
    at(notYet);
    expect(await feedDemo(world.ctx)).toBe(0);
    at(due);
    expect(await feedDemo(world.ctx)).toBe(world.routes.length);
  });

  it("writes one observation per period for skipped time, and thins its history", async () => {
    await setFreshness("real_time");
    const before = await reportsIn();
    for (let minutes = 0; minutes < 3 * 24 * 60; minutes += 60) {
      world.clock.set(new Date(Date.parse("2026-11-20T09:30:00Z") + minutes * 60_000).toISOString());
      await feedDemo(world.ctx);
    }
    const perRoute = ((await reportsIn()) - before) / world.routes.length;
    // Two days of hours, the weekly rate of at most three equipment types, and one report for the rest.
    expect(perRoute).toBeLessThanOrEqual(2 * 24 + 5);
    const kept = await reportsIn();
    at("2026-12-30T09:30:00Z");
    expect(await feedDemo(world.ctx)).toBe(world.routes.length);
    expect(await reportsIn()).toBeLessThanOrEqual(kept + 4 * world.routes.length);
  });

  it("continues the series of every equipment type, with units", async () => {
    await setFreshness("weekly");
    at("2026-11-28T09:30:00Z");
    await feedDemo(world.ctx);
    const fed = await world.ctx.db
      .select()
      .from(reports)
      .innerJoin(periods, eq(periods.id, reports.periodId))
      .innerJoin(routes, eq(routes.id, periods.routeId))
      .where(sql`${reports.observedAt} = '2026-11-28T09:30:00Z' and ${routes.code} = 'C-CNSHA-NLRTM-PEL9'`)
      .orderBy(reports.type, reports.equipmentType);
    const figures = fed.map(({ reports: { type, equipmentType, basis, currency, capacityUnit } }) => [
      ...[type, equipmentType, basis, currency, capacityUnit],
    ]);
    expect(figures).toEqual([
      ...["22G1", "45G1", "45R1"].map((equipment) => ["rate", equipment, "per_container", "USD", null]),
      ["capacity", "", null, null, "TEU"],
    ]);
    for (const { reports: report } of fed.slice(0, 3)) {
      expect(report.surcharges?.map(({ code }) => code)).toContain("BAF");
      expect(report.surchargesCents).toBe(surchargesTotalCents(report.surcharges ?? [], "USD"));
    }
  });

  it("starts over with the period that a turn has opened", async () => {
    await setFreshness("daily");
    at("2027-01-01T00:10:00Z");
    await turnPeriods(world.ctx);
    expect((await ages()).map(({ dataAsOf }) => dataAsOf)).toEqual(world.routes.map(() => null));
    await feedDemo(world.ctx);
    expect((await ages()).every(({ dataAsOf }) => dataAsOf?.toISOString() === "2027-01-01T00:10:00.000Z")).toBe(true);
  });

  it("writes nothing outside test mode, and nothing for other carriers", async () => {
    const before = await reportsIn();
    const production = { ...world.ctx, settings: { ...world.ctx.settings, testMode: false } };
    expect(await feedDemo(production)).toBe(0);
    await world.ctx.db.execute(sql`update carriers set name = 'A real line'`);
    expect(await feedDemo(world.ctx)).toBe(0);
    expect(await reportsIn()).toBe(before);
  });
});

describe("Route data", () => {
  it("has a new version when data arrives or becomes late, and not because time passes", async () => {
    await setFreshness("real_time");
    const { caller } = await world.account();
    const { routeId } = await subscribe(world, caller);
    await feedDemo(world.ctx);
    const open = async () => {
      const { version, read } = await openRouteData(world.ctx, caller, { id: routeId, limit: 5 });
      const { periods, reports } = await read();
      return { version, period: periods[0], latest: reports.rows[0]?.observedAt.toISOString() };
    };
    const first = await open();
    expect(first).toMatchObject({ period: { isStale: false }, latest: "2026-11-20T09:30:00.000Z" });
    at("2026-11-20T10:29:59Z");
    expect((await open()).version).toBe(first.version);
    at("2026-11-20T10:30:01Z");
    const late = await open();
    expect(late.version).not.toBe(first.version);
    expect(late.period?.isStale).toBe(true);
    at("2026-11-20T10:45:00Z");
    expect((await open()).version).toBe(late.version);
    await feedDemo(world.ctx);
    const arrived = await open();
    expect(new Set([first.version, late.version, arrived.version]).size).toBe(3);
    expect(arrived).toMatchObject({ period: { isStale: false }, latest: "2026-11-20T10:45:00.000Z" });
  });
});

describe("Late data", () => {
  it("is listed, and announced to each operator once until new data comes", async () => {
    const operator = await world.operator();
    await setFreshness("daily");
    await feedDemo(world.ctx);
    expect(await listLate(world.ctx, operator, { limit: 10 })).toEqual({ rows: [], total: 0 });
    expect(await announceLateData(world.ctx)).toBe(0);
    at("2026-11-21T09:31:00Z");
    const { rows, total } = await listLate(world.ctx, operator, { limit: 2 });
    expect([rows.length, total]).toEqual([2, world.routes.length]);
    const announced = await Promise.all([1, 2, 3].map(() => announceLateData(world.ctx)));
    expect(announced.sort()).toEqual([0, 0, world.routes.length]);
    at("2026-11-22T09:31:00Z");
    expect(await announceLateData(world.ctx)).toBe(0);
    const mail = () =>
      world.ctx.db
        .select({ subject: outboxMessages.subject, text: outboxMessages.text })
        .from(outboxMessages)
        .where(eq(outboxMessages.accountId, operator.account.id));
    expect(await mail()).toEqual([
      { subject: "Late data in 3 periods", text: expect.stringContaining("data as of 20 Nov 2026, 09:30 UTC") },
    ]);
    await feedDemo(world.ctx);
    at("2026-11-24T09:31:00Z");
    expect(await announceLateData(world.ctx)).toBe(world.routes.length);
    expect(await mail()).toHaveLength(2);
  });

  it("is never found after the demo's time machine has moved", async () => {
    const operator = await world.operator();
    const before = await world.ctx.db.select({ version: routes.version }).from(routes);
    for (const day of ["2026-11-21", "2026-11-22", "2026-12-31", "2027-01-01"]) {
      at(`${day}T09:30:00Z`);
      await runDueWork(world.ctx);
      expect((await listLate(world.ctx, operator, { limit: 1 })).total).toBe(0);
    }
    expect(before.length).toBeGreaterThan(0);
    expect(await world.ctx.db.$count(outboxMessages)).toBe(0);
  });
});

it("A subscriber sees new data arrive", async () => {
  await setFreshness("real_time");
  const { caller } = await world.account();
  const { routeId } = await subscribe(world, caller, { periodId: periodOf(world) });
  for (const day of ["2026-11-20", "2026-12-05"]) {
    at(`${day}T09:30:00Z`);
    await runDueWork(world.ctx);
    const { read } = await openRouteData(world.ctx, caller, { id: routeId, limit: 1 });
    const { record, reports } = await read();
    expect(reports.rows[0]?.observedAt.toISOString()).toBe(`${day}T09:30:00.000Z`);
    expect(record.row.capacityObservedAt.toISOString()).toBe(`${day}T09:30:00.000Z`);
  }
});
