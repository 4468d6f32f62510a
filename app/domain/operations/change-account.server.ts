/**
 * Changes that operators make to an account. Each takes effect with the account's next request, is logged with the old
 * and new values, and is refused for closed accounts.
 */
import * as changes from "../accounts/account-changes.server.ts";
import type { Action } from "../accounts/action.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { type ExclusiveLock, lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { accountRestored, accountSuspended, type Message, planChanged } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { endPaidPlan } from "../paid-plans/paid-plans.server.ts";
import { cancelOpenOrdersOfSuspended } from "../payments/orders.server.ts";
import { type Plan, planLimits } from "../plans/plans.ts";
import * as queries from "./account-queries.server.ts";

type World = Pick<Context, "db" | "clock" | "settings">;

/** A mail to the account holder. */
type Notice = { about: Action; message: Message };

/**
 * Sets a plan without an end. A paid one ends, without a refund.
 *
 * @throws not_found
 * @throws conflict when the account is closed, or has that plan already
 * @throws invalid `plan` when the account has more keys than the plan allows; the account holder decides which to delete
 */
export const changePlan = (
  ctx: World,
  operator: OperatorCaller,
  { accountId, ...to }: { accountId: number; plan: Plan; reason: string },
): Promise<void> =>
  change(ctx, operator, accountId, async (locked, by) => {
    const { plan } = locked.account;
    if (plan === to.plan) throw conflict(`The account already has the ${plan} plan`);
    const { maxApiKeys } = planLimits[to.plan];
    const keys = await queries.countKeys(locked.tx, accountId);
    if (maxApiKeys !== null && keys > maxApiKeys) {
      throw invalid(
        "plan",
        `The account has ${keys} API keys, and the ${to.plan} plan allows ${maxApiKeys}: ask the account holder to delete ${keys - maxApiKeys} first`,
      );
    }
    await endPaidPlan(locked, by.now);
    await changes.changePlan(locked, to, by);
    const limits = planLimits[to.plan];
    const message = planChanged(ctx.settings.appUrl, { from: plan, to: to.plan, reason: to.reason, limits });
    return { about: "account.plan_changed", message };
  });

/**
 * Sets a custom hourly limit. Null: the plan's limit.
 *
 * @throws not_found
 * @throws conflict when the account is closed, or its plan has no custom limits
 * @spec Limits (custom limits)
 */
export const setHourlyLimit = (
  ctx: World,
  operator: OperatorCaller,
  input: { accountId: number; hourlyLimit: number | null },
): Promise<void> =>
  change(ctx, operator, input.accountId, async (locked, by) => {
    const { plan } = locked.account;
    if (!planLimits[plan].allowsCustomHourly) throw conflict(`The ${plan} plan has no custom limits`);
    await changes.setHourlyLimit(locked, input.hourlyLimit, by);
    return undefined;
  });

/**
 * Sets the discount agreed for orders and renewals beyond the table of volume discounts. Null: such orders are refused
 * again.
 *
 * @throws not_found
 * @param input.through the last day on which it applies; null: until it is changed
 * @throws conflict when the account is closed
 * @throws invalid `discount_through` for a day in the past
 * @spec Subscription (custom pricing)
 */
export const setAgreedDiscount = (
  ctx: World,
  operator: OperatorCaller,
  input: { accountId: number; percent: number | null; through?: Day | null },
): Promise<void> =>
  change(ctx, operator, input.accountId, async (locked, by) => {
    const { percent, through = null } = input;
    if (through !== null && through < dayOf(by.now)) throw invalid("discount_through", "This day has passed");
    await changes.setAgreedDiscount(
      locked,
      percent === null ? null : { percent, through, agreedBy: operator.account.id },
      by,
    );
    return undefined;
  });

/**
 * Suspends an account: its next request is denied all data, in the portal and by API. Its open orders are cancelled.
 *
 * @throws not_found
 * @throws conflict when the account is closed, already suspended, or the operator's own
 * @spec Errors (403)
 */
export const suspend = async (
  ctx: World & Pick<Context, "payments" | "log">,
  operator: OperatorCaller,
  input: { accountId: number; reason: string },
): Promise<void> => {
  await change(ctx, operator, input.accountId, async (locked, by) => {
    const { id, standing } = locked.account;
    if (id === operator.account.id) throw conflict("You cannot suspend your own account");
    if (standing === "suspended") throw conflict("The account is already suspended");
    await changes.suspendAccount(locked, input.reason, by);
    return { about: "account.suspended", message: accountSuspended(ctx.settings.appUrl, input) };
  });
  await cancelOpenOrdersOfSuspended(ctx, input.accountId);
};

/**
 * @throws not_found
 * @throws conflict when the account is closed or not suspended
 */
export const reinstate = (
  ctx: World,
  operator: OperatorCaller,
  input: { accountId: number; reason: string },
): Promise<void> =>
  change(ctx, operator, input.accountId, async (locked, by) => {
    if (locked.account.standing === "good") throw conflict("The account is in good standing");
    await changes.reinstateAccount(locked, input.reason, by);
    return { about: "account.restored", message: accountRestored(ctx.settings.appUrl, input) };
  });

const change = (
  ctx: World,
  operator: OperatorCaller,
  accountId: number,
  make: (locked: ExclusiveLock, by: changes.ChangedBy) => Promise<Notice | undefined>,
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const locked = await lockAccount(tx, accountId);
    if (!locked) throw notFound("Account");
    if (locked.closedAt !== null) throw conflict("The account holder has closed the account");
    const now = ctx.clock.now();
    const notice = await make(locked, { operator, now });
    if (!notice) return;
    const dedupeKey = `${notice.about}:${accountId}:${now.getTime()}`;
    await enqueue(tx, { ...notice.message, accountId, dedupeKey }, now);
  });
