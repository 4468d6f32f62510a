import type { priceChangeReasons } from "./enums.ts";
import type { PriceOverrideKind } from "./price-overrides.ts";

export type PriceChangeReason = (typeof priceChangeReasons)[number];

/**
 * A price of a period with its factors: base price × freshness × popularity, unless an operator has set it. Valid until
 * the next one.
 */
export type PeriodPrice = {
  periodId: number;
  periodName: string;
  validFrom: Date;
  basePriceCents: number;
  freshnessPercent: number;
  popularityPercent: number;
  /** Null: the price is the product of the factors. */
  overrideKind: PriceOverrideKind | null;
  monthlyCents: number;
  reason: PriceChangeReason;
};
