/** What accounts have paid for: applying, extending and ending paid plans. The callers have locked the account. */
import type { Tx } from "../../platform/db.server.ts";
import { changePlan } from "../accounts/account-changes.server.ts";
import type { Caller } from "../accounts/caller.ts";
import type { ExclusiveLock } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import type { Order, PlanLine } from "../payments/order.ts";
import { type HeldPlan, type PaidPlan, planAfter, whyNotForSale } from "./paid-plan.ts";
import * as queries from "./queries.server.ts";

/** The plan of the account, and its end if it was paid for. */
export const heldPlan = async (ctx: Pick<Context, "db">, { account }: Pick<Caller, "account">): Promise<HeldPlan> => ({
  plan: account.plan,
  paid: account.plan === "free" ? null : await queries.findPaidPlan(ctx.db, account.id),
});

export type FulfilledPlan = { startDate: Day; endDate: Day };

/** Whether a paid order of this plan can be fulfilled: the account's plan may have changed since it was opened. */
export const isPlanForSale = async (locked: ExclusiveLock, { plan }: PlanLine, now: Date): Promise<boolean> =>
  whyNotForSale(await heldPlan({ db: locked.tx }, locked), plan, dayOf(now)) === null;

/** Gives the account the plan that the order has paid for, or extends it. */
export const fulfilPlan = async (
  locked: ExclusiveLock,
  order: Pick<Order, "id">,
  line: PlanLine,
  { invoice, now }: { invoice: string; now: Date },
): Promise<FulfilledPlan> => {
  const { tx, account } = locked;
  const { plan, term, totalCents } = line;
  const held = await heldPlan({ db: tx }, locked);
  const { startDate, endDate, paid } = planAfter(held, line, dayOf(now));
  await queries.insertTerm(tx, {
    accountId: account.id,
    orderId: order.id,
    plan,
    term,
    totalCents,
    startDate,
    endDate,
  });
  await queries.putPaidPlan(tx, account.id, paid);
  if (account.plan !== plan)
    await changePlan(locked, { plan, reason: `Paid by invoice ${invoice}` }, { operator: null, now });
  return { startDate, endDate };
};

/** The account goes back to the Free plan. Its API keys stay, also those beyond the number that Free allows. */
export const fallBackToFree = async (locked: ExclusiveLock, reason: string, now: Date): Promise<void> => {
  await queries.deletePaidPlan(locked.tx, locked.account.id);
  await changePlan(locked, { plan: "free", reason }, { operator: null, now });
};

/** Before an operator sets another plan, and when the account is closed: the paid days end without a refund. */
export const endPaidPlan = async ({ tx, account }: ExclusiveLock, now: Date): Promise<void> => {
  if (await queries.deletePaidPlan(tx, account.id)) await queries.markTermsEnded(tx, account.id, dayOf(now));
};

/** Changes the end of the paid plan. Months that are bought later count from the new end. */
export const movePlanEnd = async (tx: Tx, accountId: number, paid: PaidPlan, endDate: Day): Promise<void> => {
  await queries.putPaidPlan(tx, accountId, { ...paid, endDate, anchorDate: endDate, monthsPaid: 0 });
};
