/** Reading the log of requests. Only the caller's own are in sight. @spec Endpoints (GET /api-usage-logs) */
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type Page, type PageRequest, pageOf } from "../page.ts";
import * as queries from "./queries.server.ts";
import { logCursor, refuseEmptyRange, type UsageFilter, type UsageLog } from "./usage-log.ts";

type World = Pick<Context, "db">;

/** The most rows of one export. */
export const exportLimitRows = 10_000;

/**
 * Newest first.
 *
 * @throws invalid for a cursor of another list, and for a range that ends before it begins
 */
export const listLogs = async (
  ctx: World,
  caller: Caller,
  filter: UsageFilter,
  page: PageRequest,
): Promise<Page<UsageLog>> => {
  refuseEmptyRange(filter);
  const after = logCursor.read(page.cursor);
  const found = await queries.searchLogs(ctx.db, caller.account.id, filter, { limit: page.limit + 1, after });
  return pageOf(found, page.limit, (last) => logCursor.write([last.occurredAt.getTime(), last.id]));
};

/**
 * The newest `exportLimitRows` that fit the filter, for `logsCsv`.
 *
 * @returns `complete`: whether nothing was left out
 * @throws invalid for a range that ends before it begins
 */
export const logsForExport = async (
  ctx: World,
  caller: Caller,
  filter: UsageFilter,
): Promise<{ logs: UsageLog[]; complete: boolean }> => {
  const { rows, nextCursor } = await listLogs(ctx, caller, filter, { limit: exportLimitRows });
  return { logs: rows, complete: nextCursor === null };
};
