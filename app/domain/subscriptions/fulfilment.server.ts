/** Fulfils paid order lines, as `fulfilment-plan.ts` plans them. The caller has locked the account. */
import type { Tx } from "../../platform/db.server.ts";
import { type Day, dayOf } from "../dates.ts";
import type { Order, OrderLine } from "../payments/order.ts";
import { planLine } from "./fulfilment-plan.ts";
import * as paidTermQueries from "./paid-term-queries.server.ts";
import * as queries from "./queries.server.ts";
import { isAutoRenewalOn } from "./renewal.ts";

export type FulfilledLine = { subscriptionId: number; startDate: Day; endDate: Day };

/** @returns the subscription that the line created, extended or changed, and the days that it paid for */
export const fulfilLine = async (tx: Tx, order: Order, line: OrderLine, now: Date): Promise<FulfilledLine> => {
  const today = dayOf(now);
  const own = await ownOf(tx, order, line);
  const isOwnRunning = own !== null && today < own.endDate;
  const charge = own && (await queries.chargeOfOrder(tx, order.id));
  const { startDate, endDate, paid, ...plan } = planLine(today, {
    ...line,
    kind: order.kind,
    own,
    running: isOwnRunning ? own : await queries.lockRunning(tx, order.accountId, line.periodId, today),
    charge,
    bought: own && order.kind === "term_change" ? await paidTermQueries.boughtTerms(tx, own.id) : [],
  });
  const autoRenew = plan.keepsAutoRenewal ? isAutoRenewalOn(plan.subscription) : order.autoRenew;
  const ordered = { term: line.term, renewalTerm: line.term, autoRenew, cancelledAt: null };
  const { periodId, routeId } = line;
  let subscriptionId: number;
  switch (plan.act) {
    case "begin": {
      const row = { ...ordered, ...paid, accountId: order.accountId, routeId, periodId, startDate, createdAt: now };
      subscriptionId = await queries.insertSubscription(tx, row);
      break;
    }
    case "restart":
      subscriptionId = plan.subscription.id;
      await queries.updateSubscription(tx, subscriptionId, { ...ordered, ...paid, periodId, startDate });
      break;
    case "extend":
      subscriptionId = plan.subscription.id;
      // The holder may have changed settings while a charge was in progress, so it sets only the term and its days.
      await queries.updateSubscription(tx, subscriptionId, { ...(charge ? { term: line.term } : ordered), ...paid });
      break;
    case "replace":
      subscriptionId = plan.subscription.id;
      await queries.updateSubscription(tx, subscriptionId, { ...ordered, ...paid });
      break;
  }
  await paidTermQueries.insertPaidTerm(tx, {
    subscriptionId,
    orderLineId: line.id,
    term: line.term,
    startDate,
    endDate,
    totalCents: line.totalCents,
  });
  return { subscriptionId, startDate, endDate };
};

const ownOf = async (tx: Tx, { kind }: Order, line: OrderLine) => {
  if (kind === "purchase") return null;
  const own = line.subscriptionId === null ? null : await queries.lockSubscription(tx, line.subscriptionId);
  if (!own) throw new Error(`Order line ${line.id} names no subscription`);
  return own;
};
