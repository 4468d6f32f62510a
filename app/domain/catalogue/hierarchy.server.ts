import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { notFound } from "../errors.ts";
import type { RegionNode, RouteGroupNode, TradeLaneNode } from "./hierarchy.ts";
import * as queries from "./hierarchy-queries.server.ts";

type World = Pick<Context, "db" | "clock">;
const today = (ctx: World) => dayOf(ctx.clock.now());

/** All regions with figures of the routes that begin there. */
export const listRegions = (ctx: World): Promise<RegionNode[]> => queries.findRegions(ctx.db, today(ctx));

/** A region with the trade lanes that start there, by name. @throws not_found */
export const getRegion = async (
  ctx: World,
  { code }: { code: string },
): Promise<{ region: RegionNode; tradeLanes: TradeLaneNode[] }> => {
  const [[region], tradeLanes] = await Promise.all([
    queries.findRegions(ctx.db, today(ctx), code),
    queries.findTradeLanes(ctx.db, today(ctx), { region: code }),
  ]);
  if (!region) throw notFound("Region");
  return { region, tradeLanes };
};

/** A trade lane with its route groups, by name. @throws not_found */
export const getTradeLane = async (
  ctx: World,
  { code }: { code: string },
): Promise<{ tradeLane: TradeLaneNode; routeGroups: RouteGroupNode[] }> => {
  const [[tradeLane], routeGroups] = await Promise.all([
    queries.findTradeLanes(ctx.db, today(ctx), { code }),
    queries.findRouteGroups(ctx.db, today(ctx), { tradeLane: code }),
  ]);
  if (!tradeLane) throw notFound("Trade lane");
  return { tradeLane, routeGroups };
};

/** @throws not_found */
export const getRouteGroup = async (ctx: World, { code }: { code: string }): Promise<RouteGroupNode> => {
  const [group] = await queries.findRouteGroups(ctx.db, today(ctx), { code });
  if (!group) throw notFound("Route group");
  return group;
};
