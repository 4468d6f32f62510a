import { and, asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogueImports, laneBenchmarks, periods, reports, routes as routesTable } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { markSample } from "../stock/mark-sample.server.ts";
import { addWeeks, benchmarkOf } from "./benchmark.ts";
import { computeBenchmarks } from "./compute.server.ts";
import { newestWeek } from "./lane-benchmark.ts";
import { shownWeeks } from "./policy.ts";
import { benchmarksOfLane, markets, usualBenchmarks } from "./read.server.ts";

/** Six container routes of four carriers, and seven break-bulk routes of three. */
const lane = "EAS-NAW";
const containers = [
  "C-JPYOK-USLAX-CAL9",
  "C-JPYOK-USLAX-BRW9",
  "C-JPNGO-USLAX-BRW9",
  "C-JPNGO-USLAX-KES9",
  "C-CNSHA-USLAX-COR9",
  "C-CNSHA-USLGB-ALD9",
];
const breakBulk = [
  "K-CNSHA-CAVAN-TIN9",
  "K-CNSHA-CAVAN-BWH9",
  "K-CNSHA-USLAX-STV9",
  "K-JPNGO-USLAX-BWH9",
  "K-JPYOK-USLAX-TIN9",
  "K-JPYOK-USLAX-BWH9",
  "K-TWKHH-USLAX-TIN9",
];
const lanesWithout = [
  [
    "of four routes",
    "NEU-AFW",
    ["B-DERSK-SNDKR-TAL9", "B-RUMMK-CIABJ-GRN9", "B-FRBES-SNDKR-HEX9", "B-IEORK-GAOWE-TAL9"],
  ],
  [
    "on which one carrier has most of the routes",
    "MED-NAE",
    [
      "K-MEBAR-USSAV-TIN9",
      "K-ROCND-CAHAL-STV9",
      "K-TRSSX-USJAX-STV9",
      "K-DZALG-USBAL-BWH9",
      "K-DZORN-USBAL-STV9",
      "K-DZALG-USSAV-STV9",
    ],
  ],
] as const;

/** The last complete week before the test's day, a Friday. */
const lastWeek = "2026-11-09";

let world: World;
let subscriber: Caller;
let subscriberToken: string;
let stranger: Caller;
let strangerToken: string;
beforeAll(async () => {
  const routeCodes = [...containers, ...breakBulk, ...lanesWithout.flatMap(([, , codes]) => codes)];
  world = await createWorld({ routeCodes });
  ({ caller: subscriber, token: subscriberToken } = await world.account());
  ({ caller: stranger, token: strangerToken } = await world.account());
  await subscribe(world, subscriber, { periodId: periodOf(world, containers[0]) });
  for (const [, , codes] of lanesWithout) await subscribe(world, subscriber, { periodId: periodOf(world, codes[0]) });
  await computeBenchmarks(world.ctx);
}, 120_000);
afterAll(() => world.close());

const stored = () =>
  world.ctx.db
    .select()
    .from(laneBenchmarks)
    .orderBy(asc(laneBenchmarks.cargoType), asc(laneBenchmarks.equipmentType), asc(laneBenchmarks.week));

/** The reported all-in rates of 40′ high cubes in a week. */
const ratesIn = async (week: string) => {
  const rows = await world.ctx.db
    .select({ report: reports, carrierId: routesTable.carrierId })
    .from(reports)
    .innerJoin(periods, eq(periods.id, reports.periodId))
    .innerJoin(routesTable, eq(routesTable.id, periods.routeId))
    .where(eq(reports.equipmentType, "45G1"));
  return rows
    .filter(({ report }) => report.observedAt.toISOString().slice(0, 10) === week)
    .map(({ report, carrierId }) => ({
      carrierId,
      allInCents: (report.baseRateCents ?? 0) + (report.surchargesCents ?? 0),
    }));
};

