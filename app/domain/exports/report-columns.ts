import { allInCents } from "../catalogue/rate-report.ts";
import type { Report } from "../catalogue/report.ts";
import { decimalAmount } from "../money.ts";
import type { ReportRow } from "./report-row.ts";
import type { ExportColumn } from "./table.ts";

/** In the file of one period. */
export const reportColumns: ExportColumn<Report>[] = [
  { name: "id", kind: "integer", required: true, value: ({ id }) => id },
  { name: "observed_at", kind: "instant", required: true, value: ({ observedAt }) => observedAt },
  { name: "report_type", kind: "text", required: true, value: ({ type }) => type },
  { name: "service_level", kind: "text", required: true, value: ({ serviceLevel }) => serviceLevel },
  { name: "equipment_type", kind: "text", value: ({ equipmentType }) => equipmentType || null },
  { name: "vessel", kind: "text", value: ({ vessel }) => vessel },
  { name: "voyage", kind: "text", value: ({ voyage }) => voyage },
  { name: "etd", kind: "instant", value: ({ etd }) => etd },
  { name: "eta", kind: "instant", value: ({ eta }) => eta },
  { name: "transit_days", kind: "decimal", value: ({ transitDays }) => transitDays },
  { name: "basis", kind: "text", value: ({ basis }) => basis },
  { name: "currency", kind: "text", value: ({ currency }) => currency },
  {
    name: "base_rate_cents",
    kind: "cents",
    value: ({ baseRateCents }) => baseRateCents,
    currency: ({ currency }) => currency,
  },
  { name: "surcharges", kind: "text", value: (report) => surchargesText(report) },
  {
    name: "surcharges_cents",
    kind: "cents",
    value: ({ surchargesCents }) => surchargesCents,
    currency: ({ currency }) => currency,
  },
  { name: "all_in_cents", kind: "cents", value: (report) => allInCents(report), currency: ({ currency }) => currency },
  { name: "available_capacity", kind: "integer", value: ({ availableCapacity }) => availableCapacity },
  { name: "capacity_unit", kind: "text", value: ({ capacityUnit }) => capacityUnit },
  { name: "booking_status", kind: "text", value: ({ bookingStatus }) => bookingStatus },
  { name: "on_time_percent", kind: "decimal", value: ({ onTimePercent }) => onTimePercent },
  { name: "mean_delay_days", kind: "decimal", value: ({ meanDelayDays }) => meanDelayDays },
];

/** `BAF 62000 USD|DTHC 24500 EUR at 1.0931 (ECB 2026-11-13)`: amounts in minor units of each surcharge's own currency. */
const surchargesText = (
  { surcharges, currency }: Report,
  amountText: (cents: number, currency: string) => string = String,
): string | null =>
  surcharges === null
    ? null
    : surcharges
        .map(({ code, amountCents, currency: own, exchangeRate }) => {
          const applied = exchangeRate ? ` at ${exchangeRate.rate} (${exchangeRate.source} ${exchangeRate.asOf})` : "";
          const inCurrency = own ?? currency ?? "";
          return `${code} ${amountText(amountCents, inCurrency)} ${inCurrency}${applied}`;
        })
        .join("|");

/** In the files of many routes. */
export const reportRowColumns: ExportColumn<ReportRow>[] = [
  { name: "route_id", kind: "integer", required: true, value: ({ route }) => route.id },
  { name: "route_code", kind: "text", required: true, value: ({ route }) => route.code },
  { name: "route_name", kind: "text", required: true, value: ({ route }) => route.name },
  { name: "trade_lane", kind: "text", required: true, value: ({ route }) => route.tradeLaneCode },
  { name: "carrier", kind: "text", required: true, value: ({ route }) => route.carrierCode },
  { name: "origin", kind: "text", required: true, value: ({ route }) => route.origin },
  { name: "destination", kind: "text", required: true, value: ({ route }) => route.destination },
  { name: "period_id", kind: "integer", required: true, value: ({ periodId }) => periodId },
  ...reportColumns,
];

/** In a workbook, where every amount is in major units. */
export const workbookColumns: ExportColumn<ReportRow>[] = reportRowColumns.map((column) =>
  column.name === "surcharges"
    ? { ...column, name: "surcharge_breakdown", value: (report) => surchargesText(report, decimalAmount) }
    : column,
);

/** For clients that resume a download. */
export const cursorColumn: ExportColumn<ReportRow> = {
  name: "cursor",
  kind: "text",
  required: true,
  value: ({ cursor }) => cursor,
};
