import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import type { Figures, RegionNode, RouteGroupNode, TradeLaneNode } from "./hierarchy.ts";
import { figuresOf, type Level } from "./hierarchy-figures.ts";
import * as queries from "./hierarchy-queries.server.ts";
import { indexedCatalogue } from "./search-index.server.ts";

type World = Pick<Context, "db" | "clock">;

/** Routes that get a `cheapest` of their own: discounts may differ between them and all others. */
type Apart = { apartRouteIds?: readonly number[] | PromiseLike<readonly number[]> };

/** Adds its figures to each node of a level. */
export const withFigures = async <Node extends { id: number }>(
  ctx: World,
  level: Level,
  finding: PromiseLike<Node[]>,
  { apartRouteIds }: Apart = {},
): Promise<(Node & Figures)[]> => {
  const [nodes, catalogue, apart] = await Promise.all([finding, indexedCatalogue(ctx), apartRouteIds]);
  const figures = figuresOf(catalogue, level, apart);
  return nodes.map((node) => ({ ...node, ...figures(node.id) }));
};

/** All regions with figures of the routes that begin there. */
export const listRegions = (ctx: World, apart: Apart = {}): Promise<RegionNode[]> =>
  withFigures(ctx, "region", queries.findRegions(ctx.db), apart);

/** A region with the trade lanes that start there, by name. @throws not_found */
export const getRegion = async (
  ctx: World,
  { code, ...apart }: { code: string } & Apart,
): Promise<{ region: RegionNode; tradeLanes: TradeLaneNode[] }> => {
  const [[region], tradeLanes] = await Promise.all([
    withFigures(ctx, "region", queries.findRegions(ctx.db, code), apart),
    withFigures(ctx, "tradeLane", queries.findTradeLanes(ctx.db, { region: code }), apart),
  ]);
  if (!region) throw notFound("Region");
  return { region, tradeLanes };
};

/** A trade lane with its route groups, by name. @throws not_found */
export const getTradeLane = async (
  ctx: World,
  { code, ...apart }: { code: string } & Apart,
): Promise<{ tradeLane: TradeLaneNode; routeGroups: RouteGroupNode[] }> => {
  const [[tradeLane], routeGroups] = await Promise.all([
    withFigures(ctx, "tradeLane", queries.findTradeLanes(ctx.db, { code }), apart),
    withFigures(ctx, "routeGroup", queries.findRouteGroups(ctx.db, { tradeLane: code }), apart),
  ]);
  if (!tradeLane) throw notFound("Trade lane");
  return { tradeLane, routeGroups };
};

/** @throws not_found */
export const getRouteGroup = async (
  ctx: World,
  { code, ...apart }: { code: string } & Apart,
): Promise<RouteGroupNode> => {
  const [group] = await withFigures(ctx, "routeGroup", queries.findRouteGroups(ctx.db, { code }), apart);
  if (!group) throw notFound("Route group");
  return group;
};
