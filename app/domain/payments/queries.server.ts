import { and, asc, desc, eq, gte, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import {
  accounts,
  invoiceCounters,
  invoices,
  orderLines,
  orders,
  paymentMethods,
  payments,
  renewalAttempts,
  routes,
  webhookEvents,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Standing } from "../accounts/caller.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Order, ReturnReason } from "./order.ts";

export const findCustomerId = async (db: Tx, accountId: number): Promise<string | null> => {
  const [row] = await db.select({ id: accounts.stripeCustomerId }).from(accounts).where(eq(accounts.id, accountId));
  return row?.id ?? null;
};

export const insertOrder = async (
  tx: Tx,
  order: typeof orders.$inferInsert,
  lines: Omit<typeof orderLines.$inferInsert, "orderId">[],
): Promise<number> => {
  const [row] = await tx.insert(orders).values(order).returning({ id: orders.id });
  if (!row) throw new Error("The insert returned no order");
  await tx.insert(orderLines).values(lines.map((line) => ({ ...line, orderId: row.id })));
  return row.id;
};

/** @returns false when the order was cancelled in the meantime */
export const setPaymentIntent = async (db: Tx, orderId: number, paymentIntentId: string): Promise<boolean> =>
  (await db.update(orders).set({ paymentIntentId }).where(eq(orders.id, orderId)).returning({ id: orders.id })).length >
  0;

/** Locks the account, so that it cannot be closed or suspended concurrently. Null: it is closed. */
export const lockOpenAccount = async (tx: Tx, accountId: number) => {
  const [row] = await tx
    .select({ standing: accounts.standing })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.closedAt)))
    .for("no key update");
  return row ?? null;
};

const owner = {
  orderId: orders.id,
  accountId: orders.accountId,
  isPending: sql`${orders.status} = 'pending'`.mapWith(Boolean),
  returnReason: orders.returnReason,
};

export const findOrderOwner = async (db: Tx, paymentIntentId: string) => {
  const [row] = await db.select(owner).from(orders).where(eq(orders.paymentIntentId, paymentIntentId));
  return row ?? null;
};

/** The owner of an order, if the customer is the one of the order's account. */
export const findOwnerByCustomer = async (db: Tx, orderId: number, customerId: string) => {
  const [row] = await db
    .select(owner)
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(and(eq(orders.id, orderId), eq(accounts.stripeCustomerId, customerId)));
  return row ?? null;
};

/** Excludes the orders of automatic renewal charges, which are kept with their attempts. */
const isNotRenewalCharge = sql`not exists (select from ${renewalAttempts} where ${renewalAttempts.orderId} = ${orders.id})`;

/**
 * Pending orders that can no longer be fulfilled: their price lock has expired or their account is suspended.
 * Newest first, with ids below `beforeId`.
 */
export const selectExpiredOrders = (db: Tx, now: Date, page: { beforeId: number | null; limit: number }) =>
  db
    .select({ id: orders.id, paymentIntentId: orders.paymentIntentId })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(
      and(
        eq(orders.status, "pending"),
        or(lte(orders.expiresAt, now), eq(accounts.standing, "suspended")),
        page.beforeId === null ? undefined : lt(orders.id, page.beforeId),
        isNotRenewalCharge,
      ),
    )
    .orderBy(desc(orders.id))
    .limit(page.limit);

/** Unpaid orders that the holder has started for a subscription, without automatic renewal charges. */
export const openOrders = (db: Tx, subscriptionId: number, kind: "term_change" | "renewal") =>
  db
    .selectDistinct({ id: orders.id, paymentIntentId: orders.paymentIntentId })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .where(
      and(
        eq(orders.kind, kind),
        eq(orders.status, "pending"),
        eq(orderLines.subscriptionId, subscriptionId),
        isNotRenewalCharge,
      ),
    );

/** Unpaid orders that the account holder has started, oldest first, without automatic renewal charges. */
export const pendingOrders = (db: Tx, accountId: number) =>
  db
    .select({ id: orders.id, paymentIntentId: orders.paymentIntentId })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.status, "pending"), isNotRenewalCharge))
    .orderBy(asc(orders.id));

export type PendingOrder = { id: number; paymentIntentId: string | null };

export const findPendingOrder = async (db: Tx, id: number): Promise<PendingOrder | null> => {
  const [row] = await db
    .select({ id: orders.id, paymentIntentId: orders.paymentIntentId })
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.status, "pending")));
  return row ?? null;
};

