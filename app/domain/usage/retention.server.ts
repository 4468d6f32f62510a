import type { Context } from "../context.ts";
import { millisecondsPerDay } from "../dates.ts";
import { planLimits, plans } from "../plans/plans.ts";
import * as queries from "./queries.server.ts";

const batchRows = 5_000;

/**
 * Deletes log records that are past the retention of their account's plan; the totals stay. Small batches are committed
 * one by one, so the job can be interrupted and repeated.
 *
 * @returns how many were deleted
 * @spec Limits (Storage)
 */
export const deleteExpiredLogs = async (ctx: Pick<Context, "db" | "clock">, signal?: AbortSignal): Promise<number> => {
  const now = ctx.clock.now();
  let total = 0;
  for (const plan of plans) {
    const { storageDays } = planLimits[plan];
    if (storageDays === null) continue;
    const before = new Date(now.getTime() - storageDays * millisecondsPerDay);
    for (const accountId of await queries.accountsWithLogsBefore(ctx.db, plan, before)) {
      total += await deleteExpiredLogsOf(ctx, signal, accountId, before);
    }
  }
  return total;
};

const deleteExpiredLogsOf = async (
  ctx: Pick<Context, "db">,
  signal: AbortSignal | undefined,
  accountId: number,
  before: Date,
): Promise<number> => {
  let total = 0;
  while (!signal?.aborted) {
    const deleted = await queries.deleteLogsBefore(ctx.db, accountId, before, batchRows);
    total += deleted;
    if (deleted < batchRows) break;
  }
  return total;
};
