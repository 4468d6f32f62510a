/** A route's rate beside the benchmark of its trade lane. */
import { changePercent } from "../benchmarks/benchmark.ts";
import type { Market } from "../benchmarks/lane-benchmark.ts";
import type { RouteLabel } from "../catalogue/browse.ts";
import { usualEquipmentType } from "../catalogue/equipment.ts";
import type { LatestRate } from "../catalogue/latest-observations.server.ts";
import type { CargoType } from "../catalogue/route.ts";

export type ComparedRate = LatestRate & {
  change4WeeksPercent: number | null;
  /** Null: the lane has no benchmark, or the reader no subscription to one of its routes. */
  market: Market | null;
  /** How much more than the median it costs. */
  againstMedianPercent: number | null;
};

export const comparedRate = (
  rate: LatestRate,
  { tradeLane, cargoType }: Pick<RouteLabel, "tradeLane" | "cargoType">,
  markets: readonly Market[],
): ComparedRate => {
  const market =
    markets.find(
      (one) =>
        one.tradeLaneId === tradeLane.id && one.cargoType === cargoType && one.equipmentType === rate.equipmentType,
    ) ?? null;
  return {
    ...rate,
    change4WeeksPercent: changePercent(rate.earlierAllInCents, rate.allInCents),
    market,
    againstMedianPercent: changePercent(market?.medianCents, rate.allInCents),
  };
};

/** The rate that represents a route: the lowest one of the equipment type. Undefined: none was reported lately. */
export const mainRate = <Rate extends Pick<LatestRate, "equipmentType" | "allInCents">>(
  rates: readonly Rate[],
  cargoType: CargoType,
  equipmentType: string = usualEquipmentType,
): Rate | undefined =>
  rates
    .filter((rate) => rate.equipmentType === (cargoType === "container" ? equipmentType : ""))
    .toSorted((a, b) => a.allInCents - b.allInCents)[0];
