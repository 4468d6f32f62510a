/**
 * Writes the rows of an import's staging table into the catalogue: new and changed records only. Each statement notes the
 * routes that it changes in `import_changes`.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../platform/db.server.ts";

/** 32 MB: one statement stays far below its time limit, and progress is shown. */
const pagesPerStatement = 4096;

/**
 * Writes reports in the order in which the table has them. The latest capacity of each route also becomes the route's.
 *
 * @param table has `route_id`, `period_id`, `level`, `existing_id` (the stored report with the same key) and the figures.
 *   The caller has held the catalogue's lock since `existing_id` was looked up
 * @returns how many reports were new, and changed
 */
export const writeStagedReports = async (
  tx: Tx,
  table: SQL,
  onProgress: (rowsDone: number) => void,
): Promise<{ new: number; changed: number }> => {
  const [staged] = await tx.execute<{ pages: number; rows: number; new: number }>(sql`
    select count(*)::int as rows, (count(*) - count(existing_id))::int as new,
      coalesce(max((ctid::text::point)[0])::int + 1, 0) as pages
    from ${table}`);
  const { pages, rows, new: newReports } = staged ?? { pages: 0, rows: 0, new: 0 };
  let changed = 0;
  for (let page = 0; page < pages; page += pagesPerStatement) {
    const portion = sql`s.ctid >= ${`(${page},0)`}::tid and s.ctid < ${`(${page + pagesPerStatement},0)`}::tid`;
    if (newReports > 0) await insertReports(tx, table, portion);
    if (newReports < rows) changed += await updateReports(tx, table, portion);
    onProgress(Math.min(rows, Math.round((rows * (page + pagesPerStatement)) / pages)));
  }
  if (newReports > 0) {
    await tx.execute(sql`
      insert into import_changes select distinct s.route_id, false from ${table} s where s.existing_id is null`);
  }
  await writeLatestCapacities(tx, table);
  return { new: newReports, changed };
};

/** The subquery is evaluated once, and the column's default for every row. */
const insertReports = (tx: Tx, table: SQL, portion: SQL) =>
  tx.execute(sql`
    insert into reports (period_id, type, observed_at, service_level, equipment_type, ${columns(reportFigures)}, known_from)
    select s.period_id, s.type, s.observed_at, s.level, s.equipment_type, ${columns(reportFigures, "s.")},
      (select history.moment())
    from ${table} s where ${portion} and s.existing_id is null`);

/** @returns how many */
const updateReports = async (tx: Tx, table: SQL, portion: SQL): Promise<number> => {
  const [written] = await tx.execute<{ count: number }>(sql`
    with updated as (
      update reports old set ${sql.raw(reportFigures.map((column) => `${column} = s.${column}`).join(", "))}
      from ${table} s
      where ${portion} and old.id = s.existing_id
        and (${columns(reportFigures, "old.")}) is distinct from (${columns(reportFigures, "s.")})
      returning s.route_id
    ), noted as (
      insert into import_changes select distinct route_id, false from updated
    )
    select count(*)::int as count from updated`);
  return written?.count ?? 0;
};

const writeLatestCapacities = (tx: Tx, table: SQL) =>
  tx.execute(sql`
    with written as (
      update routes set capacity_nominal = latest.nominal_capacity, capacity_available = latest.available_capacity,
        booking_status = latest.booking_status, capacity_observed_at = latest.observed_at
      from (
        select distinct on (s.route_id) s.route_id, s.observed_at, s.nominal_capacity, s.available_capacity, s.booking_status
        from ${table} s where s.type = 'capacity'
        order by s.route_id, s.observed_at desc, s.row
      ) latest
      where routes.id = latest.route_id
        and (routes.capacity_nominal = 0 or latest.observed_at > routes.capacity_observed_at)
      returning routes.id
    )
    insert into import_changes select id, false from written`);

/** What a report says beside its key. */
export const reportFigures = [
  "vessel",
  "voyage",
  "etd",
  "eta",
  "transit_days",
  "basis",
  "currency",
  "base_rate_cents",
  "surcharges",
  "surcharges_cents",
  "available_capacity",
  "capacity_unit",
  "booking_status",
  "on_time_percent",
  "mean_delay_days",
  "external_id",
];

const columns = (names: readonly string[], prefix = ""): SQL => sql.raw(names.map((name) => prefix + name).join(", "));
