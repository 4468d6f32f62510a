import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { and, desc, eq, like, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditLog, catalogueImports, reports, routes } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { browse } from "../catalogue/browse.server.ts";
import { recordExchangeRates } from "../catalogue/exchange-rates.server.ts";
import { lockCatalogue } from "../catalogue/import.server.ts";
import { routeRecord } from "../catalogue/route-data.server.ts";
import { applyImport, checkFile, discardImport, discardOldImports, listImports, readImport } from "./imports.server.ts";

let world: World;
let operator: OperatorCaller;
const open = async () => {
  world = await createWorld({ routeCodes: ["C-CNSHA-NLRTM-PEL9", "C-CNNGB-GBFXT-MRG9", "C-SGSIN-DEHAM-COR9"] });
  operator = await world.operator();
  return () => world.close();
};

const sample = (name: string) =>
  readFileSync(new URL(`../../../drizzle/seed/import-samples/${name}`, import.meta.url), "utf8");

/** As it arrives: in pieces. */
const contentOf = (text: string | Uint8Array) => Readable.from(piecesOf(Buffer.from(text), 100));
function* piecesOf(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const upload = async (text: string, fileName = "file.csv") => {
  const { id, done } = await checkFile(world.ctx, operator, { fileName, content: contentOf(text) });
  await done;
  return readImport(world.ctx, operator, { id });
};
const stagingTables = async (): Promise<string[]> => {
  const tables = await world.ctx.db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relname like 'import\\_rows\\_%' and relkind = 'r'`,
  );
  return tables.map(({ name }) => name);
};
const apply = async (id: number) => {
  const { done } = await applyImport(world.ctx, operator, { id });
  await done;
  return readImport(world.ctx, operator, { id });
};
const applied = async (text: string) => apply((await upload(text)).id);
const routeOf = async (code: string) => {
  const { rows } = await browse(world.ctx, { q: code }, { limit: 10 });
  const found = rows.find((row) => row.code === code);
  if (!found) throw new Error(`There is no route ${code}`);
  return routeRecord(world.ctx, found.id);
};
/** Newest first. */
const auditOfOperator = () =>
  world.ctx.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.actorAccountId, operator.account.id), like(auditLog.action, "catalogue_import.%")))
    .orderBy(desc(auditLog.id));
const newRoute = "C-CNSHA-NLRTM-ABCD";
const euro = (asOf: string) => ({ base: "EUR", quote: "USD", asOf, rate: "1.0931", source: "ECB" });

describe("A file of routes", () => {
  beforeEach(open);

  it("is checked without changing the catalogue", async () => {
    const seen = await upload(sample("routes.csv"), "routes.csv");
    expect(seen).toMatchObject({
      fileName: "routes.csv",
      kind: "routes",
      status: "checked",
      counts: { rows: 2, new: 1, changed: 0, unchanged: 0, errors: 0 },
      work: null,
      operator: operator.account.username,
      errors: [],
    });
    expect(seen.firstRows).toMatchObject([
      { row: 2, cells: { code: newRoute, service_level: "standard" } },
      { row: 3, cells: { service_level: "economy" } },
    ]);
    expect(await world.ctx.db.$count(routes, eq(routes.code, newRoute))).toBe(0);
  });

  it("adds a route with its levels, path and period, and its staged rows are gone", async () => {
    const after = await applied(sample("routes.csv"));
    expect(after).toMatchObject({ status: "applied", counts: { new: 1 }, firstRows: [], endedAt: world.clock.now() });
    const route = await routeOf(newRoute);
    expect(route).toMatchObject({
      name: "Shanghai - Rotterdam",
      carrier: { code: "ABCD", name: "Example Line" },
    });
    expect(route.row).toMatchObject({ departureWeekdays: [5], intermediateCalls: 2, bookingStatus: "closed" });
    expect(route.row.passages).toContain("Suez Canal");
    expect(route.row.waypoints.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["Ningbo-Zhoushan", "Singapore", "Dover Strait"]),
    );
    expect(route.levels.map(({ level, transitDays }) => [level, transitDays])).toEqual([
      ["standard", 32],
      ["economy", 39],
    ]);
    expect(route.periods).toMatchObject([{ startsOn: "2026-10-01", endsOn: null, freshness: "daily" }]);
    expect(await stagingTables()).toEqual([]);
    expect(await auditOfOperator()).toMatchObject([
      { action: "catalogue_import.applied", accountId: null },
      { action: "catalogue_import.checked", accountId: null },
    ]);
  });

  it("changes nothing when imported again, and only the differences when changed", async () => {
    await applied(sample("routes.csv"));
    const { row: before } = await routeOf(newRoute);
    expect((await upload(sample("routes.csv"))).counts).toMatchObject({ new: 0, changed: 0, unchanged: 1 });
    const faster = await applied(sample("routes.csv").replace(",standard,32,", ",standard,31,"));
    expect(faster.counts).toMatchObject({ new: 0, changed: 1, unchanged: 0 });
    const after = await routeOf(newRoute);
    expect(after.levels.find(({ level }) => level === "standard")?.transitDays).toBe(31);
    expect(after.row.version).toBe(before.version + 1);
  });

  it("keeps data of a route that the file does not contain", async () => {
    const code = "C-CNSHA-NLRTM-PEL9";
    const before = await routeOf(code);
    const lines = before.levels.map(({ level, transitDays }) =>
      [
        code,
        before.name,
        "container",
        "PEL9",
        "EAS-NEU",
        "EAS-NEU-C-CN",
        "CNSHA",
        "NLRTM",
        "9000",
        level,
        transitDays,
        "1",
        "FRI",
        "weekly",
      ].join(),
    );
    const header =
      "code,name,cargo_type,carrier_code,trade_lane_code,route_group_code,origin_unlocode,destination_unlocode,distance_nm,service_level,transit_time_days,sailings_per_week,departure_weekdays,data_freshness";
    expect(await applied([header, ...lines].join("\n"))).toMatchObject({ status: "applied", counts: { changed: 1 } });
    const after = await routeOf(code);
    expect(after.rates).toEqual(before.rates);
    expect(after.surcharges).toEqual(before.surcharges);
    expect(after.row.waypoints.map(({ name }) => name)).toEqual(before.row.waypoints.map(({ name }) => name));
    expect(after.row.distanceNm).toBe(9000);
    expect(after.periods.find(({ endsOn }) => endsOn === null)?.freshness).toBe("weekly");
  });
});

describe("An invalid file of routes", () => {
  beforeAll(open);

  it.each([
    [
      "cargo_type",
      (text: string) => text.replace(",container,ABCD", ",boxes,ABCD"),
      "boxes",
      /Enter a cargo type: container/,
    ],
    ["origin_unlocode", (text: string) => text.replace(",CNSHA,", ",XXSHA,"), "XXSHA", /Unknown port/],
    [
      "route_group_code",
      (text: string) => text.replace("EAS-NEU-C-CN", "EAS-NEU-X"),
      "EAS-NEU-X",
      /Unknown route group/,
    ],
    [
      "trade_lane_code",
      (text: string) => text.replace("EAS-NEU,EAS", "NEU-EAS,EAS"),
      "NEU-EAS",
      /belongs to the trade lane EAS-NEU/,
    ],
    [
      "carrier_code",
      (text: string) => text.replace(",Example Line,", ",,"),
      "ABCD",
      /enter the name to add the carrier/,
    ],
    [
      "carrier_name",
      (text: string) => text.replace("ABCD,Example Line", "PEL9,Pelorin"),
      "Pelorin",
      /PEL9 is Pelorin Lines/,
    ],
    ["distance_nm", (text: string) => text.replace(",10537,", ",10.5k,"), "10.5k", /digits only/],
    ["departure_weekdays", (text: string) => text.replace(",FRI,", ",Friday,"), "Friday", /Enter weekdays: MON, TUE/],
    [
      "via_unlocodes",
      (text: string) => text.replace("CNNGB|", "CNNGB|ATLANTIS|"),
      "CNNGB|ATLANTIS|SGSIN",
      /Unknown ports: ATLANTIS/,
    ],
    ["status", (text: string) => text.replace(",active", ",retired"), "retired", /Only active routes/],
    ["", (text: string) => text.replace(",active", ",active,more"), "", /has 18 cells, the first line has 17/],
    ["", (text: string) => text.replace("Shanghai - R", '"Shanghai - R'), "", /quoted cell is not closed/],
  ])("is rejected for a wrong %s, with the line and what to do", async (column, change, value, message) => {
    const refused = await upload(change(sample("routes.csv")));
    expect(refused.status).toBe("refused");
    expect(refused.errors).toContainEqual({
      row: 2,
      column,
      code: expect.stringMatching(/^[a-z_]+$/),
      value,
      message: expect.stringMatching(message),
    });
    await expect(applyImport(world.ctx, operator, { id: refused.id })).rejects.toMatchObject({ code: "conflict" });
  });

  it("is rejected for contradictory and for duplicate lines", async () => {
    const [header, first, second] = sample("routes.csv").trim().split("\n");
    const other = second?.replace(",10537,", ",10600,");
    expect((await upload([header, first, other, first].join("\n"))).errors).toMatchObject([
      {
        row: 3,
        column: "distance_nm",
        value: "10600",
        message: expect.stringContaining("Line 2 has a different value"),
      },
      { row: 4, column: "service_level", message: expect.stringContaining("Already in line 2") },
    ]);
  });

  it.each([
    ["semicolons", (text: string) => text.replaceAll(",", ";")],
    ["tabs", (text: string) => text.replaceAll(",", "\t")],
    ["Windows line ends and a byte order mark", (text: string) => `\uFEFF${text.replaceAll("\n", "\r\n")}`],
    ["blank lines", (text: string) => text.replaceAll("\n", "\n\n")],
  ])("may have %s", async (_, change) => {
    expect(await upload(change(sample("routes.csv")))).toMatchObject({
      status: "checked",
      counts: { rows: 2, new: 1 },
    });
  });

  it("is rejected without any data", async () => {
    const [header = ""] = sample("routes.csv").split("\n");
    expect((await upload(header)).errors).toMatchObject(
      [{ row: 1, message: /no lines with data/ }].map(() => ({ row: 1 })),
    );
  });
});

describe("A file of rates", () => {
  beforeEach(open);

  it("requires existing routes, and exchange rates for other currencies than USD", async () => {
    expect((await upload(sample("rates.csv"))).errors).toMatchObject([
      { row: 2, column: "route_code", value: newRoute, message: expect.stringContaining("import the route first") },
      { row: 3, column: "route_code" },
      {
        ...{ row: 4, column: "currency", code: "no_exchange_rate", value: "EUR" },
        message: "There is no exchange rate from EUR to USD as of 2026-11-01. Add one, or convert the amount",
      },
    ]);
  });

  it("adds charges, ends older ones the day before, and keeps the others", async () => {
    await applied(sample("routes.csv"));
    expect((await applied(sample("rates.csv").replace("EUR", "USD"))).counts).toMatchObject({ new: 3, changed: 0 });
    const later =
      "route_code,service_level,valid_from,charge_type,charge_code,equipment_type,amount,currency,basis\n" +
      `${newRoute},standard,2026-11-21,base,BAS,45G1,4400.50,USD,per_container\n` +
      `${newRoute},,2026-11-01,surcharge,BAF,,640,USD,per_container\n` +
      `${newRoute},,2026-11-01,surcharge,GRI,,100,USD,per_container\n`;
    expect((await applied(later)).counts).toMatchObject({ new: 2, changed: 1, unchanged: 0 });
    const { rates, surcharges } = await routeOf(newRoute);
    expect(rates.map(({ amountCents, validFrom, validTo }) => [amountCents, validFrom, validTo])).toEqual(
      expect.arrayContaining([
        [431_000, "2026-11-01", "2026-11-20"],
        [440_050, "2026-11-21", null],
      ]),
    );
    expect(surcharges.map(({ code, name, amountCents }) => [code, name, amountCents]).toSorted()).toEqual([
      ["BAF", "Bunker Adjustment Factor", 64_000],
      ["DTHC", "Terminal Handling Charge – Destination", 24_500],
      ["GRI", "General Rate Increase", 10_000],
    ]);
  });

  it("keeps surcharges in their currency, with the exchange rate of their first day", async () => {
    await applied(sample("routes.csv"));
    await recordExchangeRates(world.ctx.db, [
      euro("2026-10-30"),
      { ...euro("2026-11-02"), rate: "1.2" },
      { ...euro("2026-10-30"), base: "JPY", rate: "0.0065" },
    ]);
    const text = `${sample("rates.csv")}${newRoute},,2026-11-01,,,surcharge,OTHC,14500,JPY,per_teu\n`;
    const checked = await upload(text);
    const fieldsOf = (key: string) => checked.preview?.changes.find((change) => change.key.includes(key))?.fields;
    const exchangeRate = { name: "exchange_rate", before: null, after: "1.0931 (ECB 2026-10-30)" };
    expect(fieldsOf("DTHC")).toContainEqual(exchangeRate);
    expect(fieldsOf("OTHC")).toContainEqual({ name: "amount", before: null, after: "14500" });
    expect(fieldsOf("BAF")?.map(({ name }) => name)).not.toContain("exchange_rate");

    await apply(checked.id);
    const surcharges = async () => (await routeOf(newRoute)).surcharges.toSorted((a, b) => (a.code < b.code ? -1 : 1));
    const published = { asOf: "2026-10-30", source: "ECB" };
    const imported = [
      { code: "BAF", amountCents: 62_000, currency: "USD", exchangeRate: null },
      { code: "DTHC", amountCents: 24_500, currency: "EUR", exchangeRate: { ...published, rate: "1.0931" } },
      { code: "OTHC", amountCents: 14_500, currency: "JPY", exchangeRate: { ...published, rate: "0.0065" } },
    ];
    expect(await surcharges()).toMatchObject(imported);
    expect((await upload(text)).counts).toMatchObject({ new: 0, changed: 0, unchanged: 4 });

    // Neither a corrected exchange rate nor a file of routes changes them.
    await recordExchangeRates(world.ctx.db, [{ ...euro("2026-10-30"), rate: "1.0940" }]);
    await applied(sample("routes.csv").replace(",standard,32,", ",standard,31,"));
    expect(await surcharges()).toMatchObject(imported);

    // Importing the file again does.
    const corrected = await upload(text);
    expect(corrected.preview?.changes).toEqual([
      {
        key: `${newRoute} DTHC 2026-11-01`,
        fields: [{ name: "exchange_rate", before: "1.0931 (ECB 2026-10-30)", after: "1.0940 (ECB 2026-10-30)" }],
      },
    ]);
    await apply(corrected.id);
    expect((await surcharges())[1]?.exchangeRate?.rate).toBe("1.0940");
    await applied(text.replace("245,EUR", "268,USD"));
    expect((await surcharges())[1]).toMatchObject({ amountCents: 26_800, currency: "USD", exchangeRate: null });
  });
});

describe("An invalid file of rates", () => {
  beforeAll(async () => {
    const close = await open();
    await applied(sample("routes.csv"));
    return close;
  });

  it.each([
    ["amount", ",4310,", ",4310.005,"],
    ["valid_to", ",2026-11-30,", ",2026-10-30,"],
    ["valid_from", ",2026-11-01,2026-11-30", ",01.11.2026,2026-11-30"],
    ["valid_from", ",2026-11-01,2026-11-30", ",0000-11-01,2026-11-30"],
    ["service_level", "ABCD,standard,2026-11-01,2026-11-30", "ABCD,express,2026-11-01,2026-11-30"],
    ["charge_type", ",base,", ",basic,"],
    ["charge_code", ",base,BAS,", ",base,BAF,"],
    ["equipment_type", ",45G1,base", ",40HC!,base"],
    ["basis", "4310,USD,per_container", "4310,USD,per_teu"],
  ])("is rejected for a wrong %s", async (column, right, wrong) => {
    const text = sample("rates.csv").replace("EUR", "USD");
    expect(text).toContain(right);
    expect((await upload(text.replace(right, wrong))).errors.map((error) => [error.row, error.column])).toContainEqual([
      2,
      column,
    ]);
  });
});

describe("A surcharge in another currency", () => {
  beforeAll(async () => {
    const close = await open();
    await applied(sample("routes.csv"));
    await recordExchangeRates(world.ctx.db, [
      euro("2026-11-13"),
      { ...euro("2026-11-13"), base: "JPY", rate: "0.0065" },
      { ...euro("2026-11-13"), base: "USD", quote: "CNY", rate: "7.1" },
    ]);
    return close;
  });
  const header = "route_code,service_level,valid_from,charge_type,charge_code,equipment_type,amount,currency,basis";
  const line = (from: string, charge: string) => `${newRoute},standard,${from},${charge},per_container`;

  it.each([
    ["before the first exchange rate", line("2026-11-12", "surcharge,DTHC,,245,EUR"), "currency", "no_exchange_rate"],
    ["of the opposite pair only", line("2026-11-13", "surcharge,DTHC,,245,CNY"), "currency", "no_exchange_rate"],
    ["that ISO 4217 does not have", line("2026-11-13", "surcharge,DTHC,,245,XXY"), "currency", "wrong_currency"],
    ["as a base rate", line("2026-11-13", "base,BAS,45G1,4310,EUR"), "currency", "wrong_currency"],
    ["with more decimals than it has", line("2026-11-13", "surcharge,OTHC,,14500.5,JPY"), "amount", "over_precise"],
    ["below zero", line("2026-11-13", "surcharge,OTHC,,-1,EUR"), "amount", "negative"],
    ["that is too large", line("2026-11-13", "surcharge,OTHC,,1000000000,JPY"), "amount", "malformed"],
  ])("is rejected %s", async (_, row, column, code) => {
    expect((await upload([header, row].join("\n"))).errors).toMatchObject([
      { row: 2, column, code, message: expect.stringMatching(/^[A-Z].{15,}/) },
    ]);
  });

  it("is rejected if it has two currencies", async () => {
    const rows = [
      line("2026-11-13", "surcharge,DTHC,,245,EUR"),
      line("2026-11-13", "surcharge,DTHC,,245,USD").replace("standard", "economy"),
    ];
    expect((await upload([header, ...rows].join("\n"))).errors).toMatchObject([
      { row: 3, column: "amount", code: "contradiction" },
    ]);
  });
});

describe("A file of reports", () => {
  beforeEach(open);

  it("adds reports and updates the route's capacity from the latest", async () => {
    await applied(sample("routes.csv"));
    expect((await applied(sample("reports.jsonl"))).counts).toMatchObject({
      rows: 2,
      new: 2,
      changed: 0,
      unchanged: 0,
    });
    const found = await world.ctx.db
      .select()
      .from(reports)
      .where(sql`external_id like 'ops-%'`)
      .orderBy(reports.externalId);
    expect(found).toMatchObject([
      { type: "capacity", serviceLevel: "standard", availableCapacity: 420, bookingStatus: "open" },
      { type: "rate", serviceLevel: "standard", baseRateCents: 431_000 },
    ]);
    expect((await routeOf(newRoute)).row).toMatchObject({ capacityNominal: 2400, capacityAvailable: 420 });
    expect((await upload(sample("reports.jsonl"))).counts).toMatchObject({ unchanged: 2 });
    const changed = sample("reports.jsonl").replace('"base_rate":4310', '"base_rate":4320.5');
    expect((await upload(changed)).counts).toMatchObject({ changed: 1, unchanged: 1 });
  });
});

describe("A file of rate reports", () => {
  beforeEach(open);
  const surcharges = [
    { code: "BAF", amount: 620 },
    { code: "DTHC", amount: 245, currency: "EUR" },
  ];
  const line = (data: object) => {
    const rate = { service_level: "standard", equipment_type: "45G1", currency: "USD", basis: "per_container" };
    return JSON.stringify({
      route_code: "C-CNSHA-NLRTM-PEL9",
      report_type: "rate",
      observed_at: "2026-11-17T06:00:00Z",
      data: { ...rate, base_rate: 4310, ...data },
    });
  };
  it("adds a series for each equipment type, and converts surcharges at the exchange rate of their day", async () => {
    await recordExchangeRates(world.ctx.db, [euro("2026-11-13")]);
    const text = [line({ surcharges }), line({ equipment_type: "22G1", base_rate: 2370.5 })].join("\n");
    expect((await applied(text)).counts).toMatchObject({ rows: 2, new: 2 });
    const found = await world.ctx.db
      .select()
      .from(reports)
      .where(sql`observed_at = '2026-11-17T06:00:00Z'`)
      .orderBy(reports.equipmentType);
    const exchangeRate = { rate: "1.0931", asOf: "2026-11-13", source: "ECB" };
    const units = { basis: "per_container", currency: "USD" };
    expect(found).toMatchObject([
      { ...units, equipmentType: "22G1", baseRateCents: 237_050, surcharges: null, surchargesCents: null },
      {
        ...{ ...units, equipmentType: "45G1", baseRateCents: 431_000, surchargesCents: 62_000 + 26_781 },
        surcharges: [
          { code: "BAF", amountCents: 62_000 },
          { code: "DTHC", amountCents: 24_500, currency: "EUR", exchangeRate },
        ],
      },
    ]);
    expect((await upload(text)).counts).toMatchObject({ unchanged: 2 });
  });

  it.each([
    ["data.surcharges.1.currency", { surcharges }],
    ["data.surcharges.0.amount", { surcharges: [{ code: "BAF", amount: 620.005 }] }],
    ["data.surcharges.0.amount", { surcharges: [{ code: "OTHC", amount: 14_500.5, currency: "JPY" }] }],
    ["data.surcharges.0.code", { surcharges: [{ code: "bunker", amount: 620 }] }],
    ["data.surcharges.1.code", { surcharges: [surcharges[0], surcharges[0]] }],
    ["data.surcharges_total", { surcharges: [surcharges[0]], surcharges_total: 619 }],
    ["data.base_rate", { base_rate: 4310.005 }],
    ["data.equipment_type", { equipment_type: "40HC" }],
    ["data.basis", { basis: "per_tonne" }],
  ])("is rejected for a wrong %s", async (column, data) => {
    // Later than the report.
    await recordExchangeRates(world.ctx.db, [euro("2026-11-18")]);
    expect((await upload(line(data))).errors.map((error) => error.column)).toEqual([column]);
  });
});

describe("The preview of a file of reports", () => {
  beforeEach(open);
  const capacity = (route: string, available: number) =>
    JSON.stringify({
      route_code: route,
      report_type: "capacity",
      observed_at: "2026-11-17T06:00:00Z",
      data: { sailing_date: "2026-11-20", unit: "TEU", nominal: 1000, available, booking_status: "open" },
    });

  it("counts the routes of new and changed reports only", async () => {
    const first = [capacity("C-CNSHA-NLRTM-PEL9", 100), capacity("C-CNNGB-GBFXT-MRG9", 100)];
    const added = await upload(first.join("\n"));
    expect(added.preview?.touched.routes).toBe(2);
    await apply(added.id);
    const changed = await upload([first[0], capacity("C-CNNGB-GBFXT-MRG9", 90)].join("\n"));
    expect(changed).toMatchObject({ counts: { changed: 1, unchanged: 1 }, preview: { touched: { routes: 1 } } });
  });
});

describe("An invalid file of reports", () => {
  beforeAll(async () => {
    const close = await open();
    await applied(sample("routes.csv"));
    return close;
  });

  it.each([
    ["route_code", newRoute, "C-NONE"],
    ["observed_at", "2026-11-16T06:00:00Z", "2026-11-16 06:00"],
    ["observed_at", "2026-11-16T06:00:00Z", "1999-11-16T06:00:00Z"],
    ["report_type", '"report_type":"capacity"', '"report_type":"weather"'],
    ["external_id", '"ops-88121"', String.raw`"\u0000"`],
    ["external_id", '"ops-88121"', String.raw`"\ud800"`],
    ["data.sailing_date", '"2026-11-20"', '"0000-11-20"'],
    ["data.unit", '"TEU"', '"FEU"'],
    ["data.available", '"available":420', '"available":4200'],
    ["data.booking_status", '"booking_status":"open"', '"booking_status":"ajar"'],
    ["", '{"route_code"', '{route_code"'],
  ])("is rejected for a wrong %s", async (column, right, wrong) => {
    const lines = sample("reports.jsonl").split("\n").reverse().join("\n").trim();
    const [last = "", first = ""] = lines.split("\n");
    expect(first).toContain(right);
    const refused = await upload([last, first.replace(right, wrong)].join("\n"));
    expect(refused.errors.map((error) => [error.row, error.column])).toEqual([[2, column]]);
  });

  it("is rejected with long values shortened between characters", async () => {
    const [first = ""] = sample("reports.jsonl").split("\n");
    const unit = `x${"🚢".repeat(200)}`;
    const refused = await upload([first.replace('"TEU"', JSON.stringify(unit)), `${"x".repeat(59)}🚢`].join("\n"));
    expect(refused.status).toBe("refused");
    expect(refused.errors.map(({ value }) => value.length <= 200 && value.isWellFormed())).toEqual([true, true]);
  });

  it("shows its first rows with long values shortened", async () => {
    const [first = "", second = ""] = sample("reports.jsonl").split("\n");
    const long = first.replace('"ops-88121"', JSON.stringify("x".repeat(30_000)));
    expect(await upload([long, second].join("\n"))).toMatchObject({
      status: "refused",
      firstRows: [{ row: 1, cells: { external_id: "x".repeat(200) } }, { row: 2 }],
    });
  });
});

describe("Applying", () => {
  beforeEach(open);

  it("succeeds once when it is started twice at the same time", async () => {
    const { id } = await upload(sample("routes.csv"));
    const both = await Promise.allSettled([apply(id), apply(id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "conflict", message: "This file is already applied" },
    });
    expect((await auditOfOperator()).filter(({ action }) => action === "catalogue_import.applied")).toHaveLength(1);
  });

  it("and discarding at the same time end with exactly one of them done", async () => {
    const { id } = await upload(sample("routes.csv"));
    await Promise.allSettled([apply(id), discardImport(world.ctx, operator, { id })]);
    const { status } = await readImport(world.ctx, operator, { id });
    expect(await world.ctx.db.$count(routes, eq(routes.code, newRoute))).toBe(status === "applied" ? 1 : 0);
    expect(["applied", "discarded"]).toContain(status);
  });

  /** As a change of the catalogue by an operator or a job. */
  const changeGroup = (beforeCommit: () => Promise<unknown> = async () => {}) =>
    world.ctx.db.transaction(async (tx) => {
      await lockCatalogue(tx, { now: world.ctx.clock.now(), source: "operator" });
      await tx.execute(sql`update route_groups set cargo_type = 'bulk' where code = 'EAS-NEU-C-CN'`);
      await beforeCommit();
    });

  it("checks the file again, and rejects one that is no longer valid", async () => {
    const { id } = await upload(sample("routes.csv"));
    await changeGroup();
    await expect(apply(id)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("no longer valid"),
    });
    expect(await readImport(world.ctx, operator, { id })).toMatchObject({
      status: "refused",
      work: null,
      errors: [{ column: "cargo_type" }, { column: "cargo_type" }],
    });
    expect(await world.ctx.db.$count(routes, eq(routes.code, newRoute))).toBe(0);
  });

  it("notices a change that was not yet committed during the check", async () => {
    const steps = new EventEmitter();
    const written = once(steps, "written");
    const change = changeGroup(() => {
      const checked = once(steps, "checked");
      steps.emit("written");
      return checked;
    });
    await written;
    const { id, status } = await upload(sample("routes.csv"));
    steps.emit("checked");
    await change;
    expect(status).toBe("checked");
    await expect(apply(id)).rejects.toMatchObject({ code: "conflict" });
  });

  it("checks the file again on a later day", async () => {
    const lane = "EAS-NEU,Asia – North Europe (westbound),EAS,NEU,head_haul,150.00,2026-11-21";
    const { id } = await upload(
      `code,name,origin_region_code,destination_region_code,haul,base_price,valid_from\n${lane}\n`,
    );
    world.clock.set("2026-11-22T09:30:00Z");
    await expect(apply(id)).rejects.toMatchObject({ code: "conflict" });
    expect(await readImport(world.ctx, operator, { id })).toMatchObject({ errors: [{ code: "in_past" }] });
  });
});

describe("A file whose process died", () => {
  beforeEach(open);

  const died = (id: number, status: "checking" | "applying") =>
    world.ctx.db
      .update(catalogueImports)
      .set({ status, heartbeatAt: world.clock.now() })
      .where(eq(catalogueImports.id, id));

  it("during the check is interrupted after a minute without a heartbeat, and cannot be applied", async () => {
    const { id } = await upload(sample("routes.csv"));
    await died(id, "checking");
    world.clock.set("2026-11-20T09:30:59Z");
    expect(await readImport(world.ctx, operator, { id })).toMatchObject({
      status: "checking",
      work: { task: "checking" },
      interrupted: false,
    });
    world.clock.set("2026-11-20T09:31:00Z");
    expect(await readImport(world.ctx, operator, { id })).toMatchObject({
      status: "checking",
      work: null,
      interrupted: true,
    });
    await expect(apply(id)).rejects.toMatchObject({ code: "conflict" });
    await discardImport(world.ctx, operator, { id });
    expect(await readImport(world.ctx, operator, { id })).toMatchObject({ status: "discarded", interrupted: false });
  });

  it("during application can be applied again after a minute without a heartbeat", async () => {
    const { id } = await upload(sample("routes.csv"));
    await died(id, "applying");
    expect(await readImport(world.ctx, operator, { id })).toMatchObject({
      status: "applying",
      work: { task: "applying" },
    });
    world.clock.set("2026-11-20T09:31:00Z");
    expect(await readImport(world.ctx, operator, { id })).toMatchObject({ status: "checked", work: null });
    expect(await apply(id)).toMatchObject({ status: "applied", counts: { new: 1 } });
  });

  it("during the check loses its rows to the nightly job, and during application keeps them", async () => {
    const checking = await upload(sample("routes.csv"));
    const applying = await upload(sample("routes.csv"));
    await died(checking.id, "checking");
    await died(applying.id, "applying");
    await discardOldImports(world.ctx);
    expect(await stagingTables()).toHaveLength(2);
    world.clock.set("2026-11-20T09:31:00Z");
    expect(await discardOldImports(world.ctx)).toBe(0);
    expect(await stagingTables()).toEqual([`import_rows_${applying.id}`]);
    expect(await apply(applying.id)).toMatchObject({ status: "applied" });
  });

  it.each(["checking", "applying"] as const)("while it was %s is discarded after seven days", async (status) => {
    const { id } = await upload(sample("routes.csv"));
    await died(id, status);
    world.clock.set("2026-11-27T09:30:01Z");
    expect(await discardOldImports(world.ctx)).toBe(1);
    expect(await readImport(world.ctx, operator, { id })).toMatchObject({ status: "discarded", firstRows: [] });
  });
});

describe("A file that is being checked", () => {
  beforeEach(open);

  it("has its own state and the number of rows that are read", async () => {
    const content = contentOf(sample("routes.csv"));
    const { id, done } = await checkFile(world.ctx, operator, { fileName: "routes.csv", content });
    const rows = await world.ctx.db
      .select({ status: catalogueImports.status, done: catalogueImports.rowsDone })
      .from(catalogueImports);
    await done;
    expect(rows).toMatchObject([{ done: 2 }]);
    expect(["checking", "checked"]).toContain(rows[0]?.status);
    expect(await readImport(world.ctx, operator, { id })).toMatchObject({ status: "checked", work: null });
  });
});

describe("Discarding a file", () => {
  beforeEach(open);

  it("erases its text, and is rejected once the file is applied", async () => {
    const { id } = await upload(sample("routes.csv"));
    await discardImport(world.ctx, operator, { id });
    await discardImport(world.ctx, operator, { id });
    expect(await readImport(world.ctx, operator, { id })).toMatchObject({ status: "discarded", firstRows: [] });
    await expect(apply(id)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("was discarded"),
    });
    const other = await applied(sample("routes.csv"));
    await expect(discardImport(world.ctx, operator, { id: other.id })).rejects.toMatchObject({ code: "conflict" });
    await expect(discardImport(world.ctx, operator, { id: 999 })).rejects.toMatchObject({ code: "not_found" });
  });

  it("happens automatically after seven days", async () => {
    const checked = await upload(sample("routes.csv"));
    const refused = await upload(sample("rates.csv"));
    world.clock.set("2026-11-27T09:29:59Z");
    expect(await discardOldImports(world.ctx)).toBe(0);
    world.clock.set("2026-11-27T09:30:01Z");
    expect(await discardOldImports(world.ctx)).toBe(2);
    expect(await discardOldImports(world.ctx)).toBe(0);
    expect(await readImport(world.ctx, operator, checked)).toMatchObject({ status: "discarded", firstRows: [] });
    expect(await readImport(world.ctx, operator, refused)).toMatchObject({ status: "refused", firstRows: [] });
    const { rows } = await listImports(world.ctx, operator, { limit: 1 });
    expect(rows).toMatchObject([{ id: refused.id }]);
  });
});
