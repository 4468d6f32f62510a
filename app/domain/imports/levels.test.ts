import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  periodPrices,
  periods as periodsTable,
  ports as portsTable,
  regions as regionsTable,
  routes as routesTable,
} from "#drizzle/schema/index.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { listSailings } from "../schedules/list.server.ts";
import { loadReferenceData } from "../stock/reference-data.server.ts";
import type { Finding, FindingCode } from "./finding.ts";
import { formats, type ImportKind, importKinds } from "./formats.ts";
import { applyImport, checkFile, readImport } from "./imports.server.ts";

type Kind = Exclude<ImportKind, "reports">;

let world: World;
let operator: OperatorCaller;

const openWith = (options: Parameters<typeof createWorld>[0]) => async () => {
  world = await createWorld(options);
  operator = await world.operator();
  return () => world.close();
};
const open = openWith({ routeCodes: ["C-CNSHA-NLRTM-PEL9", "C-CNNGB-GBFXT-MRG9", "C-SGSIN-DEHAM-COR9"] });
const openReference = async () => {
  const close = await openWith({ catalogue: "empty" })();
  await loadReferenceData(world.ctx, operator);
  return close;
};

const check = async (kind: ImportKind, text: string) => {
  const content = Readable.from([Buffer.from(text)]);
  const { id, done } = await checkFile(world.ctx, operator, { fileName: kind, content, kind });
  await done;
  const { counts, errors, warnings, preview, changedRoutes } = await readImport(world.ctx, operator, { id });
  const { changes = [], prices = [], touched } = preview ?? {};
  const outcome = { new: counts.new, changed: counts.changed, unchanged: counts.unchanged };
  return { id, counts: outcome, errors, warnings, changes, prices, touched, changedRoutes };
};

const apply = async (kind: ImportKind, text: string) => {
  const checked = await check(kind, text);
  expect(checked.errors).toEqual([]);
  const { done } = await applyImport(world.ctx, operator, { id: checked.id });
  await done;
  const { changedRoutes } = await readImport(world.ctx, operator, { id: checked.id });
  return { ...checked, changedRoutes };
};

const routeRow = async (code: string) => {
  const [row] = await world.ctx.db.select().from(routesTable).where(eq(routesTable.code, code));
  if (!row) throw new Error(`There is no route ${code}`);
  return row;
};

/** A line of a kind of file, with these cells instead of those of a right one. */
const lineOf = (kind: Kind, right: Record<string, string>) => (changes: Record<string, string>) => {
  const { required, optional } = formats[kind].columns;
  const header = template(kind).split("\n", 1)[0]?.split(",") ?? [];
  expect([...required, ...optional]).toEqual(expect.arrayContaining(header));
  return header.map((column) => changes[column] ?? right[column] ?? "").join(",");
};

const template = (kind: ImportKind) =>
  readFileSync(new URL(`../../../public/import-templates/${formats[kind].template}`, import.meta.url), "utf8");

/** The header of the template, and these lines. */
const file = (kind: Kind, ...lines: string[]) => [template(kind).split("\n", 1)[0], ...lines].join("\n");

const codesOf = (findings: Finding[]) => findings.map(({ row, column, code }) => [row, column, code]);

/** In the order in which an empty catalogue takes them. */
const order = [
  "ports",
  "carriers",
  "trade_lanes",
  "route_groups",
  "routes",
  "periods",
  "rates",
  "schedules",
] as const satisfies readonly Kind[];

const newRoute = "C-CNSHA-NLRTM-ABCD";
const demoRoute = "C-CNSHA-NLRTM-PEL9";

const routeLine = lineOf("routes", {
  code: "C-CNSHA-NLRTM-EXA1",
  name: "Shanghai – Rotterdam",
  cargo_type: "container",
  carrier_code: "ABCD",
  carrier_name: "Example Line",
  trade_lane_code: "EAS-NEU",
  route_group_code: "EAS-NEU-C-CN",
  origin_unlocode: "CNSHA",
  destination_unlocode: "NLRTM",
  distance_nm: "10537",
  service_level: "standard",
  transit_time_days: "32",
  sailings_per_week: "1",
  departure_weekdays: "FRI",
  data_freshness: "daily",
});

