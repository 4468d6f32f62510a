/** Types that several files of the catalogue share. @spec What the service does */

import type {
  bookingStatuses,
  cargoTypes,
  freshnesses,
  hauls,
  periodPolicies,
  reportTypes,
  serviceLevelNames,
} from "./enums.ts";

export type CargoType = (typeof cargoTypes)[number];
export type ServiceLevelName = (typeof serviceLevelNames)[number];
export type Freshness = (typeof freshnesses)[number];
export type BookingStatus = (typeof bookingStatuses)[number];
export type ReportType = (typeof reportTypes)[number];
export type PeriodPolicy = (typeof periodPolicies)[number];
export type Haul = (typeof hauls)[number];

/** The unit of capacity by cargo type. */
export const capacityUnit = {
  container: "TEU",
  bulk: "tonnes_dwt",
  ro_ro: "lane_metres",
  break_bulk: "freight_tonnes",
} as const satisfies Record<CargoType, string>;
