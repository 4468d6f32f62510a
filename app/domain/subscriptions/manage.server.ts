/** Changes to a subscription that need no payment. @spec States and transitions */
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
 * Cancels: access continues until the end of the paid period, and nothing more is charged.
 *
 * @throws not_found
 * @throws conflict when it is already cancelled, or has expired
 */
export const cancelSubscription = (ctx: World, caller: Caller, input: { id: number }): Promise<Subscription> =>
  change(ctx, caller, input.id, async (tx, status, now) => {
    if (status === "cancelled") throw conflict("The subscription is cancelled already");
    if (status === "expired") throw conflict("The subscription has expired; there is nothing to cancel");
    await queries.updateSubscription(tx, input.id, { cancelledAt: now });
    await recordAudit(tx, caller, "subscription.cancelled", now, { subscription_id: input.id });
  });

/**
 * Undoes a cancellation before the paid period ends, and restores the auto-renewal setting.
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
 * Turns auto-renewal on or off and sets the term it renews for.
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

/** Locks the account before the subscription, as every payment does. */
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
