/**
 * Writes the rows of an import's staging table into the catalogue: new and changed records only. Each statement notes the
 * routes that it changes in `import_changes`.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../platform/db.server.ts";

/** Rows with `route_id`, `period_id` and `level` beside the figures, by their row numbers (exclusive, inclusive). */
export type StagedReports = { lastRow: number; portion: (fromRow: number, toRow: number) => SQL };

const reportRowsPerStatement = 100_000;

/** The latest capacity of each route also becomes the route's. @returns how many reports were new, and changed */
export const writeStagedReports = async (
  tx: Tx,
  { lastRow, portion }: StagedReports,
  onProgress: (rowsDone: number) => void,
): Promise<{ new: number; changed: number }> => {
  const counts = { new: 0, changed: 0 };
  for (let from = 0; from < lastRow; from += reportRowsPerStatement) {
    const [written] = await tx.execute<typeof counts>(sql`
      with incoming as materialized (${portion(from, from + reportRowsPerStatement)}), stored as (
        insert into reports as old (period_id, type, observed_at, service_level, equipment_type, ${columns(reportFigures)})
        select s.period_id, s.type, s.observed_at, s.level, s.equipment_type, ${columns(reportFigures, "s.")}
        from incoming s
        on conflict (period_id, observed_at, type, service_level, equipment_type)
          do update set ${sql.raw(reportFigures.map((column) => `${column} = excluded.${column}`).join(", "))}
        where (${columns(reportFigures, "old.")}) is distinct from (${columns(reportFigures, "excluded.")})
        returning period_id, xmax = 0 as is_new
      ), capacities as (
        update routes set capacity_nominal = latest.nominal_capacity, capacity_available = latest.available_capacity,
          booking_status = latest.booking_status, capacity_observed_at = latest.observed_at
        from (
          select distinct on (s.route_id) s.* from incoming s where s.type = 'capacity'
          order by s.route_id, s.observed_at desc, s.row
        ) latest
        where routes.id = latest.route_id
          and (routes.capacity_nominal = 0 or latest.observed_at > routes.capacity_observed_at)
        returning routes.id
      ), noted as (
        insert into import_changes
          select periods.route_id, false from periods where id in (select period_id from stored)
          union select id, false from capacities
      )
      select count(*) filter (where is_new)::int as new, count(*) filter (where not is_new)::int as changed from stored`);
    counts.new += written?.new ?? 0;
    counts.changed += written?.changed ?? 0;
    onProgress(Math.min(from + reportRowsPerStatement, lastRow));
  }
  return counts;
};

const reportFigures = [
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
