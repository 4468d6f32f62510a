/**
 * What operators do to an account. Each takes effect with the account's next request, stands in its log with what was and
 * what is, and is refused for accounts that their holders have closed.
 */

import type { Tx } from "../../platform/db.server.ts";
import type { Action, AuditDetails } from "../accounts/action.ts";
import { recordOperatorAudit } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { accountRestored, accountSuspended, type Message, planChanged } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { cancelOpenOrdersOfSuspended } from "../payments/orders.server.ts";
import { type Plan, planLimits } from "../plans/plans.ts";
import * as queries from "./account-queries.server.ts";

type World = Pick<Context, "db" | "clock" | "settings">;
type Locked = NonNullable<Awaited<ReturnType<typeof queries.lockAccount>>>;

type Change = {
  action: Action;
  details: AuditDetails;
  set: queries.AccountChange;
  /** To the holder. */
  mail?: (appUrl: string) => Message;
};

/**
 * @throws not_found
 * @throws conflict when the account is closed, has that plan already, or has more keys than the plan allows: which of them
 *   its programs can do without is for the holder to say
 */
export const changePlan = (
  ctx: World,
  operator: OperatorCaller,
  input: { accountId: number; plan: Plan; reason: string },
): Promise<void> =>
  change(ctx, operator, input.accountId, async (tx, { id, plan, customHourlyLimit }) => {
    const { accountId: _, ...to } = input;
    if (plan === to.plan) throw conflict(`The account has the ${plan} plan already`);
    const { maxApiKeys } = planLimits[to.plan];
    const keys = await queries.countKeys(tx, id);
    if (maxApiKeys !== null && keys > maxApiKeys) {
      throw invalid(
        "plan",
        `The account has ${keys} API keys, and the ${to.plan} plan allows ${maxApiKeys}: ask its holder to delete ${keys - maxApiKeys} first`,
      );
    }
    return {
      action: "account.plan_changed",
      details: {
        from: plan,
        to: to.plan,
        reason: to.reason,
        ...(customHourlyLimit === null ? {} : { former_hourly_limit: customHourlyLimit }),
      },
      // A limit was agreed with the plan that it belonged to.
      set: { plan: to.plan, customHourlyLimit: null },
      mail: (appUrl) =>
        planChanged(appUrl, { from: plan, to: to.plan, reason: to.reason, limits: planLimits[to.plan] }),
    };
  });

/**
 * Requests an hour instead of the plan's. Null: the plan's.
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
  change(ctx, operator, input.accountId, async (_tx, { plan, customHourlyLimit }) => {
    if (!planLimits[plan].allowsCustomHourly) throw conflict(`The ${plan} plan has no custom limits`);
    return {
      action: "account.hourly_limit_set",
      details: { from: customHourlyLimit, to: input.hourlyLimit },
      set: { customHourlyLimit: input.hourlyLimit },
    };
  });

/**
 * Opens orders beyond the table of volume discounts. Null: such orders are for sales again.
 *
 * @throws not_found
 * @throws conflict when the account is closed
 * @spec Subscription (custom pricing)
 */
export const setAgreedDiscount = (
  ctx: World,
  operator: OperatorCaller,
  input: { accountId: number; percent: number | null },
): Promise<void> =>
  change(ctx, operator, input.accountId, async (_tx, { customDiscountPercent }) => ({
    action: "account.discount_agreed",
    details: { from: customDiscountPercent, to: input.percent },
    set: { customDiscountPercent: input.percent },
  }));

/**
 * Closes all data to the account, in the portal and by API, with its next request. What it has begun to pay is withdrawn.
 *
 * @throws not_found
 * @throws conflict when it is closed, suspended already, or the operator's own
 * @spec Errors (403)
 */
export const suspend = async (
  ctx: World & Pick<Context, "payments" | "log">,
  operator: OperatorCaller,
  input: { accountId: number; reason: string },
): Promise<void> => {
  await change(ctx, operator, input.accountId, async (_tx, { id, standing }) => {
    if (id === operator.account.id) throw conflict("Nobody suspends the own account");
    if (standing === "suspended") throw conflict("The account is suspended already");
    return {
      action: "account.suspended",
      details: { reason: input.reason },
      set: { standing: "suspended" },
      mail: (appUrl) => accountSuspended(appUrl, input),
    };
  });
  await cancelOpenOrdersOfSuspended(ctx, input.accountId);
};

/**
 * @throws not_found
 * @throws conflict when it is closed, or not suspended
 */
export const reinstate = (
  ctx: World,
  operator: OperatorCaller,
  input: { accountId: number; reason: string },
): Promise<void> =>
  change(ctx, operator, input.accountId, async (_tx, { standing }) => {
    if (standing === "good") throw conflict("The account is in good standing");
    return {
      action: "account.restored",
      details: { reason: input.reason },
      set: { standing: "good" },
      mail: (appUrl) => accountRestored(appUrl, input),
    };
  });

const change = (
  ctx: World,
  operator: OperatorCaller,
  accountId: number,
  decide: (tx: Tx, account: Locked) => Promise<Change>,
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const account = await queries.lockAccount(tx, accountId);
    if (!account) throw notFound("Account");
    if (account.closedAt !== null) throw conflict("The account was closed by its holder");
    const now = ctx.clock.now();
    const { action, details, set, mail } = await decide(tx, account);
    await queries.updateAccount(tx, accountId, set);
    await recordOperatorAudit(tx, operator, accountId, action, now, details);
    const dedupeKey = `${action}:${accountId}:${now.getTime()}`;
    if (mail) await enqueue(tx, { ...mail(ctx.settings.appUrl), accountId, dedupeKey }, now);
  });
