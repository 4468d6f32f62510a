import type { Tx } from "../../platform/db.server.ts";
import * as queries from "./queries.server.ts";

/** Makes cached documents of these routes out of date. */
export const markRoutesChanged = async (db: Tx, routeIds: number[], now: Date): Promise<void> => {
  await queries.bumpVersions(db, routeIds, now);
};
