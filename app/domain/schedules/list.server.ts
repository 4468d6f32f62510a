import type { CatalogueReader } from "../catalogue/as-of.server.ts";
import { dayOf, startOf } from "../dates.ts";
import { type Page, type PageRequest, pageOf } from "../page.ts";
import * as queries from "./queries.server.ts";
import { type Sailing, type SailingFilter, sailingCursor } from "./sailing.ts";

/** By departure, soonest first. The callers check access. @throws invalid for a cursor of another list */
export const listSailings = async (
  ctx: Pick<CatalogueReader, "db">,
  filter: SailingFilter,
  page: PageRequest,
): Promise<Page<Sailing>> => {
  const found = await queries.searchSailings(ctx.db, filter, page.limit, sailingCursor.read(page.cursor));
  return pageOf(found, page.limit, (last) => sailingCursor.write([last.etd.toISOString(), last.id]));
};

/** A route's next sailings, those of today included. */
export const nextSailings = async (ctx: CatalogueReader, routeId: number, count: number): Promise<Sailing[]> => {
  // From the day's start rather than from now: route documents are cached for the day.
  const from = { instant: startOf(dayOf(ctx.clock.now())) };
  return (await listSailings(ctx, { routeIds: [routeId], from, to: null }, { limit: count })).rows;
};

/** The next sailing of each of these routes that is not cancelled, by route. */
export const nextDepartures = async (ctx: CatalogueReader, routeIds: number[]): Promise<Map<number, Sailing>> =>
  new Map(
    (await queries.nextDepartures(ctx.db, routeIds, ctx.clock.now())).map((sailing) => [sailing.route.id, sailing]),
  );
