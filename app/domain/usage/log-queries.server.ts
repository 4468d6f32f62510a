import { and, between, desc, eq, gte, lt, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import { usageDays, usageLogs } from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { instantOfRequest } from "./request-id.ts";
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

type LogPage = { limit: number; after: [occurredAtMs: number, id: number] | null };

/** Newest first, after the cursor `after`. */
export const searchLogs = (db: Tx, accountId: number, filter: UsageFilter, page: LogPage): Promise<UsageLog[]> =>
  Object.values(filter).every((value) => value === undefined)
    ? newestLogs(db, accountId, page)
    : selectLogs(db, filteredLogs(db, accountId, filter, page), page.limit);

/** The whole log, as programs read it again and again. */
const newestLogs = (db: Tx, accountId: number, { limit, after }: LogPage): Promise<UsageLog[]> => {
  const [beforeMs, beforeId] = after ?? [latestInstantMs, 0];
  return newestLogsIn(db).execute({ accountId, before: new Date(beforeMs).toISOString(), beforeId, limit });
};

/** PostgreSQL's ISO dates end with year 9999 as JavaScript writes them. */
const latestInstantMs = Date.UTC(9999, 0);

const newestLogsIn = perDatabase((db) => {
  const before = sql`(${sql.placeholder("before")}::timestamptz, ${sql.placeholder("beforeId")}::bigint)`;
  return selectLogs(
    db,
    and(
      eq(usageLogs.accountId, sql.placeholder("accountId")),
      sql`(${usageLogs.occurredAt}, ${usageLogs.id}) < ${before}`,
    ),
    sql.placeholder("limit"),
  ).prepare("newest_logs");
});

const selectLogs = (db: Tx, condition: SQL | undefined, limit: number | Placeholder) =>
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
    isWithinUse(db, accountId, filter),
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
 * Limits the search to the time between the first and the last matching request in the totals. A rare combination is
 * not searched for in a whole year, and one that never occurred is not searched for at all.
 */
const isWithinUse = (db: Tx, accountId: number, { endpoint, apiKeyId, routeId }: UsageFilter) => {
  const known = [
    endpoint === undefined ? undefined : eq(usageDays.endpoint, endpoint),
    apiKeyId === undefined ? undefined : eq(usageDays.apiKeyId, apiKeyId),
    routeId === undefined ? undefined : eq(usageDays.routeId, routeId),
  ].filter((condition) => condition !== undefined);
  if (known.length === 0) return undefined;
  const use = (bound: SQL) =>
    db
      .select({ at: bound })
      .from(usageDays)
      .where(and(eq(usageDays.accountId, accountId), ...known));
  return and(
    lte(usageLogs.occurredAt, use(sql`max(${usageDays.lastAt})`)),
    gte(usageLogs.occurredAt, use(sql`min(${usageDays.day})::timestamp at time zone 'UTC'`)),
  );
};

const isBehind = ([occurredAtMs, id]: [number, number]) =>
  sql`(${usageLogs.occurredAt}, ${usageLogs.id}) < (${new Date(occurredAtMs).toISOString()}::timestamptz, ${id}::bigint)`;
