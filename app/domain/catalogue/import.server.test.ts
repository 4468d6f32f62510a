import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readDemoCatalogue } from "#drizzle/seed/catalogue-files.ts";
import { openDatabase } from "../../platform/db.server.ts";
import { cloneDatabase } from "../../testing/database.ts";
import { fixedClock } from "../clock.ts";
import { catalogueIsImported, importCatalogue } from "./import.server.ts";
import type { CatalogueSource } from "./import-records.ts";

const routeCodes = ["C-CNSHA-NLRTM-PEL9", "B-AUPHE-CNTAO-GRN9", "K-BEANR-USHOU-BWH9"];
const demo = (today = "2026-11-20") => readDemoCatalogue({ today, routeCodes });

describe("Importing a catalogue", () => {
  let close: () => Promise<void>;
  let ctx: { db: ReturnType<typeof openDatabase>["db"]; clock: ReturnType<typeof fixedClock> };

  beforeAll(async () => {
    const database = await cloneDatabase();
    const opened = openDatabase(database.url, { connections: 4 });
    ctx = { db: opened.db, clock: fixedClock("2026-11-20T09:30:00Z") };
    close = async () => {
      await opened.close();
      await database.drop();
    };
  });
  afterAll(() => close());

  const countOf = async (table: string): Promise<number> => {
    const [row] = await ctx.db.execute<{ count: number }>(sql`select count(*)::integer from ${sql.identifier(table)}`);
    return row?.count ?? 0;
  };
  const versionOf = async (code: string) => {
    const [row] = await ctx.db.execute<{ version: number }>(sql`select version from routes where code = ${code}`);
    return row?.version;
  };

  it("writes everything and reports progress", async () => {
    const progress: number[] = [];
    const { source, ...expected } = demo();
    expect(await catalogueIsImported(ctx, expected)).toBe(false);
    const summary = await importCatalogue(ctx, source, ({ rowsDone }) => progress.push(rowsDone));

    expect(summary).toMatchObject({ routes: 3, changedRoutes: 3 });
    expect(await countOf("reports")).toBe(summary.reports);
    expect(await countOf("regions")).toBe(15);
    expect(await countOf("trade_lanes")).toBe(90);
    expect(await countOf("periods")).toBe(15);
    expect(progress.at(-1)).toBe(summary.reports + 3);
    expect(await catalogueIsImported(ctx, expected)).toBe(true);
  });

  it("changes nothing when repeated", async () => {
    const before = await countOf("reports");
    expect(await importCatalogue(ctx, demo().source)).toMatchObject({ changedRoutes: 0 });
    expect(await countOf("reports")).toBe(before);
    expect(await versionOf("C-CNSHA-NLRTM-PEL9")).toBe(1);
  });

  it("increments the version of changed routes only, and deletes rates that are gone", async () => {
    const changed = withRoutes(demo().source, (route) =>
      route.code === "C-CNSHA-NLRTM-PEL9"
        ? {
            ...route,
            baseRates: (route.baseRates as { equipmentType: string }[]).filter((rate) => rate.equipmentType !== "45R1"),
          }
        : route,
    );
    expect(await importCatalogue(ctx, changed)).toMatchObject({ changedRoutes: 1 });
    expect(await versionOf("C-CNSHA-NLRTM-PEL9")).toBe(2);
    expect(await versionOf("B-AUPHE-CNTAO-GRN9")).toBe(1);
    const rates = await ctx.db.execute(sql`select from base_rates where equipment_type = '45R1'`);
    expect(rates).toHaveLength(0);
  });

  it("increments the version of every route that shows a changed port, carrier, lane or period", async () => {
    const changes: Partial<Record<keyof CatalogueSource, Record<string, unknown>>> = {
      regions: { name: "Renamed" },
      ports: { name: "Renamed" },
      carriers: { name: "Renamed" },
      tradeLanes: { name: "Renamed" },
      routeGroups: { name: "Renamed" },
    };
    for (const [table, change] of Object.entries(changes)) {
      const { source } = demo();
      const rows = source[table as "ports"];
      const renamed = [...(rows?.rows ?? [])].map(({ line, values }) => ({
        line,
        values: { ...(values as object), ...change },
      }));
      const before = await versionOf("C-CNSHA-NLRTM-PEL9");
      await importCatalogue(ctx, { ...source, [table]: { file: "renamed", rows: renamed } });
      expect(await versionOf("C-CNSHA-NLRTM-PEL9"), table).toBe((before ?? 0) + 1);
      await importCatalogue(ctx, source);
    }
  });

  it("closes the open period after its quarter and links it to the next", async () => {
    await importCatalogue(ctx, demo("2027-01-14").source);
    const [old] = await ctx.db.execute<{ name: string; ends_on: string; next: string }>(sql`
      select old.name, old.ends_on::text, next.code as next
      from periods old join periods next on next.id = old.successor_period_id
      where old.code = 'C-CNSHA-NLRTM-PEL9/2026-Q4'`);
    expect(old).toEqual({ name: "2026 Q4", ends_on: "2027-01-01", next: "C-CNSHA-NLRTM-PEL9/2027-Q1" });
  });

  it("writes nothing if a single row is invalid", async () => {
    const regions = await countOf("regions");
    const source: CatalogueSource = {
      regions: { file: "regions.csv", rows: [{ line: 2, values: { code: "MOON", name: "Moon", geography: "space" } }] },
      ports: demo().source.ports ?? { file: "", rows: [] },
      reports: {
        file: "reports.jsonl",
        rows: [
          {
            line: 9,
            values: {
              periodCode: "NONE/2026-Q4",
              type: "rate",
              observedAt: "2026-11-16T06:00:00Z",
              serviceLevel: "standard",
            },
          },
        ],
        expectedRows: 1,
      },
    };
    await expect(importCatalogue(ctx, source)).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: "reports.jsonl:9:period_code", message: "Unknown: NONE/2026-Q4" }],
    });
    expect(await countOf("regions")).toBe(regions);
  });

  it("accepts a partial catalogue that refers to existing records", async () => {
    const { routes } = demo().source;
    if (routes === undefined) throw new Error("No routes");
    expect(await importCatalogue(ctx, { routes })).toMatchObject({ routes: 3 });
  });
});

