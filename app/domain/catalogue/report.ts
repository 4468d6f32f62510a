/** One data point of a period. @spec What the service does (hierarchy) */
import { z } from "zod";
import { cursorOf } from "../page.ts";
import type { BookingStatus, ReportType, ServiceLevelName } from "./route.ts";

export type Report = {
  id: number;
  periodId: number;
  type: ReportType;
  observedAt: Date;
  serviceLevel: ServiceLevelName;
  vessel: string | null;
  voyage: string | null;
  etd: Date | null;
  eta: Date | null;
  transitDays: number | null;
  baseRateCents: number | null;
  surchargesCents: number | null;
  availableCapacity: number | null;
  bookingStatus: BookingStatus | null;
  onTimePercent: number | null;
  meanDelayDays: number | null;
};

/** Filters for a route's reports. `to` is exclusive. */
export type ReportFilter = {
  periodIds: number[];
  type?: ReportType | undefined;
  serviceLevel?: ServiceLevelName | undefined;
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

/** Reports observed at this time stand for their day, week or month. At any other time they are single observations. */
const dayReportTime = "06:00:00";

const observedOn = ({ observedAt }: Pick<Report, "observedAt">) => {
  const [day = "", time = ""] = observedAt.toISOString().slice(0, 19).split("T");
  return { day, time: time === dayReportTime ? null : time };
};

/** Unique within its period. */
export const reportCode = (report: Pick<Report, "type" | "observedAt" | "serviceLevel">): string => {
  const { day, time } = observedOn(report);
  return `${report.type}-${report.serviceLevel}-${day}${time === null ? "" : `T${time.replaceAll(":", "")}Z`}`;
};

/** `Weekly rate, 2026-11-16`, or `Capacity, 2026-11-20 09:30 UTC` for a single observation. */
export const reportName = (report: Pick<Report, "type" | "observedAt">): string => {
  const { day, time } = observedOn(report);
  if (time === null) return `${typeNames[report.type]}, ${day}`;
  return `${report.type[0]?.toUpperCase()}${report.type.slice(1)}, ${day} ${time.slice(0, 5)} UTC`;
};