describe("The benchmark of a trade lane", () => {
  it("is computed for every week of the reports, cargo and container type", async () => {
    const rows = await stored();
    const series = new Set(rows.map(({ cargoType, equipmentType }) => `${cargoType} ${equipmentType}`));
    expect([...series].toSorted()).toEqual(["break_bulk ", "container 22G1", "container 45G1", "container 45R1"]);
    const weeks = rows.filter(({ equipmentType }) => equipmentType === "45G1").map(({ week }) => week);
    expect(weeks.length).toBeGreaterThan(shownWeeks);
    expect(weeks.at(-1)).toBe(lastWeek);
  });

  it("is made of the all-in rates that the routes reported in the week", async () => {
    const [benchmark] = await benchmarksOfLane(world.ctx, subscriber, { tradeLane: lane, equipmentType: "45G1" });
    const rates = await ratesIn(lastWeek);
    expect(rates).toHaveLength(containers.length);
    expect(benchmark && newestWeek(benchmark)).toMatchObject({ week: lastWeek, ...benchmarkOf(rates) });
  });

  it("is the same when several runs overlap", async () => {
    const before = await stored();
    await Promise.all(Array.from({ length: 12 }, () => computeBenchmarks(world.ctx)));
    expect(await stored()).toEqual(before);
  });

  it("is the same when it is computed again", async () => {
    const before = await stored();
    await computeBenchmarks(world.ctx);
    expect(await stored()).toEqual(before);
  });

  it("does not count the week that has not ended", async () => {
    expect((await stored()).every(({ week }) => week <= lastWeek)).toBe(true);
  });

  it("follows corrected reports of the last weeks, and of any week after an import", async () => {
    const at = async (week: string) =>
      (await stored()).find((row) => row.week === week && row.equipmentType === "45G1")?.medianCents ?? 0;
    const raise = (week: string, cents: number) =>
      world.ctx.db
        .update(reports)
        .set({ baseRateCents: sql`${reports.baseRateCents} + ${cents}` })
        .where(and(eq(reports.type, "rate"), eq(reports.observedAt, new Date(`${week}T06:00:00Z`))));
    const old = addWeeks(lastWeek, -20);
    const [recentBefore, oldBefore] = [await at(lastWeek), await at(old)];
    await raise(lastWeek, 500_000);
    await raise(old, 500_000);
    await computeBenchmarks(world.ctx);
    expect(await at(lastWeek)).toBeGreaterThan(recentBefore);
    expect(await at(old)).toBe(oldBefore);

    const now = world.ctx.clock.now();
    const file = { fileName: "reports.csv", kind: "reports", status: "applied" as const, createdAt: now, endedAt: now };
    await world.ctx.db.insert(catalogueImports).values(file);
    await computeBenchmarks(world.ctx);
    expect(await at(old)).toBeGreaterThan(oldBefore);

    await raise(lastWeek, -500_000);
    await raise(old, -500_000);
    await computeBenchmarks(world.ctx);
    expect([await at(lastWeek), await at(old)]).toEqual([recentBefore, oldBefore]);
  });

  it.each(lanesWithout)("is not published for a lane %s, not even to its subscribers", async (_, tradeLane) => {
    expect(await benchmarksOfLane(world.ctx, subscriber, { tradeLane })).toEqual([]);
  });

  it("has the changes of a month, a quarter and a year", async () => {
    const [benchmark] = await benchmarksOfLane(world.ctx, subscriber, { tradeLane: lane, equipmentType: "45G1" });
    const rows = (await stored()).filter(({ equipmentType }) => equipmentType === "45G1");
    const median = (weeksAgo: number) =>
      rows.find(({ week }) => week === addWeeks(lastWeek, -weeksAgo))?.medianCents ?? 0;
    for (const [weeks, change] of [
      [4, benchmark?.change.weeks4],
      [13, benchmark?.change.weeks13],
      [52, benchmark?.change.weeks52],
    ] as const) {
      expect(change).toBeCloseTo((median(0) / median(weeks) - 1) * 100, 0);
    }
  });
});

describe("The benchmarks of a region", () => {
  const usual = async (caller: Caller | null) =>
    (await usualBenchmarks(world.ctx, caller, { region: "EAS" })).map(({ tradeLane, equipmentType, access }) => [
      tradeLane.code,
      equipmentType,
      access,
    ]);

  it("are those of 40′ high cubes, one for each lane", async () => {
    expect(await usual(subscriber)).toEqual([[lane, "45G1", "full"]]);
    expect(await usual(null)).toEqual([[lane, "45G1", "free"]]);
  });

  it("are those of the first cargo where there are none of 40′ high cubes", async () => {
    await world.ctx.db.delete(laneBenchmarks).where(eq(laneBenchmarks.equipmentType, "45G1"));
    expect((await usual(null)).map(([, equipmentType]) => equipmentType)).toEqual(["22G1"]);
    await world.ctx.db.delete(laneBenchmarks);
    await computeBenchmarks(world.ctx);
  });
});

describe("The market of a lane", () => {
  it("is the newest week of each benchmark, for subscribers alone", async () => {
    const benchmarks = await benchmarksOfLane(world.ctx, subscriber, { tradeLane: lane });
    const laneId = benchmarks[0]?.tradeLane.id ?? 0;
    expect(await markets(world.ctx, subscriber, [laneId])).toEqual(
      benchmarks.map((benchmark) => {
        const { week, lowCents, medianCents, highCents } = newestWeek(benchmark);
        const { cargoType, equipmentType, change } = benchmark;
        return { tradeLaneId: laneId, cargoType, equipmentType, week, lowCents, medianCents, highCents, ...change };
      }),
    );
    expect(await markets(world.ctx, stranger, [laneId])).toEqual([]);
    expect(await markets(world.ctx, null, [laneId])).toEqual([]);
  });
});

