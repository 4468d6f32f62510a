/** Prices that operators set: they take the place of the calculated price of a route's data of one freshness. */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { recordPrices } from "./price-history.server.ts";
import type { PriceOverride, PriceOverrideKind } from "./price-overrides.ts";
import * as queries from "./price-overrides-queries.server.ts";

type NewOverride = {
  kind: PriceOverrideKind;
  monthlyCents: number;
  reason: string;
  validFrom: Day;
  /** Exclusive. Null: until it is released. */
  validTo: Day | null;
  /** Null: set by command on the machine. */
  operatorAccountId: number | null;
};

/** Sets a price from a day on, in place of all overrides that would apply from that day. The caller locks the catalogue. */
export const setPriceOverride = async (
  tx: Tx,
  data: queries.PricedData,
  override: NewOverride,
  now: Date,
): Promise<void> => {
  await queries.endOverridesFrom(tx, data, override.validFrom, now);
  const { routeId, freshness } = data;
  await queries.insertOverride(tx, { ...override, routeId, freshness, createdAt: now });
  await showPrices(tx, routeId, now);
};

/**
 * Gives the price back to the calculation, today and later.
 *
 * @returns false when no override applies today or later
 */
export const releasePrice = async (tx: Tx, data: queries.PricedData, now: Date): Promise<boolean> => {
  const released = await queries.releaseOverrides(tx, data, dayOf(now), now);
  if (released === 0) return false;
  await showPrices(tx, data.routeId, now);
  return true;
};

const showPrices = async (tx: Tx, routeId: number, now: Date): Promise<void> => {
  await queries.touchRoutes(tx, [routeId], now);
  await recordPrices(tx, now);
};

/** The prices that operators have set for this data, the latest first. */
export const priceOverrides = (
  ctx: Pick<Context, "db">,
  data: queries.PricedData,
  { limit }: { limit: number },
): Promise<PriceOverride[]> => queries.findOverrides(ctx.db, data, limit);
