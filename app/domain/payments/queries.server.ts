import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import {
  accounts,
  invoiceCounters,
  invoices,
  orderLines,
  orders,
  paymentMethods,
  payments,
  planOrderLines,
  renewalAttempts,
  routes,
  webhookEvents,
} from "#drizzle/schema/index.ts";
import { batchByKey } from "../../platform/batch-by-key.server.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { isOneOf } from "../../platform/is-one-of.server.ts";
import { type ExclusiveLock, lockAccount } from "../accounts/lock.server.ts";
import type { Order, PlanLine, ReturnReason } from "./order.ts";

export const findCustomerId = async (db: Tx, accountId: number): Promise<string | null> => {
  const [row] = await db.select({ id: accounts.stripeCustomerId }).from(accounts).where(eq(accounts.id, accountId));
  return row?.id ?? null;
};

export const insertOrder = async (
  tx: Tx,
  order: typeof orders.$inferInsert,
  lines: Omit<typeof orderLines.$inferInsert, "orderId">[],
  planLine: Omit<typeof planOrderLines.$inferInsert, "orderId"> | undefined,
): Promise<number> => {
  const [row] = await tx.insert(orders).values(order).returning({ id: orders.id });
  if (!row) throw new Error("The insert returned no order");
  if (lines.length > 0) await tx.insert(orderLines).values(lines.map((line) => ({ ...line, orderId: row.id })));
  if (planLine) await tx.insert(planOrderLines).values({ ...planLine, orderId: row.id });
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

const isRenewalCharge = sql`exists (select from ${renewalAttempts} where ${renewalAttempts.orderId} = ${orders.id})`;

/**
 * Excludes the orders of automatic renewal charges. Only those that the account holder has been asked to authenticate have an
 * intent while they are pending; they are the account holder's to pay like any other order.
 */
const isForHolder = sql`(${orders.paymentIntentId} is not null or not ${isRenewalCharge})`;

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
        isForHolder,
      ),
    )
    .orderBy(desc(orders.id))
    .limit(page.limit);

/** Unpaid orders for a subscription that the account holder can pay, newest first. */
export const openOrders = (db: Tx, subscriptionId: number, kind: "term_change" | "renewal") =>
  db
    .selectDistinct({
      id: orders.id,
      paymentIntentId: orders.paymentIntentId,
      expiresAt: orders.expiresAt,
      term: orderLines.term,
      isRenewalCharge: isRenewalCharge.mapWith(Boolean),
      /** Whether it is for this subscription only. */
      isSingle: sql`(select count(*) = 1 from ${orderLines} line where line.order_id = ${orders.id})`.mapWith(Boolean),
    })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .where(
      and(
        eq(orders.kind, kind),
        eq(orders.status, "pending"),
        eq(orderLines.subscriptionId, subscriptionId),
        isForHolder,
      ),
    )
    .orderBy(desc(orders.id));

/** The account's unpaid orders of plans, newest first. */
export const openPlanOrders = (db: Tx, accountId: number) =>
  db
    .select({
      id: orders.id,
      paymentIntentId: orders.paymentIntentId,
      expiresAt: orders.expiresAt,
      plan: planOrderLines.plan,
      term: planOrderLines.term,
      monthlyCents: planOrderLines.monthlyCents,
    })
    .from(orders)
    .innerJoin(planOrderLines, eq(planOrderLines.orderId, orders.id))
    .where(and(eq(orders.accountId, accountId), eq(orders.status, "pending")))
    .orderBy(desc(orders.id));

/** Unpaid orders that the account holder can pay, oldest first. */
export const pendingOrders = (db: Tx, accountId: number) =>
  db
    .select({ id: orders.id, paymentIntentId: orders.paymentIntentId })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.status, "pending"), isForHolder))
    .orderBy(asc(orders.id));

/** The unpaid order of an intent, unless it is an automatic renewal charge. */
export const findDeclinedOrder = async (db: Tx, paymentIntentId: string) => {
  const [row] = await db
    .select({ id: orders.id, accountId: orders.accountId, paymentIntentId: orders.paymentIntentId })
    .from(orders)
    .where(and(eq(orders.paymentIntentId, paymentIntentId), eq(orders.status, "pending"), sql`not ${isRenewalCharge}`));
  return row ?? null;
};

