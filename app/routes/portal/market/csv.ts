/** All subscribed routes against their markets as CSV, one row per rate, with the API's names and units. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { type RouteAgainstMarket, routesAgainstMarket } from "#app/domain/comparison/compare.server.ts";
import { type Cell, csv } from "#app/domain/csv.ts";
import { dayOf, isoInstant } from "#app/domain/dates.ts";
import { decimalAmount } from "#app/domain/money.ts";
import { csvResponse, fileName, visitForFile } from "#app/portal/download.server.ts";

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const { ctx, caller } = await visitForFile(args, "/market");
  const rows = (await routesAgainstMarket(ctx, caller)).map((row) =>
    Object.values(columns).map((cellOf) => cellOf(row)),
  );
  return csvResponse(
    csv(Object.keys(columns), rows),
    fileName(`routes_against_market_${dayOf(ctx.clock.now())}`, "csv"),
  );
};

const marketAmount = ({ rate }: RouteAgainstMarket, figure: "lowCents" | "medianCents" | "highCents"): Cell =>
  rate.market && decimalAmount(rate.market[figure], rate.currency);

const columns: Record<string, (row: RouteAgainstMarket) => Cell> = {
  route_id: ({ route }) => route.id,
  route_code: ({ route }) => route.code,
  route_name: ({ route }) => route.name,
  carrier: ({ route }) => route.carrier,
  cargo_type: ({ route }) => route.cargoType,
  trade_lane: ({ route }) => route.tradeLane.code,
  equipment_type: ({ rate }) => rate.equipmentType || null,
  service_level: ({ rate }) => rate.serviceLevel,
  basis: ({ rate }) => rate.basis,
  currency: ({ rate }) => rate.currency,
  observed_at: ({ rate }) => isoInstant(rate.observedAt),
  base_rate_cents: ({ rate }) => rate.baseRateCents,
  surcharges_cents: ({ rate }) => rate.surchargesCents,
  all_in_cents: ({ rate }) => rate.allInCents,
  all_in: ({ rate }) => decimalAmount(rate.allInCents, rate.currency),
  change_4_weeks_percent: ({ rate }) => rate.change4WeeksPercent,
  market_week: ({ rate }) => rate.market?.week ?? null,
  market_low_cents: ({ rate }) => rate.market?.lowCents ?? null,
  market_median_cents: ({ rate }) => rate.market?.medianCents ?? null,
  market_high_cents: ({ rate }) => rate.market?.highCents ?? null,
  market_low: (row) => marketAmount(row, "lowCents"),
  market_median: (row) => marketAmount(row, "medianCents"),
  market_high: (row) => marketAmount(row, "highCents"),
  market_change_4_weeks_percent: ({ rate }) => rate.market?.weeks4 ?? null,
  market_change_13_weeks_percent: ({ rate }) => rate.market?.weeks13 ?? null,
  market_change_52_weeks_percent: ({ rate }) => rate.market?.weeks52 ?? null,
  against_median_percent: ({ rate }) => rate.againstMedianPercent,
};
