/** Periods with late data: for operators, who get one notification. */
import type { OperatorCaller } from "../accounts/caller.ts";
import { operatorIds } from "../accounts/operators.server.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { dataLate } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { type DataAge, dataAge } from "./freshness.ts";
import * as queries from "./late-data-queries.server.ts";

type World = Pick<Context, "db" | "clock">;

export type ManagedPeriod = NonNullable<Awaited<ReturnType<typeof queries.findPeriod>>> & DataAge;

/** The periods that have waited longest for data, and how many are late in all. */
export const listLate = async (
  ctx: World,
  _operator: OperatorCaller,
  { limit }: { limit: number },
): Promise<{ rows: ManagedPeriod[]; total: number }> => {
  const now = ctx.clock.now();
  const [rows, { late }] = await Promise.all([queries.latePeriods(ctx.db, now, limit), queries.lateness(ctx.db, now)]);
  return { rows: rows.map((row) => ({ ...row, ...dataAge(row, now) })), total: late };
};

/** For monitoring. `longestMs`: how long the most overdue observation has been overdue. */
export const lateness = async (ctx: World): Promise<{ late: number; longestMs: number }> => {
  const now = ctx.clock.now();
  const { late, dueSince } = await queries.lateness(ctx.db, now);
  return { late, longestMs: dueSince === null ? 0 : now.getTime() - dueSince.getTime() };
};

/** All periods of a route, newest first. Empty for an unknown code. */
export const listPeriodsOf = async (
  ctx: World,
  _operator: OperatorCaller,
  { routeCode }: { routeCode: string },
): Promise<ManagedPeriod[]> => {
  const now = ctx.clock.now();
  return (await queries.periodsOfRouteCode(ctx.db, routeCode)).map((row) => ({ ...row, ...dataAge(row, now) }));
};

/** @throws not_found */
export const findManagedPeriod = async (
  ctx: World,
  _operator: OperatorCaller,
  { id }: { id: number },
): Promise<ManagedPeriod> => {
  const period = await queries.findPeriod(ctx.db, id);
  if (!period) throw notFound("Period");
  return { ...period, ...dataAge(period, ctx.clock.now()) };
};

/**
 * Writes one mail to every operator about the periods that have become late since the last one. A period is announced
 * again only if new data came in between.
 *
 * @returns how many periods were announced
 */
export const announceLateData = async (ctx: Pick<Context, "db" | "clock" | "settings">): Promise<number> => {
  const now = ctx.clock.now();
  if ((await queries.latePeriods(ctx.db, now, 1)).length === 0) return 0;
  return ctx.db.transaction(async (tx) => {
    const late = (await queries.lockUnannounced(tx, now)).map((row) => ({ ...row, ...dataAge(row, now) }));
    if (late.length === 0) return 0;
    const mail = dataLate(
      ctx.settings.appUrl,
      late.map(({ route, name, dataAsOf }) => ({ routeName: route.name, routeCode: route.code, name, dataAsOf })),
    );
    for (const accountId of await operatorIds(tx)) {
      await enqueue(tx, { ...mail, accountId, dedupeKey: `data-late:${now.getTime()}:${accountId}` }, now);
    }
    await queries.markAnnounced(
      tx,
      late.map(({ id }) => id),
      now,
    );
    return late.length;
  });
};
