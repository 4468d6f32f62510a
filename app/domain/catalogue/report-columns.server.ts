import { reports } from "#drizzle/schema/index.ts";

/** What a `Report` has. */
export const reportColumns = {
  id: reports.id,
  periodId: reports.periodId,
  type: reports.type,
  observedAt: reports.observedAt,
  serviceLevel: reports.serviceLevel,
  equipmentType: reports.equipmentType,
  vessel: reports.vessel,
  voyage: reports.voyage,
  etd: reports.etd,
  eta: reports.eta,
  transitDays: reports.transitDays,
  basis: reports.basis,
  currency: reports.currency,
  baseRateCents: reports.baseRateCents,
  surcharges: reports.surcharges,
  surchargesCents: reports.surchargesCents,
  availableCapacity: reports.availableCapacity,
  capacityUnit: reports.capacityUnit,
  bookingStatus: reports.bookingStatus,
  onTimePercent: reports.onTimePercent,
  meanDelayDays: reports.meanDelayDays,
};
