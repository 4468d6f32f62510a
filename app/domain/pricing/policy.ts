/** The discount tables. Quotes, pages, guides, mails and the API's description read them from here. @spec Terms and discounts */
import type { Term } from "./discounts.ts";

export const termDiscountPercent = {
  "1_month": 0,
  "2_months": 5,
  "3_months": 10,
  "6_months": 15,
  "12_months": 25,
} as const satisfies Record<Term, number>;

export type VolumeTier = { fromRoutes: number; percent: number };

/** Each tier ends where the next one begins, in ascending order. */
export const volumeTiers: readonly VolumeTier[] = [
  { fromRoutes: 5, percent: 5 },
  { fromRoutes: 11, percent: 10 },
];

/** The last tier ends here: from this many routes on, sales quotes a price or agrees on a discount. */
export const customPricingFromRoutes = 21;

/** The most that sales can agree on: together with the discount of the longest term it leaves something to pay. */
export const highestAgreedPercent = 70;
