import { sql } from "drizzle-orm";
import { periods } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { usualEquipmentType } from "./equipment.ts";
import { ageColumns, isOpenAt, nextUpdateDue } from "./freshness-columns.server.ts";
import { capacityUnit } from "./route.ts";

/** How the feed marks its reports, in place of an operator's own reference. */
const feedReference = "demo feed";

const unitOfCapacity = sql`(case routes.cargo_type ${sql.join(
  Object.entries(capacityUnit).map(([cargoType, unit]) => sql.raw(`when '${cargoType}' then '${unit}'`)),
  sql` `,
)} end)::capacity_unit`;

/**
 * Writes an observation for every period of the demo whose next one is due by `dueBy`, or that has none: the capacity, and
 * once a week the rate of each equipment type that has been reported before. The capacity wanders around a fifth of the nominal one; rates keep within 4 % of the current ones. Of the feed's
 * own capacity reports, those older than two days are thinned to the last one of each week.
 *
 * @returns how many periods were written
 */
export const observe = async (
  tx: Tx,
  { now, dueBy, limit }: { now: Date; dueBy: Date; limit: number },
): Promise<number> => {
  const at = sql`${now.toISOString()}::timestamptz`;
  const [row] = await tx.execute<{ observed: number }>(sql`
    with due as materialized (
      select ${periods.id} as period_id, routes.id as route_id, routes.capacity_nominal as nominal,
        routes.capacity_available as before, ${unitOfCapacity} as unit, level.level, random.u, random.v
      from ${periods}
      join routes on routes.id = ${periods.routeId}
      join carriers on carriers.id = routes.carrier_id and carriers.name like '%(demo)'
      join route_groups on route_groups.id = routes.route_group_id
      join trade_lanes on trade_lanes.id = route_groups.trade_lane_id
      cross join lateral (
        select level from service_levels where service_levels.route_id = routes.id
        order by level = 'standard' desc, level limit 1
      ) level
      cross join lateral (
        select abs(hashtext(routes.code || ' capacity ' || ${at}) % 1000) / 1000.0 as u,
          abs(hashtext(routes.code || ' rate ' || ${at}) % 1000) / 1000.0 as v
      ) random
      where ${isOpenAt(now.toISOString())} and (${ageColumns.dataAsOf} is null or ${nextUpdateDue} <= ${dueBy.toISOString()}::timestamptz)
      order by ${nextUpdateDue}
      limit ${limit}
    ), free as materialized (
      select due.*, least(nominal, greatest(0,
        round(before * 0.9 + nominal * 0.02 + nominal * 0.08 * (u - 0.5))))::integer as available
      from due
    ), booking as materialized (
      select free.*, (case when available = 0 then 'full' when available <= nominal * 0.15 then 'limited'
        else 'open' end)::booking_status as status
      from free
    ), capacities as (
      insert into reports
        (period_id, type, observed_at, service_level, available_capacity, capacity_unit, booking_status, external_id)
      select period_id, 'capacity', ${at}, level, available, unit, status, ${feedReference} from booking
      on conflict do nothing
    ), due_rates as materialized (
      select due.* from due
      where not exists (
        select from periods join reports on reports.period_id = periods.id
        where periods.route_id = due.route_id and reports.type = 'rate'
          and reports.observed_at > ${at} - interval '7 days'
      )
    ), rates as (
      insert into reports (period_id, type, observed_at, service_level, equipment_type, basis, currency,
        base_rate_cents, surcharges, surcharges_cents, external_id)
      select due.period_id, 'rate', ${at}, due.level, rate.equipment_type, rate.basis::rate_basis, rate.currency,
        round(rate.amount_cents * (0.96 + 0.08 * due.v))::integer, last.surcharges, last.surcharges_cents, ${feedReference}
      from due_rates due
      join lateral (
        select distinct on (equipment_type) equipment_type, basis, currency, amount_cents from base_rates
        where base_rates.route_id = due.route_id and base_rates.service_level = due.level
        order by equipment_type, valid_from desc
      ) rate on true
      left join lateral (
        select true as found, surcharges, surcharges_cents
        from periods
        cross join lateral (
          select observed_at, surcharges, surcharges_cents from reports
          where reports.period_id = periods.id and reports.type = 'rate' and reports.service_level = due.level
            and reports.equipment_type = rate.equipment_type
          order by observed_at desc limit 1
        ) of_period
        where periods.route_id = due.route_id
        order by observed_at desc limit 1
      ) last on true
      where last.found or rate.equipment_type in ('', ${usualEquipmentType})
      on conflict do nothing
    ), thinned as (
      delete from reports using (
        select old.id, row_number() over (
          partition by old.period_id, date_trunc('week', old.observed_at, 'UTC') order by old.observed_at desc) as newer
        from due join reports old on old.period_id = due.period_id
        where old.type = 'capacity' and old.external_id = ${feedReference}
          and old.observed_at >= date_trunc('week', ${at} - interval '9 days', 'UTC')
          and old.observed_at < ${at} - interval '2 days'
      ) old
      where reports.id = old.id and old.newer > 1
    ), shown as (
      update routes set capacity_available = booking.available, booking_status = booking.status,
        capacity_observed_at = ${at}, updated_at = ${at}, version = version + 1
      from booking where booking.route_id = routes.id
    )
    select count(*)::integer as observed from due`);
  return row?.observed ?? 0;
};
