/** Benchmarks of trade lanes as JSON documents. */
import type { LaneBenchmark } from "../../domain/benchmarks/lane-benchmark.ts";
import { currency } from "../../domain/money.ts";

export const benchmarkDocument = ({
  tradeLane,
  cargoType,
  equipmentType,
  basis,
  access,
  change,
  weeks,
}: LaneBenchmark) => ({
  trade_lane: tradeLane,
  cargo_type: cargoType,
  equipment_type: equipmentType || null,
  basis,
  currency,
  access,
  change_4_weeks_percent: change.weeks4,
  change_13_weeks_percent: change.weeks13,
  change_52_weeks_percent: change.weeks52,
  weeks: weeks.map(({ week, index, lowCents, medianCents, highCents, routeCount, carrierCount }) => ({
    week,
    index,
    low_cents: lowCents,
    median_cents: medianCents,
    high_cents: highCents,
    route_count: routeCount,
    carrier_count: carrierCount,
  })),
});
