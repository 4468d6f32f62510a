import { asc, eq, sql } from "drizzle-orm";
import {
  accounts,
  disputes,
  invoiceCounters,
  invoices,
  orderLines,
  orders,
  paidPlans,
  paidPlanTerms,
  paidTerms,
  payments,
  planOrderLines,
  simulatorObjects,
  subscriptions,
} from "#drizzle/schema/index.ts";
import type { Db, Tx } from "../../platform/db.server.ts";

/** Reads from one snapshot, without blocking the running service. */
export const inSnapshot = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(read, { isolationLevel: "repeatable read", accessMode: "read only" });

export const allOrders = (tx: Tx) => tx.select().from(orders).orderBy(asc(orders.id));

export const allLines = (tx: Tx) => tx.select().from(orderLines).orderBy(asc(orderLines.id));

export const allPlanLines = (tx: Tx) => tx.select().from(planOrderLines).orderBy(asc(planOrderLines.orderId));

export const allPaidPlanTerms = (tx: Tx) => tx.select().from(paidPlanTerms).orderBy(asc(paidPlanTerms.id));

/** The paid plans that run, with the plan that the account has. */
export const allPaidPlans = (tx: Tx) =>
  tx
    .select({
      accountId: paidPlans.accountId,
      plan: paidPlans.plan,
      endDate: paidPlans.endDate,
      accountPlan: accounts.plan,
    })
    .from(paidPlans)
    .innerJoin(accounts, eq(accounts.id, paidPlans.accountId))
    .orderBy(asc(paidPlans.accountId));

export const allPayments = (tx: Tx) => tx.select().from(payments).orderBy(asc(payments.id));

export const allInvoices = (tx: Tx) => tx.select().from(invoices).orderBy(asc(invoices.year), asc(invoices.number));

export const allDisputes = (tx: Tx) => tx.select().from(disputes).orderBy(asc(disputes.id));

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
      endedOn: paidTerms.endedOn,
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

/** What the banks took back in the simulator's lost disputes. */
export const simulatedChargebacks = (tx: Tx) =>
  tx
    .select({ chargeId: text("charge"), amountCents: number("amount") })
    .from(simulatorObjects)
    .where(sql`${simulatorObjects.object} = 'dispute' and ${simulatorObjects.body}->>'status' = 'lost'`)
    .orderBy(asc(simulatorObjects.createdAt), asc(simulatorObjects.id));
