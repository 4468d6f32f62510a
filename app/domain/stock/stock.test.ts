import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLog, routes as routesTable, surcharges } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { browse, summariesOf } from "../catalogue/browse.server.ts";
import { listExchangeRates as allExchangeRates } from "../catalogue/exchange-rates.server.ts";
import { exchangeRateFinder } from "../catalogue/exchange-rates.ts";
import { listRegions } from "../catalogue/hierarchy.server.ts";
import type { RecordKind } from "../catalogue/record-kinds.ts";
import { Refusal } from "../errors.ts";
import { priceOrder } from "../subscriptions/price.server.ts";
import {
  changeRecord,
  createRecord,
  restoreRecord,
  retireRecord,
  setBasePrice,
  setExchangeRate,
} from "./change-records.server.ts";
import { listExchangeRates, listRecords, readRecord } from "./list-records.server.ts";
import { loadReferenceData } from "./reference-data.server.ts";

const values = {
  region: { record_code: "BAL", name: "Baltic", geography: "europe" },
  port: {
    record_code: "EETLL",
    name: "Tallinn",
    region_code: "BAL",
    lat: "59.44",
    lon: "24.75",
    timezone: "Europe/Tallinn",
    cargo_types: "container|ro_ro",
    tier: "2",
    alt_unlocodes: "",
  },
  carrier: { record_code: "BLT1", name: "Baltic Lines", cargo_types: "container" },
  trade_lane: {
    record_code: "BAL-BAL",
    name: "Within the Baltic",
    origin_region_code: "BAL",
    destination_region_code: "BAL",
    haul: "head_haul",
    base_price: "80.00",
    valid_from: "2026-11-01",
  },
  route_group: { record_code: "BAL-C", name: "Baltic containers", trade_lane_code: "BAL-BAL", cargo_type: "container" },
  route: {
    record_code: "C-EETLL-LVRIX-BLT1",
    name: "Tallinn – Riga",
    route_group_code: "BAL-C",
    carrier_code: "BLT1",
    origin_unlocode: "EETLL",
    destination_unlocode: "LVRIX",
    distance_nm: "260",
    standard_days: "2",
    sailings_per_week: "2",
    departure_weekdays: "MON|THU",
  },
  period: {
    record_code: "",
    route_code: "C-EETLL-LVRIX-BLT1",
    starts_on: "2026-11-01",
    ends_on: "",
    freshness: "weekly",
  },
} as const satisfies Record<RecordKind, Record<string, string>>;

let world: World;
let operator: OperatorCaller;
beforeAll(async () => {
  world = await createWorld();
  operator = await world.operator();
  const add = (kind: RecordKind, more: Record<string, string> = {}) =>
    createRecord(world.ctx, operator, { kind, values: { ...values[kind], ...more } });
  await add("region");
  await add("port");
  await add("port", { record_code: "LVRIX", name: "Riga", lat: "57.05", lon: "24.03", timezone: "Europe/Riga" });
  for (const kind of ["carrier", "trade_lane", "route_group", "route", "period"] as const) await add(kind);
});
afterAll(() => world.close());

const baltic = async () => (await browse(world.ctx, { region: "BAL" }, { limit: 10 })).rows;

/** The field and message of a refusal. */
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refusal)) throw new Error(`Not refused: ${error}`);
  return error.fields.length === 0 ? error.message : error.fields.map(({ path, message }) => `${path}: ${message}`);
};

describe("A stocked route", () => {
  it("is in browse and on sale at the lane's price", async () => {
    const [route] = await baltic();
    expect(route).toMatchObject({
      code: "C-EETLL-LVRIX-BLT1",
      region: { code: "BAL" },
      transitDays: { min: 2, max: 2 },
    });
    expect(route?.origin).toMatchObject({ country: "Estonia", timezone: "Europe/Tallinn" });
    expect(route?.periods).toMatchObject([{ name: "From 2026-11-01", basePriceCents: 8_000 }]);
  });

  it("leaves an audit entry for each record", async () => {
    const entries = await world.ctx.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, "catalogue_record.created"))
      .orderBy(desc(auditLog.id));
    expect(entries).toHaveLength(8);
    expect(entries[0]).toMatchObject({
      accountId: null,
      actorAccountId: operator.account.id,
      details: { kind: "period", code: "C-EETLL-LVRIX-BLT1/2026-11-01" },
    });
  });
});

