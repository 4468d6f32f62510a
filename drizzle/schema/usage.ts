/** Request logs and their totals. */

import { sql } from "drizzle-orm";
import { bigint, doublePrecision, index, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { bigId, day, instant } from "./columns.ts";

export const usageLogs = pgTable(
  "usage_logs",
  {
    id: bigId(),
    accountId: integer().notNull(),
    occurredAt: instant().notNull(),
    method: text().notNull(),
    /** The path's template, for example `/api-keys/{api_key_id}`. */
    endpoint: text().notNull(),
    status: smallint().notNull(),
    durationMs: doublePrecision().notNull(),
    responseBytes: integer().notNull(),
    /** Copied, with its name: the log outlives the key. */
    apiKeyId: integer(),
    apiKeyName: text(),
    routeId: integer(),
    requestId: text().notNull(),
  },
  (t) => [
    index("usage_logs_occurred_at_idx").on(t.accountId, t.occurredAt),
    // What one looks for in a log is rare; most rows are in no need of a second index.
    index("usage_logs_status_idx").on(t.accountId, t.status, t.occurredAt).where(sql`${t.status} <> 200`),
  ],
);

const usageTotals = {
  requests: integer().notNull(),
  errors: integer().notNull(),
  rateLimited: integer().notNull(),
};

/** Kept for ever. `api_key_id` 0: a bearer token. */
export const usageHours = pgTable(
  "usage_hours",
  { accountId: integer().notNull(), hour: instant().notNull(), apiKeyId: integer().notNull(), ...usageTotals },
  (t) => [primaryKey({ columns: [t.accountId, t.hour, t.apiKeyId] })],
);

/** Kept for ever. `api_key_id` 0: a bearer token; `route_id` 0: no route. */
export const usageDays = pgTable(
  "usage_days",
  {
    accountId: integer().notNull(),
    day: day().notNull(),
    apiKeyId: integer().notNull(),
    endpoint: text().notNull(),
    routeId: integer().notNull(),
    ...usageTotals,
    lastAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.day, t.apiKeyId, t.endpoint, t.routeId] }),
    index("usage_days_api_key_id_idx").on(t.apiKeyId, t.day),
    // Rows come day by day, so that a day's lie together.
    index("usage_days_day_idx").using("brin", t.day),
  ],
);

/** Of all accounts together, written once a day is over. Kept for ever. */
export const usageServiceDays = pgTable("usage_service_days", {
  day: day().primaryKey(),
  accounts: integer().notNull(),
  requests: bigint({ mode: "number" }).notNull(),
  errors: bigint({ mode: "number" }).notNull(),
  rateLimited: bigint({ mode: "number" }).notNull(),
});
