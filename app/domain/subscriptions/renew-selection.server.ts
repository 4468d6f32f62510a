/** Renewals of several subscriptions in one order, with one payment. */
import { type Account, type Caller, requireGoodStanding } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { conflict, notFound } from "../errors.ts";
import { maxOrderItems } from "../payments/order.ts";
import { cancelOpenRenewals, type OpenOrder, openOrder, openRenewals } from "../payments/orders.server.ts";
import type { Term } from "../pricing/discounts.ts";
import { counted } from "../wording.ts";
import * as queries from "./queries.server.ts";
import { isAutoRenewalOn } from "./renewal.ts";
import { type RenewalPricing, type RenewalQuote, renewalQuotes } from "./renewal-quotes.server.ts";
import * as selectionQueries from "./selection-queries.server.ts";
import { settleIntent } from "./settle.server.ts";
import { isRunning, statusOn } from "./status.ts";
import type { SubscriptionRow } from "./subscription.ts";
import { beginTerm, extendTerm } from "./term.ts";

/** A selection, and the term to renew for. Without a term, each subscription renews for its own renewal term. */
type Selection = { ids: number[]; term?: Term | undefined };

export type SelectedRenewal = { subscription: SubscriptionRow } & (
  | {
      line: RenewalQuote;
      /** The days that it adds; `until` is exclusive. */
      from: Day;
      until: Day;
      reason: null;
    }
  | {
      /** Why it cannot be renewed in this order. */
      reason: string;
    }
);

/**
 * What renewing the selection in one order would cost, and which of it cannot be renewed. Active subscriptions come
 * first, those that end soonest before the others.
 *
 * @throws not_found if one of them is not the account's
 */
export const previewRenewals = async (
  ctx: RenewalPricing,
  { account }: { account: Account },
  { ids, term }: Selection,
): Promise<SelectedRenewal[]> => {
  const today = dayOf(ctx.clock.now());
  const rows = (await ownRows(ctx, account, ids)).sort(
    (a, b) => Number(b.endDate > today) - Number(a.endDate > today) || a.endDate.localeCompare(b.endDate),
  );
  const requests = rows.map((subscription) => ({ subscription, term: term ?? subscription.renewalTerm, on: today }));
  const [charging, running, quotes] = await Promise.all([
    selectionQueries.withPendingCharge(ctx.db, ids),
    selectionQueries.runningByPeriod(ctx.db, account.id, today),
    renewalQuotes(ctx, requests, { isShared: true }),
  ]);
  const ordered = new Set<number>();
  return rows.map((subscription, index): SelectedRenewal => {
    const line = quotes[index] ?? null;
    const runs = isRunning(statusOn(today, subscription));
    const newer = runs || line === null ? undefined : running.get(line.periodId);
    if (account.standing === "suspended") return { subscription, reason: "The account is suspended" };
    if (charging.has(subscription.id)) {
      return { subscription, reason: "Its automatic renewal is being charged. Try again in a minute" };
    }
    if (line === null) return { subscription, reason: "The route no longer has a period on sale" };
    if (newer !== undefined) {
      return { subscription, reason: `Subscription ${newer} to the same period is active. Renew that one` };
    }
    if (ordered.has(line.periodId)) {
      return { subscription, reason: "Another selected subscription renews the same period" };
    }
    if (ordered.size === maxOrderItems) {
      return {
        subscription,
        reason: `An order has at most ${counted(maxOrderItems, "route")}. Renew it in another order`,
      };
    }
    ordered.add(line.periodId);
    const paid = runs ? extendTerm(subscription, line.term) : beginTerm(today, line.term);
    return { subscription, line, from: runs ? subscription.endDate : today, until: paid.endDate, reason: null };
  });
};

/**
 * Orders another term of every selected subscription, in one order with a line each. Unpaid renewals of them that were
 * opened before are cancelled, so that none is paid twice.
 *
 * @throws not_found if one of them is not the account's
 * @throws forbidden for a suspended account
 * @throws conflict if one of them cannot be renewed, or is being renewed elsewhere; nothing is ordered then
 */
export const renewSelection = async (
  ctx: Pick<Context, "db" | "clock" | "payments" | "rateLimiter" | "settings" | "tax" | "log">,
  caller: Caller,
  input: Selection,
): Promise<OpenOrder> => {
  requireGoodStanding(caller.account);
  const ids = [...new Set(input.ids)];
  const renewals = await previewRenewals(ctx, caller, { ...input, ids });
  refuseUnlessAll(renewals);
  for (const id of ids) await cancelOrSettleOpen(ctx, id);
  return openOrder(ctx, caller.account, async (tx) => {
    const current = new Map((await queries.findByIds(tx, ids)).map((row) => [row.id, row]));
    const lines = [];
    for (const renewal of renewals) {
      const { id, endDate } = renewal.subscription;
      if (renewal.reason !== null) continue;
      const isUnchanged = current.get(id)?.endDate === endDate && !(await queries.hasPendingCharge(tx, id));
      if (!isUnchanged || (await openRenewals({ db: tx }, id)).length > 0) {
        throw conflict(`Another request is renewing subscription ${id}. Check again in a minute`);
      }
      lines.push({ ...renewal.line, subscriptionId: id, creditCents: 0, creditedThroughTermId: null });
    }
    return {
      kind: "renewal",
      // Saves the card; each subscription keeps its own setting.
      autoRenew: [...current.values()].some(isAutoRenewalOn),
      description: `Renewal of shipping route data, ${counted(lines.length, "route")}`,
      lines,
    };
  });
};

const ownRows = async (
  ctx: Pick<Context, "db">,
  account: Pick<Account, "id">,
  ids: readonly number[],
): Promise<SubscriptionRow[]> => {
  const rows = (await queries.findByIds(ctx.db, [...ids])).filter(({ accountId }) => accountId === account.id);
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw notFound(`Subscription ${missing}`);
  return rows;
};

const refuseUnlessAll = (renewals: readonly SelectedRenewal[]): void => {
  const refused = renewals.flatMap(({ subscription, reason }) =>
    reason === null ? [] : [`Subscription ${subscription.id}: ${reason}`],
  );
  if (refused.length > 0) throw conflict(refused.join(". "));
};

const cancelOrSettleOpen = async (
  ctx: Pick<Context, "db" | "clock" | "payments" | "settings" | "log">,
  id: number,
): Promise<void> => {
  const paying = await cancelOpenRenewals(ctx, id);
  for (const paymentIntentId of paying) await settleIntent(ctx, paymentIntentId);
  if (paying.length > 0)
    throw conflict(`A payment for the renewal of subscription ${id} is in progress. Check again in a minute`);
};