/** @returns false when it is no longer pending, or its intent has changed since it was read */
export const deletePendingOrder = async (db: Tx, { id, paymentIntentId }: PendingOrder): Promise<boolean> => {
  const sameIntent =
    paymentIntentId === null ? isNull(orders.paymentIntentId) : eq(orders.paymentIntentId, paymentIntentId);
  const deleted = await db
    .delete(orders)
    .where(and(eq(orders.id, id), eq(orders.status, "pending"), sameIntent))
    .returning({ id: orders.id });
  return deleted.length > 0;
};

/** Locks the account, so that its orders settle one at a time, then the order. */
export const lockOrder = async (
  tx: Tx,
  owner: { orderId: number; accountId: number },
): Promise<Order & { standing: Standing }> => {
  const locked = await lockAccount(tx, owner.accountId);
  const [order] = await tx.select().from(orders).where(eq(orders.id, owner.orderId)).for("update");
  if (!locked || !order) throw new Error(`Order ${owner.orderId} is gone`);
  return { ...order, standing: locked.account.standing, lines: await linesOf(tx, order.id) };
};

const linesOf = (db: Tx, orderId: number) =>
  db
    .select({
      id: orderLines.id,
      periodId: orderLines.periodId,
      routeId: orderLines.routeId,
      subscriptionId: orderLines.subscriptionId,
      term: orderLines.term,
      totalCents: orderLines.totalCents,
      creditedThroughTermId: orderLines.creditedThroughTermId,
    })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.id));

export const findOrder = async (db: Tx, accountId: number, orderId: number) => {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.id, orderId)));
  if (!order) return null;
  const lines = await db
    .select({ line: orderLines, routeName: routes.name, routeCode: routes.code })
    .from(orderLines)
    .innerJoin(routes, eq(routes.id, orderLines.routeId))
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.id));
  return { ...order, lines: lines.map(({ line, ...route }) => ({ ...line, ...route })) };
};

export const setPaid = (
  tx: Tx,
  orderId: number,
  paid: { paymentIntentId: string; paidAt: Date; returnReason: ReturnReason | null },
) =>
  tx
    .update(orders)
    .set({ status: "paid", ...paid })
    .where(eq(orders.id, orderId));

export const insertPayment = (tx: Tx, row: typeof payments.$inferInsert) => tx.insert(payments).values(row);

/** Payments net of refunds: in total, and since an instant. */
export const sumPayments = async (db: Tx, accountId: number, since: Date) => {
  const net = sql`sum(${payments.amountCents} - ${payments.refundedCents})`;
  const [row] = await db
    .select({
      totalCents: sql`coalesce(${net}, 0)`.mapWith(Number),
      recentCents: sql`coalesce(${net} filter (where ${gte(payments.paidAt, since)}), 0)`.mapWith(Number),
    })
    .from(payments)
    .where(eq(payments.accountId, accountId));
  return row ?? { totalCents: 0, recentCents: 0 };
};

/** The year's next invoice number. The counter row stays locked until the transaction ends, so that there are no gaps. */
export const nextInvoiceNumber = async (tx: Tx, year: number): Promise<number> => {
  const [row] = await tx
    .insert(invoiceCounters)
    .values({ year, lastNumber: 1 })
    .onConflictDoUpdate({ target: invoiceCounters.year, set: { lastNumber: sql`${invoiceCounters.lastNumber} + 1` } })
    .returning({ number: invoiceCounters.lastNumber });
  if (!row) throw new Error("The counter returned no number");
  return row.number;
};

export const insertInvoice = (tx: Tx, row: typeof invoices.$inferInsert) => tx.insert(invoices).values(row);

/** Saves a card and makes it the account's default. */
export const saveCard = async (tx: Tx, card: typeof paymentMethods.$inferInsert): Promise<void> => {
  await tx.update(paymentMethods).set({ isDefault: false }).where(eq(paymentMethods.accountId, card.accountId));
  await tx
    .insert(paymentMethods)
    .values(card)
    .onConflictDoUpdate({
      target: paymentMethods.stripePaymentMethodId,
      set: { isDefault: true },
      setWhere: eq(paymentMethods.accountId, card.accountId),
    });
};

