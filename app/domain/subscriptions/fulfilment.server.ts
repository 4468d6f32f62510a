/** What an order's line gives once it is paid, by the order's kind. The account is locked by whoever settles. */
import type { Tx } from "../../platform/db.server.ts";
import { type Day, dayOf } from "../dates.ts";
import type { Order, OrderKind, OrderLine } from "../payments/order.ts";
import { paidDays, splitForChange } from "./paid-days.ts";
import * as queries from "./queries.server.ts";
import { beginTerm, extendTerm, replaceTerm } from "./term.ts";

/** @returns the id of the subscription that the line has made, extended or changed, and the days it has paid for */
export const fulfilLine = (tx: Tx, order: Order, line: OrderLine, now: Date): Promise<FulfilledLine> =>
  fulfilByKind[order.kind](tx, order, line, now);

export type FulfilledLine = { subscriptionId: number; startDate: Day; endDate: Day };

type FulfilLine = (tx: Tx, order: Order, line: OrderLine, now: Date) => Promise<FulfilledLine>;

/** What is running is extended, else a subscription begins today. */
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
 * Extends the subscription, or the one to the same period that has taken its place. An expired one begins again today,
 * unless the charge was made before its end and is only noticed now.
 */
const renewal: FulfilLine = async (tx, order, line, now) => {
  const today = dayOf(now);
  const own = await ownOf(tx, line);
  const charge = await queries.chargeOfOrder(tx, order.id);
  const running = today < own.endDate ? own : await queries.lockRunning(tx, order.accountId, line.periodId, today);
  // The account holder may have decided otherwise while the charge was under way: only the days are changed.
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
 * The new term begins today, in place of the days that it credits. Terms that were paid for while the change waited for
 * its payment follow it. Where the credited days have run out meanwhile there is nothing to replace: then the term goes
 * on from the end, or begins anew, as a renewal does.
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
