import type { Context } from "../context.ts";
import { type Page, type PageRequest, pageOf } from "../page.ts";
import {
  type CarrierFilter,
  type CarrierRecord,
  type DirectoryList,
  directoryCursor,
  type PortFilter,
  type PortRecord,
  type RegionFilter,
  type RouteGroupFilter,
  type TradeLaneFilter,
} from "./directory.ts";
import * as queries from "./directory-queries.server.ts";
import { withFigures } from "./hierarchy.server.ts";
import type { RegionNode, RouteGroupNode, TradeLaneNode } from "./hierarchy.ts";
import * as hierarchy from "./hierarchy-queries.server.ts";
import { indexedCatalogue } from "./search-index.server.ts";

type World = Pick<Context, "db" | "clock">;

/** By code. @throws invalid for a cursor of another list */
export const browseRegions = (ctx: World, filter: RegionFilter, page: PageRequest): Promise<Page<RegionNode>> =>
  byCode(
    "regions",
    page,
    ({ code }) => code,
    (keyset) => withFigures(ctx, "region", hierarchy.pageOfRegions(ctx.db, filter, keyset)),
  );

/** By code. @throws invalid for a cursor of another list */
export const browseTradeLanes = (
  ctx: World,
  filter: TradeLaneFilter,
  page: PageRequest,
): Promise<Page<TradeLaneNode>> =>
  byCode(
    "trade_lanes",
    page,
    ({ code }) => code,
    (keyset) => withFigures(ctx, "tradeLane", hierarchy.pageOfTradeLanes(ctx.db, filter, keyset)),
  );

/** By code. @throws invalid for a cursor of another list */
export const browseRouteGroups = (
  ctx: World,
  filter: RouteGroupFilter,
  page: PageRequest,
): Promise<Page<RouteGroupNode>> =>
  byCode(
    "route_groups",
    page,
    ({ code }) => code,
    (keyset) => withFigures(ctx, "routeGroup", hierarchy.pageOfRouteGroups(ctx.db, filter, keyset)),
  );

/** By UN/LOCODE. @throws invalid for a cursor of another list */
export const browsePorts = async (
  ctx: World,
  { q, ...filter }: PortFilter,
  page: PageRequest,
): Promise<Page<PortRecord>> => {
  const ids = q ? (await indexedCatalogue(ctx)).index.ports.findIds(q) : null;
  return byCode(
    "ports",
    page,
    ({ unlocode }) => unlocode,
    (keyset) => queries.pageOfPorts(ctx.db, { ...filter, ids }, keyset),
  );
};

/** By code. @throws invalid for a cursor of another list */
export const browseCarriers = (
  ctx: Pick<Context, "db">,
  filter: CarrierFilter,
  page: PageRequest,
): Promise<Page<CarrierRecord>> =>
  byCode(
    "carriers",
    page,
    ({ code }) => code,
    (keyset) => queries.pageOfCarriers(ctx.db, filter, keyset),
  );

const byCode = async <Row>(
  list: DirectoryList,
  { limit, cursor }: PageRequest,
  codeOf: (row: Row) => string,
  find: (keyset: hierarchy.Keyset) => PromiseLike<Row[]>,
): Promise<Page<Row>> => {
  const codec = directoryCursor(list);
  const afterCode = codec.read(cursor)?.[1] ?? null;
  return pageOf(await find({ limit, afterCode }), limit, (last) => codec.write([list, codeOf(last)]));
};
