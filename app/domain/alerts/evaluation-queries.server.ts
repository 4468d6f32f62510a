import { inArray, lt, type SQL, sql } from "drizzle-orm";
import {
  alertBaselines,
  alertProgress,
  alerts,
  periods,
  routeGroups,
  routes,
  tradeLanes,
  watchedSailings,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { usualEquipmentType } from "../catalogue/equipment.ts";
import { ageColumns, isStaleAt } from "../catalogue/freshness-columns.server.ts";
import type { Day } from "../dates.ts";
import type { Series, SeriesFigures } from "./decide.ts";
import type { AlertFigures } from "./figures.ts";
import type { LastKnown } from "./last-known.ts";
import { defaultCadence } from "./policy.ts";
import type { AlertKind, WatchRules } from "./watch.ts";
import { watchesRoute } from "./watched-condition.server.ts";

/** The last evaluated change, locked until the transaction ends. */
export const lockProgress = async (tx: Tx): Promise<number> => {
  await tx.insert(alertProgress).values({ changeId: 0 }).onConflictDoNothing();
  const [row] = await tx.select({ changeId: alertProgress.changeId }).from(alertProgress).for("update");
  return row?.changeId ?? 0;
};

export const saveProgress = (tx: Tx, changeId: number) => tx.update(alertProgress).set({ changeId });

/** The last of the next `limit` changes. Null: there is none. */
export const lastOfNext = async (tx: Tx, after: number, limit: number): Promise<number | null> => {
  const [row] = await tx.execute<{ last: string | null }>(sql`
    select max(id) as last from (select id from route_changes where id > ${after} order by id limit ${limit}) next`);
  return row?.last == null ? null : Number(row.last);
};

type Watched = {
  watchId: number;
  accountId: number;
  rules: WatchRules;
  route: { id: number; code: string; name: string };
};

const watchedColumns = sql`watches.id as "watchId", watches.account_id as "accountId",
  json_build_object('id', routes.id, 'code', routes.code, 'name', routes.name) as route,
  json_build_object('rateChangePercent', watches.rate_change_percent, 'allInBelowCents', watches.all_in_below_cents,
    'allInAboveCents', watches.all_in_above_cents, 'capacityBelow', watches.capacity_below,
    'bookingStatus', watches.booking_status, 'scheduleSlipDays', watches.schedule_slip_days,
    'staleData', watches.stale_data) as rules`;

/** The watches' accounts may read route data: open, in good standing. */
const goodAccount = sql`join accounts on accounts.id = watches.account_id and accounts.standing = 'good'
  and accounts.closed_at is null`;

const isSubscribed = (today: Day, period = sql`true`) => sql`exists (
  select from subscriptions where subscriptions.account_id = watches.account_id
    and subscriptions.route_id = routes.id and subscriptions.end_date > ${today}::date and ${period})`;

export type WatchedReport = Watched & {
  changeId: number;
  occurredAt: string;
  series: Series;
  before: SeriesFigures | null;
  after: SeriesFigures;
};

type Range = { after: number; upTo: number };

const figures = (document: SQL) => sql`case when ${document} is null then null else
  json_build_object('allInCents', (${document}->>'all_in_cents')::integer,
    'currency', ${document}->>'currency', 'basis', ${document}->>'basis',
    'availableCapacity', (${document}->>'available_capacity')::integer,
    'capacityUnit', ${document}->>'capacity_unit',
    'bookingStatus', ${document}->>'booking_status') end`;

/**
 * The changes in the range that gave a watched series a new newest observation, oldest first, once for each watch whose
 * account may read it now.
 */
export const watchedReports = (tx: Tx, { after, upTo }: Range, today: Day): Promise<WatchedReport[]> =>
  tx.execute<WatchedReport>(sql`
    select ${watchedColumns}, changes.id::float8 as "changeId", changes.occurred_at as "occurredAt",
      json_build_object('serviceLevel', changes.service_level, 'equipmentType', changes.equipment_type) as series,
      ${figures(sql`changes.before`)} as before, ${figures(sql`changes.after`)} as after
    from route_changes changes
    join routes on routes.id = changes.route_id
    join watches on ${watchesRoute} and watches.created_at < changes.occurred_at
    ${goodAccount}
    join periods on periods.id = changes.period_id
    where changes.id > ${after} and changes.id <= ${upTo} and changes.after is not null
      and (changes.report_type = 'capacity' or (changes.report_type = 'rate' and changes.equipment_type =
        case when routes.cargo_type = 'container' then coalesce(watches.equipment_type, ${usualEquipmentType}) else '' end))
      and ${isSubscribed(today, sql`(subscriptions.period_id = periods.id or periods.ends_on <= ${today}::date)`)}
    order by changes.id, watches.id`);

/**
 * The last figures with an all-in rate before each of these changes of rate reports: of the same period, or of those that
 * ended before it.
 */
export const lastRatesBefore = async (tx: Tx, changeIds: number[]): Promise<Map<number, SeriesFigures>> => {
  if (changeIds.length === 0) return new Map();
  const rows = await tx.execute<{ changeId: number; figures: SeriesFigures }>(sql`
    select changes.id::float8 as "changeId", ${figures(sql`known.figures`)} as figures
    from route_changes changes
    join periods on periods.id = changes.period_id
    cross join lateral (
      select report_figures(reports) as figures from reports
      join periods earlier on earlier.id = reports.period_id
      where earlier.route_id = periods.route_id and (earlier.id = periods.id or earlier.ends_on <= periods.starts_on)
        and (reports.type, reports.service_level, reports.equipment_type)
          = (changes.report_type, changes.service_level, changes.equipment_type)
        and reports.base_rate_cents is not null and reports.surcharges_cents is not null
        and reports.observed_at < changes.observed_from
      order by reports.observed_at desc limit 1
    ) known
    where changes.id = any(${sql.param(changeIds)}::bigint[])`);
  return new Map(rows.map((row) => [row.changeId, row.figures]));
};

export type WatchedSailing = Watched & {
  sailingId: number;
  serviceCode: string;
  voyage: string;
  /** IANA time zones of the ports. */
  originTimezone: string;
  destinationTimezone: string;
  occurredAt: string;
  first: { etd: string; eta: string; cancelled: boolean };
  current: { etd: string; eta: string; cancelled: boolean };
};

/** Sailings under way or to come, of routes whose schedule changed in the range, whose times are not the first ones. */
export const movedSailings = (
  tx: Tx,
  { after, upTo }: Range,
  { now, today }: { now: Date; today: Day },
): Promise<WatchedSailing[]> =>
  tx.execute<WatchedSailing>(sql`
    select ${watchedColumns}, sailings.id::float8 as "sailingId", sailings.service_code as "serviceCode",
      sailings.voyage, origin.timezone as "originTimezone", destination.timezone as "destinationTimezone",
      sailings.updated_at as "occurredAt",
      json_build_object('etd', first.etd, 'eta', first.eta, 'cancelled', first.cancelled) as first,
      json_build_object('etd', sailings.etd, 'eta', sailings.eta, 'cancelled', sailings.status = 'cancelled') as current
    from (
      select distinct route_id from route_changes
      where id > ${after} and id <= ${upTo} and type = 'schedule_changed'
    ) changed
    join routes on routes.id = changed.route_id
    join ports origin on origin.id = routes.origin_port_id
    join ports destination on destination.id = routes.destination_port_id
    join watches on ${watchesRoute} and watches.schedule_slip_days is not null
    ${goodAccount}
    join sailings on sailings.route_id = routes.id and sailings.eta > ${now.toISOString()}::timestamptz
      and sailings.updated_at > watches.created_at
    join watched_sailings first on first.sailing_id = sailings.id
    where (first.etd, first.eta, first.cancelled)
        is distinct from (sailings.etd, sailings.eta, sailings.status = 'cancelled')
      and ${isSubscribed(today)}
    order by sailings.etd, sailings.id, watches.id`);

/** The watches of routes whose schedule changed in the range. */
export const watchesOfSchedules = async (tx: Tx, { after, upTo }: Range): Promise<number[]> => {
  const rows = await tx.execute<{ id: number }>(sql`
    select distinct watches.id
    from route_changes changes
    join routes on routes.id = changes.route_id
    join watches on ${watchesRoute}
    where changes.id > ${after} and changes.id <= ${upTo} and changes.type = 'schedule_changed'`);
  return rows.map(({ id }) => id);
};

export type WatchedStaleness = Watched & {
  periodId: number;
  periodName: string;
  dataAsOf: string | null;
};

/** Late subscribed periods of watched routes. */
export const stalePeriods = (tx: Tx, { now, today }: { now: Date; today: Day }): Promise<WatchedStaleness[]> =>
  tx.execute<WatchedStaleness>(sql`
    with watched as materialized (
      select watches.id as watch_id, routes.id as route_id, subscriptions.period_id
      from watches
      join routes on ${watchesRoute}
      ${goodAccount}
      join subscriptions on subscriptions.account_id = watches.account_id and subscriptions.route_id = routes.id
        and subscriptions.end_date > ${today}::date
      where watches.stale_data
    ), late as materialized (
      select ${periods.id} as id, ${periods.name} as name, ${ageColumns.dataAsOf} as data_as_of
      from ${periods}
      join ${routes} on ${routes.id} = ${periods.routeId}
      join ${routeGroups} on ${routeGroups.id} = ${routes.routeGroupId}
      join ${tradeLanes} on ${tradeLanes.id} = ${routeGroups.tradeLaneId}
      where ${periods.id} in (select period_id from watched) and ${isStaleAt(now.toISOString())}
    )
    select ${watchedColumns}, late.id as "periodId", late.name as "periodName", late.data_as_of as "dataAsOf"
    from watched
    join late on late.id = watched.period_id
    join watches on watches.id = watched.watch_id
    join routes on routes.id = watched.route_id
    order by watches.id, late.id`);

export type Baseline = { watchId: number; kind: AlertKind; routeId: number; series: string; lastKnown: LastKnown };

export const baselinesOf = (tx: Tx, watchIds: number[]): Promise<Baseline[]> =>
  watchIds.length === 0
    ? Promise.resolve([])
    : tx.select().from(alertBaselines).where(inArray(alertBaselines.watchId, watchIds));

export const saveBaselines = async (tx: Tx, rows: Baseline[]): Promise<void> => {
  if (rows.length === 0) return;
  await tx
    .insert(alertBaselines)
    .values(rows)
    .onConflictDoUpdate({
      target: [alertBaselines.watchId, alertBaselines.kind, alertBaselines.routeId, alertBaselines.series],
      set: { lastKnown: sql`excluded.last_known` },
    });
};

export const deleteBaselines = async (tx: Tx, rows: Omit<Baseline, "lastKnown">[]): Promise<void> => {
  if (rows.length === 0) return;
  await tx.execute(sql`
    delete from alert_baselines using jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as gone("watchId" integer, kind alert_kind, "routeId" integer, series text)
    where (alert_baselines.watch_id, alert_baselines.kind, alert_baselines.route_id, alert_baselines.series)
      = (gone."watchId", gone.kind, gone."routeId", gone.series)`);
};

export type NewAlert = {
  accountId: number;
  watchId: number;
  routeId: number;
  factKey: string;
  figures: AlertFigures;
  occurredAt: string;
};

export type StoredAlert = { id: number; accountId: number; watchId: number; factKey: string };

/** Stores alerts about new facts; accounts that want mail get it with the next one. @returns the stored ones */
export const insertAlerts = async (tx: Tx, rows: NewAlert[], now: Date): Promise<StoredAlert[]> =>
  rows.length === 0
    ? []
    : tx.execute<StoredAlert>(sql`
        insert into alerts (account_id, watch_id, route_id, kind, fact_key, figures, occurred_at, created_at, awaits_mail)
        select "accountId", "watchId", "routeId", (figures->>'kind')::alert_kind, "factKey", figures, "occurredAt",
          ${now.toISOString()}::timestamptz, coalesce(alert_settings.mail_cadence, ${defaultCadence}) <> 'off'
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as raised("accountId" integer, "watchId" integer,
          "routeId" integer, "factKey" text, figures jsonb, "occurredAt" timestamptz)
        left join alert_settings on alert_settings.account_id = raised."accountId"
        on conflict (account_id, fact_key) do nothing
        returning id::float8 as id, account_id as "accountId", watch_id as "watchId", fact_key as "factKey"`);

/** @returns how many alerts were deleted */
export const deleteAlertsBefore = async (tx: Tx, before: Date): Promise<number> =>
  (await tx.delete(alerts).where(lt(alerts.createdAt, before)).returning({ id: alerts.id })).length;

/** Forgets the first times of sailings that have arrived. */
export const forgetSailingsBefore = (tx: Tx, before: Date) =>
  tx.delete(watchedSailings).where(lt(watchedSailings.eta, before));
