/** When a benchmark may be published, and which part is free. docs/decisions/0033 has the reasons. */

/** A week with fewer routes or carriers has no benchmark. */
export const fewestRoutes = 5;
export const fewestCarriers = 3;
/** The most of the routes that one carrier may operate. */
export const largestCarrierShare = 0.5;

/** Each figure is the average of this many routes around it, so that none is a single route's rate. */
export const averagedRoutes = 3;
export const significantDigits = 3;

/** `low` and `high` are these percentiles. */
export const lowPercentile = 20;
export const highPercentile = 80;

/** What everybody may see ends this many weeks before the newest benchmark. */
export const freeDelayWeeks = 4;

/** How much history is shown: a year, and the week that it is compared with. */
export const shownWeeks = 53;

/** Reports may be late or corrected: so many weeks are computed again every night. */
export const recomputedWeeks = 8;
