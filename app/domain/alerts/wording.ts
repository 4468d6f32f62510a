/** Alerts in words, for mail, webhooks and the portal, which differ in how they write amounts and times. */
import { equipmentName } from "../catalogue/equipment.ts";
import { dayOfPortTime } from "../catalogue/port-time.ts";
import { type Day, isoInstant } from "../dates.ts";
import { money } from "../money.ts";
import { grouped } from "../wording.ts";
import type { AlertFigures } from "./figures.ts";

export type Style = {
  money(cents: number, currency: string): string;
  number(value: number): string;
  day(day: Day): string;
  instant(instant: string): string;
};

/** The same in every region. */
export const plainStyle: Style = {
  money,
  number: grouped,
  day: (day) => day,
  instant: (instant) => isoInstant(new Date(instant)),
};

/** What kind of alert it is, as a title. */
export const alertTitles = {
  rate_change: "Rate change",
  all_in_below: "All-in rate below threshold",
  all_in_above: "All-in rate above threshold",
  capacity_below: "Space below threshold",
  booking_status: "Booking status",
  schedule_slip: "Schedule change",
  data_stale: "Late data",
} as const satisfies Record<AlertFigures["kind"], string>;

/** What happened, with figures: `40′ high cube (45G1) all-in rate up 5.3% to USD 4,480.00, from USD 4,255.00`. */
export const alertSummary = (figures: AlertFigures, style: Style = plainStyle): string => {
  switch (figures.kind) {
    case "rate_change": {
      const { before_cents, after_cents, change_percent, currency } = figures;
      const direction = change_percent < 0 ? "down" : "up";
      return `${rateOf(figures)} ${direction} ${Math.abs(change_percent)}% to ${style.money(after_cents, currency)}, from ${style.money(before_cents, currency)}`;
    }
    case "all_in_below":
    case "all_in_above": {
      const { all_in_cents, threshold_cents, currency } = figures;
      const side = figures.kind === "all_in_below" ? "below" : "above";
      return `${rateOf(figures)} is ${style.money(all_in_cents, currency)}, ${side} ${style.money(threshold_cents, currency)}`;
    }
    case "capacity_below":
      return `${style.number(figures.available_capacity)} ${unitName(figures.capacity_unit)} available, below ${style.number(figures.threshold)}`;
    case "booking_status":
      return `Booking status is now ${figures.after}, was ${figures.before}`;
    case "schedule_slip":
      return slip(figures, style);
    case "data_stale":
      return figures.data_as_of === null
        ? `No data yet for ${figures.period_name}`
        : `The next update is late. Data as of ${style.instant(figures.data_as_of)}`;
  }
};

type RateSeries = { service_level: string; equipment_type: string };

/** The standard level goes without saying. */
const rateOf = ({ service_level, equipment_type }: RateSeries): string => {
  const words = [
    service_level === "standard" ? "" : service_level,
    equipment_type && equipmentName(equipment_type),
    "all-in rate",
  ].filter((word) => word !== "");
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const unitName = (unit: string): string => unit.replace("tonnes_dwt", "tonnes DWT").replaceAll("_", " ");

type Slip = Extract<AlertFigures, { kind: "schedule_slip" }>;

const slip = (
  { service_code, voyage, withdrawn, etd_before, etd_after, eta_before, eta_after }: Slip,
  style: Style,
) => {
  const sailing = `${service_code} ${voyage}`;
  const day = (portTime: string) => style.day(dayOfPortTime(portTime));
  if (withdrawn) return `Sailing ${sailing} of ${day(etd_before)} is cancelled`;
  const moved = (verb: string, before: string, after: string) =>
    day(before) === day(after) ? "" : `${verb} on ${day(after)} instead of ${day(before)}`;
  const parts = [moved("departs", etd_before, etd_after), moved("arrives", eta_before, eta_after)];
  return `Sailing ${sailing} ${parts.filter((part) => part !== "").join(" and ")}`;
};
