/** Query parameters of the usage page and its CSV file. Days are in UTC. */
import { z } from "zod";
import { startOf } from "#app/domain/dates.ts";
import { enteredDay, validate } from "#app/domain/input.ts";
import { usagePeriods } from "#app/domain/usage/series.ts";
import { idField } from "#app/portal/params.ts";

const usageQuery = z.object({
  period: z.enum(usagePeriods).catch("days"),
  from: enteredDay.transform(startOf).optional(),
  /** Exclusive. */
  to: enteredDay.transform(startOf).optional(),
  api_key_id: idField.optional(),
  route_id: idField.optional(),
});

/** @throws invalid, with the form's field names */
export const readUsageQuery = (params: Record<string, string>) => {
  const { api_key_id: apiKeyId, route_id: routeId, ...range } = validate(usageQuery, params);
  return { ...range, apiKeyId, routeId };
};
