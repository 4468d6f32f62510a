/** How demand moves prices. @spec What the service does (pricing) */

/** Demand is counted over so many days. */
export const popularityDays = 90;

/**
 * The price factor of a route, in percent, from the number of subscriptions to it that were active in the last 90 days:
 * 80 without any, 14 more with every doubling of (1 + subscriptions), at most 150, which 31 subscriptions reach.
 */
export const popularityPercentOf = (subscriptions: number): number =>
  Math.min(150, 80 + Math.round(14 * Math.log2(1 + subscriptions)));
