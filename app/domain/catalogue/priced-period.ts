import type { Period } from "./period.ts";

/** A period with all that its price is made of; `pricing` makes the price. */
export type PricedPeriod = Pick<Period, "id" | "code" | "name" | "startsOn" | "endsOn" | "freshness" | "routeId"> & {
  basePriceCents: number;
  popularityPercent: number;
};
