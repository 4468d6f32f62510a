import { and, asc, eq, isNull, lt, sql } from "drizzle-orm";
import { periods, routeGroups, routes, tradeLanes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import type { Freshness, PeriodPolicy } from "./route.ts";
import type { Opening } from "./succession.ts";

const columns = {
  id: periods.id,
  code: periods.code,
  routeId: periods.routeId,
  name: periods.name,
  startsOn: periods.startsOn,
  endsOn: periods.endsOn,
  freshness: periods.freshness,
  successorPeriodId: periods.successorPeriodId,
  retiredAt: periods.retiredAt,
  periodPolicy: routes.periodPolicy,
  tradeLaneId: tradeLanes.id,
  /** The freshness of the period that follows. */
  nextFreshness: sql<
    typeof periods.$inferSelect.freshness
  >`coalesce(${tradeLanes.periodFreshness}, ${periods.freshness})`,
};

const selectPeriods = (tx: Tx) =>
  tx
    .select(columns)
    .from(periods)
    .innerJoin(routes, eq(routes.id, periods.routeId))
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .innerJoin(tradeLanes, eq(tradeLanes.id, routeGroups.tradeLaneId));

/** The periods of a retired route are retired with it. */
const isDue = (quarterStart: Day) =>
  and(
    isNull(periods.endsOn),
    isNull(periods.retiredAt),
    eq(routes.periodPolicy, "quarterly"),
    lt(periods.startsOn, quarterStart),
  );

export const hasDue = async (db: Tx, quarterStart: Day): Promise<boolean> => {
  const [row] = await db
    .select({ id: periods.id })
    .from(periods)
    .innerJoin(routes, eq(routes.id, periods.routeId))
    .where(isDue(quarterStart))
    .limit(1);
  return row !== undefined;
};

export type LockedPeriod = Awaited<ReturnType<typeof lockDue>>[number];

/** Open periods of quarterly routes that began before `quarterStart`, locked until the transaction ends. */
export const lockDue = (tx: Tx, quarterStart: Day, limit: number) =>
  selectPeriods(tx).where(isDue(quarterStart)).orderBy(asc(periods.id)).limit(limit).for("update", { of: periods });

export const lockPeriod = async (tx: Tx, id: number) => {
  const [found] = await selectPeriods(tx).where(eq(periods.id, id)).for("update", { of: periods });
  return found ?? null;
};

export const periodsWithCodes = (tx: Tx, codes: string[]) =>
  tx
    .select({
      code: periods.code,
      routeId: periods.routeId,
      freshness: periods.freshness,
      retiredAt: periods.retiredAt,
    })
    .from(periods)
    .where(sql`${periods.code} = any(${sql.param(codes)}::text[])`);

export type NewPeriod = Opening & { routeId: number };

/** Leaves out periods that exist. */
export const insertPeriods = async (tx: Tx, rows: NewPeriod[]): Promise<void> => {
  if (rows.length > 0) await tx.insert(periods).values(rows).onConflictDoNothing();
};

/** A route has one period per first day and freshness, apart from retired ones. */
type PeriodKey = { routeId: number; startsOn: Day; freshness: Freshness };

/** The new name of a period, and the period that follows it. */
export type Ending = { startsOn: Day; freshness: Freshness; name: string; successor: PeriodKey };

/** Ends open periods on the first day of their successors. */
export const endPeriods = async (tx: Tx, endings: Ending[]): Promise<void> => {
  const rows = endings.map(({ startsOn, freshness, name, successor }) => ({
    ...successor,
    name,
    endedFrom: startsOn,
    endedFreshness: freshness,
  }));
  await tx.execute(sql`
    update periods set
      name = ending.name,
      ends_on = coalesce(periods.ends_on, successor.starts_on),
      successor_period_id = coalesce(periods.successor_period_id, successor.id)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ending
      ("routeId" integer, "startsOn" date, freshness freshness, name text, "endedFrom" date, "endedFreshness" freshness)
    join periods successor on (successor.route_id, successor.starts_on, successor.freshness)
      = (ending."routeId", ending."startsOn", ending.freshness) and successor.retired_at is null
    where periods.retired_at is null and (periods.route_id, periods.starts_on, periods.freshness)
      = (ending."routeId", ending."endedFrom", ending."endedFreshness")`);
};

/** Moves what was observed after the end of a period to that of its successors that covers it. */
export const moveLaterReports = async (tx: Tx, moves: { fromId: number; to: PeriodKey }[]): Promise<void> => {
  const rows = moves.map(({ fromId, to }) => ({ fromId, ...to }));
  await tx.execute(sql`
    update reports set period_id = successor.id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as move
      ("fromId" integer, "routeId" integer, "startsOn" date, freshness freshness)
    join periods ended on ended.id = move."fromId"
    join periods successor on (successor.route_id, successor.starts_on, successor.freshness)
      = (move."routeId", move."startsOn", move.freshness) and successor.retired_at is null
    where reports.period_id = ended.id
      and reports.observed_at >= ended.ends_on::timestamp at time zone 'UTC'
      and reports.observed_at >= successor.starts_on::timestamp at time zone 'UTC'
      and (successor.ends_on is null or reports.observed_at < successor.ends_on::timestamp at time zone 'UTC')
      and not exists (select from reports known where known.period_id = successor.id
        and known.observed_at = reports.observed_at and known.type = reports.type
        and known.service_level = reports.service_level)`);
};

export const updatePeriod = (tx: Tx, id: number, changes: Partial<typeof periods.$inferInsert>) =>
  tx.update(periods).set(changes).where(eq(periods.id, id));

export const setPolicy = (tx: Tx, routeId: number, periodPolicy: PeriodPolicy) =>
  tx.update(routes).set({ periodPolicy }).where(eq(routes.id, routeId));

export const setLanePromise = (tx: Tx, id: number, promise: Partial<typeof tradeLanes.$inferInsert>) =>
  tx.update(tradeLanes).set(promise).where(eq(tradeLanes.id, id));

export const routesOfLane = async (tx: Tx, tradeLaneId: number): Promise<number[]> => {
  const rows = await tx
    .select({ id: routes.id })
    .from(routes)
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .where(eq(routeGroups.tradeLaneId, tradeLaneId));
  return rows.map(({ id }) => id);
};

/** Route documents list periods, so their versions grow with every change of one. */
export const touchRoutes = async (tx: Tx, routeIds: number[], now: Date): Promise<void> => {
  await tx
    .update(routes)
    .set({ version: sql`${routes.version} + 1`, updatedAt: now })
    .where(sql`${routes.id} = any(${sql.param([...new Set(routeIds)])}::int[])`);
};
