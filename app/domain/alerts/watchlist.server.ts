/** The watchlist: what an account watches, and with which rules. Watches of other accounts are not found. */

import { z } from "zod";
import type { Tx } from "../../platform/db.server.ts";
import type { Caller } from "../accounts/caller.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { cursorId, cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import { counted } from "../wording.ts";
import { thresholdCurrency } from "./decide.ts";
import { defaultRules, maxWatches } from "./policy.ts";
import type { Watch, WatchRules, WatchTarget } from "./watch.ts";
import * as queries from "./watch-queries.server.ts";

type World = Pick<Context, "db" | "clock">;

const watchCursor = cursorOf(z.tuple([cursorId]));

/** Newest first. @throws invalid for a cursor of another list */
export const listWatches = async (
  ctx: Pick<Context, "db">,
  { account }: Caller,
  page: PageRequest,
): Promise<Page<Watch>> => {
  const [before] = watchCursor.read(page.cursor) ?? [null];
  const found = await queries.pageOfWatches(ctx.db, account.id, { before, limit: page.limit });
  return pageOf(found, page.limit, (last) => watchCursor.write([last.id]));
};

/** All watches, for the export of the account's data. */
export const allWatches = (ctx: Pick<Context, "db">, { account }: Caller): Promise<Watch[]> =>
  queries.pageOfWatches(ctx.db, account.id, { before: null, limit: maxWatches });

/** @throws not_found */
export const getWatch = async (
  ctx: Pick<Context, "db">,
  { account }: Caller,
  { id }: { id: number },
): Promise<Watch> => {
  const watch = await queries.findWatch(ctx.db, account.id, id);
  if (!watch) throw notFound("Watch");
  return watch;
};

/**
 * Watches a route or a port pair. A target that is watched already keeps its watch and its rules.
 *
 * @throws not_found for a route that does not exist
 * @throws invalid for an unknown port, and for a pair of equal ports
 * @throws conflict at the maximum of watches
 */
export const watch = async (
  ctx: World,
  caller: Caller,
  { target, rules = defaultRules }: { target: WatchTarget; rules?: WatchRules | undefined },
): Promise<Watch> => {
  const now = ctx.clock.now();
  const id = await ctx.db.transaction(async (tx) => {
    const row = { accountId: caller.account.id, ...(await rowOf(tx, target)) };
    await lockAccount(tx, caller.account.id);
    const existing = await queries.findByTarget(tx, row);
    if (existing !== null) return existing;
    if ((await queries.countWatches(tx, caller.account.id)) >= maxWatches) throw tooMany();
    const inserted = await queries.insertWatch(tx, { ...row, ...rules, currency: thresholdCurrency, createdAt: now });
    if (inserted === null) throw new Error("A watch was inserted despite the account's lock");
    await queries.rememberSailings(tx, [inserted], now);
    return inserted;
  });
  return getWatch(ctx, caller, { id });
};

const tooMany = () =>
  conflict(`Your watchlist is full: it can have ${counted(maxWatches, "entry", "entries")}. Remove one first`);

const rowOf = async (tx: Tx, target: WatchTarget) => {
  const { equipmentType } = target;
  const none = { routeId: null, originPortId: null, destinationPortId: null, cargoType: null };
  if ("routeId" in target) {
    if (!(await queries.routeExists(tx, target.routeId))) throw notFound("Route");
    return { ...none, routeId: target.routeId, equipmentType };
  }
  const origin = await portOf(tx, "origin", target.origin);
  const destination = await portOf(tx, "destination", target.destination);
  if (origin === destination) throw invalid("destination", "Choose a port other than the origin");
  return { ...none, originPortId: origin, destinationPortId: destination, cargoType: target.cargoType, equipmentType };
};

const portOf = async (tx: Tx, field: "origin" | "destination", unlocode: string): Promise<number> => {
  const port = await queries.findPort(tx, unlocode);
  if (!port) throw invalid(field, `No port has the code ${unlocode}`);
  return port.id;
};

/**
 * Replaces the rules of a watch. A threshold that has changed can raise an alert again.
 *
 * @throws not_found
 */
export const setRules = async (
  ctx: Pick<Context, "db">,
  caller: Caller,
  { id, rules }: { id: number; rules: WatchRules },
): Promise<Watch> => {
  await ctx.db.transaction(async (tx) => {
    const before = (await getWatch({ db: tx }, caller, { id })).rules;
    await queries.updateRules(tx, { accountId: caller.account.id, id }, rules);
    const changed = [
      ...(before.allInBelowCents === rules.allInBelowCents ? [] : ["all_in_below" as const]),
      ...(before.allInAboveCents === rules.allInAboveCents ? [] : ["all_in_above" as const]),
      ...(before.capacityBelow === rules.capacityBelow ? [] : ["capacity_below" as const]),
    ];
    await queries.forgetBaselines(tx, id, changed);
  });
  return getWatch(ctx, caller, { id });
};

/** Its alerts stay. @throws not_found */
export const unwatch = async (
  ctx: Pick<Context, "db">,
  { account }: Caller,
  { id }: { id: number },
): Promise<{ id: number }> => {
  if (!(await queries.deleteWatch(ctx.db, account.id, id))) throw notFound("Watch");
  return { id };
};

/** The watches of these routes, by the route's id. Pairs of ports are left out. */
export const watchesOfRoutes = (
  ctx: Pick<Context, "db">,
  { account }: Caller,
  routeIds: number[],
): Promise<Map<number, number>> => queries.watchesOfRoutes(ctx.db, account.id, routeIds);

/** For an account that is being closed. */
export const deleteWatchlist = (tx: Tx, accountId: number): Promise<void> => queries.deleteAll(tx, accountId);
