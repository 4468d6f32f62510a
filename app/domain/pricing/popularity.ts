/** How a route's popularity changes its price. @spec What the service does (pricing) */
import { popularityBounds } from "../catalogue/priced-period.ts";

/** Popularity counts the subscriptions that were active within this many days. */
export const popularityDays = 90;

/**
 * The price factor of a route in percent, from its number of recently active subscriptions: the lowest for none, plus 14
 * for each doubling of (1 + subscriptions). 31 subscriptions reach the highest.
 */
export const popularityPercentOf = (subscriptions: number): number =>
  Math.min(popularityBounds.max, popularityBounds.min + Math.round(14 * Math.log2(1 + subscriptions)));
