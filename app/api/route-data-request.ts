/** Query parameters of route data → what the domain is asked for, and its answer as a document. Both endpoints share it. */
import type { z } from "zod";
import type { OpenedRouteData, RouteDataRequest } from "../domain/subscriptions/route-access.server.ts";
import { rememberFor } from "../platform/remember.ts";
import type { routeDataQuery } from "./contracts/route-data.ts";
import { routeDataDocument } from "./documents/catalogue.ts";

/** Requests with the same query share it, see `readQuery`. */
export const routeDataRequest = rememberFor(
  (query: z.output<typeof routeDataQuery>): Readonly<RouteDataRequest> =>
    Object.freeze({
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
    }),
);

export const versionedRouteData = ({ version, read }: OpenedRouteData) => ({
  version,
  answer: async () => routeDataDocument(await read()),
});