const legLine = lineOf("schedules", {
  route_code: newRoute,
  service_code: "EX1",
  voyage: "009W",
  leg: "1",
  load_unlocode: "CNSHA",
  discharge_unlocode: "NLRTM",
  etd: "2026-12-04T20:00:00+08:00",
  eta: "2027-01-05T06:00:00+01:00",
  cargo_cut_off: "2026-12-03T18:00:00+08:00",
});

describe.each([
  ["the demo catalogue", open],
  ["a catalogue with the reference ports only", openReference],
])("The templates, imported in order into %s,", (_, openCatalogue) => {
  beforeAll(openCatalogue);

  it.each(importKinds)("are right, and change nothing the second time: %s", async (kind) => {
    const first = await apply(kind, template(kind));
    expect({ errors: first.errors, warnings: first.warnings }).toEqual({ errors: [], warnings: [] });
    expect(first.counts.new).toBeGreaterThan(0);
    const { counts, changes, prices, touched, changedRoutes } = await apply(kind, template(kind));
    expect({ counts, changes, prices, touched, changedRoutes }).toEqual({
      counts: { new: 0, changed: 0, unchanged: first.counts.new + first.counts.unchanged },
      changes: [],
      prices: [],
      touched: { routes: 0, subscriptions: 0 },
      changedRoutes: 0,
    });
  });
});

