import { csvLines } from "../csv.ts";
import { isoInstant } from "../dates.ts";
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
  log.apiKeyId,
  log.apiKeyName,
  log.routeId,
  log.requestId,
];