describe("Importing generated reports into an empty table", () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let opened: ReturnType<typeof openDatabase>;
  const clock = fixedClock("2026-11-20T09:30:00Z");

  beforeEach(async () => {
    database = await cloneDatabase();
    opened = openDatabase(database.url, { connections: 1 });
  });
  afterEach(async () => {
    await opened.close();
    await database.drop();
  });

  const writtenBy = async (source: CatalogueSource) => {
    await importCatalogue({ db: opened.db, clock }, source);
    const rows = await opened.db.execute<{ row: string }>(sql`select reports::text as row from reports order by id`);
    await opened.db.execute(sql`truncate reports restart identity`);
    return rows.map(({ row }) => row);
  };

  it("writes the same rows as for reports that are checked", async () => {
    const { reports, ...source } = demo().source;
    const generated = generatedBy(reports);
    const rows = generated.map((values, i) => ({ line: i + 1, values }));
    const copied = await writtenBy({ ...source, reports: { generated, expectedRows: generated.length } });
    expect(copied).toHaveLength(generated.length);
    expect(await writtenBy({ reports: { file: "reports.csv", rows, expectedRows: rows.length } })).toEqual(copied);
  });

  it("writes nothing if generating fails while rows are copied", async () => {
    const { reports, ...source } = demo().source;
    const generated = generatedBy(reports);
    const failing = function* () {
      // Enough for a second chunk.
      for (const equipmentType of ["A", "B", "C", "D"]) {
        for (const report of generated) yield { ...report, equipmentType };
      }
      throw new RangeError("no more sailings");
    };
    const incoming = { generated: failing(), expectedRows: 4 * generated.length };
    await expect(importCatalogue({ db: opened.db, clock }, { ...source, reports: incoming })).rejects.toThrow(
      "no more sailings",
    );
    expect(await opened.db.execute(sql`select from routes`)).toHaveLength(0);
    expect(await opened.db.execute(sql`select from reports`)).toHaveLength(0);
  });
});

const generatedBy = (reports: CatalogueSource["reports"]) => [
  ...(reports && "generated" in reports ? reports.generated : []),
];

const withRoutes = (
  source: CatalogueSource,
  change: (route: Record<string, unknown>) => Record<string, unknown>,
): CatalogueSource => ({
  ...source,
  routes: {
    file: "routes.csv",
    rows: [...(source.routes?.rows ?? [])].map(({ line, values }) => ({
      line,
      values: change(values as Record<string, unknown>),
    })),
  },
});
