import { and, between, desc, eq, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import { usageAccountMonths, usageDays, usageLogs } from "#drizzle/schema/index.ts";
import { batchByKey } from "../../platform/batch-by-key.server.ts";
import type { Tx } from "../../platform/db.server.ts";
import { statement } from "../../platform/statement.server.ts";
import type { Day } from "../dates.ts";
import { instantOfRequest } from "./request-id.ts";
import { firstNotSummed } from "./summed-columns.server.ts";
import type { StatusClass, UsageFilter, UsageLog } from "./usage-log.ts";
import type { UsageRecord } from "./usage-record.ts";

/** Finds the record by the account's time index. */
export const updateLog = (
  tx: Tx,
  { accountId, occurredAt, requestId }: Pick<UsageRecord, "accountId" | "occurredAt" | "requestId">,
  set: Pick<UsageRecord, "durationMs" | "responseBytes">,
) =>
  tx
    .update(usageLogs)
    .set(set)
    .where(
      and(eq(usageLogs.accountId, accountId), eq(usageLogs.occurredAt, occurredAt), eq(usageLogs.requestId, requestId)),
    );

/** `unsettled`: see `firstUnsettledDay`. */
type LogPage = { limit: number; after: [occurredAtMs: number, id: number] | null; unsettled: Day };

/** Newest first, after the cursor `after`. */
export const searchLogs = (db: Tx, accountId: number, filter: UsageFilter, page: LogPage): Promise<UsageLog[]> =>
  Object.values(filter).every((value) => value === undefined)
    ? newestLogs(db, accountId, page)
    : selectLogs(db, filteredLogs(db, accountId, filter, page), page.limit);

/** A page of the whole log, as programs read it again and again. */
const newestLogs = (db: Tx, accountId: number, { limit, after }: LogPage): Promise<AccountLog[]> => {
  const [beforeMs, beforeId] = after ?? [latestInstantMs, 0];
  return newestLogsOf(db, [accountId], limit, beforeMs, beforeId);
};

/** Later than any record. */
const latestInstantMs = Date.UTC(9999, 0);

type AccountLog = UsageLog & { accountId: number };

const newestLogsOf = batchByKey(
  async (db, accountIds, limit: number, beforeMs: number, beforeId: number): Promise<AccountLog[]> => {
    const before = new Date(beforeMs).toISOString();
    const rows = await selectNewestLogs(db, { accountIds, limit, before, beforeId });
    return rows.map((row) => ({ ...row, id: Number(row.id), occurredAt: new Date(row.occurredAt) }));
  },
  ({ accountId }) => accountId,
);

const selectNewestLogs = statement<
  Omit<AccountLog, "id" | "occurredAt"> & { id: string; occurredAt: string },
  { accountIds: number[]; limit: number; before: string; beforeId: number }
>(
  ({ accountIds, limit, before, beforeId }) => sql`
    select log.*
    from unnest((select ${accountIds}::integer[])) as wanted (id)
    cross join lateral (
      select id, account_id as "accountId", occurred_at as "occurredAt", method, endpoint, status, duration_ms as "durationMs",
        response_bytes as "responseBytes", request_cost as "requestCost", api_key_id as "apiKeyId",
        api_key_name as "apiKeyName", route_id as "routeId", request_id as "requestId"
      from ${usageLogs}
      where account_id = wanted.id and (occurred_at, id) < (${before}::timestamptz, ${beforeId}::bigint)
      order by occurred_at desc, id desc
      limit ${limit}::integer
    ) log
    order by log."accountId", log."occurredAt" desc, log.id desc`,
);

const selectLogs = (db: Tx, condition: SQL | undefined, limit: number) =>
  db
    .select({
      id: usageLogs.id,
      occurredAt: usageLogs.occurredAt,
      method: usageLogs.method,
      endpoint: usageLogs.endpoint,
      status: usageLogs.status,
      durationMs: usageLogs.durationMs,
      responseBytes: usageLogs.responseBytes,
      requestCost: usageLogs.requestCost,
      apiKeyId: usageLogs.apiKeyId,
      apiKeyName: usageLogs.apiKeyName,
      routeId: usageLogs.routeId,
      requestId: usageLogs.requestId,
    })
    .from(usageLogs)
    .where(condition)
    .orderBy(desc(usageLogs.occurredAt), desc(usageLogs.id))
    .limit(limit);

const filteredLogs = (db: Tx, accountId: number, filter: UsageFilter, page: LogPage) =>
  and(
    eq(usageLogs.accountId, accountId),
    filter.from && gte(usageLogs.occurredAt, filter.from),
    filter.to && lt(usageLogs.occurredAt, filter.to),
    filter.status === undefined ? undefined : hasStatus(filter.status),
    filter.statusClass === undefined ? undefined : hasStatusClass(filter.statusClass),
    filter.endpoint === undefined ? undefined : eq(usageLogs.endpoint, filter.endpoint),
    filter.apiKeyId === undefined ? undefined : eq(usageLogs.apiKeyId, filter.apiKeyId),
    filter.routeId === undefined ? undefined : eq(usageLogs.routeId, filter.routeId),
    filter.requestId === undefined ? undefined : hasRequestId(filter.requestId),
    isWithinUse(db, accountId, filter, page.unsettled),
    page.after ? isBehind(page.after) : undefined,
  );

/** Repeats that the status is not 200, so that the partial index on other statuses applies. */
const hasStatus = (status: number) =>
  and(eq(usageLogs.status, status), status === 200 ? undefined : sql`${usageLogs.status} <> 200`);

/** Repeats that the status is not 200, where that is so, as `hasStatus` does. */
const hasStatusClass = (statusClass: StatusClass) => {
  const first = Number(statusClass.charAt(0)) * 100;
  return and(
    between(usageLogs.status, first, first + 99),
    statusClass === "2xx" ? undefined : sql`${usageLogs.status} <> 200`,
  );
};

/** Finds the record by the account's time index, as the id says when the request arrived. */
const hasRequestId = (requestId: string) => {
  const at = instantOfRequest(requestId);
  return and(eq(usageLogs.requestId, requestId), at ? eq(usageLogs.occurredAt, at) : undefined);
};

/**
 * Limits the search to the days from the first to the last use in the totals. A rare combination is not searched for in a
 * whole year, and one that never occurred is not searched for at all. Months are read first, and days only of the month of the
 * first use and since the months are summed up.
 */
const isWithinUse = (db: Tx, accountId: number, filter: UsageFilter, unsettled: Day) => {
  const { endpoint, apiKeyId, routeId } = filter;
  if (endpoint === undefined && apiKeyId === undefined && routeId === undefined) return undefined;
  const isUse = (table: typeof usageDays | typeof usageAccountMonths) =>
    and(
      eq(table.accountId, accountId),
      endpoint === undefined ? undefined : eq(table.endpoint, endpoint),
      apiKeyId === undefined ? undefined : eq(table.apiKeyId, apiKeyId),
      routeId === undefined ? undefined : eq(table.routeId, routeId),
    );
  const ofMonths = (bound: SQL) => db.select({ bound }).from(usageAccountMonths).where(isUse(usageAccountMonths));
  const ofDays = (bound: SQL, isOf: SQL | undefined) =>
    db
      .select({ bound })
      .from(usageDays)
      .where(and(isUse(usageDays), isOf));
  // A run by a clock that was ahead may have summed up days that get more requests.
  const isRecent = sql`${usageDays.day} >= least(${firstNotSummed("months")}, ${unsettled}::date)`;
  const firstMonth = ofMonths(sql`min(${usageAccountMonths.month})`);
  const isOfFirstMonth = sql`${usageDays.day} >= (${firstMonth}) and ${usageDays.day} < (${firstMonth}) + interval '1 month'`;
  const [firstDay, lastAt] = [sql`min(${usageDays.day})`, sql`max(${usageDays.lastAt})`];
  return and(
    lte(
      usageLogs.occurredAt,
      sql`greatest((${ofMonths(sql`max(${usageAccountMonths.lastAt})`)}), (${ofDays(lastAt, isRecent)}))`,
    ),
    gte(
      usageLogs.occurredAt,
      sql`coalesce((${ofDays(firstDay, isOfFirstMonth)}), (${ofDays(firstDay, isRecent)}))::timestamp at time zone 'UTC'`,
    ),
  );
};

const isBehind = ([occurredAtMs, id]: [number, number]) =>
  sql`(${usageLogs.occurredAt}, ${usageLogs.id}) < (${new Date(occurredAtMs).toISOString()}::timestamptz, ${id}::bigint)`;
