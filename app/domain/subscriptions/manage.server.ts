/** What an account does with a subscription it has, without paying. @spec States and transitions */
import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { conflict, notFound } from "../errors.ts";
import type { Term } from "../pricing/discounts.ts";
import { getSubscription } from "./list.server.ts";
import * as queries from "./queries.server.ts";
import { type SubscriptionStatus, statusOn } from "./status.ts";
import type { Subscription } from "./subscription.ts";

type World = Pick<Context, "db" | "clock">;

/**
 * Access continues until the end of the paid period, and nothing is charged any more.
 *
 * @throws not_found
 * @throws conflict when it is cancelled already, or expired
 */
export const cancelSubscription = (ctx: World, caller: Caller, input: { id: number }): Promise<Subscription> =>
  change(ctx, caller, input.id, async (tx, status, now) => {
    if (status === "cancelled") throw conflict("The subscription is cancelled already");
    if (status === "expired") throw conflict("The subscription has expired; there is nothing to cancel");
    await queries.updateSubscription(tx, input.id, { cancelledAt: now });
    await recordAudit(tx, caller, "subscription.cancelled", now, { subscription_id: input.id });
  });

/**
 * Undoes a cancellation while the paid period still runs; auto-renewal is again what it was.
 *
 * @throws not_found
 * @throws conflict when it is not cancelled, or has expired
 */
export const resumeSubscription = (ctx: World, caller: Caller, input: { id: number }): Promise<Subscription> =>
  change(ctx, caller, input.id, async (tx, status, now) => {
    if (status === "expired") throw conflict("The subscription has expired; renew it instead");
    if (status !== "cancelled") throw conflict("The subscription is not cancelled");
    await queries.updateSubscription(tx, input.id, { cancelledAt: null });
    await recordAudit(tx, caller, "subscription.resumed", now, { subscription_id: input.id });
  });

/**
 * Whether it renews by itself, and for which term.
 *
 * @throws not_found
 * @throws conflict when it is cancelled or expired
 */
export const setAutoRenew = (
  ctx: World,
  caller: Caller,
  input: { id: number; autoRenew: boolean; renewalTerm?: Term | undefined },
): Promise<Subscription> =>
  change(ctx, caller, input.id, async (tx, status, now) => {
    if (status === "expired") throw conflict("The subscription has expired; renew it instead");
    if (status === "cancelled") throw conflict("The subscription is cancelled; resume it first");
    const { autoRenew, renewalTerm } = input;
    await queries.updateSubscription(tx, input.id, { autoRenew, ...(renewalTerm ? { renewalTerm } : {}) });
    await recordAudit(tx, caller, "subscription.auto_renew_set", now, {
      subscription_id: input.id,
      auto_renew: autoRenew,
      renewal_term: renewalTerm ?? null,
    });
  });

/** Locks the account first, as every payment does, and then its subscription. */
const change = async (
  ctx: World,
  caller: Caller,
  id: number,
  act: (tx: Tx, status: SubscriptionStatus, now: Date) => Promise<void>,
): Promise<Subscription> => {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, caller.account.id);
    const row = await queries.lockSubscription(tx, id);
    if (row?.accountId !== caller.account.id) throw notFound("Subscription");
    await act(tx, statusOn(dayOf(now), row), now);
  });
  return getSubscription(ctx, caller, { id });
};
