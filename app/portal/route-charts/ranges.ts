/** What the charts of a route can show. Apart from choice.ts, which browsers do not load. */

export const ranges = ["3_months", "1_year", "all"] as const;
export type Range = (typeof ranges)[number];

/** Rates stacked from zero, or as lines on an axis that does not begin at zero. */
export const rateScales = ["stacked", "zoomed"] as const;
