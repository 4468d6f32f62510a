/** Query parameters of route data → what the domain is asked for. Both endpoints share it. */
import type { z } from "zod";
import type { RouteDataRequest } from "../domain/subscriptions/route-access.server.ts";
import type { routeDataQuery } from "./contracts/route-data.ts";

export const routeDataRequest = (query: z.output<typeof routeDataQuery>): RouteDataRequest => ({
  id: query.id,
  periodId: query.period_id,
  type: query.report_type,
  serviceLevel: query.service_level,
  equipmentTypes: query.equipment_type === undefined ? undefined : [query.equipment_type],
  from: query.from,
  to: query.to,
  asOf: query.as_of,
  limit: query.limit,
  cursor: query.cursor,
});
