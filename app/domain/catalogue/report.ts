/** One data point of a period. @spec What the service does (hierarchy) */
import { z } from "zod";
import { cursorOf } from "../page.ts";
import type { ReportedSurcharge } from "./reported-surcharge.ts";
import type { BookingStatus, CapacityUnit, RateBasis, ReportType, ServiceLevelName } from "./route.ts";

export type Report = {
  id: number;
  periodId: number;
  type: ReportType;
  observedAt: Date;
  serviceLevel: ServiceLevelName;
  /** ISO 6346 size and type code of a container rate. Empty for everything else. */
  equipmentType: string;
  vessel: string | null;
  voyage: string | null;
  etd: Date | null;
  eta: Date | null;
  transitDays: number | null;
  /** What the base rate and the surcharges are for one unit of. */
  basis: RateBasis | null;
  /** Of the base rate and of the surcharges' total. */
  currency: string | null;
  baseRateCents: number | null;
  /** Null: only their total was reported, or nothing. */
  surcharges: ReportedSurcharge[] | null;
  surchargesCents: number | null;
  availableCapacity: number | null;
  capacityUnit: CapacityUnit | null;
  bookingStatus: BookingStatus | null;
  onTimePercent: number | null;
  meanDelayDays: number | null;
};

/** Filters for a route's reports. `to` is exclusive. */
export type ReportFilter = {
  periodIds: number[];
  type?: ReportType | undefined;
  serviceLevel?: ServiceLevelName | undefined;
  /** Any of these. An empty string means reports without an equipment type. */
  equipmentTypes?: string[] | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

/** Newest first. */
export const reportCursor = cursorOf(z.tuple([z.iso.datetime().regex(/^[12]\d{3}-/), z.int().min(0)]));

const typeNames = {
  rate: "Weekly rate",
  capacity: "Weekly capacity",
  schedule: "Monthly schedule",
  performance: "Monthly performance",
} as const satisfies Record<ReportType, string>;

/** Reports observed at this time represent their day, week or month. At any other time they are single observations. */
const dayReportTime = "06:00:00";

const observedOn = ({ observedAt }: Pick<Report, "observedAt">) => {
  const [day = "", time = ""] = observedAt.toISOString().slice(0, 19).split("T");
  return { day, time: time === dayReportTime ? null : time };
};

/** Unique within its period. */
export const reportCode = (report: Pick<Report, "type" | "observedAt" | "serviceLevel" | "equipmentType">): string => {
  const { day, time } = observedOn(report);
  const equipment = report.equipmentType && `-${report.equipmentType}`;
  return `${report.type}-${report.serviceLevel}${equipment}-${day}${time === null ? "" : `T${time.replaceAll(":", "")}Z`}`;
};

/** `Weekly rate 45G1, 2026-11-16`, or `Capacity, 2026-11-20 09:30 UTC` for a single observation. */
export const reportName = (report: Pick<Report, "type" | "observedAt" | "equipmentType">): string => {
  const { day, time } = observedOn(report);
  const equipment = report.equipmentType && ` ${report.equipmentType}`;
  if (time === null) return `${typeNames[report.type]}${equipment}, ${day}`;
  return `${report.type[0]?.toUpperCase()}${report.type.slice(1)}${equipment}, ${day} ${time.slice(0, 5)} UTC`;
};
