import type { Context } from "../context.ts";
import { millisecondsPerDay } from "../dates.ts";
import { changeRetentionDays } from "./policy.ts";
import * as queries from "./queries.server.ts";

const batchRows = 5_000;

/**
 * Deletes changes that are older than `changeRetentionDays`. Batches are committed one by one, so the job can be
 * interrupted and repeated.
 *
 * @returns how many
 */
export const deleteOldChanges = async (ctx: Pick<Context, "db" | "clock">, signal?: AbortSignal): Promise<number> => {
  const before = new Date(ctx.clock.now().getTime() - changeRetentionDays * millisecondsPerDay);
  let total = 0;
  for (let full = true; full && !signal?.aborted; ) {
    const deleted = await queries.deleteOldest(ctx.db, before, batchRows);
    total += deleted;
    full = deleted === batchRows;
  }
  return total;
};
