/** Sample routes: one for each cargo type, whose data everybody may read. */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { summariesOf } from "./browse.server.ts";
import type { RouteSummary } from "./browse.ts";
import { touchRoutes } from "./period-queries.server.ts";
import * as queries from "./sample-routes-queries.server.ts";

/** The samples on offer, by cargo type. */
export const sampleRoutes = async (ctx: Pick<Context, "db" | "clock">): Promise<RouteSummary[]> => {
  const samples = await summariesOf(ctx, await queries.listSampleIds(ctx.db));
  return samples.toSorted((a, b) => (a.cargoType < b.cargoType ? -1 : 1));
};

/** The id of one sample, that of containers if there is one. Null: there is no sample. */
export const firstSampleId = (ctx: Pick<Context, "db">): Promise<number | null> => queries.findFirstSample(ctx.db);

/** The sample of a route's cargo type. */
export const sampleOf = (tx: Tx, { sameCargoAs }: { sameCargoAs: number }) => queries.findSample(tx, sameCargoAs);

/** The caller holds the catalogue's lock. */
export const setSample = async (tx: Tx, routeId: number, isSample: boolean, now: Date): Promise<void> => {
  await queries.setSample(tx, routeId, isSample);
  await touchRoutes(tx, [routeId], now);
};
