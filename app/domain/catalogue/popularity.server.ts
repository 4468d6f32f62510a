import type { Tx } from "../../platform/db.server.ts";
import * as queries from "./queries.server.ts";

/** Sets the price factor of routes. Their versions grow, as route documents show prices. */
export const setPopularity = async (db: Tx, routeIds: number[], popularityPercent: number): Promise<void> => {
  await queries.setPopularity(db, routeIds, popularityPercent);
};