export const findDefaultCard = async (db: Tx, accountId: number) => {
  const [card] = await db
    .select()
    .from(paymentMethods)
    .where(and(eq(paymentMethods.accountId, accountId), eq(paymentMethods.isDefault, true)));
  return card ?? null;
};

export const deleteCard = (tx: Tx, stripePaymentMethodId: string) =>
  tx.delete(paymentMethods).where(eq(paymentMethods.stripePaymentMethodId, stripePaymentMethodId));

/** Newest first. */
export const listInvoices = (db: Tx, accountId: number) =>
  db
    .select({ invoice: invoices, cardBrand: payments.cardBrand, cardLast4: payments.cardLast4 })
    .from(invoices)
    .leftJoin(payments, eq(payments.orderId, invoices.orderId))
    .where(eq(invoices.accountId, accountId))
    .orderBy(desc(invoices.year), desc(invoices.number));

/** Up to `limit` + 1 rows, newest first, after the one in the cursor `before`. */
export const pageInvoices = (db: Tx, accountId: number, limit: number, before: [year: number, number: number] | null) =>
  db
    .select({ invoice: invoices, cardBrand: payments.cardBrand, cardLast4: payments.cardLast4 })
    .from(invoices)
    .leftJoin(payments, eq(payments.orderId, invoices.orderId))
    .where(
      and(
        eq(invoices.accountId, accountId),
        before ? sql`(${invoices.year}, ${invoices.number}) < (${before[0]}, ${before[1]})` : undefined,
      ),
    )
    .orderBy(desc(invoices.year), desc(invoices.number))
    .limit(limit + 1);

export const wasHandled = async (db: Tx, eventId: string): Promise<boolean> =>
  (await db.select({ id: webhookEvents.id }).from(webhookEvents).where(eq(webhookEvents.id, eventId))).length > 0;

/** @returns false when the event was already handled */
export const insertHandled = async (db: Tx, row: typeof webhookEvents.$inferInsert): Promise<boolean> =>
  (await db.insert(webhookEvents).values(row).onConflictDoNothing().returning({ id: webhookEvents.id })).length > 0;

/**
 * Payments that are due to be refunded in full and are not yet. Disputed ones are left out, because the bank decides.
 *
 * @param orderId limits the search to one order; otherwise all orders, newest first
 */
export const findDueReturns = (db: Tx, orderId?: number) =>
  db
    .select({
      orderId: payments.orderId,
      chargeId: payments.chargeId,
      amountCents: payments.amountCents,
      refundedCents: payments.refundedCents,
    })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(
      and(
        isNotNull(orders.returnReason),
        lt(payments.refundedCents, payments.amountCents),
        isNull(payments.disputedAt),
        orderId === undefined ? undefined : eq(orders.id, orderId),
      ),
    )
    .orderBy(desc(orders.id));

/** Locks the payment of a charge. Locks its account first, in the same order as settling a payment. */
export const lockPayment = async (tx: Tx, chargeId: string) => {
  const [found] = await tx
    .select({ accountId: payments.accountId })
    .from(payments)
    .where(eq(payments.chargeId, chargeId));
  if (!found) return null;
  await lockAccount(tx, found.accountId);
  const [payment] = await tx.select().from(payments).where(eq(payments.chargeId, chargeId)).for("update");
  return payment ?? null;
};

export const creditedRefunds = async (tx: Tx, orderId: number): Promise<Set<string | null>> => {
  const rows = await tx
    .select({ refundId: invoices.refundId })
    .from(invoices)
    .where(and(eq(invoices.orderId, orderId), eq(invoices.kind, "credit_note")));
  return new Set(rows.map(({ refundId }) => refundId));
};

export const setRefunded = async (
  tx: Tx,
  payment: { id: number; orderId: number; amountCents: number },
  refundedCents: number,
): Promise<void> => {
  await tx.update(payments).set({ refundedCents }).where(eq(payments.id, payment.id));
  if (refundedCents < payment.amountCents) return;
  await tx.update(orders).set({ status: "refunded" }).where(eq(orders.id, payment.orderId));
};

/** @returns false when it was already marked */
export const markDisputed = async (tx: Tx, paymentIntentId: string, now: Date): Promise<boolean> => {
  const marked = await tx
    .update(payments)
    .set({ disputedAt: now })
    .where(and(eq(payments.paymentIntentId, paymentIntentId), isNull(payments.disputedAt)))
    .returning({ id: payments.id });
  return marked.length > 0;
};
