/** What a download contains, by the query of its page and its files. */
import { z } from "zod";
import { codeFilter } from "#app/domain/catalogue/browse.ts";
import { reportTypes } from "#app/domain/catalogue/enums.ts";
import { addDays, startOf } from "#app/domain/dates.ts";
import { type FieldError, Refusal } from "#app/domain/errors.ts";
import { enteredDay, validate } from "#app/domain/input.ts";
import { maxSelection } from "#app/domain/subscriptions/policy.ts";
import { idField } from "#app/portal/params.ts";
import { nonEmptyParams } from "#app/portal/search-params.server.ts";
import { fileFormats, rateFormats } from "./formats.ts";

const ids = z.array(idField).max(maxSelection);

const idsIn = (search: URLSearchParams, name: string): number[] => [
  ...new Set(validate(z.object({ [name]: ids }), { [name]: search.getAll(name) })[name] ?? []),
];

/** Of subscriptions that were ticked in their list. @throws invalid */
export const subscriptionIdsIn = (search: URLSearchParams): number[] => idsIn(search, "id");

/** Undefined: all subscribed routes. @throws invalid */
export const routeIdsIn = (search: URLSearchParams): number[] | undefined => {
  const chosen = idsIn(search, "route_id");
  return chosen.length === 0 ? undefined : chosen;
};

const reportsChoice = z
  .object({
    format: z.enum(fileFormats).default("csv"),
    trade_lane: codeFilter("trade lane", "EAS-NEU"),
    report_type: z.enum(reportTypes).optional(),
    from: enteredDay.optional(),
    to: enteredDay.optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ["to"],
    message: "Must not be before the first day",
  });

/** @throws invalid, with the form's field names */
export const readReportsChoice = (search: URLSearchParams) => {
  const { format, trade_lane, report_type, from, to } = validate(reportsChoice, nonEmptyParams(search));
  return {
    format,
    filter: {
      routeIds: routeIdsIn(search),
      tradeLane: trade_lane,
      type: report_type,
      from: from === undefined ? undefined : startOf(from),
      // The form names the last day, the filter the first instant after it.
      to: to === undefined ? undefined : startOf(addDays(to, 1)),
    },
  };
};

/** What is wrong with the days, for the form that they were entered in. */
export const dayErrors = (search: URLSearchParams): FieldError[] => {
  const { from, to } = Object.fromEntries(search);
  const days = new URLSearchParams({ from: from ?? "", to: to ?? "" });
  try {
    readReportsChoice(days);
    return [];
  } catch (error) {
    if (error instanceof Refusal) return error.fields;
    throw error;
  }
};

const ratesChoice = z.object({ format: z.enum(rateFormats).default("csv") });

/** @throws invalid */
export const readRatesChoice = (search: URLSearchParams) => ({
  ...validate(ratesChoice, nonEmptyParams(search)),
  routeIds: routeIdsIn(search),
});
