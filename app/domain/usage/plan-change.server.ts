/** When an account's plan changes, its log records move to the partitions of the new plan, which keeps them as long as it says. */
import { forgetPlanChange, notedPlanChanges } from "../accounts/plan-changes.server.ts";
import type { Context } from "../context.ts";
import * as queries from "./plan-change-queries.server.ts";

const batchRows = 5_000;

/** A request that is under way during the change is still recorded with the former plan. */
const settledAfterMs = 3_600_000;

/**
 * Moves the records of accounts whose plan has changed, in small batches that are committed one by one.
 *
 * @returns how many were moved
 */
export const moveLogsOfChangedPlans = async (
  ctx: Pick<Context, "db" | "clock">,
  signal?: AbortSignal,
): Promise<number> => {
  const settledBefore = new Date(ctx.clock.now().getTime() - settledAfterMs);
  let total = 0;
  for (const { accountId, changedAt } of await notedPlanChanges(ctx)) {
    let moved = 0;
    do {
      if (signal?.aborted) return total;
      moved = await queries.moveLogs(ctx.db, accountId, batchRows);
      total += moved;
    } while (moved > 0);
    if (changedAt <= settledBefore) await forgetPlanChange(ctx, { accountId, changedAt });
  }
  return total;
};
