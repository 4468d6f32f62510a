/** The schedules that an account may read. @spec Endpoints (/route-access) */
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { forbidden, notFound } from "../errors.ts";
import type { Page, PageRequest } from "../page.ts";
import { departureWindow } from "../schedules/departure-window.ts";
import { listSailings } from "../schedules/list.server.ts";
import type { DepartureBound, Sailing } from "../schedules/sailing.ts";
import { runningRouteIds } from "./queries.server.ts";
import { accessToRoutes } from "./route-access.server.ts";

export type ScheduleRequest = PageRequest & {
  origin?: string | undefined;
  destination?: string | undefined;
  departure_from?: DepartureBound | undefined;
  departure_to?: DepartureBound | undefined;
};

/**
 * The sailings of all routes to which the account has an active subscription, soonest first.
 *
 * @throws forbidden for a suspended account
 * @throws invalid for a range of departures over 90 days, and for a cursor of another list
 */
export const subscribedSailings = async (
  ctx: Pick<Context, "db" | "clock">,
  { account }: Caller,
  { origin, destination, departure_from, departure_to, ...page }: ScheduleRequest,
): Promise<Page<Sailing>> => {
  if (account.standing === "suspended") throw forbidden();
  const today = dayOf(ctx.clock.now());
  const window = departureWindow({ from: departure_from, to: departure_to }, today);
  const routeIds = await runningRouteIds(ctx.db, account.id, today);
  return listSailings(ctx, { routeIds, ...window, origin, destination }, page);
};

/** More than any route has in the longest window. */
const mostSailings = 2000;

/**
 * The sailings of one route from today on, as far as schedules reach.
 *
 * @param caller null for a visitor, who may read samples
 * @throws not_found
 * @throws forbidden without an active subscription unless the route is a sample, and for a suspended account
 */
export const readRouteSchedule = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller | null,
  { id }: { id: number },
): Promise<Sailing[]> => {
  const access = (await accessToRoutes(ctx, caller, [id])).get(id);
  if (!access) throw notFound("Route");
  if (!access.hasAccess) throw forbidden();
  const window = departureWindow({}, dayOf(ctx.clock.now()));
  return (await listSailings(ctx, { routeIds: [id], ...window }, { limit: mostSailings })).rows;
};
