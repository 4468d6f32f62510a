import { asc, eq, sql } from "drizzle-orm";
import {
  accounts,
  invoiceCounters,
  invoices,
  orderLines,
  orders,
  paidTerms,
  payments,
  simulatorObjects,
  subscriptions,
} from "#drizzle/schema/index.ts";
import type { Db, Tx } from "../../platform/db.server.ts";

/** Reads from one snapshot, without blocking the running service. */
export const inSnapshot = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(read, { isolationLevel: "repeatable read", accessMode: "read only" });

export const allOrders = (tx: Tx) => tx.select().from(orders).orderBy(asc(orders.id));

export const allLines = (tx: Tx) => tx.select().from(orderLines).orderBy(asc(orderLines.id));

export const allPayments = (tx: Tx) => tx.select().from(payments).orderBy(asc(payments.id));

export const allInvoices = (tx: Tx) => tx.select().from(invoices).orderBy(asc(invoices.year), asc(invoices.number));

export const allCounters = (tx: Tx) => tx.select().from(invoiceCounters).orderBy(asc(invoiceCounters.year));

/** Paid terms with the account and route of their subscription. */
export const allPaidTerms = (tx: Tx) =>
  tx
    .select({
      id: paidTerms.id,
      orderLineId: paidTerms.orderLineId,
      subscriptionId: paidTerms.subscriptionId,
      term: paidTerms.term,
      totalCents: paidTerms.totalCents,
      accountId: subscriptions.accountId,
      routeId: subscriptions.routeId,
    })
    .from(paidTerms)
    .innerJoin(subscriptions, eq(subscriptions.id, paidTerms.subscriptionId))
    .orderBy(asc(paidTerms.id));

export const subscriptionsWithoutTerm = (tx: Tx) =>
  tx
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(sql`not exists (select from ${paidTerms} where ${paidTerms.subscriptionId} = ${subscriptions.id})`)
    .orderBy(asc(subscriptions.id));

export const customerIds = (tx: Tx) =>
  tx.select({ id: accounts.id, customerId: accounts.stripeCustomerId }).from(accounts);

const text = (member: string) => sql<string | null>`${simulatorObjects.body}->>${member}`;
const number = (member: string) => sql`(${simulatorObjects.body}->>${member})::bigint`.mapWith(Number);

/** Successful charges of the test-mode simulator, with the amounts refunded. */
export const simulatedCharges = (tx: Tx) =>
  tx
    .select({
      id: simulatorObjects.id,
      amountCents: number("amount"),
      refundedCents: number("amount_refunded"),
      currency: sql<string>`upper(${simulatorObjects.body}->>'currency')`,
      paymentIntentId: text("payment_intent"),
      customerId: text("customer"),
    })
    .from(simulatorObjects)
    .where(sql`${simulatorObjects.object} = 'charge' and ${simulatorObjects.body}->>'status' = 'succeeded'`)
    .orderBy(asc(simulatorObjects.createdAt), asc(simulatorObjects.id));

export const simulatedRefunds = (tx: Tx) =>
  tx
    .select({ id: simulatorObjects.id, chargeId: text("charge"), amountCents: number("amount") })
    .from(simulatorObjects)
    .where(sql`${simulatorObjects.object} = 'refund' and ${simulatorObjects.body}->>'status' = 'succeeded'`)
    .orderBy(asc(simulatorObjects.createdAt), asc(simulatorObjects.id));
