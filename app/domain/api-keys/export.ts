import { csv } from "../csv.ts";
import { isoInstant } from "../dates.ts";
import type { ApiKey } from "./api-key.ts";

/** The account's keys as CSV, without their secrets. @spec API key (GET /api-keys/export) */
export const keysCsv = (keys: ApiKey[]): string =>
  csv(
    [
      ...["id", "api_key_name", "key_prefix", "user", "status", "created_at", "last_used_at", "requests", "expires_at"],
      "hourly_limit",
      "allowed_addresses",
    ],
    keys.map((key) => [
      key.id,
      key.name,
      key.displayPrefix,
      key.user,
      key.status,
      isoInstant(key.createdAt),
      key.lastUsedAt && isoInstant(key.lastUsedAt),
      key.requests,
      key.expiresAt && isoInstant(key.expiresAt),
      key.hourlyLimit,
      key.allowedAddresses?.join(" ") ?? null,
    ]),
  );
