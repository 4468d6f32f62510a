import { and, asc, eq, gte, inArray, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import {
  catalogueImports,
  laneBenchmarks,
  periods,
  regions,
  reports,
  routeGroups,
  routes,
  tradeLanes,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { statement } from "../../platform/statement.server.ts";
import type { CargoType } from "../catalogue/route.ts";
import { type Day, startOf } from "../dates.ts";
import { currency } from "../money.ts";
import type { RouteRate } from "./benchmark.ts";
import type { StoredWeek } from "./lane-benchmark.ts";

/** `before` is exclusive. `from` null: since ever. */
type Weeks = { from: Day | null; before: Day };

export type BenchmarkRow = typeof laneBenchmarks.$inferSelect;

export const laneIds = async (db: Tx): Promise<number[]> => {
  const rows = await db.select({ id: tradeLanes.id }).from(tradeLanes).orderBy(asc(tradeLanes.id));
  return rows.map(({ id }) => id);
};

/** The rates of all routes in one week, for one cargo and equipment type. */
export type WeeklyRates = { cargoType: CargoType; equipmentType: string; week: Day; rates: RouteRate[] };

/**
 * One rate per route, equipment type and week: the last one of the standard level, or else of the first other level.
 * Reports without surcharges are no all-in rates. Samples are left out, because everybody knows their rates.
 *
 * PostgreSQL groups them, because drizzle is slow to read hundreds of thousands of rows.
 */
export const weeklyRates = async (db: Tx, tradeLaneId: number, { from, before }: Weeks): Promise<WeeklyRates[]> => {
  const week = sql`date_trunc('week', ${reports.observedAt} at time zone 'UTC')::date`;
  const rate = db
    .selectDistinctOn([routes.id, reports.equipmentType, week], {
      carrierId: routes.carrierId,
      cargoType: routes.cargoType,
      equipmentType: reports.equipmentType,
      week: week.as("week"),
      allInCents: sql<number>`${reports.baseRateCents} + ${reports.surchargesCents}`.as("all_in_cents"),
    })
    .from(reports)
    .innerJoin(periods, eq(periods.id, reports.periodId))
    .innerJoin(routes, eq(routes.id, periods.routeId))
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .where(
      and(
        eq(routeGroups.tradeLaneId, tradeLaneId),
        eq(reports.type, "rate"),
        eq(reports.currency, currency),
        sql`${reports.baseRateCents} + ${reports.surchargesCents} > 0`,
        sql`not ${routes.isSample}`,
        from ? gte(reports.observedAt, startOf(from)) : undefined,
        lt(reports.observedAt, startOf(before)),
      ),
    )
    .orderBy(
      asc(routes.id),
      asc(reports.equipmentType),
      asc(week),
      sql`${reports.serviceLevel} = 'standard' desc`,
      asc(reports.serviceLevel),
      sql`${reports.observedAt} desc, ${reports.id} desc`,
    )
    .as("rate");
  const rows = await db
    .select({
      cargoType: rate.cargoType,
      equipmentType: rate.equipmentType,
      week: sql<Day>`${rate.week}::text`,
      carrierIds: sql<number[]>`json_agg(${rate.carrierId})`,
      allInCents: sql<number[]>`json_agg(${rate.allInCents})`,
    })
    .from(rate)
    .groupBy(rate.cargoType, rate.equipmentType, rate.week);
  return rows.map(({ carrierIds, allInCents, ...kind }) => ({
    ...kind,
    rates: carrierIds.map((carrierId, i) => ({ carrierId, allInCents: allInCents[i] as number })),
  }));
};

export const replaceBenchmarks = (db: Tx, tradeLaneId: number, { from }: Weeks, rows: BenchmarkRow[]): Promise<void> =>
  db.transaction(async (tx) => {
    // Two runs may overlap, such as that of a test clock and a scheduled one.
    await tx.execute(sql`select from ${tradeLanes} where ${tradeLanes.id} = ${tradeLaneId} for no key update`);
    await tx
      .delete(laneBenchmarks)
      .where(and(eq(laneBenchmarks.tradeLaneId, tradeLaneId), from ? gte(laneBenchmarks.week, from) : undefined));
    // As one parameter: thousands of rows would have too many, which also take drizzle long to build.
    await tx.execute(sql`
      insert into lane_benchmarks (trade_lane_id, cargo_type, equipment_type, week, low_cents, median_cents, high_cents,
        route_count, carrier_count, computed_at)
      select "tradeLaneId", "cargoType", "equipmentType", week, "lowCents", "medianCents", "highCents", "routeCount",
        "carrierCount", "computedAt"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("tradeLaneId" integer, "cargoType" cargo_type,
        "equipmentType" text, week date, "lowCents" integer, "medianCents" integer, "highCents" integer,
        "routeCount" integer, "carrierCount" integer, "computedAt" timestamptz)`);
  });

/** The latest week, and whether a file was imported since the history was computed. Null: there are no benchmarks. */
export const lastComputed = async (db: Tx): Promise<{ week: Day; isOutdated: boolean } | null> => {
  const imported = db.select({ at: sql`max(${catalogueImports.endedAt})` }).from(catalogueImports);
  const [row] = await db
    .select({
      week: sql<Day | null>`max(${laneBenchmarks.week})::text`,
      isOutdated: sql<boolean>`coalesce((${imported.where(eq(catalogueImports.status, "applied"))}) >= min(${laneBenchmarks.computedAt}), false)`,
    })
    .from(laneBenchmarks);
  return row?.week ? { week: row.week, isOutdated: row.isOutdated } : null;
};

export type BenchmarkSeries = Pick<BenchmarkRow, "tradeLaneId" | "cargoType" | "equipmentType"> & {
  /** Oldest first, never empty. */
  weeks: StoredWeek[];
};

const kind = [laneBenchmarks.tradeLaneId, laneBenchmarks.cargoType, laneBenchmarks.equipmentType] as const;

/** All series of a trade lane, since the week `from`. */
export const listBenchmarks = (db: Tx, { tradeLane, from }: { tradeLane: string; from: Day }) =>
  selectSeries(
    db,
    and(inArray(laneBenchmarks.tradeLaneId, laneWithCode(db, tradeLane)), gte(laneBenchmarks.week, from)),
  );

/**
 * One series of each trade lane of a region, since the week `from`: that of an equipment type, or else of the first cargo. Series
 * without one of the weeks `among` are left out, both ends included.
 */
export const listUsualBenchmarks = (
  db: Tx,
  {
    region,
    equipmentType,
    from,
    among,
  }: { region: string; equipmentType: string; from: Day; among: { first: Day; last: Day } },
) => {
  const usual = db
    .selectDistinctOn([laneBenchmarks.tradeLaneId], {
      tradeLaneId: laneBenchmarks.tradeLaneId,
      cargoType: laneBenchmarks.cargoType,
      equipmentType: laneBenchmarks.equipmentType,
    })
    .from(laneBenchmarks)
    .where(
      and(
        inArray(laneBenchmarks.tradeLaneId, lanesOfRegion(db, region)),
        gte(laneBenchmarks.week, among.first),
        lte(laneBenchmarks.week, among.last),
      ),
    )
    .orderBy(
      laneBenchmarks.tradeLaneId,
      sql`${laneBenchmarks.equipmentType} = ${equipmentType} desc`,
      laneBenchmarks.cargoType,
      laneBenchmarks.equipmentType,
    );
  return selectSeries(db, and(sql`(${sql.join([...kind], sql`, `)}) in ${usual}`, gte(laneBenchmarks.week, from)));
};

/** A row for each series, because thousands of weeks take drizzle twice as long to read as PostgreSQL. */
const selectSeries = async (db: Tx, where: SQL | undefined): Promise<BenchmarkSeries[]> => {
  const { tradeLaneId, cargoType, equipmentType, week, lowCents, medianCents, highCents, routeCount, carrierCount } =
    laneBenchmarks;
  const rows = await db
    .select({
      tradeLaneId,
      cargoType,
      equipmentType,
      weeks: sql<WeekValues[]>`json_agg(json_build_array(
        ${week}, ${lowCents}, ${medianCents}, ${highCents}, ${routeCount}, ${carrierCount}) order by ${week})`,
    })
    .from(laneBenchmarks)
    .where(where)
    .groupBy(...kind)
    .orderBy(...kind);
  return rows.map(({ weeks, ...series }) => ({ ...series, weeks: weeks.map(storedWeek) }));
};

type WeekValues = [Day, number, number, number, number, number];

const storedWeek = ([week, lowCents, medianCents, highCents, routeCount, carrierCount]: WeekValues): StoredWeek => ({
  week,
  lowCents,
  medianCents,
  highCents,
  routeCount,
  carrierCount,
});

export type LatestBenchmark = Pick<BenchmarkRow, "tradeLaneId" | "cargoType" | "equipmentType" | "week"> &
  Pick<BenchmarkRow, "lowCents" | "medianCents" | "highCents"> & {
    /** The median so many weeks before. Null: there was no benchmark. */
    before4: number | null;
    before13: number | null;
    before52: number | null;
  };

const medianBefore = (weeks: number): SQL => sql`(
  select median_cents from lane_benchmarks before
  where before.trade_lane_id = newest.trade_lane_id and before.cargo_type = newest.cargo_type
    and before.equipment_type = newest.equipment_type and before.week = newest.week - ${sql.raw(String(7 * weeks))})`;

/**
 * The newest week of each series of these trade lanes, between two weeks, both included. The inner order is that of the
 * primary key backwards, so nothing is sorted.
 */
export const latestBenchmarks = statement<LatestBenchmark, { tradeLaneIds: number[]; from: Day; until: Day }>(
  (of) => sql`
    select trade_lane_id as "tradeLaneId", cargo_type as "cargoType", equipment_type as "equipmentType",
      week::text as week, low_cents as "lowCents", median_cents as "medianCents", high_cents as "highCents",
      ${medianBefore(4)} as before4, ${medianBefore(13)} as before13, ${medianBefore(52)} as before52
    from (
      select distinct on (trade_lane_id, cargo_type, equipment_type)
        trade_lane_id, cargo_type, equipment_type, week, low_cents, median_cents, high_cents
      from lane_benchmarks
      where trade_lane_id = any(${of.tradeLaneIds}::integer[]) and week between ${of.from}::date and ${of.until}::date
      order by trade_lane_id desc, cargo_type desc, equipment_type desc, week desc
    ) newest
    order by 1, 2, 3`,
);

const laneColumns = { id: tradeLanes.id, code: tradeLanes.code, name: tradeLanes.name };

const laneWithCode = (db: Tx, code: string) =>
  db.select({ id: tradeLanes.id }).from(tradeLanes).where(eq(tradeLanes.code, code));

export const findLane = async (db: Tx, code: string) => {
  const [lane] = await db.select(laneColumns).from(tradeLanes).where(eq(tradeLanes.code, code));
  return lane ?? null;
};

const isOfRegion = (code: string) => and(eq(regions.code, code), isNull(tradeLanes.retiredAt));

const lanesOfRegion = (db: Tx, code: string) =>
  db
    .select({ id: tradeLanes.id })
    .from(tradeLanes)
    .innerJoin(regions, eq(regions.id, tradeLanes.regionId))
    .where(isOfRegion(code));

/** Those that are not retired, by name. */
export const findLanesOfRegion = (db: Tx, code: string) =>
  db
    .select(laneColumns)
    .from(tradeLanes)
    .innerJoin(regions, eq(regions.id, tradeLanes.regionId))
    .where(isOfRegion(code))
    .orderBy(asc(tradeLanes.name));
