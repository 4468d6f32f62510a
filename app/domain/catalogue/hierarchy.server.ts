import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { notFound } from "../errors.ts";
import type { RegionNode, RouteGroupNode, TradeLaneNode } from "./hierarchy.ts";
import * as queries from "./hierarchy-queries.server.ts";

type World = Pick<Context, "db" | "clock">;
const today = (ctx: World) => dayOf(ctx.clock.now());

/** Routes that get a `cheapest` of their own: discounts may differ between them and all others. */
type Apart = { apartRouteIds?: readonly number[] };

/** All regions with figures of the routes that begin there. */
export const listRegions = (ctx: World, { apartRouteIds = [] }: Apart = {}): Promise<RegionNode[]> =>
  queries.findRegions(ctx.db, today(ctx), apartRouteIds);

/** A region with the trade lanes that start there, by name. @throws not_found */
export const getRegion = async (
  ctx: World,
  { code, apartRouteIds = [] }: { code: string } & Apart,
): Promise<{ region: RegionNode; tradeLanes: TradeLaneNode[] }> => {
  const [[region], tradeLanes] = await Promise.all([
    queries.findRegions(ctx.db, today(ctx), apartRouteIds, code),
    queries.findTradeLanes(ctx.db, today(ctx), apartRouteIds, { region: code }),
  ]);
  if (!region) throw notFound("Region");
  return { region, tradeLanes };
};

/** A trade lane with its route groups, by name. @throws not_found */
export const getTradeLane = async (
  ctx: World,
  { code, apartRouteIds = [] }: { code: string } & Apart,
): Promise<{ tradeLane: TradeLaneNode; routeGroups: RouteGroupNode[] }> => {
  const [[tradeLane], routeGroups] = await Promise.all([
    queries.findTradeLanes(ctx.db, today(ctx), apartRouteIds, { code }),
    queries.findRouteGroups(ctx.db, today(ctx), apartRouteIds, { tradeLane: code }),
  ]);
  if (!tradeLane) throw notFound("Trade lane");
  return { tradeLane, routeGroups };
};

/** @throws not_found */
export const getRouteGroup = async (
  ctx: World,
  { code, apartRouteIds = [] }: { code: string } & Apart,
): Promise<RouteGroupNode> => {
  const [group] = await queries.findRouteGroups(ctx.db, today(ctx), apartRouteIds, { code });
  if (!group) throw notFound("Route group");
  return group;
};