describe("A file with wrong rows", () => {
  beforeAll(async () => {
    const close = await open();
    for (const kind of ["ports", "routes"] as const) await apply(kind, template(kind));
    return close;
  });

  const wrong: { [Of in Kind]: [line: string, column: string, code: FindingCode][] } = {
    ports: [
      ["FIPOR,Pori,NONE,61.59,21.48,Europe/Helsinki,bulk,3,,,", "region_code", "unknown_code"],
      ["FIKOK,Kokkola,NEU,63.84,23.03,Europe/Helsinki,bulk,3,CNSGH,,", "alt_unlocodes", "duplicate"],
      ["CNSGH,Shanghai,EAS,31.36,121.61,Asia/Shanghai,container,1,,,", "unlocode", "duplicate"],
      ["NLRTM,Rotterdam,NEU,51.95,4.14,Europe/Amsterdam,bulk,1,,,", "cargo_types", "wrong_cargo_type"],
    ],
    carriers: [["PEL9,Pelorin Lines,bulk", "cargo_types", "wrong_cargo_type"]],
    trade_lanes: [
      ["X-1,One,NONE,NEU,head_haul,10.00,2027-01-01,USD", "origin_region_code", "unknown_code"],
      ["X-2,Two,NEU,NONE,head_haul,10.00,2027-01-01,USD", "destination_region_code", "unknown_code"],
      ["EAS-NEU,Asia – North Europe (westbound),EAS,NEU,head_haul,99.00,2026-11-19,USD", "valid_from", "in_past"],
    ],
    route_groups: [
      ["X-G,Group,NONE,bulk", "trade_lane_code", "unknown_code"],
      ["EAS-NEU-C-CN,China to North Europe,EAS-NEU,bulk", "cargo_type", "wrong_cargo_type"],
    ],
    routes: [
      [routeLine({ code: "R-1", route_group_code: "NONE" }), "route_group_code", "unknown_code"],
      [routeLine({ code: "R-2", trade_lane_code: "NEU-EAS" }), "trade_lane_code", "contradiction"],
      [routeLine({ code: "R-3", origin_unlocode: "CNXXX" }), "origin_unlocode", "unknown_code"],
      [routeLine({ code: "R-4", destination_unlocode: "CNSGH" }), "destination_unlocode", "same_port"],
      [routeLine({ code: "R-5", destination_unlocode: "FIPOR" }), "destination_unlocode", "wrong_cargo_type"],
      [routeLine({ code: "R-6", via_unlocodes: "CNNGB|CNXXX" }), "via_unlocodes", "unknown_code"],
      [routeLine({ code: "R-7", distance_nm: "4700" }), "distance_nm", "too_short"],
      [routeLine({ code: "R-8", carrier_code: "NONE", carrier_name: "" }), "carrier_code", "unknown_code"],
      [routeLine({ code: "R-9", carrier_name: "Another" }), "carrier_name", "contradiction"],
    ],
    rates: [
      ["NONE,standard,2026-11-01,,45G1,base,BAS,1,USD,per_container", "route_code", "unknown_code"],
      [`${newRoute},express,2026-11-01,,45G1,base,BAS,1,USD,per_container`, "service_level", "not_allowed"],
      [`${newRoute},standard,2026-11-01,,45G1,base,BAS,1,USD,per_tonne`, "basis", "wrong_basis"],
      [`${newRoute},,2026-11-01,,,surcharge,BAF,1,USD,per_tonne`, "basis", "wrong_basis"],
      [`${newRoute},standard,2026-11-01,,40HC!,base,BAS,1,USD,per_container`, "equipment_type", "malformed"],
    ],
    schedules: [
      [legLine({ route_code: "NONE", voyage: "V1" }), "route_code", "unknown_code"],
      [legLine({ voyage: "V2", load_unlocode: "CNXXX" }), "load_unlocode", "unknown_code"],
      [legLine({ voyage: "V3", load_unlocode: "CNNGB" }), "load_unlocode", "contradiction"],
      [legLine({ voyage: "V4", discharge_unlocode: "DEHAM" }), "discharge_unlocode", "contradiction"],
      [legLine({ voyage: "V5", leg: "2", cargo_cut_off: "" }), "leg", "contradiction"],
      [legLine({ voyage: "V6", service_level: "express" }), "service_level", "not_allowed"],
    ],
    periods: [
      ['{"route_code":"NONE","starts_on":"2027-01-01","freshness":"daily"}', "route_code", "unknown_code"],
      [`{"route_code":"${newRoute}","starts_on":"2027-01-01","freshness":"daily"}`, "starts_on", "overlap"],
      [
        `{"route_code":"${newRoute}","starts_on":"2026-01-01","ends_on":"2026-04-01","freshness":"daily","successor_code":"NONE"}`,
        "successor_code",
        "unknown_code",
      ],
      [
        `{"route_code":"${newRoute}","starts_on":"2025-01-01","ends_on":"2025-04-01","freshness":"daily","code":"${demoRoute}/2026-Q4"}`,
        "code",
        "duplicate",
      ],
      [
        `{"route_code":"${demoRoute}","starts_on":"2026-07-01","ends_on":"2026-10-01","freshness":"real_time"}`,
        "freshness",
        "in_past",
      ],
    ],
  };

  it.each(order)("of %s has the row, the column, the code and a sentence of each error", async (kind) => {
    const lines = wrong[kind].map(([line]) => line);
    const isCsv = formats[kind].syntax === "csv";
    const { errors } = await check(kind, isCsv ? file(kind, ...lines) : lines.join("\n"));
    expect(codesOf(errors)).toEqual(wrong[kind].map(([, column, code], i) => [i + (isCsv ? 2 : 1), column, code]));
    for (const { message } of errors) expect(message).toMatch(/^[A-Z].{15,}/);
  });

  it("has contradictions between rows of a lane, a route, a sailing and a surcharge", async () => {
    const lane = await check(
      "trade_lanes",
      file("trade_lanes", "X,One,NEU,NEU,head_haul,1.00,2027-01-01,USD", "X,Two,NEU,NEU,head_haul,2.00,2027-02-01,USD"),
    );
    expect(codesOf(lane.errors)).toEqual([[3, "name", "contradiction"]]);
    const route = await check(
      "routes",
      file(
        "routes",
        routeLine({}),
        routeLine({ service_level: "economy", distance_nm: "10600" }),
        routeLine({ service_level: "economy" }),
      ),
    );
    expect(codesOf(route.errors)).toEqual([
      [3, "distance_nm", "contradiction"],
      [4, "service_level", "duplicate"],
    ]);
    const sailing = await check(
      "schedules",
      file(
        "schedules",
        legLine({ discharge_unlocode: "SGSIN", eta: "2026-12-12T08:00:00+08:00" }),
        legLine({
          leg: "2",
          load_unlocode: "CNNGB",
          etd: "2026-12-11T08:00:00+08:00",
          status: "cancelled",
          cargo_cut_off: "",
        }),
      ),
    );
    expect(codesOf(sailing.errors)).toEqual([
      [3, "status", "contradiction"],
      [3, "etd", "contradiction"],
      [3, "load_unlocode", "contradiction"],
    ]);
    const rate = await check(
      "rates",
      file(
        "rates",
        `${newRoute},standard,2026-11-01,,,surcharge,BAF,1,USD,per_container`,
        `${newRoute},economy,2026-11-01,,,surcharge,BAF,1,USD,per_container`,
        `${newRoute},express,2026-11-01,,,surcharge,BAF,2,USD,per_container`,
        `${newRoute},standard,2026-11-01,2026-11-30,45G1,base,BAS,1,USD,per_container`,
        `${newRoute},standard,2026-11-01,2026-11-30,45G1,base,BAS,2,USD,per_container`,
      ),
    );
    expect(codesOf(rate.errors)).toEqual([
      [4, "amount", "contradiction"],
      [6, "charge_code", "duplicate"],
    ]);
  });
});

