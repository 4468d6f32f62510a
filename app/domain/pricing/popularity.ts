/** How a route's popularity changes its price. @spec What the service does (pricing) */

/** Popularity counts the subscriptions that were active within this many days. */
export const popularityDays = 90;

/**
 * The price factor of a route in percent, from its number of recently active subscriptions: 80 for none, plus 14 for each
 * doubling of (1 + subscriptions), capped at 150, which 31 subscriptions reach.
 */
export const popularityPercentOf = (subscriptions: number): number =>
  Math.min(150, 80 + Math.round(14 * Math.log2(1 + subscriptions)));
