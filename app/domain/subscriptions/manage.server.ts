/** Changes to subscriptions that need no payment. @spec States and transitions */
import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { conflict, notFound } from "../errors.ts";
import type { Term } from "../pricing/discounts.ts";
import { reasonAgainst, reasonAgainstAutoRenewal } from "./changes.ts";
import { getSubscription, getSubscriptions } from "./list.server.ts";
import * as queries from "./queries.server.ts";
import { type SubscriptionStatus, statusOn } from "./status.ts";
import type { Subscription } from "./subscription.ts";

type World = Pick<Context, "db" | "clock" | "settings" | "tax">;

/**
 * Cancels: access continues until the end of the paid period, and nothing more is charged.
 *
 * @throws not_found
 * @throws conflict when it is already cancelled, or has expired
 */
export const cancelSubscription = (ctx: World, caller: Caller, input: { id: number }): Promise<Subscription> =>
  changeOne(ctx, caller, input.id, cancellation);

/**
 * Undoes a cancellation before the paid period ends, and restores the auto-renewal setting.
 *
 * @throws not_found
 * @throws conflict when it is not cancelled, or has expired
 */
export const resumeSubscription = (ctx: World, caller: Caller, input: { id: number }): Promise<Subscription> =>
  changeOne(ctx, caller, input.id, resumption);

type AutoRenewal = { autoRenew: boolean; renewalTerm?: Term | undefined };

/**
 * Turns auto-renewal on or off and sets the term it renews for.
 *
 * @throws not_found
 * @throws conflict when it is cancelled or expired
 */
export const setAutoRenew = (ctx: World, caller: Caller, input: { id: number } & AutoRenewal): Promise<Subscription> =>
  changeOne(ctx, caller, input.id, {
    ...autoRenewal(input),
    reasonAgainst: ({ status }) => reasonAgainst("auto_renew", status),
  });

/** A subscription of a selection, as it is after the change. */
export type SelectionResult = {
  subscription: Subscription;
  /** Why it was left as it was; null if it was changed. */
  reason: string | null;
};

/**
 * Cancels each subscription that can be cancelled, in one transaction.
 *
 * @returns the subscriptions, oldest first
 * @throws not_found if one of them is not the account's; nothing is cancelled then
 */
export const cancelSelection = (ctx: World, caller: Caller, input: { ids: number[] }): Promise<SelectionResult[]> =>
  changeEach(ctx, caller, input.ids, cancellation);

/**
 * Sets auto-renewal of each subscription that it can be set for, in one transaction.
 *
 * @returns the subscriptions, oldest first
 * @throws not_found if one of them is not the account's; nothing is changed then
 */
export const setAutoRenewOfSelection = (
  ctx: World,
  caller: Caller,
  input: { ids: number[] } & AutoRenewal,
): Promise<SelectionResult[]> =>
  changeEach(ctx, caller, input.ids, {
    ...autoRenewal(input),
    reasonAgainst: (subscription) => reasonAgainstAutoRenewal(subscription, input),
  });

type Row = NonNullable<Awaited<ReturnType<typeof queries.lockSubscription>>>;

type Change = {
  reasonAgainst: (subscription: Row & { status: SubscriptionStatus }) => string | null;
  apply: (tx: Tx, row: Row, now: Date, caller: Caller) => Promise<void>;
};

const cancellation: Change = {
  reasonAgainst: ({ status }) => reasonAgainst("cancel", status),
  apply: async (tx, { id }, now, caller) => {
    await queries.updateSubscription(tx, id, { cancelledAt: now });
    await recordAudit(tx, caller, "subscription.cancelled", now, { subscription_id: id });
  },
};

const resumption: Change = {
  reasonAgainst: ({ status }) => reasonAgainst("resume", status),
  apply: async (tx, { id }, now, caller) => {
    await queries.updateSubscription(tx, id, { cancelledAt: null });
    await recordAudit(tx, caller, "subscription.resumed", now, { subscription_id: id });
  },
};

const autoRenewal = ({ autoRenew, renewalTerm }: AutoRenewal): Pick<Change, "apply"> => ({
  apply: async (tx, { id }, now, caller) => {
    await queries.updateSubscription(tx, id, { autoRenew, ...(renewalTerm ? { renewalTerm } : {}) });
    await recordAudit(tx, caller, "subscription.auto_renew_set", now, {
      subscription_id: id,
      auto_renew: autoRenew,
      renewal_term: renewalTerm ?? null,
    });
  },
});

const changeOne = async (ctx: World, caller: Caller, id: number, change: Change): Promise<Subscription> => {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, caller.account.id);
    const reason = await changeLocked(tx, caller, await lockOwn(tx, caller, id, "Subscription"), change, now);
    if (reason !== null) throw conflict(reason);
  });
  return getSubscription(ctx, caller, { id });
};

const changeEach = async (ctx: World, caller: Caller, ids: number[], change: Change): Promise<SelectionResult[]> => {
  const now = ctx.clock.now();
  const reasons = await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, caller.account.id);
    const reasonOf = new Map<number, string | null>();
    for (const id of new Set(ids)) {
      const row = await lockOwn(tx, caller, id, `Subscription ${id}`);
      reasonOf.set(id, await changeLocked(tx, caller, row, change, now));
    }
    return reasonOf;
  });
  const subscriptions = await getSubscriptions(ctx, caller, { ids: [...reasons.keys()] });
  return subscriptions.map((subscription) => ({ subscription, reason: reasons.get(subscription.id) ?? null }));
};

/** The account is locked before the subscription, as every payment does. */
const lockOwn = async (tx: Tx, { account }: Caller, id: number, name: string): Promise<Row> => {
  const row = await queries.lockSubscription(tx, id);
  if (row?.accountId !== account.id) throw notFound(name);
  return row;
};

/** @returns why the subscription was not changed */
const changeLocked = async (tx: Tx, caller: Caller, row: Row, change: Change, now: Date): Promise<string | null> => {
  const reason = change.reasonAgainst({ ...row, status: statusOn(dayOf(now), row) });
  if (reason === null) await change.apply(tx, row, now, caller);
  return reason;
};
