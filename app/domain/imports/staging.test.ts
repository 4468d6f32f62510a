import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { carriers, catalogueImports, reports, routes } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { CatalogueEditor } from "../accounts/caller.ts";
import { recordExchangeRates } from "../catalogue/exchange-rates.server.ts";
import { findingsCsv } from "./findings-csv.server.ts";
import { applyImport, checkFile, discardOldImports, readImport } from "./imports.server.ts";

const code = "C-CNSHA-NLRTM-PEL9";
let world: World;
let operator: CatalogueEditor;

beforeEach(async () => {
  world = await createWorld({ routeCodes: [code] });
  operator = await world.operator();
  return () => world.close();
});

const upload = async (content: string | AsyncIterable<Uint8Array>) => {
  const bytes = typeof content === "string" ? Readable.from([Buffer.from(content)]) : content;
  const { id, done } = await checkFile(world.ctx, operator, { fileName: "file", content: bytes });
  await done;
  return readImport(world.ctx, operator, { id });
};
const apply = async (id: number) => {
  const { done } = await applyImport(world.ctx, operator, { id });
  await done;
  return readImport(world.ctx, operator, { id });
};
const stagingTables = async (): Promise<string[]> => {
  const tables = await world.ctx.db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relkind = 'r' and relname ~ '^import_rows_' order by relname`,
  );
  return tables.map(({ name }) => name);
};

type Figures = Record<string, unknown>;
const reportOf = (changes: Figures = {}, data: Figures = {}) =>
  JSON.stringify({
    route_code: code,
    report_type: "rate",
    observed_at: "2026-11-16T06:00:17Z",
    ...changes,
    data: {
      service_level: "standard",
      equipment_type: "45G1",
      currency: "USD",
      basis: "per_container",
      base_rate: 4310,
      ...data,
    },
  });
const capacityOf = (data: Figures) =>
  reportOf(
    { report_type: "capacity" },
    { sailing_date: "2026-11-20", unit: "TEU", nominal: 1000, available: 100, booking_status: "open", ...data },
  );
const manyReports = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    reportOf({ observed_at: new Date(Date.UTC(2026, 10, 1, 0, 0, 17) + i * 60_000).toISOString() }),
  ).join("\n");

describe("A file of carriers", () => {
  const file = "code,name,cargo_types\nPEL9,Pelorin Lines Ltd,container\nNEW1,New Line,bulk|ro_ro\n";

  it("is previewed field by field, with the routes that it concerns, and then applied", async () => {
    const checked = await upload(file);
    expect(checked).toMatchObject({ status: "checked", counts: { rows: 2, new: 1, changed: 1, unchanged: 0 } });
    expect(checked.preview?.touched).toEqual({ routes: 1, subscriptions: 0 });
    expect(checked.preview?.changes).toMatchObject([
      {
        key: "PEL9",
        fields: expect.arrayContaining([{ name: "name", before: "Pelorin Lines (demo)", after: "Pelorin Lines Ltd" }]),
      },
      { key: "NEW1", fields: expect.arrayContaining([{ name: "cargo_types", before: null, after: "bulk|ro_ro" }]) },
    ]);
    expect(await apply(checked.id)).toMatchObject({ status: "applied", changedRoutes: 1 });
    expect(await world.ctx.db.$count(carriers, eq(carriers.code, "NEW1"))).toBe(1);
    expect(await stagingTables()).toEqual([]);
  });

  it("changes nothing the second time", async () => {
    await apply((await upload(file)).id);
    const [before] = await world.ctx.db.select({ version: routes.version }).from(routes);
    const again = await upload(file);
    expect(again.counts).toMatchObject({ new: 0, changed: 0, unchanged: 2 });
    expect(await apply(again.id)).toMatchObject({ status: "applied", changedRoutes: 0 });
    expect(await world.ctx.db.select({ version: routes.version }).from(routes)).toEqual([before]);
  });

  it("is rejected for a carrier that is there twice, and one that would lose a cargo type of its routes", async () => {
    const refused = await upload(`${file}NEW1,Again,bulk\nPEL9,Pelorin Lines,bulk\n`);
    expect(refused.errors.map((error) => [error.row, error.column, error.code])).toEqual([
      [4, "code", "duplicate"],
      [5, "code", "duplicate"],
      [5, "cargo_types", "wrong_cargo_type"],
    ]);
  });
});

describe("A template", () => {
  it.each(["carriers.csv"])("imports as it is: %s", async (name) => {
    const template = readFileSync(new URL(`../../../public/import-templates/${name}`, import.meta.url), "utf8");
    const checked = await upload(template);
    expect(checked).toMatchObject({ status: "checked", errors: [] });
    expect(await apply(checked.id)).toMatchObject({ status: "applied" });
  });
});

describe("A file of reports", () => {
  it.each<[code: string, column: string, line: string]>([
    ["unknown_code", "route_code", reportOf({ route_code: "C-NONE" })],
    ["not_offset", "observed_at", reportOf({ observed_at: "2026-11-16T06:00:00" })],
    ["in_future", "observed_at", reportOf({ observed_at: "2026-11-20T09:30:01Z" })],
    ["no_period", "observed_at", reportOf({ observed_at: "1999-11-16T06:00:00Z" })],
    ["malformed", "observed_at", reportOf({ observed_at: "16 November" })],
    ["missing", "data.base_rate", reportOf({}, { base_rate: undefined })],
    ["negative", "data.base_rate", reportOf({}, { base_rate: -1 })],
    ["over_precise", "data.base_rate", reportOf({}, { base_rate: 10.005 })],
    ["wrong_basis", "data.basis", reportOf({}, { basis: "per_tonne", equipment_type: null })],
    [
      "no_exchange_rate",
      "data.surcharges.0.currency",
      reportOf({}, { surcharges: [{ code: "BAF", amount: 1, currency: "EUR" }] }),
    ],
    [
      "contradiction",
      "data.surcharges_total",
      reportOf({}, { surcharges: [{ code: "BAF", amount: 1 }], surcharges_total: 2 }),
    ],
    ["unknown_code", "data.service_level", reportOf({}, { service_level: "express" })],
    ["wrong_unit", "data.unit", capacityOf({ unit: "lane_metres" })],
    ["over_capacity", "data.available", capacityOf({ available: 1001 })],
    ["over_capacity", "data.allocated", capacityOf({ allocated: 1001 })],
    ["formula", "data.vessel_name", reportOf({ report_type: "schedule" }, { vessel_name: "=1+1" })],
  ])("is rejected with %s at %s", async (expected, column, line) => {
    await world.ctx.db.execute(sql`delete from service_levels where level = 'express'`);
    const refused = await upload(`${reportOf()}\n${line}\n`);
    expect(refused.errors.map((error) => [error.row, error.column, error.code])).toEqual([[2, column, expected]]);
    expect(refused.errors[0]?.message).toMatch(/^[A-Z].{10,}/);
    expect(await stagingTables()).toEqual([]);
  });

  it("may be overbooked by a tenth", async () => {
    expect(await upload(capacityOf({ allocated: 1000 }))).toMatchObject({ status: "checked" });
  });

  it("is rejected for rows that report the same, also where one leaves out the usual service level", async () => {
    const refused = await upload([capacityOf({}), capacityOf({ service_level: null })].join("\n"));
    expect(refused.errors).toMatchObject([{ row: 2, column: "observed_at", code: "duplicate" }]);
  });

  it("keeps the first thousand errors by row, and counts all", async () => {
    const lines = Array.from({ length: 1500 }, (_, i) => (i % 2 ? "wrong" : reportOf({ route_code: `C-${i}` })));
    const refused = await upload(lines.join("\n"));
    expect(refused.counts).toMatchObject({ rows: 1500, errors: 1500 });
    expect(refused.errors).toHaveLength(1000);
    expect(refused.errors.map(({ row }) => row)).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1));
    const text = await findingsCsv(world.ctx, operator, { id: refused.id });
    expect(text.split("\r\n").slice(0, 2)).toEqual([
      "file,severity,row,column,code,message,value",
      expect.stringMatching(/^file,error,1,route_code,unknown_code,/),
    ]);
  });

  it("is previewed with amounts in major units and their currency", async () => {
    await recordExchangeRates(world.ctx.db, [
      { base: "EUR", quote: "USD", asOf: "2026-11-13", rate: "1.1", source: "ECB" },
      { base: "JPY", quote: "USD", asOf: "2026-11-13", rate: "0.0065", source: "ECB" },
    ]);
    const surcharges = [
      { code: "BAF", amount: 120 },
      { code: "THC", amount: 95.5, currency: "EUR" },
    ];
    const added = await upload(reportOf({}, { surcharges }));
    const shown = (checked: typeof added) =>
      (checked.preview?.changes ?? []).flatMap(({ fields }) =>
        fields.map(({ name, before, after }) => `${name}: ${before ?? "–"} → ${after ?? "–"}`),
      );
    expect(shown(added)).toEqual([
      "basis: – → per_container",
      "currency: – → USD",
      "base_rate: – → 4310.00 USD",
      "surcharges: – → BAF 120.00 USD, THC 95.50 EUR",
      "surcharges_total: – → 225.05 USD",
    ]);
    await apply(added.id);
    const yen = [{ code: "THC", amount: 14_500, currency: "JPY" }];
    expect(shown(await upload(reportOf({}, { base_rate: 4310.5, surcharges: yen })))).toEqual([
      "base_rate: 4310.00 USD → 4310.50 USD",
      "surcharges: BAF 120.00 USD, THC 95.50 EUR → THC 14500 JPY",
      "surcharges_total: 225.05 USD → 94.25 USD",
    ]);
  });

  it("counts what it writes, and gives the route one new version", async () => {
    const first = await apply((await upload(manyReports(3))).id);
    expect(first).toMatchObject({ counts: { new: 3, changed: 0, unchanged: 0 }, changedRoutes: 1 });
    const changed = manyReports(4).replace('"base_rate":4310', '"base_rate":4320');
    expect(await apply((await upload(changed)).id)).toMatchObject({ counts: { new: 1, changed: 1, unchanged: 2 } });
    expect(await apply((await upload(changed)).id)).toMatchObject({
      counts: { new: 0, changed: 0, unchanged: 4 },
      changedRoutes: 0,
    });
  });
});

describe("An upload that breaks off", () => {
  it("leaves the catalogue as it was, an import that is interrupted, and no rows", async () => {
    const breakingOff = async function* () {
      yield Buffer.from(`${manyReports(10)}\n`);
      throw new Error("The client is gone");
    };
    await expect(upload(breakingOff())).rejects.toThrow("The client is gone");
    const [left] = await world.ctx.db.select({ id: catalogueImports.id }).from(catalogueImports);
    expect(await readImport(world.ctx, operator, { id: left?.id ?? 0 })).toMatchObject({
      status: "checking",
      interrupted: true,
      work: null,
    });
    expect(await stagingTables()).toEqual([]);
  });
});

describe("A checked file", () => {
  it("cannot be applied without its rows, which a crash of the database empties", async () => {
    const before = await world.ctx.db.$count(reports);
    const { id } = await upload(manyReports(3));
    await world.ctx.db.execute(sql.raw(`truncate import_rows_${id}`));
    await expect(apply(id)).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("crashed") });
    expect(await readImport(world.ctx, operator, { id })).toMatchObject({ status: "discarded" });
    expect(await world.ctx.db.$count(reports)).toBe(before);
  });

  it("is applied concurrently with another one, each in full", async () => {
    const before = await world.ctx.db.$count(reports);
    const both = await Promise.all([upload(manyReports(5)), upload(manyReports(8))]);
    await Promise.all(both.map(({ id }) => apply(id)));
    expect(await world.ctx.db.$count(reports)).toBe(before + 8);
  });

  it("is discarded after seven days with its rows", async () => {
    await upload(manyReports(3));
    expect(await stagingTables()).toHaveLength(1);
    world.clock.set("2026-11-27T09:30:01Z");
    expect(await discardOldImports(world.ctx)).toBe(1);
    expect(await stagingTables()).toEqual([]);
  });
});

describe("An import by command", () => {
  it("is recorded with the user of the machine", async () => {
    operator = { machineUser: "deploy" };
    const { id } = await upload(manyReports(1));
    expect(await apply(id)).toMatchObject({ status: "applied", operator: "deploy" });
    const [entry] = await world.ctx.db.execute<{ details: object }>(
      sql`select details from audit_log where action = 'catalogue_import.applied'`,
    );
    expect(entry?.details).toMatchObject({ machine_user: "deploy", new: 1 });
  });
});