describe("Without a subscription to the lane", () => {
  it.each(["an account", "a visitor"])(
    "%s sees the index, four weeks late, and its change in whole percent",
    async (who) => {
      const reader = who === "a visitor" ? null : stranger;
      const [benchmark] = await benchmarksOfLane(world.ctx, reader, { tradeLane: lane, equipmentType: "45G1" });
      expect(benchmark?.access).toBe("free");
      expect(benchmark && newestWeek(benchmark)).toEqual({
        week: addWeeks(lastWeek, -4),
        index: expect.any(Number),
        ...{ lowCents: null, medianCents: null, highCents: null, routeCount: null, carrierCount: null },
      });
      expect(benchmark?.change).toEqual({ weeks4: expect.any(Number), weeks13: null, weeks52: null });
      expect(Number.isInteger(benchmark?.change.weeks4)).toBe(true);
      expect(benchmark?.weeks.every(({ index }) => Number.isInteger(index))).toBe(true);
    },
  );

  it("an account that is suspended sees no more than that", async () => {
    const suspended = { ...subscriber, account: { ...subscriber.account, standing: "suspended" as const } };
    const found = await benchmarksOfLane(world.ctx, suspended, { tradeLane: lane });
    expect(new Set(found.map(({ access }) => access))).toEqual(new Set(["free"]));
  });

  it("no amount leaves the API", async () => {
    const { status, body } = await call(world, "GET", `/route-access/benchmarks?trade_lane=${lane}`, {
      token: strangerToken,
    });
    expect(status).toBe(200);
    expect(body.benchmarks.length).toBe(4);
    for (const { weeks } of body.benchmarks) {
      for (const { week, index, ...figures } of weeks) {
        expect(Object.values(figures).every((figure) => figure === null)).toBe(true);
        expect(week <= addWeeks(lastWeek, -4)).toBe(true);
        expect(index).toBeLessThan(1000);
      }
    }
  });
});

describe("By API", () => {
  it("a subscriber gets the amounts, filtered by cargo and container type", async () => {
    const get = async (query: string) =>
      (await call(world, "GET", `/route-access/benchmarks?trade_lane=${lane}${query}`, { token: subscriberToken })).body
        .benchmarks;
    const [one, ...others] = await get("&equipment_type=45G1");
    expect(others).toEqual([]);
    expect(one).toMatchObject({ access: "full", equipment_type: "45G1", basis: "per_container", currency: "USD" });
    expect(one.weeks).toHaveLength(shownWeeks);
    expect(one.weeks.at(-1)).toMatchObject({ week: lastWeek, low_cents: expect.any(Number), route_count: 6 });
    expect(one.weeks[0].index).toBe(100);
    expect(await get("&cargo_type=break_bulk")).toMatchObject([{ cargo_type: "break_bulk", equipment_type: null }]);
  });

  it("no figure equals a rate of a route", async () => {
    const { body } = await call(world, "GET", `/route-access/benchmarks?trade_lane=${lane}`, {
      token: subscriberToken,
    });
    const rows = await world.ctx.db.select().from(reports).where(eq(reports.type, "rate"));
    const allIn = new Set(
      rows.map((row) => `${row.equipmentType} ${(row.baseRateCents ?? 0) + (row.surchargesCents ?? 0)}`),
    );
    for (const { equipment_type, weeks } of body.benchmarks.filter(
      (one: { cargo_type: string }) => one.cargo_type === "container",
    )) {
      for (const { low_cents, median_cents, high_cents } of weeks) {
        for (const cents of [low_cents, median_cents, high_cents]) {
          expect(allIn.has(`${equipment_type} ${cents}`)).toBe(false);
        }
      }
    }
  });

  it("an unknown lane has none", async () => {
    const { status, body } = await call(world, "GET", "/route-access/benchmarks?trade_lane=XXX-YYY", {
      token: subscriberToken,
    });
    expect([status, body]).toEqual([200, { benchmarks: [] }]);
  });
});

it("A sample is not part of a benchmark, because everybody knows its rates", async () => {
  await markSample(world.ctx, await world.operator(), { code: "C-CNSHA-USLAX-COR9" });
  await computeBenchmarks(world.ctx);
  const [benchmark] = await benchmarksOfLane(world.ctx, subscriber, { tradeLane: lane, equipmentType: "45G1" });
  expect(benchmark && newestWeek(benchmark).routeCount).toBe(containers.length - 1);
});
