/** Reports for a page: instants with the port's local time. */
import type { PortSummary } from "../domain/catalogue/browse.ts";
import { type PortTime, portTime } from "../domain/catalogue/port-time.ts";
import type { Report } from "../domain/catalogue/report.ts";
import { meaningOf } from "./components/code-meanings.ts";

export type CallTime = PortTime & { utc: string };
export type ReportView = Omit<Report, "observedAt" | "etd" | "eta" | "periodId" | "surcharges"> & {
  observedAt: string;
  etd: CallTime | null;
  eta: CallTime | null;
  surcharges: (NonNullable<Report["surcharges"]>[number] & { meaning: string | null })[] | null;
};

type Ends = { origin: Pick<PortSummary, "timezone">; destination: Pick<PortSummary, "timezone"> };

export const reportView = (
  { observedAt, etd, eta, surcharges, periodId: _, ...report }: Report,
  { origin, destination }: Ends,
): ReportView => ({
  ...report,
  observedAt: observedAt.toISOString(),
  etd: etd && callTime(etd, origin.timezone),
  eta: eta && callTime(eta, destination.timezone),
  surcharges: surcharges?.map((surcharge) => ({ ...surcharge, meaning: meaningOf(surcharge.code) })) ?? null,
});

export const callTime = (instant: Date, timezone: string): CallTime => ({
  ...portTime(instant, timezone),
  utc: instant.toISOString(),
});
