import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import * as queries from "./lane-prices-queries.server.ts";
import { recordPrices } from "./price-history.server.ts";

/** A base price, and the first day on which it applies. */
export type LanePrice = { validFrom: Day; basePriceCents: number };

/** Sets the base price of a trade lane from a day on. Replaces a price that begins on the same day. */
export const setLanePrice = async (tx: Tx, tradeLaneId: number, price: LanePrice, now: Date): Promise<void> => {
  await queries.upsertLanePrice(tx, tradeLaneId, price);
  await queries.touchRoutesOfLane(tx, tradeLaneId, now);
  await recordPrices(tx, now);
};

/** All base prices of a trade lane, the latest first. */
export const lanePrices = (db: Tx, tradeLaneId: number): Promise<LanePrice[]> =>
  queries.findLanePrices(db, tradeLaneId);
