/** Types that several files of the catalogue share. @spec What the service does */

import type {
  bookingStatuses,
  capacityUnits,
  cargoTypes,
  freshnesses,
  hauls,
  periodPolicies,
  rateBases,
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
export type RateBasis = (typeof rateBases)[number];
export type CapacityUnit = (typeof capacityUnits)[number];

/** A longer transit time is taken for a mistake. */
export const longestTransitDays = 120;

/** What the base rates of a cargo type are for. */
export const rateBasis = {
  container: "per_container",
  bulk: "per_tonne",
  ro_ro: "per_lane_metre",
  break_bulk: "per_freight_tonne",
} as const satisfies Record<CargoType, RateBasis>;

/** The unit of capacity by cargo type. */
export const capacityUnit = {
  container: "TEU",
  bulk: "tonnes_dwt",
  ro_ro: "lane_metres",
  break_bulk: "freight_tonnes",
} as const satisfies Record<CargoType, CapacityUnit>;
