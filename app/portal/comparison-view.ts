/** Compared routes and rates for pages. */
import { surchargesTotalCents } from "../domain/catalogue/rate-report.ts";
import { capacityUnit } from "../domain/catalogue/route.ts";
import type { ComparedRoute } from "../domain/comparison/compare.ts";
import { type ComparedRate, mainRate } from "../domain/comparison/compared-rate.ts";
import { type Buyer, offerOf } from "../domain/pricing/own-price.ts";
import { meaningOf } from "./components/code-meanings.ts";
import { priceFromView } from "./price-view.ts";
import { callTime } from "./report-view.ts";

export type ComparedRow = ReturnType<typeof comparedRow>;

export const comparedRow = ({ route, access, data }: ComparedRoute, buyer: Buyer, equipmentType?: string) => {
  const rate = data && mainRate(data.rates, route.cargoType, equipmentType);
  return {
    id: route.id,
    code: route.code,
    carrier: route.carrier.name,
    cargoType: route.cargoType,
    tradeLane: route.tradeLane,
    isSample: route.isSample,
    isLocked: data === null,
    wasSubscribed: access.reason === "expired",
    isSuspended: access.reason === "account_suspended",
    transitDays: route.transitDays,
    sailingsPerWeek: route.sailingsPerWeek,
    priceFrom: priceFromView(buyer, route.periods.map(offerOf)),
    rate: rate ? rateView(rate) : null,
    transit: data?.transit ?? [],
    nextDeparture: data?.nextDeparture ? callTime(data.nextDeparture.etd, route.origin.timezone) : null,
    onTimePercent: data?.onTimePercent ?? null,
    space: data?.capacity
      ? {
          available: data.capacity.available,
          nominal: data.capacity.nominal,
          unit: capacityUnit[route.cargoType],
          bookingStatus: data.capacity.bookingStatus,
        }
      : null,
  };
};

export type RateView = ReturnType<typeof rateView>;

export const rateView = (rate: ComparedRate) => ({
  equipmentType: rate.equipmentType,
  serviceLevel: rate.serviceLevel,
  basis: rate.basis,
  currency: rate.currency,
  observedAt: rate.observedAt.toISOString(),
  allInCents: rate.allInCents,
  /** The base rate, and each surcharge in its currency. */
  parts: [
    { name: "Base rate", meaning: null, cents: rate.baseRateCents },
    ...(rate.surcharges?.map((surcharge) => ({
      name: surcharge.code,
      meaning: meaningOf(surcharge.code),
      cents: surchargesTotalCents([surcharge], rate.currency),
    })) ?? [{ name: "Surcharges", meaning: null, cents: rate.surchargesCents }]),
  ],
  change4WeeksPercent: rate.change4WeeksPercent,
  market: rate.market,
  againstMedianPercent: rate.againstMedianPercent,
});