describe("Overlapping charges", () => {
  beforeEach(async () => {
    const close = await open();
    await apply("routes", template("routes"));
    return close;
  });

  const base = (from: string, to: string, amount = "100") =>
    `${newRoute},standard,${from},${to},45G1,base,BAS,${amount},USD,per_container`;
  const apply1 = (...lines: string[]) => apply("rates", file("rates", ...lines));

  it("of one file are errors", async () => {
    const { errors } = await check("rates", file("rates", base("2027-02-01", ""), base("2027-01-01", "2027-02-01")));
    expect(errors).toMatchObject([
      { row: 3, column: "valid_to", code: "overlap", message: expect.stringContaining("End this one on 2027-01-31") },
    ]);
  });

  it("that begin before one of the catalogue are errors", async () => {
    await apply1(base("2027-02-01", ""));
    const { errors } = await check("rates", file("rates", base("2027-01-01", "")));
    expect(errors).toMatchObject([
      { row: 2, column: "valid_to", code: "overlap", message: expect.stringContaining("from 2027-02-01 on") },
    ]);
    expect((await apply1(base("2027-01-01", "2027-01-31"))).counts).toEqual({ new: 1, changed: 0, unchanged: 0 });
  });

  it("that begin later end the earlier one the day before, with a warning", async () => {
    await apply1(base("2027-01-01", ""));
    const { warnings, counts } = await apply1(base("2027-02-01", ""));
    expect(counts).toMatchObject({ new: 1 });
    expect(warnings).toMatchObject([
      { row: 2, column: "valid_from", code: "overlap", message: expect.stringContaining("will end on 2027-01-31") },
    ]);
    expect((await apply1(base("2027-01-01", "2027-01-31"), base("2027-02-01", ""))).counts).toMatchObject({
      unchanged: 2,
    });
  });
});

