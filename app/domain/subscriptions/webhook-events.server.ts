/** The events of subscriptions for webhooks. Each is stored in the transaction of the fact. */
import type { Tx } from "../../platform/db.server.ts";
import { type Day, dayOf, daysBetween } from "../dates.ts";
import { currency } from "../money.ts";
import type { Order, OrderLine } from "../payments/order.ts";
import { enqueueWebhookEvent, enqueueWebhookEvents } from "../webhooks/enqueue.server.ts";
import type { EndingSubscription } from "./due-queries.server.ts";
import type { FulfilledLine } from "./fulfilment.server.ts";
import { findByIds, type RenewalAttempt } from "./queries.server.ts";
import { renews } from "./renewal.ts";

/** With each reminder. @param key that of the reminder */
export const announceExpiring = (tx: Tx, row: EndingSubscription, key: string, at: Date): Promise<boolean> =>
  enqueueWebhookEvent(tx, {
    accountId: row.accountId,
    type: "subscription.expiring",
    key,
    data: {
      ...subscriptionOf(row),
      end_date: row.endDate,
      days_left: daysBetween(dayOf(at), row.endDate),
      auto_renew: renews(row, row),
    },
    at,
  });

export const announceExpired = (tx: Tx, row: EndingSubscription, at: Date): Promise<boolean> =>
  enqueueWebhookEvent(tx, {
    accountId: row.accountId,
    type: "subscription.expired",
    key: `${row.id}:${row.endDate}`,
    data: { ...subscriptionOf(row), end_date: row.endDate },
    at,
  });

/** @param isAutomatic charged by us, not paid by the account holder */
export const announceRenewed = async (
  tx: Tx,
  order: Order,
  lines: readonly (FulfilledLine & OrderLine)[],
  { isAutomatic, at }: { isAutomatic: boolean; at: Date },
): Promise<void> => {
  const ids = lines.map(({ subscriptionId }) => subscriptionId);
  const subscriptions = await findByIds(tx, ids);
  const byId = new Map(subscriptions.map((subscription) => [subscription.id, subscription]));
  await enqueueWebhookEvents(
    tx,
    lines.map(({ id, subscriptionId, routeId, endDate, term, totalCents }) => ({
      accountId: order.accountId,
      type: "subscription.renewed",
      key: `order-line-${id}`,
      data: {
        subscription_id: subscriptionId,
        route_id: routeId,
        route_code: byId.get(subscriptionId)?.routeCode ?? "",
        route_name: byId.get(subscriptionId)?.routeName ?? "",
        end_date: endDate,
        subscription_term: term,
        amount_cents: totalCents,
        currency: order.currency,
        automatic: isAutomatic,
      },
      at,
    })),
  );
};

export const announcePaymentFailed = (
  tx: Tx,
  attempt: RenewalAttempt,
  { reason, nextAttemptOn, at }: { reason: string; nextAttemptOn: Day | null; at: Date },
): Promise<boolean> =>
  enqueueWebhookEvent(tx, {
    accountId: attempt.accountId,
    type: "payment.failed",
    key: `renewal-attempt-${attempt.id}`,
    data: {
      ...subscriptionOf({ ...attempt, id: attempt.subscriptionId }),
      end_date: attempt.endDate,
      amount_cents: attempt.amountCents,
      currency,
      reason,
      next_attempt_on: nextAttemptOn,
    },
    at,
  });

const subscriptionOf = ({
  id,
  routeId,
  routeCode,
  routeName,
}: Pick<EndingSubscription, "id" | "routeId" | "routeCode" | "routeName">) => ({
  subscription_id: id,
  route_id: routeId,
  route_code: routeCode,
  route_name: routeName,
});
