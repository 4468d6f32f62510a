/** Fulfils paid order lines, by the kind of order. The caller has locked the account. */
import type { Tx } from "../../platform/db.server.ts";
import { type Day, dayOf } from "../dates.ts";
import type { Order, OrderKind, OrderLine } from "../payments/order.ts";
import { paidDays, splitForChange } from "./paid-days.ts";
import * as queries from "./queries.server.ts";
import { beginTerm, extendTerm, replaceTerm } from "./term.ts";

/** @returns the subscription that the line created, extended or changed, and the days that it paid for */
export const fulfilLine = (tx: Tx, order: Order, line: OrderLine, now: Date): Promise<FulfilledLine> =>
  fulfilByKind[order.kind](tx, order, line, now);

export type FulfilledLine = { subscriptionId: number; startDate: Day; endDate: Day };

type FulfilLine = (tx: Tx, order: Order, line: OrderLine, now: Date) => Promise<FulfilledLine>;

/** Extends the running subscription to the period; without one, a subscription begins today. */
const purchase: FulfilLine = async (tx, order, line, now) => {
  const today = dayOf(now);
  const running = await queries.lockRunning(tx, order.accountId, line.periodId, today);
  if (running) return extend(tx, running, line, asOrdered(order, line));
  const paid = beginTerm(today, line.term);
  const id = await queries.insertSubscription(tx, {
    ...asOrdered(order, line),
    ...paid,
    accountId: order.accountId,
    routeId: line.routeId,
    periodId: line.periodId,
    startDate: today,
    createdAt: now,
  });
  return writeTerm(tx, id, line, today, paid.endDate);
};

/**
 * Extends the subscription, or a newer one to the same period that replaced it. An expired subscription begins again
 * today, unless it was charged before its end and the charge is only settled now.
 */
const renewal: FulfilLine = async (tx, order, line, now) => {
  const today = dayOf(now);
  const own = await ownOf(tx, line);
  const charge = await queries.chargeOfOrder(tx, order.id);
  const running = today < own.endDate ? own : await queries.lockRunning(tx, order.accountId, line.periodId, today);
  // The holder may have changed settings while the charge was in progress, so only the term and its days are set.
  if (charge) {
    const target = running ?? (charge.endDate === own.endDate ? own : null);
    if (target) return extend(tx, target, line, { term: line.term });
  }
  if (running) return extend(tx, running, line, asOrdered(order, line));
  const paid = beginTerm(today, line.term);
  await queries.updateSubscription(tx, own.id, {
    ...asOrdered(order, line),
    ...paid,
    periodId: line.periodId,
    startDate: today,
  });
  return writeTerm(tx, own.id, line, today, paid.endDate);
};

/**
 * The new term begins today and replaces the days that it credits. Terms bought while the change waited for its payment
 * follow it. If the credited days have run out by now, there is nothing to replace: the term is then added as a renewal.
 */
const termChange: FulfilLine = async (tx, order, line, now) => {
  const today = dayOf(now);
  const own = await ownOf(tx, line);
  const days = paidDays(await queries.boughtTerms(tx, own.id));
  const { replaced, following } = splitForChange(days, line.creditedThroughTermId, today);
  if (replaced.length === 0) return renewal(tx, order, line, now);
  const paid = replaceTerm(
    today,
    line.term,
    following.map(({ term }) => term),
  );
  await queries.updateSubscription(tx, own.id, { ...asOrdered(order, line), ...paid });
  return writeTerm(tx, own.id, line, today, beginTerm(today, line.term).endDate);
};

const fulfilByKind = { purchase, renewal, term_change: termChange } satisfies Record<OrderKind, FulfilLine>;

type Row = NonNullable<Awaited<ReturnType<typeof queries.lockSubscription>>>;

const ownOf = async (tx: Tx, line: OrderLine): Promise<Row> => {
  const own = line.subscriptionId === null ? null : await queries.lockSubscription(tx, line.subscriptionId);
  if (!own) throw new Error(`Order line ${line.id} names no subscription`);
  return own;
};

const asOrdered = (order: Order, line: OrderLine) => ({
  term: line.term,
  renewalTerm: line.term,
  autoRenew: order.autoRenew,
  cancelledAt: null,
});

const extend = async (
  tx: Tx,
  running: Row,
  line: OrderLine,
  set: Partial<ReturnType<typeof asOrdered>>,
): Promise<FulfilledLine> => {
  const paid = extendTerm(running, line.term);
  await queries.updateSubscription(tx, running.id, { ...set, ...paid });
  return writeTerm(tx, running.id, line, running.endDate, paid.endDate);
};

const writeTerm = async (
  tx: Tx,
  subscriptionId: number,
  line: OrderLine,
  startDate: Day,
  endDate: Day,
): Promise<FulfilledLine> => {
  await queries.insertPaidTerm(tx, {
    subscriptionId,
    orderLineId: line.id,
    term: line.term,
    startDate,
    endDate,
    totalCents: line.totalCents,
  });
  return { subscriptionId, startDate, endDate };
};
