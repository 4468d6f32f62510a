/** Query parameters of the request log, named as in `GET /api-usage-logs`. Times without a zone are UTC. */
import { listUsageLogs } from "#app/api/contracts/usage.ts";
import { validate } from "#app/domain/input.ts";
import type { UsageFilter } from "#app/domain/usage/usage-log.ts";
import { inUtc } from "./log-times.ts";

/** @throws invalid, with the form's field names */
export const readLogFilter = (params: Record<string, string>): UsageFilter => {
  const { from, to, status, ...rest } = params;
  const query = validate(listUsageLogs.query, {
    ...rest,
    // The form has one field for both.
    ...(status === undefined ? {} : status.endsWith("xx") ? { status_class: status } : { status }),
    ...(from === undefined ? {} : { from: inUtc(from) }),
    ...(to === undefined ? {} : { to: inUtc(to) }),
  });
  return {
    from: query.from,
    to: query.to,
    status: query.status,
    endpoint: query.endpoint,
    apiKeyId: query.api_key_id,
    routeId: query.route_id,
    requestId: query.request_id,
    statusClass: query.status_class,
  };
};
