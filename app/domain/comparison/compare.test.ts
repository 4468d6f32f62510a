import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { baseRates, periods, reports, routes as routesTable } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { computeBenchmarks } from "../benchmarks/compute.server.ts";
import { markSample } from "../stock/mark-sample.server.ts";
import { compareRoutes, routesAgainstMarket } from "./compare.server.ts";

/** Between the same two ports: two container routes, a sample, and a break-bulk route. */
const own = "C-JPYOK-USLAX-CAL9";
const other = "C-JPYOK-USLAX-BRW9";
const sample = "R-JPYOK-USLAX-DRO9";
const breakBulk = "K-JPYOK-USLAX-TIN9";
const onTheLane = ["C-JPNGO-USLAX-BRW9", "C-JPNGO-USLAX-KES9", "C-CNSHA-USLAX-COR9", "C-CNSHA-USLGB-ALD9"];
const pair = { origin: "JPYOK", destination: "USLAX" };

let world: World;
let caller: Caller;
let token: string;
let stranger: Caller;
let strangerToken: string;
beforeAll(async () => {
  world = await createWorld({ routeCodes: [own, other, sample, breakBulk, ...onTheLane] });
  ({ caller, token } = await world.account());
  ({ caller: stranger, token: strangerToken } = await world.account());
  await subscribe(world, caller, { periodId: periodOf(world, own) });
  await markSample(world.ctx, await world.operator(), { code: sample });
  await computeBenchmarks(world.ctx);
}, 120_000);
afterAll(() => world.close());

const codesOf = (routes: { route: { code: string } }[]) => routes.map(({ route }) => route.code);

describe("A comparison", () => {
  it("has every route between the ports, those that can be read first", async () => {
    const routes = await compareRoutes(world.ctx, caller, pair);
    expect(codesOf(routes).toSorted()).toEqual([own, other, breakBulk, sample].toSorted());
    expect(routes.map(({ data }) => data === null)).toEqual([false, false, true, true]);
    expect(routes.map(({ access }) => access.reason).toSorted()).toEqual([
      "active",
      "never_subscribed",
      "never_subscribed",
      "sample",
    ]);
  });

  it("has all data of a route that the account has access to", async () => {
    const [route] = (await compareRoutes(world.ctx, caller, { ...pair, equipmentType: "45G1" })).filter(
      ({ data }) => data,
    );
    expect(route?.route.code).toBe(own);
    expect(route?.data).toMatchObject({
      onTimePercent: expect.any(Number),
      capacity: { available: expect.any(Number), nominal: expect.any(Number) },
      nextDeparture: { status: "scheduled" },
    });
    expect(route?.data?.transit.length).toBe(route?.route.serviceLevels.length);
    const [rate, ...others] = route?.data?.rates ?? [];
    expect(others).toEqual([]);
    expect(rate).toMatchObject({ equipmentType: "45G1", change4WeeksPercent: expect.any(Number) });
    expect(rate?.allInCents).toBe((rate?.baseRateCents ?? 0) + (rate?.surchargesCents ?? 0));
    const median = rate?.market?.medianCents ?? 0;
    expect(rate?.againstMedianPercent).toBeCloseTo(((rate?.allInCents ?? 0) / median - 1) * 100, 0);
  });

  it("of a container type leaves out other cargo and other containers", async () => {
    const routes = await compareRoutes(world.ctx, caller, { ...pair, equipmentType: "22G1" });
    expect(codesOf(routes).toSorted()).toEqual([other, own]);
    expect(routes[0]?.data?.rates.map(({ equipmentType }) => equipmentType)).toEqual(["22G1"]);
  });

  it("accepts any code of a port", async () => {
    const alias = world.routes.find(({ origin }) => origin.unlocode === "CNSHA")?.origin.altUnlocodes[0] ?? "";
    const routes = await compareRoutes(world.ctx, caller, { origin: alias, destination: "USLAX" });
    expect(codesOf(routes)).toEqual(["C-CNSHA-USLAX-COR9"]);
  });

  it("is empty between ports without a route", async () => {
    expect(await compareRoutes(world.ctx, caller, { origin: "NLRTM", destination: "USLAX" })).toEqual([]);
  });

  it("shows visitors the sample, without the market that only subscribers see", async () => {
    const routes = await compareRoutes(world.ctx, null, pair);
    const open = routes.filter(({ data }) => data);
    expect(codesOf(open)).toEqual([sample]);
    expect(open[0]?.data?.rates.length).toBeGreaterThan(0);
    expect(open[0]?.data?.rates.every(({ market, againstMedianPercent }) => !market && !againstMedianPercent)).toBe(
      true,
    );
  });

  it.each([
    ["transit", [own, other]],
    ["all_in", [own, other]],
  ] as const)("sorted by %s has locked routes last", async (sort, expected) => {
    const routes = await compareRoutes(world.ctx, caller, { ...pair, equipmentType: "45G1", sort });
    expect(codesOf(routes)).toEqual(expected);
  });
});

