import { csv, csvLines } from "../csv.ts";
import { isoInstant } from "../dates.ts";
import type { DailyUsage } from "./breakdown.server.ts";
import type { UsageLog } from "./usage-log.ts";

/** The log as CSV in chunks, header first, with the fields of `GET /api-usage-logs`. */
export async function* logsCsv(pieces: AsyncIterable<UsageLog[]>): AsyncGenerator<string> {
  yield csvLines([header]);
  for await (const logs of pieces) yield csvLines(logs.map(cells));
}

const header = [
  "id",
  "occurred_at",
  "method",
  "endpoint",
  "status",
  "duration_ms",
  "response_bytes",
  "request_cost",
  "api_key_id",
  "api_key_name",
  "route_id",
  "request_id",
];

const cells = (log: UsageLog) => [
  log.id,
  isoInstant(log.occurredAt),
  log.method,
  log.endpoint,
  log.status,
  log.durationMs,
  log.responseBytes,
  log.requestCost,
  log.apiKeyId,
  log.apiKeyName,
  log.routeId,
  log.requestId,
];

/** Usage by day, key, route and endpoint. `api_key_id` is empty for bearer tokens, `route_id` for requests about no route. */
export const dailyUsageCsv = (rows: DailyUsage[]): string =>
  csv(
    [
      ...["day", "api_key_id", "api_key_name", "route_id", "route_code", "endpoint"],
      ...["requests", "errors", "rate_limited"],
    ],
    rows.map((row) => [
      ...[row.day, row.apiKeyId, row.apiKeyName, row.routeId, row.routeCode, row.endpoint],
      ...[row.requests, row.errors, row.rateLimited],
    ]),
  );
