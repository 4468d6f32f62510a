/** How long log records are kept. The totals stay for ever. @spec Limits (Storage) */
import type { Context } from "../context.ts";
import { millisecondsPerDay } from "../dates.ts";
import { planLimits, plans } from "../plans/plans.ts";
import { planPartition, unsortedPartitions } from "./log-partition.ts";
import * as queries from "./log-partition-queries.server.ts";

/** Null: for ever. */
const expiryOf = (plan: (typeof plans)[number], now: Date): Date | null => {
  const { storageDays } = planLimits[plan];
  return storageDays === null ? null : new Date(now.getTime() - storageDays * millisecondsPerDay);
};

/**
 * Drops every partition of the log whose records are all past the retention of their plan.
 *
 * @returns how many were dropped
 */
export const dropExpiredPartitions = async (ctx: Pick<Context, "db" | "clock">): Promise<number> => {
  const now = ctx.clock.now();
  let dropped = 0;
  for (const plan of plans) {
    const expiry = expiryOf(plan, now);
    if (expiry === null) continue;
    for (const { name, to } of await queries.partitionsOf(ctx.db, planPartition(plan))) {
      if (to === null || to > expiry) continue;
      await queries.dropPartition(ctx.db, name);
      dropped += 1;
    }
  }
  return dropped;
};

const batchRows = 5_000;

/**
 * Deletes records that are past the retention of their account's plan and in no partition that can be dropped. Small
 * batches are committed one by one, so the job can be interrupted and repeated.
 *
 * @returns how many were deleted
 */
export const deleteExpiredLogs = async (ctx: Pick<Context, "db" | "clock">, signal?: AbortSignal): Promise<number> => {
  const now = ctx.clock.now();
  let total = 0;
  for (const plan of plans) {
    const expiry = expiryOf(plan, now);
    if (expiry === null) continue;
    for (const partition of unsortedPartitions) {
      for (const accountId of await queries.accountsWithLogsBefore(ctx.db, partition, plan, expiry)) {
        total += await deleteExpiredLogsOf(ctx, signal, partition, accountId, expiry);
      }
    }
  }
  return total;
};

const deleteExpiredLogsOf = async (
  ctx: Pick<Context, "db">,
  signal: AbortSignal | undefined,
  partition: string,
  accountId: number,
  before: Date,
): Promise<number> => {
  let total = 0;
  while (!signal?.aborted) {
    const deleted = await queries.deleteLogsBefore(ctx.db, partition, accountId, before, batchRows);
    total += deleted;
    if (deleted < batchRows) break;
  }
  return total;
};