describe("A new record", () => {
  const rejected: [kind: RecordKind, change: Record<string, string>, field: string, message: RegExp][] = [
    ["region", {}, "record_code", /taken/],
    ["port", { record_code: "TALLIN" }, "record_code", /five characters/],
    ["port", { record_code: "ZZTLL" }, "record_code", /ISO 3166/],
    ["port", { record_code: "EEMUG", timezone: "Europe/Nowhere" }, "timezone", /IANA/],
    ["port", { record_code: "EEMUG", timezone: "+02:00" }, "timezone", /IANA/],
    ["port", { record_code: "EEMUG", region_code: "NONE" }, "region_code", /There is no region NONE/],
    ["port", { record_code: "EEMUG", alt_unlocodes: "LVRIX" }, "alt_unlocodes", /The port LVRIX already/],
    ["port", { record_code: "EEMUG", lat: "91" }, "lat", /Between/],
    ["carrier", { record_code: "BLT2", cargo_types: "gold" }, "cargo_types", /Unknown cargo type/],
    ["trade_lane", { record_code: "BAL-X", base_price: "0" }, "base_price", /Must be more than 0/],
    ["trade_lane", { record_code: "BAL-X", base_price: "100000.01" }, "base_price", /Must be at most 100000.00/],
    ["trade_lane", { record_code: "BAL-X", valid_from: "soon" }, "valid_from", /Enter a date/],
    ["route_group", { record_code: "BAL-B", trade_lane_code: "X" }, "trade_lane_code", /There is no trade lane X/],
    ["route", { record_code: "R2", destination_unlocode: "EETLL" }, "destination_unlocode", /other than the origin/],
    ["route", { record_code: "R2", standard_days: "" }, "standard_days", /needs at least one service level/],
    ["route", { record_code: "R2", carrier_code: "NONE" }, "carrier_code", /There is no carrier/],
    ["period", { starts_on: "2026-12-01", ends_on: "2026-12-01" }, "ends_on", /Must be after the first day/],
    ["period", { starts_on: "2027-01-01" }, "starts_on", /still open. End it on 2027-01-01/],
  ];

  it.each(rejected)("of kind %s with %j is rejected at %s", async (kind, change, field, message) => {
    const work = createRecord(world.ctx, operator, { kind, values: { ...values[kind], ...change } });
    const [found] = await refusal(work);
    expect(found).toMatch(new RegExp(`^${field}: .*${message.source}`));
  });
});

