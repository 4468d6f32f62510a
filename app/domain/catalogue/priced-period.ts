import type { Day } from "../dates.ts";
import { isOpen, type Period } from "./period.ts";
import type { Freshness } from "./route.ts";

/** A period with all that its price is made of; `pricing` makes the price. */
export type PricedPeriod = Period & {
  basePriceCents: number;
  popularityPercent: number;
  /** Since when an operator has kept the period from sale. Its subscribers still read it. */
  withdrawnAt: Date | null;
};

/** Whether the period can be bought and renewed. */
export const isOnSale = (period: PricedPeriod, today: Day): boolean =>
  isOpen(period, today) && period.withdrawnAt === null;

/** The price factor of each freshness, in percent. @spec What the service does (prices) */
export const freshnessPercent = { weekly: 100, daily: 125, real_time: 160 } as const satisfies Record<
  Freshness,
  number
>;
