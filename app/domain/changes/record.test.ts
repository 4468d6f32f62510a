/** What the database's triggers record, by writer. */
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { asc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { carriers, periods, reports, routeChanges, routes } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { feedDemo } from "../catalogue/demo-feed.server.ts";
import { turnPeriods } from "../catalogue/turn-periods.server.ts";
import { formats, type ImportKind } from "../imports/formats.ts";
import { applyImport, checkFile, readImport } from "../imports/imports.server.ts";
import { feedDemoSchedule } from "../schedules/demo/demo-schedule.server.ts";
import { deleteOldChanges } from "./retention.server.ts";

const code = "C-CNSHA-NLRTM-PEL9";
const { id: _, ...reportColumns } = getTableColumns(reports);

let world: World;
let operator: OperatorCaller;
let routeId: number;
beforeEach(async () => {
  world = await createWorld({ routeCodes: [code, "C-CNNGB-GBFXT-MRG9", "C-SGSIN-DEHAM-COR9"] });
  operator = await world.operator();
  routeId = world.routes.find((route) => route.code === code)?.id ?? 0;
  return () => world.close();
});

/** What the work has recorded about the route, in order. */
const recordedBy = async (work: () => Promise<unknown>) => {
  const { db } = world.ctx;
  const [last] = await db.select({ id: sql<number>`coalesce(max(${routeChanges.id}), 0)::int` }).from(routeChanges);
  await work();
  const found = await db
    .select()
    .from(routeChanges)
    .where(gt(routeChanges.id, last?.id ?? 0))
    .orderBy(asc(routeChanges.id));
  return found.filter((change) => change.routeId === routeId);
};

const importFile = async (kind: ImportKind, text: string) => {
  const content = Readable.from([Buffer.from(text)]);
  const { id, done } = await checkFile(world.ctx, operator, { fileName: kind, content, kind });
  await done;
  expect((await readImport(world.ctx, operator, { id })).errors).toEqual([]);
  await (await applyImport(world.ctx, operator, { id })).done;
};

const template = (kind: ImportKind) =>
  readFileSync(new URL(`../../../public/import-templates/${formats[kind].template}`, import.meta.url), "utf8");
const file = (kind: ImportKind, ...lines: string[]) => [template(kind).split("\n", 1)[0], ...lines].join("\n");

const rate = (observedAt: string, baseRate: number, externalId = "") =>
  JSON.stringify({
    route_code: code,
    report_type: "rate",
    observed_at: observedAt,
    external_id: externalId,
    data: {
      service_level: "standard",
      equipment_type: "45G1",
      currency: "USD",
      basis: "per_container",
      base_rate: baseRate,
      surcharges: [{ code: "BAF", amount: 100, currency: "USD" }],
    },
  });
const importRates = (...lines: string[]) => importFile("reports", lines.join("\n"));
const figures = (observedAt: string, baseRateCents: number) => ({
  observed_at: observedAt.replace("Z", ".000Z"),
  base_rate_cents: baseRateCents,
  surcharges_cents: 10_000,
  all_in_cents: baseRateCents + 10_000,
  currency: "USD",
  basis: "per_container",
});

describe("Reports", () => {
  it("leave one record per series and import, with the newest figures before and after", async () => {
    await importRates(rate("2026-11-17T07:00:00Z", 4310));
    const recorded = await recordedBy(() =>
      importRates(rate("2026-11-18T07:00:00Z", 4400), rate("2026-11-19T07:00:00Z", 4480)),
    );
    expect(recorded).toMatchObject([
      {
        type: "reports_added",
        source: "import",
        occurredAt: world.clock.now(),
        reportType: "rate",
        serviceLevel: "standard",
        equipmentType: "45G1",
        count: 2,
        observedFrom: new Date("2026-11-18T07:00:00Z"),
        observedTo: new Date("2026-11-19T07:00:00Z"),
        before: figures("2026-11-17T07:00:00Z", 431_000),
        after: figures("2026-11-19T07:00:00Z", 448_000),
      },
    ]);
  });

  it("are compared with an older report between the new ones", async () => {
    await importRates(rate("2026-11-18T07:00:00Z", 4310));
    const recorded = await recordedBy(() =>
      importRates(rate("2026-11-17T07:00:00Z", 4000), rate("2026-11-19T07:00:00Z", 4480)),
    );
    expect(recorded).toMatchObject([
      { count: 2, before: figures("2026-11-18T07:00:00Z", 431_000), after: figures("2026-11-19T07:00:00Z", 448_000) },
    ]);
  });

  it("have no figures before and after when the newest one stays the same", async () => {
    await importRates(rate("2026-11-19T07:00:00Z", 4310));
    const recorded = await recordedBy(() => importRates(rate("2026-11-17T07:00:00Z", 4000)));
    expect(recorded).toMatchObject([{ type: "reports_added", count: 1, before: null, after: null }]);
  });

  it("are corrected with the old and new figures, and not by another reference of the operator", async () => {
    await importRates(rate("2026-11-19T07:00:00Z", 4310), rate("2026-11-18T07:00:00Z", 4200));
    expect(await recordedBy(() => importRates(rate("2026-11-19T07:00:00Z", 4310, "ops-2")))).toEqual([]);
    const recorded = await recordedBy(() =>
      importRates(rate("2026-11-19T07:00:00Z", 4480, "ops-2"), rate("2026-11-18T07:00:00Z", 4201)),
    );
    expect(recorded).toMatchObject([
      {
        type: "reports_corrected",
        count: 2,
        before: figures("2026-11-19T07:00:00Z", 431_000),
        after: figures("2026-11-19T07:00:00Z", 448_000),
      },
    ]);
  });

  it("are removed, and the newest remaining one is reported", async () => {
    await importRates(rate("2026-11-19T07:00:00Z", 4480), rate("2026-11-18T07:00:00Z", 4310));
    const recorded = await recordedBy(() =>
      world.ctx.db.delete(reports).where(eq(reports.observedAt, new Date("2026-11-19T07:00:00Z"))),
    );
    expect(recorded).toMatchObject([
      {
        type: "reports_removed",
        source: "operator",
        count: 1,
        before: figures("2026-11-19T07:00:00Z", 448_000),
        after: figures("2026-11-18T07:00:00Z", 431_000),
      },
    ]);
  });

  it("written by several statements of a revision leave one record", async () => {
    const [row] = await world.ctx.db
      .select(reportColumns)
      .from(reports)
      .where(sql`${reports.type} = 'rate' and ${reports.equipmentType} = '45G1'
        and ${reports.periodId} in (select id from periods where route_id = ${routeId})`)
      .orderBy(sql`${reports.observedAt} desc`)
      .limit(1);
    if (!row) throw new Error("The demo has no rate");
    const at = (day: number) => new Date(`2026-11-${day}T07:00:00Z`);
    const recorded = await recordedBy(() =>
      world.ctx.db.transaction(async (tx) => {
        for (const day of [17, 18, 19]) {
          await tx.insert(reports).values({ ...row, observedAt: at(day), baseRateCents: day * 10_000 });
        }
      }),
    );
    expect(recorded).toMatchObject([
      {
        count: 3,
        observedFrom: at(17),
        observedTo: at(19),
        before: { base_rate_cents: row.baseRateCents },
        after: { base_rate_cents: 190_000 },
      },
    ]);
  });

  it("of the feed leave a record each, and thinning old ones leaves none", async () => {
    for (const days of [1, 2, 3, 4, 5]) {
      world.clock.set(`2026-11-2${days}T09:30:00Z`);
      const recorded = await recordedBy(() => feedDemo(world.ctx));
      expect(recorded.map(({ type }) => type)).not.toContain("reports_removed");
      expect(recorded).toContainEqual(
        expect.objectContaining({ type: "reports_added", source: "feed", reportType: "capacity", count: 1 }),
      );
      // The capacity of a report is recorded once.
      expect(recorded.map(({ type }) => type)).not.toContain("route_changed");
    }
  });
});

describe("A file", () => {
  it("of rates leaves a record per rate and surcharge, with what they were and are", async () => {
    const line = (charge: string) => `${code},standard,2026-12-01,,45G1,${charge}`;
    const recorded = await recordedBy(() =>
      importFile(
        "rates",
        file("rates", line("base,BAS,4480,USD,per_container"), line("surcharge,BAF,777,USD,per_container")),
      ),
    );
    expect(recorded).toMatchObject([
      {
        type: "rates_changed",
        serviceLevel: "standard",
        equipmentType: "45G1",
        before: { currency: "USD", base_rate_cents: expect.any(Number), valid_to: null },
        after: { currency: "USD", base_rate_cents: 448_000, valid_from: "2026-12-01" },
      },
      {
        type: "surcharges_changed",
        surchargeCode: "BAF",
        before: { amount_cents: expect.any(Number) },
        after: { amount_cents: 77_700, mandatory: true, valid_from: "2026-12-01" },
      },
    ]);
  });

  it("of schedules leaves one record per route, with the departures that it concerns", async () => {
    const recorded = await recordedBy(() =>
      importFile(
        "schedules",
        template("schedules").split("\n").slice(0, 2).join("\n").replace("C-CNSHA-NLRTM-ABCD", code),
      ),
    );
    const etd = new Date("2026-12-04T12:00:00Z");
    expect(recorded).toMatchObject([
      { type: "schedule_changed", source: "import", observedFrom: etd, observedTo: etd, count: null },
    ]);
  });

  it("of routes leaves one record for a new route", async () => {
    await importFile("routes", template("routes"));
    const added = await world.ctx.db
      .select({ type: routeChanges.type })
      .from(routeChanges)
      .innerJoin(routes, eq(routes.id, routeChanges.routeId))
      .where(eq(routes.code, "C-CNSHA-NLRTM-ABCD"));
    expect(added).toEqual([{ type: "route_added" }]);
  });

  it("of routes says which fields have changed", async () => {
    await importFile("routes", template("routes").replaceAll("C-CNSHA-NLRTM-ABCD", "C-CNSHA-NLRTM-EFGH"));
    routeId = (await world.ctx.db.select().from(routes).where(eq(routes.code, "C-CNSHA-NLRTM-EFGH")))[0]?.id ?? 0;
    const changed = template("routes")
      .replaceAll("C-CNSHA-NLRTM-ABCD", "C-CNSHA-NLRTM-EFGH")
      .replaceAll("10537,standard,32,1,", "10600,standard,31,2,")
      .replaceAll("10537,economy,39,1,", "10600,economy,39,2,");
    expect(await recordedBy(() => importFile("routes", changed))).toMatchObject([
      {
        type: "route_changed",
        fields: expect.arrayContaining(["distance_nm", "sailings_per_week", "service_levels"]),
        before: { distance_nm: 10_537, sailings_per_week: 1 },
        after: { distance_nm: 10_600, sailings_per_week: 2 },
      },
    ]);
  });

  it("of carriers leaves a record for each of their routes", async () => {
    const [carrier] = await world.ctx.db.select().from(carriers).where(eq(carriers.code, "PEL9"));
    const line = `PEL9,Pelorin New Name,${carrier?.cargoTypes.join("|")}`;
    expect(await recordedBy(() => importFile("carriers", file("carriers", line)))).toMatchObject([
      { type: "route_changed", source: "import", fields: ["carrier"], before: null, after: null },
    ]);
  });
});

describe("Other writers", () => {
  it("of the calendar record the period that has ended and the one that was opened", async () => {
    world.clock.set("2027-01-01T00:01:00Z");
    const recorded = await recordedBy(() => turnPeriods(world.ctx));
    expect(recorded).toMatchObject([
      { type: "period_opened", source: "calendar", occurredAt: world.clock.now(), after: { starts_on: "2027-01-01" } },
      { type: "period_changed", before: { ends_on: null }, after: { ends_on: "2027-01-01" } },
    ]);
  });

  it("of the demo's schedule record it once a week", async () => {
    world.clock.set("2026-11-28T09:30:00Z");
    expect(await recordedBy(() => feedDemoSchedule(world.ctx))).toMatchObject([
      { type: "schedule_changed", source: "feed" },
    ]);
  });

  it("of anything other than data are not recorded", async () => {
    const recorded = await recordedBy(async () => {
      const { db } = world.ctx;
      await db
        .update(routes)
        .set({ popularityPercent: 120, version: sql`${routes.version} + 1`, updatedAt: world.clock.now() });
      await db.update(periods).set({ latenessAnnouncedAt: world.clock.now() });
    });
    expect(recorded).toEqual([]);
  });

  it("without the catalogue's lock record an operator's change, in commit order", async () => {
    const revision = async () =>
      (await world.ctx.db.execute<{ revision: string }>(sql`select revision from catalogue_state`))[0]?.revision;
    const before = await revision();
    const recorded = await recordedBy(() =>
      world.ctx.db.update(routes).set({ distanceNm: 9_999 }).where(eq(routes.id, routeId)),
    );
    expect(recorded).toMatchObject([{ type: "route_changed", source: "operator", after: { distance_nm: 9_999 } }]);
    expect(recorded[0]?.revision).toBe(Number(before) + 1);
  });

  it("that delete a route leave no records of its data", async () => {
    await world.ctx.db.delete(routes).where(eq(routes.id, routeId));
    expect(await recordedBy(async () => {})).toEqual([]);
    expect(await world.ctx.db.$count(routeChanges, eq(routeChanges.routeId, routeId))).toBe(0);
  });
});

it("The demo's first data is not a change", async () => {
  expect(await world.ctx.db.$count(routeChanges)).toBe(0);
});

it("Records are deleted after 90 days, and it is known how far", async () => {
  const change = (distanceNm: number) => world.ctx.db.update(routes).set({ distanceNm }).where(eq(routes.id, routeId));
  await change(9_000);
  await world.ctx.db.update(routeChanges).set({ occurredAt: new Date("2026-08-22T09:29:59Z") });
  await change(9_001);
  expect(await deleteOldChanges(world.ctx)).toBe(1);
  expect(await deleteOldChanges(world.ctx)).toBe(0);
  const [kept] = await world.ctx.db.select().from(routeChanges);
  expect(kept?.after).toEqual({ distance_nm: 9_001 });
  const [{ through } = { through: null }] = await world.ctx.db.execute<{ through: string | null }>(
    sql`select deleted_through as through from route_change_retention`,
  );
  expect(Number(through)).toBe((kept?.id ?? 0) - 1);
});
