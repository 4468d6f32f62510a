import { csv } from "../csv.ts";
import { isoInstant } from "../dates.ts";
import type { UsageLog } from "./usage-log.ts";

/** Log records with the fields and names of `GET /api-usage-logs`. */
export const logsCsv = (logs: UsageLog[]): string =>
  csv(
    [
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
    ],
    logs.map((log) => [
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
    ]),
  );
