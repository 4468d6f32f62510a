import { and, arrayContains, asc, count, desc, eq, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import {
  alertBaselines,
  alertSettings,
  alerts,
  ports,
  routes,
  watchedSailings,
  watches,
} from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { isOneOf } from "../../platform/is-one-of.server.ts";
import type { BookingStatus } from "../catalogue/route.ts";
import type { Day } from "../dates.ts";
import type { MailCadence } from "./policy.ts";
import type { AlertKind, Watch, WatchedPort } from "./watch.ts";
import { watchesRoute } from "./watched-condition.server.ts";

const origin = alias(ports, "origin");
const destination = alias(ports, "destination");

const selectWatches = (db: Tx, condition: SQL | undefined) =>
  db
    .select({
      watch: watches,
      origin: { unlocode: origin.unlocode, name: origin.name },
      destination: { unlocode: destination.unlocode, name: destination.name },
    })
    .from(watches)
    .leftJoin(origin, eq(origin.id, watches.originPortId))
    .leftJoin(destination, eq(destination.id, watches.destinationPortId))
    .where(condition);

type Row = { watch: typeof watches.$inferSelect; origin: WatchedPort | null; destination: WatchedPort | null };

const watchOf = ({ watch, origin, destination }: Row): Watch => {
  const { rateChangePercent, allInBelowCents, allInAboveCents, capacityBelow } = watch;
  const { bookingStatus, scheduleSlipDays, staleData } = watch;
  return {
    id: watch.id,
    target:
      origin && destination
        ? { origin, destination, cargoType: watch.cargoType }
        : { routeId: watch.routeId ?? Number.NaN },
    equipmentType: watch.equipmentType,
    rules: {
      rateChangePercent,
      allInBelowCents,
      allInAboveCents,
      capacityBelow,
      bookingStatus,
      scheduleSlipDays,
      staleData,
    },
    createdAt: watch.createdAt,
  };
};

/** One more than `limit`, newest first, before the watch `before`. */
export const pageOfWatches = async (
  db: Tx,
  accountId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<Watch[]> => {
  const own = and(eq(watches.accountId, accountId), before === null ? undefined : lt(watches.id, before));
  return (
    await selectWatches(db, own)
      .orderBy(desc(watches.id))
      .limit(limit + 1)
  ).map(watchOf);
};

export const findWatch = async (db: Tx, accountId: number, id: number): Promise<Watch | null> => {
  const [row] = await selectWatches(db, and(eq(watches.accountId, accountId), eq(watches.id, id)));
  return row ? watchOf(row) : null;
};

export const findWatches = async (db: Tx, accountId: number, ids: number[]): Promise<Watch[]> =>
  (await selectWatches(db, and(eq(watches.accountId, accountId), inArray(watches.id, ids)))).map(watchOf);

export const countWatches = (db: Tx, accountId: number): Promise<number> =>
  db.$count(watches, eq(watches.accountId, accountId));

/** @returns null if the account has this watch already */
export const insertWatch = async (tx: Tx, row: typeof watches.$inferInsert): Promise<number | null> => {
  const [inserted] = await tx.insert(watches).values(row).onConflictDoNothing().returning({ id: watches.id });
  return inserted?.id ?? null;
};

type Target = Pick<
  typeof watches.$inferSelect,
  "accountId" | "routeId" | "originPortId" | "destinationPortId" | "cargoType" | "equipmentType"
>;

export const findByTarget = async (db: Tx, target: Target): Promise<number | null> => {
  const same = (Object.keys(target) as (keyof Target)[]).map(
    (column) => sql`${watches[column]} is not distinct from ${target[column]}`,
  );
  const [row] = await db
    .select({ id: watches.id })
    .from(watches)
    .where(and(...same));
  return row?.id ?? null;
};

/** The newest watch of each of these routes by itself, whatever its equipment type. */
export const watchesOfRoutes = async (db: Tx, accountId: number, routeIds: number[]): Promise<Map<number, number>> => {
  const rows = await watchesOfRoutesIn(db).execute({ accountId, routeIds });
  return new Map(rows.flatMap(({ id, routeId }) => (routeId === null ? [] : [[routeId, id] as const])));
};

const watchesOfRoutesIn = perDatabase((db) =>
  db
    .select({ id: watches.id, routeId: watches.routeId })
    .from(watches)
    .where(
      and(eq(watches.accountId, sql.placeholder("accountId")), isOneOf(watches.routeId, sql.placeholder("routeIds"))),
    )
    .orderBy(asc(watches.id))
    .prepare("watches_of_routes"),
);

/** @returns false if there is none */
export const updateRules = async (
  tx: Tx,
  { accountId, id }: { accountId: number; id: number },
  rules: Watch["rules"],
): Promise<boolean> =>
  (
    await tx
      .update(watches)
      .set(rules)
      .where(and(eq(watches.accountId, accountId), eq(watches.id, id)))
      .returning({ id: watches.id })
  ).length > 0;

/** Changed thresholds are compared again. */
export const forgetBaselines = async (tx: Tx, watchId: number, kinds: readonly AlertKind[]): Promise<void> => {
  for (const kind of kinds) {
    await tx.delete(alertBaselines).where(and(eq(alertBaselines.watchId, watchId), eq(alertBaselines.kind, kind)));
  }
};

/** @returns false if there is none */
export const deleteWatch = async (tx: Tx, accountId: number, id: number): Promise<boolean> =>
  (
    await tx
      .delete(watches)
      .where(and(eq(watches.accountId, accountId), eq(watches.id, id)))
      .returning({ id: watches.id })
  ).length > 0;

export const findPort = async (db: Tx, unlocode: string): Promise<{ id: number } | null> => {
  const [row] = await db
    .select({ id: ports.id })
    .from(ports)
    .where(or(eq(ports.unlocode, unlocode), arrayContains(ports.altUnlocodes, [unlocode])));
  return row ?? null;
};

export const routeExists = async (db: Tx, id: number): Promise<boolean> =>
  (await db.$count(routes, eq(routes.id, id))) > 0;

/** Remembers the times of the coming sailings of the routes of these watches, unless they are known. */
export const rememberSailings = async (tx: Tx, watchIds: number[], now: Date): Promise<void> => {
  await tx.execute(sql`
    insert into ${watchedSailings} (sailing_id, etd, eta, cancelled)
    select sailings.id, sailings.etd, sailings.eta, sailings.status = 'cancelled'
    from sailings
    where sailings.etd > ${now.toISOString()}::timestamptz and sailings.route_id in (
      select routes.id from watches join routes on ${watchesRoute}
      where watches.id = any(${sql.param(watchIds)}::int[])
    )
    on conflict do nothing`);
};

export type WatchedRoute = { watchId: number; routeId: number; routesInAll: number };

/** The routes of these watches, up to `perWatch` of each, by name. */
export const routesOf = (db: Tx, watchIds: number[], perWatch: number): Promise<WatchedRoute[]> =>
  watchIds.length === 0
    ? Promise.resolve([])
    : db.execute<WatchedRoute>(sql`
        select watch_id as "watchId", route_id as "routeId", in_all as "routesInAll" from (
          select watches.id as watch_id, routes.id as route_id,
            row_number() over (partition by watches.id order by routes.name, routes.id) as number,
            count(*) over (partition by watches.id)::integer as in_all
          from watches join routes on ${watchesRoute}
          where watches.id = any(${sql.param(watchIds)}::int[])
        ) watched
        where number <= ${perWatch}
        order by watch_id desc, number`);

export type RouteFigures = {
  routeId: number;
  equipmentType: string;
  serviceLevel: string | null;
  basis: string | null;
  currency: string | null;
  allInCents: number | null;
  observedAt: string | null;
  weekAgoCents: number | null;
  availableCapacity: number;
  bookingStatus: BookingStatus;
  nextDeparture: string | null;
  dataAsOf: string | null;
};

/**
 * The newest figures of these routes, from the periods that the account's active subscriptions open. Without one, a
 * route is left out.
 */
export const figuresOf = (
  db: Tx,
  accountId: number,
  wanted: { routeId: number; equipmentType: string }[],
  { now, today }: { now: Date; today: Day },
): Promise<RouteFigures[]> => {
  const at = sql`${now.toISOString()}::timestamptz`;
  const rates = sql`reports
    join periods on periods.id = reports.period_id
    where periods.route_id = routes.id and (periods.id = any(held.period_ids) or periods.ends_on <= ${today}::date)
      and reports.type = 'rate' and reports.equipment_type = wanted.equipment_type
      and reports.base_rate_cents is not null and reports.surcharges_cents is not null`;
  return db.execute<RouteFigures>(sql`
    select wanted.route_id as "routeId", wanted.equipment_type as "equipmentType",
      newest.service_level as "serviceLevel", newest.basis, newest.currency, newest.all_in as "allInCents",
      newest.observed_at as "observedAt", week_ago.all_in as "weekAgoCents",
      routes.capacity_available as "availableCapacity", routes.booking_status as "bookingStatus",
      next.etd as "nextDeparture", age.observed_at as "dataAsOf"
    from unnest(${sql.param(wanted.map(({ routeId }) => routeId))}::int[],
      ${sql.param(wanted.map(({ equipmentType }) => equipmentType))}::text[]) wanted (route_id, equipment_type)
    join routes on routes.id = wanted.route_id
    join lateral (
      select array_agg(period_id) as period_ids from subscriptions
      where account_id = ${accountId} and route_id = routes.id and end_date > ${today}::date
    ) held on held.period_ids is not null
    left join lateral (
      select reports.service_level, reports.basis, reports.currency, reports.observed_at,
        reports.base_rate_cents + reports.surcharges_cents as all_in
      from ${rates}
      order by reports.observed_at desc, reports.service_level = 'standard' desc limit 1
    ) newest on true
    left join lateral (
      select reports.base_rate_cents + reports.surcharges_cents as all_in
      from ${rates} and reports.service_level = newest.service_level and reports.currency = newest.currency
        and reports.observed_at <= ${at} - interval '7 days'
      order by reports.observed_at desc limit 1
    ) week_ago on true
    left join lateral (
      select min(etd) as etd from sailings
      where sailings.route_id = routes.id and sailings.etd > ${at} and sailings.status = 'scheduled'
    ) next on true
    left join lateral (
      select max(reports.observed_at) as observed_at from reports where reports.period_id = any(held.period_ids)
    ) age on true`);
};

/** How many alerts of each watch are unread. */
export const unreadByWatch = async (db: Tx, watchIds: number[]): Promise<Map<number, number>> => {
  const rows = await db
    .select({ watchId: alerts.watchId, unread: count() })
    .from(alerts)
    .where(sql`${alerts.watchId} = any(${sql.param(watchIds)}::int[]) and ${alerts.readAt} is null`)
    .groupBy(alerts.watchId);
  return new Map(rows.flatMap(({ watchId, unread }) => (watchId === null ? [] : [[watchId, unread] as const])));
};

// ── Settings ────────────────────────────────────────────────────────────────────────────────────────

export const findCadence = async (db: Tx, accountId: number): Promise<MailCadence | null> => {
  const [row] = await db
    .select({ cadence: alertSettings.mailCadence })
    .from(alertSettings)
    .where(eq(alertSettings.accountId, accountId));
  return row?.cadence ?? null;
};

export const saveCadence = (tx: Tx, accountId: number, mailCadence: MailCadence) =>
  tx
    .insert(alertSettings)
    .values({ accountId, mailCadence })
    .onConflictDoUpdate({ target: alertSettings.accountId, set: { mailCadence } });

/** For an account that is being closed. */
export const deleteAll = async (tx: Tx, accountId: number): Promise<void> => {
  await tx.delete(alerts).where(eq(alerts.accountId, accountId));
  await tx.delete(watches).where(eq(watches.accountId, accountId));
  await tx.delete(alertSettings).where(eq(alertSettings.accountId, accountId));
};
