/** A comparison as CSV, with the API's names and units: one row per rate, and one of each locked route. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { compareRoutes } from "#app/domain/comparison/compare.server.ts";
import type { ComparedRoute } from "#app/domain/comparison/compare.ts";
import type { ComparedRate } from "#app/domain/comparison/compared-rate.ts";
import { type Cell, csv } from "#app/domain/csv.ts";
import { isoInstant } from "#app/domain/dates.ts";
import { decimalAmount } from "#app/domain/money.ts";
import { csvResponse, fileName } from "#app/portal/download.server.ts";
import { nonEmptyParams } from "#app/portal/search-params.server.ts";
import { visit } from "#app/portal/session.server.ts";
import { comparisonRequest } from "./request.ts";

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const { ctx, caller } = await visit(args);
  const request = comparisonRequest.safeParse(nonEmptyParams(new URL(args.request.url).searchParams));
  if (!request.success) throw new Response("Name two ports", { status: 422 });
  const { origin, destination, sort, equipment_type } = request.data;
  const routes = await compareRoutes(ctx, caller, { origin, destination, sort, rankedEquipmentType: equipment_type });
  const rows = routes.flatMap((route) => {
    const rates = route.data?.rates ?? [];
    return (rates.length > 0 ? rates : [null]).map((rate) =>
      Object.values(columns).map((cellOf) => cellOf(route, rate)),
    );
  });
  return csvResponse(csv(Object.keys(columns), rows), fileName(`compare_${origin}_${destination}`, "csv"));
};

const columns: Record<string, (route: ComparedRoute, rate: ComparedRate | null) => Cell> = {
  route_id: ({ route }) => route.id,
  route_code: ({ route }) => route.code,
  carrier: ({ route }) => route.carrier.name,
  cargo_type: ({ route }) => route.cargoType,
  trade_lane: ({ route }) => route.tradeLane.code,
  locked: ({ data }) => data === null,
  is_sample: ({ route }) => route.isSample,
  indicative_transit_days_min: ({ route }) => route.transitDays.min,
  indicative_transit_days_max: ({ route }) => route.transitDays.max,
  departures_per_week: ({ route }) => route.sailingsPerWeek,
  monthly_price_from_cents: ({ route }) => route.priceFrom?.totalCents ?? null,
  equipment_type: (_, rate) => rate?.equipmentType || null,
  service_level: (_, rate) => rate?.serviceLevel ?? null,
  basis: (_, rate) => rate?.basis ?? null,
  currency: (_, rate) => rate?.currency ?? null,
  observed_at: (_, rate) => rate && isoInstant(rate.observedAt),
  base_rate_cents: (_, rate) => rate?.baseRateCents ?? null,
  surcharges_cents: (_, rate) => rate?.surchargesCents ?? null,
  all_in_cents: (_, rate) => rate?.allInCents ?? null,
  all_in: (_, rate) => rate && decimalAmount(rate.allInCents, rate.currency),
  change_4_weeks_percent: (_, rate) => rate?.change4WeeksPercent ?? null,
  market_median_cents: (_, rate) => rate?.market?.medianCents ?? null,
  market_median: (_, rate) => (rate?.market ? decimalAmount(rate.market.medianCents, rate.currency) : null),
  market_change_4_weeks_percent: (_, rate) => rate?.market?.weeks4 ?? null,
  market_change_13_weeks_percent: (_, rate) => rate?.market?.weeks13 ?? null,
  market_change_52_weeks_percent: (_, rate) => rate?.market?.weeks52 ?? null,
  against_median_percent: (_, rate) => rate?.againstMedianPercent ?? null,
  next_departure: ({ data }) => (data?.nextDeparture ? isoInstant(data.nextDeparture.etd) : null),
  on_time_percent: ({ data }) => data?.onTimePercent ?? null,
  available_capacity: ({ data }) => data?.capacity?.available ?? null,
  booking_status: ({ data }) => data?.capacity?.bookingStatus ?? null,
};
