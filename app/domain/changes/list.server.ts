/** Reading changes of route data. @spec What the service does (real-time schedule updates) */
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { millisecondsPerDay } from "../dates.ts";
import { forbidden, invalid, notFound, Refusal } from "../errors.ts";
import { type OpenedRoute, openedRoutes } from "../subscriptions/opened-routes.server.ts";
import { accessToRoutes } from "../subscriptions/route-access.server.ts";
import { type Change, type ChangeType, cursorAfter, readSince } from "./change.ts";
import { changeRetentionDays, changesGone } from "./policy.ts";
import * as queries from "./queries.server.ts";

type World = Pick<Context, "db" | "clock">;

export type ChangeFilter = { routeId?: number | undefined; type?: ChangeType | undefined };

/** `after`: the id of the last change that was looked at, the caller's or not. */
export type ChangePage = { changes: Change[]; after: number; hasMore: boolean };

/**
 * The changes of the routes to which the account has an active subscription, in the order in which they happened. Of reports,
 * those of the periods that its subscriptions open now: the current one and the history. Subscriptions count as they are at
 * the time of reading, for changes before their start as well.
 *
 * @param request.since a cursor or a time; without it, from the oldest change that is kept
 * @returns `nextCursor` also when there are no more
 * @throws forbidden for a suspended account, or without a subscription to the route
 * @throws not_found for an unknown route
 * @throws invalid for a `since` that is no cursor and no time, or lies in the future
 * @throws gone if changes after `since` have been deleted
 */
export const listChanges = async (
  ctx: World,
  caller: Caller,
  { since, limit, ...filter }: ChangeFilter & { since?: string | undefined; limit: number },
): Promise<{ changes: Change[]; nextCursor: string; hasMore: boolean }> => {
  const opened = await readableRoutes(ctx, caller, filter);
  const start = await positionOf(ctx, since);
  const { changes, after, hasMore } = await pageAfter(ctx, { opened, type: filter.type }, start, limit);
  return { changes, nextCursor: cursorAfter(after), hasMore };
};

/** The last changes that the account may read, newest first. @throws as `listChanges` */
export const recentChanges = async (
  ctx: World,
  caller: Caller,
  { limit, ...filter }: ChangeFilter & { limit: number },
): Promise<Change[]> => {
  const opened = await readableRoutes(ctx, caller, filter);
  return queries.newestChanges(ctx.db, { opened, type: filter.type }, limit);
};

/**
 * The routes that changed last, each with its newest change that the account may read, newest first.
 *
 * @throws forbidden for a suspended account
 */
export const recentlyChangedRoutes = async (
  ctx: World,
  caller: Caller,
  { limit }: { limit: number },
): Promise<Change[]> => queries.newestByRoute(ctx.db, { opened: await openedRoutes(ctx, caller) }, limit);

/** The routes of a filter that the account may read. @throws forbidden, not_found */
export const readableRoutes = async (ctx: World, caller: Caller, { routeId }: ChangeFilter): Promise<OpenedRoute[]> => {
  const opened = await openedRoutes(ctx, caller);
  if (routeId === undefined) return opened;
  const wanted = opened.filter((route) => route.routeId === routeId);
  if (wanted.length > 0) return wanted;
  throw (await accessToRoutes(ctx, caller, [routeId])).has(routeId) ? forbidden() : notFound("Route");
};

/** The id after which to read. @throws invalid, gone */
export const positionOf = async (ctx: World, since: string | undefined): Promise<number> => {
  const { last, deletedThrough } = await queries.bounds(ctx.db);
  if (since === undefined) return deletedThrough;
  const start = readSince(since);
  if ("after" in start) {
    if (start.after > last)
      throw invalid("since", "This cursor is not valid here. Read the route data again, then continue without since");
    if (start.after < deletedThrough) throw gone(last);
    return start.after;
  }
  const now = ctx.clock.now();
  if (start.from > now) throw invalid("since", "Must not be in the future");
  const isKept = now.getTime() - start.from.getTime() <= changeRetentionDays * millisecondsPerDay;
  if (!isKept && deletedThrough > 0) throw gone(last);
  const first = await queries.firstSince(ctx.db, start.from);
  return first === null ? last : first - 1;
};

/** Behind the last change. */
export const lastPosition = async ({ db }: Pick<Context, "db">): Promise<number> => (await queries.bounds(db)).last;

/** @throws gone if changes were deleted before they could be read */
export const pageAfter = async (
  { db }: Pick<Context, "db">,
  readable: queries.Readable,
  after: number,
  limit: number,
): Promise<ChangePage> => {
  // Ids are in commit order, so everything up to this one can be read.
  const { last } = await queries.bounds(db);
  const found = await queries.changesBetween(db, readable, { after, through: last, limit: limit + 1 });
  const { deletedThrough } = await queries.bounds(db);
  if (after < deletedThrough) throw gone(last);
  const hasMore = found.length > limit;
  const changes = found.slice(0, limit);
  return { changes, after: (hasMore ? changes.at(-1)?.id : undefined) ?? last, hasMore };
};

/** Data that is read from now on includes the changes so far, so following begins after the last change. */
const gone = (last: number) => new Refusal("gone", changesGone, { nextCursor: cursorAfter(last) });
