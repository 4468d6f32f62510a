/** The caller's own request log. @spec Endpoints (GET /api-usage-logs) */
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { notFound } from "../errors.ts";
import { type Page, type PageRequest, pageOf } from "../page.ts";
import * as logQueries from "./log-queries.server.ts";
import { firstUnsettledDay } from "./policy.ts";
import { seriesRange } from "./series.ts";
import { totalsByPeriod } from "./series-queries.server.ts";
import { logCursor, refuseEmptyRange, type UsageFilter, type UsageLog } from "./usage-log.ts";

type World = Pick<Context, "db" | "clock">;

/** The most rows of one export: what a spreadsheet can hold. */
export const exportLimitRows = 1_000_000;
const exportPieceRows = 2_000;

/**
 * One page of the log, newest first.
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
  const part = { limit: page.limit + 1, after, unsettled: firstUnsettledDay(dayOf(ctx.clock.now())) };
  const found = await logQueries.searchLogs(ctx.db, caller.account.id, filter, part);
  return pageOf(found, page.limit, (last) => logCursor.write([last.occurredAt.getTime(), last.id]));
};

/** A logged request and the hour that it counted in. */
export type LoggedRequest = UsageLog & {
  /** All requests of the account in that clock hour. */
  hourRequests: number;
};

/** @throws not_found for other accounts' requests, too, and after the retention of the log */
export const getLoggedRequest = async (
  ctx: World,
  caller: Caller,
  { requestId }: { requestId: string },
): Promise<LoggedRequest> => {
  const accountId = caller.account.id;
  const unsettled = firstUnsettledDay(dayOf(ctx.clock.now()));
  const [log] = await logQueries.searchLogs(ctx.db, accountId, { requestId }, { limit: 1, after: null, unsettled });
  if (!log) throw notFound("Request");
  const { from, to } = seriesRange({ period: "hours", from: log.occurredAt, to: log.occurredAt }, log.occurredAt);
  const [hour] = await totalsByPeriod(ctx.db, accountId, "hours", { from, to, unsettled: dayOf(from) });
  return { ...log, hourRequests: hour?.requests ?? 0 };
};

/**
 * The newest `exportLimitRows` records that match the filter, in batches, read as fast as the consumer takes them.
 *
 * @throws invalid for a range that ends before it begins
 */
export const logsForExport = async (
  ctx: World,
  caller: Caller,
  filter: UsageFilter,
): Promise<AsyncGenerator<UsageLog[]>> => {
  const pageAt = (cursor?: string) =>
    listLogs(ctx, caller, filter, { limit: exportPieceRows, ...(cursor === undefined ? {} : { cursor }) });
  const first = await pageAt();
  return (async function* () {
    let page = first;
    for (let read = page.rows.length; ; read += page.rows.length) {
      yield page.rows;
      if (page.nextCursor === null || read >= exportLimitRows) return;
      page = await pageAt(page.nextCursor);
    }
  })();
};