describe("Without access, a comparison", () => {
  const order = async (sort: "transit" | "departures") =>
    (await compareRoutes(world.ctx, null, { ...pair, sort })).filter(({ data }) => data === null);

  it("is sorted by transit and by departures, which are public", async () => {
    const days = (await order("transit")).map(({ route }) => route.transitDays.min);
    expect(days).toHaveLength(3);
    expect(days).toEqual(days.toSorted((a, b) => a - b));
    const departures = (await order("departures")).map(({ route }) => route.sailingsPerWeek);
    expect(departures).toEqual(departures.toSorted((a, b) => b - a));
    expect(new Set(days).size + new Set(departures).size).toBeGreaterThan(2);
  });
});

describe("Without a subscription, a comparison by API", () => {
  /** Every amount, in cents, that only subscribers of these routes may read. */
  const paidFigures = async (codes: string[]): Promise<Set<number>> => {
    const ids = world.routes.filter(({ code }) => codes.includes(code)).map(({ id }) => id);
    const figures = new Set<number>();
    for (const id of ids) {
      const rows = await world.ctx.db
        .select({ report: reports })
        .from(reports)
        .innerJoin(periods, eq(periods.id, reports.periodId))
        .where(eq(periods.routeId, id));
      for (const { report } of rows) {
        const { baseRateCents, surchargesCents } = report;
        if (baseRateCents !== null) figures.add(baseRateCents).add(baseRateCents + (surchargesCents ?? 0));
      }
      const current = await world.ctx.db.select().from(baseRates).where(eq(baseRates.routeId, id));
      for (const { amountCents } of current) figures.add(amountCents);
      const [route] = await world.ctx.db.select().from(routesTable).where(eq(routesTable.id, id));
      figures.add(route?.capacityAvailable ?? 0);
    }
    return figures;
  };
  const numbersIn = (value: unknown): number[] =>
    typeof value === "number"
      ? [value]
      : value && typeof value === "object"
        ? Object.values(value).flatMap(numbersIn)
        : [];

  it("has public facts, what a subscription adds and its price, and none of the paid figures", async () => {
    const { status, body } = await call(world, "GET", "/route-access/compare?origin=JPYOK&destination=USLAX", {
      token: strangerToken,
    });
    expect(status).toBe(200);
    const locked = body.routes.filter((route: { locked: boolean }) => route.locked);
    expect(locked.map(({ code }: { code: string }) => code).toSorted()).toEqual([other, own, breakBulk]);
    for (const route of locked) {
      expect(route).toMatchObject({
        access_reason: "never_subscribed",
        rates: null,
        transit: null,
        next_departure: null,
        on_time_percent: null,
        capacity: null,
        price_from: { total_cents: expect.any(Number) },
        subscription_adds: ["rates", "transit", "next_departure", "on_time_percent", "capacity"],
      });
      const paid = await paidFigures([route.code]);
      expect(paid.size).toBeGreaterThan(50);
      expect(numbersIn(route).filter((number) => paid.has(number))).toEqual([]);
    }
  });

  it("has the same data of a route whether or not another account subscribes to it", async () => {
    const rowOf = async (credentials: string, code: string) =>
      (
        await call(world, "GET", "/route-access/compare?origin=JPYOK&destination=USLAX", { token: credentials })
      ).body.routes.find((route: { code: string }) => route.code === code);
    expect(await rowOf(token, own)).toMatchObject({ locked: false, rates: expect.any(Array), subscription_adds: [] });
    expect((await rowOf(token, other)).rates).toBeNull();
    expect((await rowOf(strangerToken, own)).rates).toBeNull();
  });
});

describe("An account's routes against the market", () => {
  it("are its subscribed routes with the benchmark of their lanes", async () => {
    const rows = await routesAgainstMarket(world.ctx, caller);
    expect(new Set(codesOf(rows))).toEqual(new Set([own]));
    expect(rows.map(({ rate }) => rate.equipmentType).toSorted()).toEqual(["22G1", "45G1", "45R1"]);
    expect(rows.every(({ rate }) => rate.market !== null)).toBe(true);
    const against = rows.map(({ rate }) => rate.againstMedianPercent ?? 0);
    expect(against).toEqual(against.toSorted((a, b) => b - a));
  });

  it("are missing without a subscription, and for a suspended account", async () => {
    expect(await routesAgainstMarket(world.ctx, stranger)).toEqual([]);
    const suspended = { ...caller, account: { ...caller.account, standing: "suspended" as const } };
    expect(await routesAgainstMarket(world.ctx, suspended)).toEqual([]);
  });
});