describe("A file of ports", () => {
  beforeEach(open);

  it("keeps what its optional columns leave out, and gives the port's routes one new version", async () => {
    const before = await routeRow(demoRoute);
    const line = "CNSHA,Shanghai Port,EAS,31.36,121.61,Asia/Shanghai,container|ro_ro|break_bulk,1,,,";
    const applied = await apply("ports", file("ports", line));
    expect(applied).toMatchObject({
      counts: { new: 0, changed: 1 },
      changes: [{ key: "CNSHA", fields: [{ name: "name", before: "Shanghai", after: "Shanghai Port" }] }],
      touched: { routes: 1, subscriptions: 0 },
      changedRoutes: 1,
    });
    const [port] = await world.ctx.db.select().from(portsTable).where(eq(portsTable.unlocode, "CNSHA"));
    expect(port).toMatchObject({ name: "Shanghai Port", country: "China", altUnlocodes: ["CNSGH"] });
    expect((await routeRow(demoRoute)).version).toBe(before.version + 1);
  });

  it("warns of a retired region", async () => {
    await world.ctx.db.update(regionsTable).set({ retiredAt: world.clock.now() }).where(eq(regionsTable.code, "SAW"));
    const { warnings } = await check("ports", file("ports", "PEXXX,Test,SAW,-12.05,-77.15,America/Lima,bulk,3,,,"));
    expect(codesOf(warnings)).toEqual([[2, "region_code", "retired"]]);
  });
});

describe("A file of trade lanes", () => {
  beforeEach(open);

  const priced = (price: string, from: string) =>
    file("trade_lanes", `EAS-NEU,Asia – North Europe (westbound),EAS,NEU,head_haul,${price},${from},USD`);

  it("shows the price before and after, the day, and the subscriptions and periods that follow it", async () => {
    const { caller } = await world.account();
    await subscribe(world, caller, { periodId: periodOf(world, demoRoute) });
    expect(await check("trade_lanes", priced("132.00", "2027-01-01"))).toMatchObject({
      counts: { new: 0, changed: 1, unchanged: 0 },
      changes: [
        {
          key: "EAS-NEU from 2027-01-01",
          fields: [
            { name: "base_price", before: "89.00", after: "132.00" },
            { name: "valid_from", before: "2000-01-01", after: "2027-01-01" },
          ],
        },
      ],
      prices: [{ code: "EAS-NEU", beforeCents: 8_900, afterCents: 13_200, validFrom: "2027-01-01", periods: 2 }],
      touched: { routes: 2, subscriptions: 1 },
    });
  });

  it("records the prices of the periods once, with the base price as the reason", async () => {
    world.clock.set("2026-11-20T10:30:00Z");
    const recorded = () => world.ctx.db.$count(periodPrices, eq(periodPrices.reason, "base_price"));
    await apply("trade_lanes", priced("132.00", "2026-11-20"));
    expect(await recorded()).toBe(2);
    expect(await apply("trade_lanes", priced("132.00", "2026-11-20"))).toMatchObject({ changedRoutes: 0 });
    expect(await recorded()).toBe(2);
  });
});

describe("A file of routes", () => {
  beforeEach(open);

  it("warns of unlikely speeds", async () => {
    const { errors, warnings } = await check(
      "routes",
      file("routes", routeLine({ code: "R-1", transit_time_days: "15" })),
    );
    expect({ errors, warnings }).toMatchObject({
      errors: [],
      warnings: [{ row: 2, column: "transit_time_days", code: "unlikely_speed" }],
    });
  });

  it("shows what changes, field by field", async () => {
    await apply("routes", template("routes"));
    const faster = template("routes").replace(",standard,32,", ",standard,31,");
    expect(await check("routes", faster)).toMatchObject({
      counts: { new: 0, changed: 1, unchanged: 0 },
      changes: [{ key: newRoute, fields: [{ name: "transit_time_days (standard)", before: "32", after: "31" }] }],
      touched: { routes: 1, subscriptions: 0 },
    });
  });
});

