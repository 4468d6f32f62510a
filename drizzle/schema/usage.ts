/** Request logs and their totals. Totals are kept for ever. */

import { sql } from "drizzle-orm";
import { bigint, doublePrecision, index, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { planName } from "./accounts.ts";
import { day, instant } from "./columns.ts";

/**
 * Partitioned by plan, which says how long records are kept, and then by time, so that expired records are dropped with
 * their partition. Drizzle knows nothing of partitions: a migration creates those of the plans, and
 * `log-partitions.server.ts` those of the weeks and months. See docs/decisions/0041.
 */
export const usageLogs = pgTable(
  "usage_logs",
  {
    /** Not a primary key, which would need `plan` and `occurredAt` as well. */
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    accountId: integer().notNull(),
    occurredAt: instant().notNull(),
    method: text().notNull(),
    /** The path template, for example `/api-keys/{api_key_id}`. */
    endpoint: text().notNull(),
    status: smallint().notNull(),
    durationMs: doublePrecision().notNull(),
    responseBytes: integer().notNull(),
    /** How many requests the answer counted as. */
    requestCost: integer().notNull().default(1),
    /** Id and name are copied, as the log outlives the key. */
    apiKeyId: integer(),
    apiKeyName: text(),
    routeId: integer(),
    requestId: text().notNull(),
    /** The account's plan when the record was written. Null: written before the log was partitioned. */
    plan: planName(),
  },
  (t) => [
    index("usage_logs_occurred_at_idx").on(t.accountId, t.occurredAt),
    // Partial: people search for errors, and most requests answer 200.
    index("usage_logs_status_idx").on(t.accountId, t.status, t.occurredAt).where(sql`${t.status} <> 200`),
  ],
);

/** Accounts whose plan changed, until their records are in the partitions of the new plan. */
export const usagePlanChanges = pgTable("usage_plan_changes", {
  accountId: integer().primaryKey(),
  changedAt: instant().notNull(),
});

const usageTotals = {
  requests: integer().notNull(),
  errors: integer().notNull(),
  rateLimited: integer().notNull(),
};

/** `api_key_id` 0: a bearer token. */
export const usageHours = pgTable(
  "usage_hours",
  { accountId: integer().notNull(), hour: instant().notNull(), apiKeyId: integer().notNull(), ...usageTotals },
  (t) => [primaryKey({ columns: [t.accountId, t.hour, t.apiKeyId] })],
);

/** `api_key_id` 0: a bearer token; `route_id` 0: no route. */
const totalsByEndpoint = {
  apiKeyId: integer().notNull(),
  endpoint: text().notNull(),
  routeId: integer().notNull(),
  ...usageTotals,
  lastAt: instant().notNull(),
};

export const usageDays = pgTable(
  "usage_days",
  { accountId: integer().notNull(), day: day().notNull(), ...totalsByEndpoint },
  (t) => [
    primaryKey({ columns: [t.accountId, t.day, t.apiKeyId, t.endpoint, t.routeId] }),
    index("usage_days_api_key_id_idx").on(t.apiKeyId, t.day),
    // BRIN suits rows that are inserted in the order of their days.
    index("usage_days_day_idx").using("brin", t.day),
  ],
);

/** Totals of days that are over, summed up nightly so that long ranges cost few rows. `usage_summed` says how far. */
export const usageAccountDays = pgTable(
  "usage_account_days",
  { accountId: integer().notNull(), day: day().notNull(), apiKeyId: integer().notNull(), ...usageTotals },
  (t) => [primaryKey({ columns: [t.accountId, t.day, t.apiKeyId] })],
);

/** Totals of months. Those of the last one grow nightly: `usage_summed` says up to which day. */
export const usageAccountMonths = pgTable(
  "usage_account_months",
  {
    accountId: integer().notNull(),
    /** Its first day. */
    month: day().notNull(),
    ...totalsByEndpoint,
  },
  (t) => [
    primaryKey({ name: "usage_account_months_pk", columns: [t.accountId, t.month, t.apiKeyId, t.endpoint, t.routeId] }),
  ],
);

/** How far the totals of accounts are summed up. No row: not at all. */
export const usageSummed = pgTable("usage_summed", {
  period: text({ enum: ["days", "months"] }).primaryKey(),
  /** The first day that is not summed up. */
  before: day().notNull(),
});

/** Totals of all accounts. A row is written when its day is over. */
export const usageServiceDays = pgTable("usage_service_days", {
  day: day().primaryKey(),
  accounts: integer().notNull(),
  requests: bigint({ mode: "number" }).notNull(),
  errors: bigint({ mode: "number" }).notNull(),
  rateLimited: bigint({ mode: "number" }).notNull(),
});
