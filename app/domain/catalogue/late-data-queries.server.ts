import { and, asc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { periods, reports, routeGroups, routes, tradeLanes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { ageColumns, isStaleAt, nextUpdateDue } from "./freshness-columns.server.ts";

const columns = {
  id: periods.id,
  code: periods.code,
  name: periods.name,
  startsOn: periods.startsOn,
  endsOn: periods.endsOn,
  freshness: periods.freshness,
  retiredAt: periods.retiredAt,
  route: { id: routes.id, code: routes.code, name: routes.name, policy: routes.periodPolicy },
  tradeLane: {
    code: tradeLanes.code,
    name: tradeLanes.name,
    realTimeMinutes: tradeLanes.realTimeMinutes,
    dailyMinutes: tradeLanes.dailyMinutes,
    weeklyMinutes: tradeLanes.weeklyMinutes,
    periodFreshness: tradeLanes.periodFreshness,
  },
  ...ageColumns,
};

const selectPeriods = (db: Tx) =>
  db
    .select(columns)
    .from(periods)
    .innerJoin(routes, eq(routes.id, periods.routeId))
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .innerJoin(tradeLanes, eq(tradeLanes.id, routeGroups.tradeLaneId));

/** Those that wait longest first. */
export const latePeriods = (db: Tx, now: Date, limit: number) =>
  selectPeriods(db).where(isStaleAt(now.toISOString())).orderBy(asc(nextUpdateDue), asc(periods.id)).limit(limit);

/** @returns how many are late, and the instant at which the next observation of the latest one was due */
export const lateness = async (db: Tx, now: Date): Promise<{ late: number; dueSince: Date | null }> => {
  const [row] = await db
    .select({ late: sql<number>`count(*)::int`, dueSince: sql`min(${nextUpdateDue})`.mapWith(reports.observedAt) })
    .from(periods)
    .innerJoin(routes, eq(routes.id, periods.routeId))
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .innerJoin(tradeLanes, eq(tradeLanes.id, routeGroups.tradeLaneId))
    .where(isStaleAt(now.toISOString()));
  return row ?? { late: 0, dueSince: null };
};

export const findPeriod = async (db: Tx, id: number) => {
  const [found] = await selectPeriods(db).where(eq(periods.id, id));
  return found ?? null;
};

/** Newest first. */
export const periodsOfRouteCode = (db: Tx, code: string) =>
  selectPeriods(db)
    .where(sql`upper(${routes.code}) = upper(${code})`)
    .orderBy(sql`${periods.startsOn} desc`, asc(periods.id));

/**
 * Late periods that were not announced since their latest observation, locked until the transaction ends. A concurrent run
 * waits, and then finds none, so that all of them are in one mail.
 */
export const lockUnannounced = (tx: Tx, now: Date) =>
  selectPeriods(tx)
    .where(
      and(
        isStaleAt(now.toISOString()),
        or(isNull(periods.latenessAnnouncedAt), sql`${periods.latenessAnnouncedAt} < ${ageColumns.dataAsOf}`),
      ),
    )
    .orderBy(asc(nextUpdateDue), asc(periods.id))
    .for("update", { of: periods });

export const markAnnounced = (tx: Tx, ids: number[], now: Date) =>
  tx.update(periods).set({ latenessAnnouncedAt: now }).where(inArray(periods.id, ids));
