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

/** Unique within its period. */
export const reportCode = (report: Pick<Report, "type" | "observedAt" | "serviceLevel">): string =>
  `${report.type}-${report.serviceLevel}-${report.observedAt.toISOString().slice(0, 10)}`;

export const reportName = (report: Pick<Report, "type" | "observedAt">): string =>
  `${typeNames[report.type]}, ${report.observedAt.toISOString().slice(0, 10)}`;
