import type { Period } from "./period.ts";
import type { Freshness } from "./route.ts";

/** A period with the factors of its price, which `pricing` computes. */
export type PricedPeriod = Pick<Period, "id" | "code" | "name" | "startsOn" | "endsOn" | "freshness" | "routeId"> & {
  basePriceCents: number;
  popularityPercent: number;
};

/** The price factor of each freshness, in percent. @spec What the service does (prices) */
export const freshnessPercent = { weekly: 100, daily: 125, real_time: 160 } as const satisfies Record<
  Freshness,
  number
>;
