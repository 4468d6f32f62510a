import type { Day } from "../dates.ts";
import { isOpen, type Period } from "./period.ts";
import type { Freshness } from "./route.ts";

/** A period with all that its price is made of; `pricing` makes the price. */
export type PricedPeriod = Period & {
  basePriceCents: number;
  popularityPercent: number;
  /** The monthly price that an operator has set. Null: it is the product of the factors. */
  overrideCents: number | null;
  /** Its route is open to everybody, so it is not sold. */
  isSample: boolean;
};

/** Whether the period can be bought and renewed. */
export const isOnSale = (period: PricedPeriod, today: Day): boolean =>
  isOpen(period, today) && period.retiredAt === null && !period.isSample;

/** The price factor of each freshness, in percent. @spec What the service does (prices) */
export const freshnessPercent = { weekly: 100, daily: 125, real_time: 160 } as const satisfies Record<
  Freshness,
  number
>;

/** The bounds of the popularity factor, in percent. A route without subscriptions has the lowest. */
export const popularityBounds = { min: 80, max: 150 } as const;