export type PendingOrder = { id: number; paymentIntentId: string | null };

export const findPendingOrder = async (db: Tx, id: number): Promise<PendingOrder | null> => {
  const [row] = await db
    .select({ id: orders.id, paymentIntentId: orders.paymentIntentId })
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.status, "pending")));
  return row ?? null;
};

export const findOrderOfQuote = async (db: Tx, quoteId: number) => {
  const [row] = await db
    .select({
      id: orders.id,
      status: orders.status,
      paymentIntentId: orders.paymentIntentId,
      createdAt: orders.createdAt,
      expiresAt: orders.expiresAt,
    })
    .from(orders)
    .where(eq(orders.quoteId, quoteId));
  return row ?? null;
};

/**
 * Deletes an unpaid order. That of an automatic renewal charge is kept with its attempt, but without an intent nobody can
 * pay it any more.
 *
 * @returns false when it is no longer pending, or its intent has changed since it was read
 */
export const deletePendingOrder = async (db: Tx, { id, paymentIntentId }: PendingOrder): Promise<boolean> => {
  const sameIntent =
    paymentIntentId === null ? isNull(orders.paymentIntentId) : eq(orders.paymentIntentId, paymentIntentId);
  const unchanged = and(eq(orders.id, id), eq(orders.status, "pending"), sameIntent);
  const kept = await db
    .update(orders)
    .set({ paymentIntentId: null })
    .where(and(unchanged, isRenewalCharge))
    .returning({ id: orders.id });
  if (kept.length > 0) return true;
  const deleted = await db.delete(orders).where(unchanged).returning({ id: orders.id });
  return deleted.length > 0;
};

/** Locks the account, so that its orders settle one at a time, then the order. */
export const lockOrder = async (
  tx: Tx,
  owner: { orderId: number; accountId: number },
): Promise<Order & { locked: ExclusiveLock }> => {
  const locked = await lockAccount(tx, owner.accountId);
  const [order] = await tx.select().from(orders).where(eq(orders.id, owner.orderId)).for("update");
  if (!locked || !order) throw new Error(`Order ${owner.orderId} is gone`);
  const planLine = order.kind === "plan" ? await planLineOf(tx, order.id) : null;
  return { ...order, locked, lines: planLine ? [] : await linesOf(tx, order.id), planLine };
};

const planLineOf = async (db: Tx, orderId: number): Promise<PlanLine> => {
  const [row] = await db.select().from(planOrderLines).where(eq(planOrderLines.orderId, orderId));
  if (!row) throw new Error(`Order ${orderId} names no plan`);
  const { orderId: _, ...planLine } = row;
  return planLine;
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
      taxes: orderLines.taxes,
      creditedThroughTermId: orderLines.creditedThroughTermId,
    })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.id));

export const findOrder = async (db: Tx, accountId: number, orderId: number) => {
  const [order] = await db
    // Nested, because drizzle drops the table's name from the columns of a selected expression if there is no join.
    .select({ ...getTableColumns(orders), isRenewalCharge: sql`(${isRenewalCharge})`.mapWith(Boolean) })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.id, orderId)));
  if (!order) return null;
  if (order.kind === "plan") return { ...order, lines: [], planLine: await planLineOf(db, orderId) };
  const lines = await db
    .select({ line: orderLines, routeName: routes.name, routeCode: routes.code })
    .from(orderLines)
    .innerJoin(routes, eq(routes.id, orderLines.routeId))
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.id));
  return { ...order, lines: lines.map(({ line, ...route }) => ({ ...line, ...route })), planLine: null };
};

export const setMakesCardDefault = (db: Tx, orderId: number, makesCardDefault: boolean) =>
  db
    .update(orders)
    .set({ makesCardDefault })
    .where(and(eq(orders.id, orderId), eq(orders.status, "pending")));

export const setPaid = (
  tx: Tx,
  orderId: number,
  paid: { paymentIntentId: string; paidAt: Date; returnReason: ReturnReason | null },
) =>
  tx
    .update(orders)
    // A returned payment has bought nothing, so its quote can be accepted again.
    .set({ status: "paid", ...paid, ...(paid.returnReason ? { quoteId: null } : {}) })
    .where(eq(orders.id, orderId));

export const insertPayment = (tx: Tx, row: typeof payments.$inferInsert) => tx.insert(payments).values(row);

