import { violatesConstraint } from "../../platform/db.server.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import { isOpen, runningPeriod } from "../catalogue/period.ts";
import { routePeriods } from "../catalogue/route-data.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import * as queries from "./queries.server.ts";

/**
 * Moves active subscriptions whose period has ended to its successor. A subscription stays where it is if the account
 * already has one to the successor: it gives access to the same data until its end.
 *
 * @returns how many subscriptions were moved
 * @spec What the service does (hierarchy)
 */
export const moveToSuccessors = async (
  ctx: Pick<Context, "db" | "clock" | "log">,
  signal?: AbortSignal,
): Promise<number> => {
  const today = dayOf(ctx.clock.now());
  let moved = 0;
  for (const { id, accountId, routeId, periodId } of await queries.runningInEndedPeriods(ctx.db, today)) {
    if (signal?.aborted) break;
    const next = runningPeriod(await routePeriods(ctx, routeId, []), periodId, today);
    if (!next || next.id === periodId || !isOpen(next, today)) continue;
    try {
      await ctx.db.transaction(async (tx) => {
        await lockAccount(tx, accountId);
        await queries.movePeriod(tx, id, periodId, next.id);
      });
      moved += 1;
    } catch (error) {
      if (!violatesConstraint(error, "subscriptions_no_overlap")) throw error;
    }
  }
  return moved;
};