describe("A changed record", () => {
  it("keeps the fields that are not given, and names the changed ones in the audit log", async () => {
    const input = { kind: "carrier", code: "BLT1", values: { name: "Baltic Lines AS" } } as const;
    expect(await changeRecord(world.ctx, operator, input)).toEqual({ changed: ["name"] });
    expect((await baltic())[0]?.carrier.name).toBe("Baltic Lines AS");
    expect(await changeRecord(world.ctx, operator, input)).toEqual({ changed: [] });
    const [entry] = await world.ctx.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
    expect(entry?.details).toMatchObject({ code: "BLT1", fields: "name Baltic Lines → Baltic Lines AS" });
  });

  it("keeps a route's periods and gives its document a new version", async () => {
    const [route] = await baltic();
    const version = async () =>
      (
        await world.ctx.db
          .select()
          .from(routesTable)
          .where(eq(routesTable.id, route?.id ?? 0))
      )[0]?.version;
    const before = (await version()) ?? 0;
    const change = { express_days: "1", sailings_per_week: "3" };
    await changeRecord(world.ctx, operator, { kind: "route", code: route?.code ?? "", values: change });
    expect((await baltic())[0]).toMatchObject({ serviceLevels: ["express", "standard"], sailingsPerWeek: 3 });
    expect((await baltic())[0]?.periods).toMatchObject([{ freshness: "weekly" }]);
    expect(await version()).toBeGreaterThan(before);
  });

  it("keeps a route's surcharges, with the exchange rates of those in other currencies", async () => {
    const [route] = await baltic();
    const routeId = route?.id ?? 0;
    await world.ctx.db.insert(surcharges).values({
      ...{ routeId, code: "DTHC", name: "Terminal handling", amountCents: 24_500, currency: "EUR", mandatory: true },
      ...{ exchangeRate: "1.0931", exchangeRateAsOf: "2026-10-30", exchangeRateSource: "ECB" },
      ...{ basis: "per_container", validFrom: "2026-11-01" },
    });
    const kept = () => world.ctx.db.select().from(surcharges).where(eq(surcharges.routeId, routeId));
    const before = await kept();
    await changeRecord(world.ctx, operator, {
      kind: "route",
      code: route?.code ?? "",
      values: { sailings_per_week: "4" },
    });
    expect((await baltic())[0]).toMatchObject({ sailingsPerWeek: 4 });
    expect(await kept()).toEqual(before);
  });

  it("ends a period, and the next one becomes its successor", async () => {
    const route = values.period.route_code;
    const code = `${route}/2026-11-01`;
    await changeRecord(world.ctx, operator, { kind: "period", code, values: { ends_on: "2027-01-01" } });
    const next = { ...values.period, starts_on: "2027-01-01", name: "2027 Q1" };
    const { id } = await createRecord(world.ctx, operator, { kind: "period", values: next });
    const [first] = (await baltic())[0]?.periods ?? [];
    expect(first).toMatchObject({ code, successorPeriodId: id });
  });

  it("does not exist under an unknown code", async () => {
    const work = changeRecord(world.ctx, operator, { kind: "carrier", code: "NONE", values: {} });
    expect(await refusal(work)).toBe("Carrier NONE not found");
  });
});

describe("A trade lane's base price", () => {
  it("applies from its day on and leaves the earlier price in the history", async () => {
    const { rows } = await listRecords(world.ctx, operator, { kind: "trade_lane", q: "BAL-BAL" }, { limit: 5 });
    const price = { base_price: "96.50", valid_from: "2026-12-01" };
    await setBasePrice(world.ctx, operator, { code: "BAL-BAL", values: price });
    expect((await baltic())[0]?.periods[0]?.basePriceCents).toBe(8_000);
    const { prices } = await readRecord(world.ctx, operator, { kind: "trade_lane", id: rows[0]?.id ?? 0 });
    expect(prices).toEqual([
      { validFrom: "2026-12-01", basePriceCents: 9_650 },
      { validFrom: "2026-11-01", basePriceCents: 8_000 },
    ]);
  });

  it("cannot begin in the past", async () => {
    const values = { base_price: "1.00", valid_from: "2026-11-19" };
    expect(await refusal(setBasePrice(world.ctx, operator, { code: "BAL-BAL", values }))).toEqual([
      "valid_from: Past prices cannot be changed. Enter 2026-11-20 or a later day",
    ]);
  });
});

describe("An exchange rate", () => {
  const euro = { base: "EUR", quote: "USD", as_of: "2026-11-13", rate: "1.0931", source: "ECB" };

  it("applies from its day on, and can be corrected", async () => {
    await setExchangeRate(world.ctx, operator, { ...euro, rate: "10.931" });
    await setExchangeRate(world.ctx, operator, euro);
    const find = exchangeRateFinder(await allExchangeRates(world.ctx.db));
    expect(find("EUR", "USD", "2026-11-12")).toBeUndefined();
    expect(find("EUR", "USD", "2026-11-13")).toEqual({ rate: "1.0931", asOf: "2026-11-13", source: "ECB" });
  });

  it("is listed, the newest day first", async () => {
    await setExchangeRate(world.ctx, operator, { ...euro, as_of: "2026-11-06", rate: "1.0842" });
    expect(await listExchangeRates(world.ctx, operator)).toEqual([
      { base: "EUR", quote: "USD", rate: "1.0931", asOf: "2026-11-13", source: "ECB" },
      { base: "EUR", quote: "USD", rate: "1.0842", asOf: "2026-11-06", source: "ECB" },
    ]);
  });

  it.each([
    [{ rate: "0" }, "rate: Must be more than 0"],
    [{ rate: "1,09" }, "rate: Enter a rate with a decimal point, such as 1.0931"],
    [{ quote: "EUR" }, "quote: Enter a different currency"],
    [{ base: "euro" }, "base: Enter a currency code of three capital letters, such as EUR"],
    [{ as_of: "2026-11-21" }, "as_of: Enter today, 2026-11-20, or an earlier day"],
  ])("is rejected with %o", async (changes, message) => {
    expect(await refusal(setExchangeRate(world.ctx, operator, { ...euro, ...changes }))).toEqual([message]);
  });
});

