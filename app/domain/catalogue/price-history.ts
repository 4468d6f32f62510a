import type { priceChangeReasons } from "./enums.ts";

export type PriceChangeReason = (typeof priceChangeReasons)[number];

/** A price of a period with its factors: base price × freshness × popularity. Valid until the next one. */
export type PeriodPrice = {
  periodId: number;
  periodName: string;
  validFrom: Date;
  basePriceCents: number;
  freshnessPercent: number;
  popularityPercent: number;
  monthlyCents: number;
  reason: PriceChangeReason;
};
