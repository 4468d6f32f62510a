/** Periods: one object per period of a route, as JSON Lines. */
import { z } from "zod";
import { because, code, codeOrNone, day, dayOrNone, freshness, textOrNone } from "./cells.ts";
import type { ImportFormat } from "./kind.ts";
import { parsedRow } from "./parse-cells.ts";

/** What operators say of a period, in a file or a form. `ends_on` is the first day after it; null: it stays open. */
export const periodFields = {
  route_code: code,
  name: textOrNone,
  starts_on: day,
  ends_on: dayOrNone,
  freshness,
};

/** Whether a period has at least one day. */
export const endsAfterStart = ({ starts_on, ends_on }: { starts_on: string; ends_on: string | null }): boolean =>
  ends_on === null || ends_on > starts_on;
export const endsTooEarly = {
  ...because("contradiction", "Must be after the first day. Leave it empty for an open period"),
  path: ["ends_on"],
};

const periodLine = z
  .object({ code: codeOrNone, ...periodFields, successor_code: codeOrNone })
  .refine(endsAfterStart, endsTooEarly);

export const periods = {
  syntax: "json_lines",
  columns: {
    required: ["route_code", "starts_on", "freshness"],
    optional: ["code", "name", "ends_on", "successor_code"],
  },
  template: "periods.jsonl",
  about:
    "One line per period of a route. Route and first day identify a period. The periods of a route must not overlap.",
  staging: {
    route_code: "text",
    // Null: as it is, or made from the route and the first day.
    code: "text",
    name: "text",
    starts_on: "date",
    ends_on: "date",
    freshness: "freshness",
    // Null: as it is, or the period that begins on the day on which this one ends.
    successor_code: "text",
  },
  parseRow(values, note) {
    const line = parsedRow(periodLine, withoutNulls(values), note);
    if (!line) return null;
    return {
      ...line,
      code: line.code || null,
      name: line.name || null,
      successor_code: line.successor_code || null,
    };
  },
} as const satisfies ImportFormat;

/** A null says the same as nothing. */
const withoutNulls = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
