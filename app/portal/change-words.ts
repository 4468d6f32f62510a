/** Changes of route data in words and figures. */
import { equipmentName } from "../domain/catalogue/equipment.ts";
import type { Change, ChangeSource, Figures } from "../domain/changes/change.ts";
import { formatDays, formatMoney, formatNumber, formatShare, formatShortDay, formatWord } from "./format.ts";

/** A change as it arrives in the browser. */
export type ChangeView = Omit<Change, "occurredAt" | "observedFrom" | "observedTo"> & {
  occurredAt: string;
  observedFrom: string | null;
  observedTo: string | null;
};

export const changeView = ({ occurredAt, observedFrom, observedTo, ...change }: Change): ChangeView => ({
  ...change,
  occurredAt: occurredAt.toISOString(),
  observedFrom: observedFrom?.toISOString() ?? null,
  observedTo: observedTo?.toISOString() ?? null,
});

/** `difference`: in percent, `+3.9%`. Null: there is nothing to compare. */
export type ChangeInWords = { what: string; figures: string; difference: string | null };

export const changeInWords = (change: ChangeView): ChangeInWords => {
  const { before, after } = change;
  const [was, is] = [figureIn(before), figureIn(after)];
  return {
    what: subjectOf(change),
    figures: figuresOf(change, was?.text ?? null, is?.text ?? null),
    difference: was && is && was.unit === is.unit ? differenceOf(was.value, is.value) : null,
  };
};

const subjectOf = ({ type, reportType, serviceLevel, equipmentType, surchargeCode }: ChangeView): string => {
  const of = (name: string) =>
    [
      `${equipmentType && equipmentName(equipmentType)} ${name}`.trim(),
      serviceLevel && formatWord(serviceLevel).toLowerCase(),
    ]
      .filter(Boolean)
      .join(", ");
  switch (type) {
    case "reports_added":
      return capitalised(of(reportType ?? "reports"));
    case "reports_corrected":
      return `Correction: ${of(reportType ?? "reports")}`;
    case "reports_removed":
      return `Withdrawn: ${of(reportType ?? "reports")}`;
    case "rates_changed":
      return capitalised(of("tariff rate"));
    case "surcharges_changed":
      return `${surchargeCode} surcharge`;
    case "schedule_changed":
      return "Schedule";
    case "route_added":
      return "Route";
    case "route_changed":
      return "Route details";
    case "period_opened":
    case "period_changed":
      return "Period";
  }
};

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const figuresOf = (change: ChangeView, was: string | null, is: string | null): string => {
  const { type, count, observedFrom, observedTo, fields, after } = change;
  switch (type) {
    case "reports_added":
    case "reports_corrected":
    case "reports_removed":
      if (was === null && is === null)
        return `${formatNumber(count ?? 0)} earlier ${count === 1 ? "report" : "reports"}`;
      return arrow(was, is);
    case "rates_changed":
    case "surcharges_changed": {
      const from = typeof after?.valid_from === "string" ? `, from ${formatShortDay(after.valid_from)}` : "";
      return `${arrow(was, is)}${from}`;
    }
    case "schedule_changed":
      if (!observedFrom || !observedTo) return "Sailings updated";
      return `Departures ${[...new Set([formatShortDay(observedFrom), formatShortDay(observedTo)])].join(" – ")}`;
    case "route_added":
      return "Added to the catalogue";
    case "period_opened":
      return `${after?.name ?? "The next one"} opened`;
    case "route_changed":
    case "period_changed":
      return fields.map((field) => fieldNames[field] ?? formatWord(field).toLowerCase()).join(", ");
  }
};

const fieldNames: Record<string, string> = {
  distance_nm: "distance",
  ends_on: "end",
  starts_on: "start",
  successor_period_id: "next period",
};

const arrow = (was: string | null, is: string | null): string => {
  if (was === null) return is ?? "";
  if (is === null) return `${was}, withdrawn`;
  return was === is ? `${is}, unchanged` : `${was} → ${is}`;
};

type Figure = { value: number; unit: string; text: string };

/** The most important figure: a price, available capacity, transit time or on-time performance. */
const figureIn = (figures: Figures | null): Figure | null => {
  if (!figures) return null;
  const { currency, capacity_unit: unit, booking_status: status } = figures;
  const cents = figures.base_rate_cents ?? figures.amount_cents;
  if (typeof cents === "number") {
    const money = typeof currency === "string" ? currency : "USD";
    return { value: cents, unit: money, text: formatMoney(cents, money) };
  }
  if (typeof figures.available_capacity === "number") {
    const value = figures.available_capacity;
    const booking = typeof status === "string" && status !== "open" ? ` (${formatWord(status).toLowerCase()})` : "";
    return { value, unit: String(unit), text: `${formatNumber(value)} ${formatWord(String(unit))}${booking}` };
  }
  if (typeof figures.transit_days === "number") {
    return { value: figures.transit_days, unit: "days", text: formatDays(figures.transit_days) };
  }
  if (typeof figures.on_time_percent === "number") {
    const value = figures.on_time_percent;
    return { value, unit: "percent", text: `${formatShare(value / 100)} on time` };
  }
  return null;
};

const differenceOf = (was: number, is: number): string | null => {
  if (was === 0 || was === is) return null;
  const share = is / was - 1;
  return `${share > 0 ? "+" : "−"}${formatShare(Math.abs(share))}`;
};

export const sourceInWords = {
  import: "Import",
  feed: "Data feed",
  operator: "Operator",
  calendar: "Calendar",
} as const satisfies Record<ChangeSource, string>;
