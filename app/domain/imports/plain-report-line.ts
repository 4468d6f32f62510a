/**
 * Reads the usual lines of a reports file several times as fast as `reportLine`, which reads all others: whatever is unusual
 * or wrong in a line sends it there. Both agree on every line that is accepted here.
 */
import { bookingStatuses, capacityUnits, serviceLevelNames } from "../catalogue/enums.ts";
import { currency } from "../money.ts";
import type { RowValues } from "./kind.ts";
import { chargeCode, largestNumber, longestText, mostSurcharges, type ReportLine } from "./report-line.ts";

/** Null: unusual, or wrong. */
export const plainReportLine = (values: RowValues): ReportLine | null => {
  const { route_code, observed_at, external_id, valid_from, valid_to, report_type, data } = values;
  if (typeof route_code !== "string" || !isInstant(observed_at) || !isFields(data)) return null;
  if (valid_from != null || valid_to != null || !isTextOrNone(external_id)) return null;
  const base = { route_code, observed_at, external_id };
  const level = data.service_level;
  if (level == null ? report_type === "rate" : !isLevel(level)) return null;
  if (report_type === "rate" && isLevel(level)) return rateLine(base, level, data);
  const anyLevel = isLevel(level) ? level : null;
  if (report_type === "capacity") return capacityLine(base, anyLevel, data);
  if (report_type === "schedule") return scheduleLine(base, anyLevel, data);
  return null;
};

type Base = { route_code: string; observed_at: string; external_id: string | null | undefined };
type Level = (typeof serviceLevelNames)[number];

const rateLine = (base: Base, service_level: Level, data: RowValues): ReportLine | null => {
  const { equipment_type, basis, base_rate, surcharges: written, surcharges_total } = data;
  if (data.currency !== currency || typeof basis !== "string" || !isAmount(base_rate)) return null;
  if (equipment_type != null && typeof equipment_type !== "string") return null;
  if (surcharges_total != null && !isAmount(surcharges_total)) return null;
  const surcharges = written == null ? null : surchargesOf(written);
  if (surcharges === undefined) return null;
  const figures = { service_level, equipment_type, currency, basis, base_rate, surcharges, surcharges_total } as const;
  return { ...base, report_type: "rate", data: figures };
};

/** Undefined: unusual, or wrong. */
const surchargesOf = (written: unknown) => {
  if (!Array.isArray(written) || written.length > mostSurcharges) return undefined;
  const surcharges: { code: string; amountCents: number; currency: undefined }[] = [];
  for (const each of written) {
    if (!isFields(each) || each.currency != null || !isAmount(each.amount)) return undefined;
    if (typeof each.code !== "string" || !chargeCode.test(each.code)) return undefined;
    surcharges.push({ code: each.code, amountCents: Math.round(each.amount * 100), currency: undefined });
  }
  return surcharges;
};

const capacityLine = (base: Base, service_level: Level | null, data: RowValues): ReportLine | null => {
  const { sailing_date, nominal, available, allocated, booked } = data;
  const unit = capacityUnits.find((each) => each === data.unit);
  const booking_status = bookingStatuses.find((each) => each === data.booking_status);
  if (!unit || !booking_status || !isDay(sailing_date) || !isCount(nominal) || !isCount(available)) return null;
  if ((allocated != null && !isCount(allocated)) || (booked != null && !isCount(booked))) return null;
  const figures = { service_level, sailing_date, unit, nominal, available, allocated, booked, booking_status };
  return { ...base, report_type: "capacity", data: figures };
};

const scheduleLine = (base: Base, service_level: Level | null, data: RowValues): ReportLine | null => {
  const { vessel_name, voyage_reference, departure, arrival, transit_time_days } = data;
  if (vessel_name === "" || voyage_reference === "" || departure != null || arrival != null) return null;
  if (!isTextOrNone(vessel_name) || !isTextOrNone(voyage_reference)) return null;
  if (transit_time_days != null && !(isCount(transit_time_days) && transit_time_days > 0)) return null;
  return {
    ...base,
    report_type: "schedule",
    data: { service_level, vessel_name, voyage_reference, transit_time_days },
  };
};

const isFields = (value: unknown): value is RowValues =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isTextOrNone = (value: unknown): value is string | null | undefined =>
  value == null || (typeof value === "string" && value.length <= longestText);

const isLevel = (value: unknown): value is Level => serviceLevelNames.includes(value as Level);

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= largestNumber;

/** An amount with at most two decimals, which are those of `currency`: it is the number nearest to whole cents. */
const isAmount = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= largestNumber && Math.round(value * 100) / 100 === value;

const isDay = (value: unknown): value is string => typeof value === "string" && day.test(value);
const isInstant = (value: unknown): value is string => typeof value === "string" && instant.test(value);

/** Days of the years from 1000 to 2999 that every year has. */
const dayPattern =
  "[12]\\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)";
const day = new RegExp(`^${dayPattern}$`);
const instant = new RegExp(`^${dayPattern}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,3})?Z$`);
