/** Mail before a paid plan ends, and its end. */
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import { planEnded, planEnding } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import type { Plan } from "../plans/plans.ts";
import { fallBackToFree } from "./paid-plans.server.ts";
import { planReminderDays } from "./policy.ts";
import * as queries from "./queries.server.ts";

type World = Pick<Context, "db" | "clock" | "log" | "settings">;

/** A paid plan, with the end that it had when it was listed. */
type Ending = { accountId: number; plan: Plan; endDate: Day };

/**
 * Moves accounts whose paid plan has ended back to the Free plan, and reminds those whose plan ends within
 * `planReminderDays`. Each end and each reminder comes once; a failure does not stop the rest.
 */
export const endPlans = async (ctx: World, signal?: AbortSignal): Promise<{ ended: number; reminders: number }> => {
  const count = { ended: 0, reminders: 0 };
  const today = dayOf(ctx.clock.now());
  for (const ending of await queries.plansEndingBy(ctx.db, addDays(today, planReminderDays))) {
    if (signal?.aborted) break;
    try {
      if (ending.endDate <= today) count.ended += (await end(ctx, ending)) ? 1 : 0;
      else count.reminders += (await remind(ctx, ending)) ? 1 : 0;
    } catch (error) {
      ctx.log.error("A paid plan was not ended or reminded of", { account_id: ending.accountId }, error);
    }
  }
  return count;
};

/** The holder may have extended the plan in the meantime, so each step checks its end with the account locked. */
const end = (ctx: World, { accountId, plan, endDate }: Ending): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const locked = await lockAccount(tx, accountId);
    const paid = await queries.findPaidPlan(tx, accountId);
    if (!locked || paid?.endDate !== endDate) return false;
    const now = ctx.clock.now();
    await fallBackToFree(locked, "The paid term has ended", now);
    const mail = planEnded(ctx.settings.appUrl, { plan, endDate });
    return enqueue(tx, { ...mail, accountId, dedupeKey: `plan-ended:account-${accountId}:${endDate}` }, now);
  });

const remind = (ctx: World, { accountId, plan, endDate }: Ending): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const paid = await queries.findPaidPlan(tx, accountId);
    if (paid?.endDate !== endDate) return false;
    const mail = planEnding(ctx.settings.appUrl, { plan, endDate });
    const dedupeKey = `plan-ending:account-${accountId}:${endDate}`;
    return enqueue(tx, { ...mail, accountId, dedupeKey }, ctx.clock.now());
  });
