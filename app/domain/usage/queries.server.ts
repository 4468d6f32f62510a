import { sql } from "drizzle-orm";
import { usageDays, usageHours, usageLogs } from "../../../drizzle/schema.ts";
import type { Tx } from "../../platform/db.server.ts";
import { dayOf } from "../dates.ts";
import { totalsOf, type UsageRecord, type UsageTotals } from "./usage-record.ts";

export const insertLogs = (tx: Tx, records: UsageRecord[]) => tx.insert(usageLogs).values(records);

export const addToHours = (tx: Tx, records: UsageRecord[]) => {
  const rows = summed(records, (record) => {
    const hour = new Date(record.occurredAt);
    hour.setUTCMinutes(0, 0, 0);
    return { accountId: record.accountId, hour, apiKeyId: record.apiKeyId ?? 0 };
  });
  return tx
    .insert(usageHours)
    .values(rows)
    .onConflictDoUpdate({
      target: [usageHours.accountId, usageHours.hour, usageHours.apiKeyId],
      set: added(usageHours),
    });
};

export const addToDays = (tx: Tx, records: UsageRecord[]) => {
  const rows = summed(records, (record) => ({
    accountId: record.accountId,
    day: dayOf(record.occurredAt),
    apiKeyId: record.apiKeyId ?? 0,
    endpoint: record.endpoint,
    routeId: record.routeId ?? 0,
  }));
  const lastAt = new Date(Math.max(...records.map(({ occurredAt }) => occurredAt.getTime())));
  return tx
    .insert(usageDays)
    .values(rows.map((row) => ({ ...row, lastAt })))
    .onConflictDoUpdate({
      target: [usageDays.accountId, usageDays.day, usageDays.apiKeyId, usageDays.endpoint, usageDays.routeId],
      set: { ...added(usageDays), lastAt: sql`greatest(${usageDays.lastAt}, excluded.last_at)` },
    });
};

const added = (table: typeof usageHours | typeof usageDays) => ({
  requests: sql`${table.requests} + excluded.requests`,
  errors: sql`${table.errors} + excluded.errors`,
  rateLimited: sql`${table.rateLimited} + excluded.rate_limited`,
});

/** Sums up by key, in the keys' order: groups written at the same time then lock rows in the same order. */
const summed = <Key extends object>(records: UsageRecord[], keyOf: (record: UsageRecord) => Key) => {
  const sums = new Map<string, Key & UsageTotals>();
  for (const record of records) {
    const key = keyOf(record);
    const id = JSON.stringify(key);
    const { requests, errors, rateLimited } = totalsOf(record.status);
    const sum = sums.get(id) ?? { ...key, requests: 0, errors: 0, rateLimited: 0 };
    sum.requests += requests;
    sum.errors += errors;
    sum.rateLimited += rateLimited;
    sums.set(id, sum);
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
};
