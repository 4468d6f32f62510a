import type { Account } from "../accounts/caller.ts";
import { type OpenedBy, openedPeriods } from "../catalogue/period.ts";
import { periodsOfRoutes } from "../catalogue/route-data.server.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { forbidden, notFound } from "../errors.ts";
import { groupBy } from "../group-by.ts";
import { accessOf, findEntitlement, openedBy } from "./entitlement.server.ts";
import { runningPeriodsOf } from "./queries.server.ts";

type World = Pick<Context, "db" | "clock">;
type Holder = { account: Pick<Account, "id" | "standing"> };

/** A route whose data the account may read, and the periods whose reports it may read. */
export type OpenedRoute = { routeId: number; periodIds: number[] };

/**
 * The routes whose data the account may read now, by the rules of `openRouteData`, in ascending order of id.
 *
 * @param routeIds only these; absent: all that the account has an active subscription to
 * @throws not_found naming the first route that does not exist
 * @throws forbidden if one of these routes has no active subscription, and for a suspended account
 */
export const openedRoutes = async (
  ctx: World,
  caller: Holder,
  routeIds?: readonly number[],
): Promise<OpenedRoute[]> => {
  if (caller.account.standing === "suspended") throw forbidden();
  const today = dayOf(ctx.clock.now());
  const opening = await (routeIds
    ? openingOf(ctx, caller, [...new Set(routeIds)], today)
    : openingOfAll(ctx, caller, today));
  if (opening.length === 0) return [];
  const ids = opening.map(({ routeId }) => routeId);
  const periods = groupBy(await periodsOfRoutes(ctx, ids), ({ routeId }) => routeId);
  return opening
    .map(({ routeId, by }) => ({
      routeId,
      periodIds: openedPeriods(periods.get(routeId) ?? [], by, today).map(({ id }) => id),
    }))
    .sort((a, b) => a.routeId - b.routeId);
};

type Opening = { routeId: number; by: OpenedBy };

const openingOfAll = async (ctx: World, { account }: Holder, today: Day): Promise<Opening[]> => {
  const running = groupBy(await runningPeriodsOf(ctx.db, account.id, today), ({ routeId }) => routeId);
  return [...running].map(([routeId, rows]) => ({ routeId, by: rows.map(({ periodId }) => periodId) }));
};

/** @throws not_found, forbidden */
const openingOf = (ctx: World, caller: Holder, routeIds: number[], today: Day): Promise<Opening[]> =>
  Promise.all(
    routeIds.map(async (routeId) => {
      const entitlement = await findEntitlement(ctx, caller, routeId);
      if (!entitlement) throw notFound(`Route ${routeId}`);
      if (!accessOf(today, caller, entitlement).hasAccess) throw forbidden();
      return { routeId, by: openedBy(today, entitlement) };
    }),
  );