describe("A retired trade lane", () => {
  it("takes its routes out of browse and off sale, keeps them readable, and comes back whole", async () => {
    const [route] = await baltic();
    const period = route?.periods[0]?.id ?? 0;
    const { account } = await world.account();
    const lane = { kind: "trade_lane", code: "BAL-BAL" } as const;
    const order = () => priceOrder(world.ctx, account, [{ periodId: period, term: "1_month" }]);
    expect(await retireRecord(world.ctx, operator, lane)).toEqual({ route_group: 1, route: 1, period: 2 });
    expect(await baltic()).toEqual([]);
    expect((await listRegions(world.ctx)).find(({ code }) => code === "BAL")).toMatchObject({
      routes: 0,
      tradeLanes: 0,
    });
    expect(await summariesOf(world.ctx, [route?.id ?? 0])).toMatchObject([{ code: route?.code, periods: [] }]);
    expect(await refusal(order())).toMatch(/not on sale/);
    expect(await refusal(retireRecord(world.ctx, operator, lane))).toMatch(/already retired/);

    const group = { kind: "route_group", code: "BAL-C" } as const;
    expect(await refusal(restoreRecord(world.ctx, operator, group))).toMatch(/Restore that one first/);
    const more = { ...values.route_group, record_code: "BAL-D" };
    expect(await refusal(createRecord(world.ctx, operator, { kind: "route_group", values: more }))).toEqual([
      "trade_lane_code: The trade lane BAL-BAL is retired. Restore it first, or choose another",
    ]);

    expect(await restoreRecord(world.ctx, operator, lane)).toEqual({ route_group: 1, route: 1, period: 2 });
    expect(await baltic()).toHaveLength(1);
    expect((await order()).totalCents).toBeGreaterThan(0);
  });
});

describe("A subscription to a retired route", () => {
  it("keeps its access and is not renewed", async () => {
    const [route] = await baltic();
    const { caller, token } = await world.account();
    await subscribe(world, caller, { periodId: route?.periods[0]?.id ?? 0 });
    const own = async () => (await call(world, "GET", "/subscriptions/my-routes", { token })).body.subscriptions[0];
    expect((await own()).next_charge).not.toBeNull();
    const target = { kind: "route", code: route?.code ?? "" } as const;
    await retireRecord(world.ctx, operator, target);
    expect(await own()).toMatchObject({ status: "active", next_charge: null });
    expect((await call(world, "GET", `/route-access/routes-data?id=${route?.id}`, { token })).status).toBe(200);
    await restoreRecord(world.ctx, operator, target);
    expect((await own()).next_charge).not.toBeNull();
  });
});

describe("A route whose trade lane and carrier are both retired", () => {
  it("is restored with the last of them", async () => {
    const lane = { kind: "trade_lane", code: "BAL-BAL" } as const;
    const carrier = { kind: "carrier", code: "BLT1" } as const;
    await retireRecord(world.ctx, operator, lane);
    world.clock.set("2026-11-20T09:40:00Z");
    expect(await retireRecord(world.ctx, operator, carrier)).toEqual({});
    expect(await restoreRecord(world.ctx, operator, lane)).toEqual({ route_group: 1 });
    expect(await baltic()).toEqual([]);
    expect(await restoreRecord(world.ctx, operator, carrier)).toEqual({ route: 1, period: 2 });
    expect(await baltic()).toHaveLength(1);
  });
});

describe("The reference data", () => {
  it("is not loaded into a catalogue that has other regions or ports", async () => {
    expect(await refusal(loadReferenceData(world.ctx, operator))).toMatch(/can only be loaded int/);
  });
});