describe("A file of schedules", () => {
  beforeEach(async () => {
    const close = await open();
    await apply("routes", template("routes"));
    return close;
  });

  const ofRoute = async () => {
    const { id } = await routeRow(newRoute);
    return listSailings(world.ctx, { routeIds: [id], from: { day: "2026-12-01" }, to: null }, { limit: 10 });
  };

  it("publishes sailings with their legs, terminals and cut-offs", async () => {
    await apply("schedules", template("schedules"));
    expect((await ofRoute()).rows).toMatchObject([
      {
        serviceCode: "EX1",
        voyage: "001W",
        etd: new Date("2026-12-04T12:00:00Z"),
        legs: [{ vessel: "Example Voyager" }],
      },
      { serviceCode: "EX2", voyage: "002W", legs: [{ voyage: "002W" }, { serviceCode: "EX1", voyage: "003W" }] },
    ]);
  });

  it("updates a delayed sailing and drops legs that are gone, at the time of the import", async () => {
    await apply("schedules", template("schedules"));
    const { version } = await routeRow(newRoute);
    world.clock.set("2026-11-21T09:30:00Z");
    const direct = legLine({
      service_code: "EX2",
      voyage: "002W",
      service_level: "economy",
      etd: "2026-12-12T20:00:00+08:00",
      vessel: "Example Voyager",
      cargo_cut_off: "",
    });
    expect(await apply("schedules", file("schedules", direct))).toMatchObject({
      counts: { changed: 1 },
      changedRoutes: 1,
    });
    expect((await ofRoute()).rows[1]).toMatchObject({
      etd: new Date("2026-12-12T12:00:00Z"),
      legs: [{ vessel: "Example Voyager" }],
      updatedAt: world.clock.now(),
    });
    expect((await ofRoute()).rows[0]).toMatchObject({ updatedAt: new Date("2026-11-20T09:30:00Z") });
    expect((await routeRow(newRoute)).version).toBe(version + 1);
  });
});

describe("A file of periods", () => {
  beforeEach(async () => {
    const close = await open();
    await apply("routes", template("routes"));
    return close;
  });

  const line = (period: Record<string, unknown>) =>
    JSON.stringify({ route_code: newRoute, freshness: "daily", ...period });
  const stored = () =>
    world.ctx.db
      .select({ startsOn: periodsTable.startsOn, endsOn: periodsTable.endsOn, next: next.startsOn })
      .from(periodsTable)
      .innerJoin(routesTable, eq(routesTable.id, periodsTable.routeId))
      .leftJoin(next, eq(next.id, periodsTable.successorPeriodId))
      .where(eq(routesTable.code, newRoute))
      .orderBy(periodsTable.startsOn);
  const next = alias(periodsTable, "next");

  it("ends an open period and opens the next, which becomes its successor", async () => {
    const text = [
      line({ starts_on: "2026-10-01", ends_on: "2027-01-01" }),
      line({ starts_on: "2027-01-01", freshness: "real_time" }),
    ].join("\n");
    expect(await apply("periods", text)).toMatchObject({
      counts: { new: 1, changed: 1, unchanged: 0 },
      changedRoutes: 1,
    });
    expect(await stored()).toEqual([
      { startsOn: "2026-10-01", endsOn: "2027-01-01", next: "2027-01-01" },
      { startsOn: "2027-01-01", endsOn: null, next: null },
    ]);
    expect(await apply("periods", text)).toMatchObject({ counts: { unchanged: 2 }, changedRoutes: 0 });
  });

  it("is rejected if two of its periods share days", async () => {
    const { errors } = await check(
      "periods",
      [
        line({ starts_on: "2025-01-01", ends_on: "2025-07-01" }),
        line({ starts_on: "2025-04-01", ends_on: "2025-10-01" }),
        line({ starts_on: "2025-04-01", ends_on: "2025-05-01" }),
      ].join("\n"),
    );
    expect(codesOf(errors)).toContainEqual([2, "starts_on", "overlap"]);
    expect(codesOf(errors)).toContainEqual([3, "starts_on", "duplicate"]);
  });
});