/** Payments net of refunds: in total, and since an instant. */
export const sumPayments = async (db: Tx, accountId: number, since: Date) => {
  const [sums] = await sumPaymentsOf(db, [accountId], since);
  return { totalCents: sums?.totalCents ?? 0, recentCents: sums?.recentCents ?? 0 };
};

const sumPaymentsOf = batchByKey(
  (db, accountIds, since: Date) => sumPaymentsIn(db).execute({ accountIds, since: since.toISOString() }),
  ({ accountId }) => accountId,
);

const sumPaymentsIn = perDatabase((db) => {
  const net = sql`sum(greatest(0, ${payments.amountCents} - ${payments.refundedCents} - ${payments.chargedBackCents}))`;
  const isRecent = sql`${payments.paidAt} >= ${sql.placeholder("since")}::timestamptz`;
  return db
    .select({
      accountId: payments.accountId,
      totalCents: net.mapWith(Number),
      recentCents: sql`coalesce(${net} filter (where ${isRecent}), 0)`.mapWith(Number),
    })
    .from(payments)
    .where(isOneOf(payments.accountId, sql.placeholder("accountIds")))
    .groupBy(payments.accountId)
    .prepare("sum_payments");
});

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

type NewCard = Omit<typeof paymentMethods.$inferInsert, "isDefault">;

/** Saves a card beside the account's default. One that is saved already stays as it is. */
export const saveCard = async (tx: Tx, card: NewCard): Promise<void> => {
  await tx
    .insert(paymentMethods)
    .values({ ...card, isDefault: false })
    .onConflictDoNothing({ target: paymentMethods.stripePaymentMethodId });
};

/** Saves a card and makes it the account's default. */
export const saveDefaultCard = async (tx: Tx, card: NewCard): Promise<void> => {
  await tx.update(paymentMethods).set({ isDefault: false }).where(eq(paymentMethods.accountId, card.accountId));
  await tx
    .insert(paymentMethods)
    .values({ ...card, isDefault: true })
    .onConflictDoUpdate({
      target: paymentMethods.stripePaymentMethodId,
      set: { isDefault: true, disputedAt: null },
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
    .select({
      invoice: invoices,
      cardBrand: payments.cardBrand,
      cardLast4: payments.cardLast4,
      chargedBackCents: payments.chargedBackCents,
      planLine: planOrderLines,
    })
    .from(invoices)
    .leftJoin(payments, eq(payments.orderId, invoices.orderId))
    .leftJoin(planOrderLines, eq(planOrderLines.orderId, invoices.orderId))
    .where(eq(invoices.accountId, accountId))
    .orderBy(desc(invoices.year), desc(invoices.number));

/** Up to `limit` + 1 rows, newest first, after the one in the cursor `before`. */
export const pageInvoices = (db: Tx, accountId: number, limit: number, before: [year: number, number: number] | null) =>
  db
    .select({
      invoice: invoices,
      cardBrand: payments.cardBrand,
      cardLast4: payments.cardLast4,
      chargedBackCents: payments.chargedBackCents,
      planLine: planOrderLines,
    })
    .from(invoices)
    .leftJoin(payments, eq(payments.orderId, invoices.orderId))
    .leftJoin(planOrderLines, eq(planOrderLines.orderId, invoices.orderId))
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

/** An order's invoice and credit notes, oldest first. */
export const invoicesOfOrder = (db: Tx, orderId: number) =>
  db.select().from(invoices).where(eq(invoices.orderId, orderId)).orderBy(asc(invoices.year), asc(invoices.number));

export const setRefunded = async (
  tx: Tx,
  payment: { id: number; orderId: number; amountCents: number },
  refundedCents: number,
): Promise<void> => {
  await tx.update(payments).set({ refundedCents }).where(eq(payments.id, payment.id));
  if (refundedCents < payment.amountCents) return;
  await tx.update(orders).set({ status: "refunded" }).where(eq(orders.id, payment.orderId));
};

/** @param disputedAt null: it can be refunded again */
export const setDisputed = (
  tx: Tx,
  paymentId: number,
  { disputedAt, chargedBackCents }: { disputedAt: Date | null; chargedBackCents: number },
) => tx.update(payments).set({ disputedAt, chargedBackCents }).where(eq(payments.id, paymentId));
