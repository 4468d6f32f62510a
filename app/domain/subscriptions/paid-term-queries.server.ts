/** SQL on paid terms. */
import { and, asc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { invoices, orderLines, paidTerms, payments, subscriptions } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import type { BoughtTerm } from "./paid-days.ts";

/** The terms paid for one of the account's subscriptions, each with its invoice, oldest first. */
export const paidTermsOf = (db: Tx, accountId: number, subscriptionId: number) =>
  db
    .select({
      id: paidTerms.id,
      term: paidTerms.term,
      startDate: paidTerms.startDate,
      endDate: paidTerms.endDate,
      totalCents: paidTerms.totalCents,
      taxes: orderLines.taxes,
      endedOn: paidTerms.endedOn,
      invoice: { id: invoices.id, year: invoices.year, number: invoices.number, issuedAt: invoices.issuedAt },
    })
    .from(paidTerms)
    .innerJoin(subscriptions, eq(subscriptions.id, paidTerms.subscriptionId))
    .leftJoin(orderLines, eq(orderLines.id, paidTerms.orderLineId))
    .leftJoin(invoices, and(eq(invoices.orderId, orderLines.orderId), eq(invoices.kind, "invoice")))
    .where(and(eq(subscriptions.accountId, accountId), eq(paidTerms.subscriptionId, subscriptionId)))
    .orderBy(asc(paidTerms.startDate), asc(paidTerms.id));

export const insertPaidTerm = (tx: Tx, row: typeof paidTerms.$inferInsert) => tx.insert(paidTerms).values(row);

/** The subscriptions that an order created or extended. */
export const idsPaidByOrder = async (db: Tx, orderId: number): Promise<number[]> => {
  const rows = await db
    .selectDistinct({ id: paidTerms.subscriptionId })
    .from(paidTerms)
    .innerJoin(orderLines, eq(orderLines.id, paidTerms.orderLineId))
    .where(eq(orderLines.orderId, orderId));
  return rows.map(({ id }) => id);
};

/** All terms paid for a subscription, in the order of payment. */
export const boughtTerms = (db: Tx, subscriptionId: number): Promise<BoughtTerm[]> =>
  db
    .select({
      id: paidTerms.id,
      term: paidTerms.term,
      startDate: paidTerms.startDate,
      endDate: paidTerms.endDate,
      paidCents: sql`greatest(0, ${orderLines.totalCents} - coalesce(
        round((${payments.refundedCents} + ${payments.chargedBackCents})::numeric * ${orderLines.totalCents} / nullif(${payments.amountCents}, 0)), 0))`.mapWith(
        Number,
      ),
      creditedThroughTermId: orderLines.creditedThroughTermId,
      ended: sql<NonNullable<BoughtTerm["ended"]> | null>`case when ${paidTerms.endedOn} is not null
        then jsonb_build_object('on', ${paidTerms.endedOn}, 'afterTermId', ${paidTerms.endedAfterTermId}) end`,
    })
    .from(paidTerms)
    .innerJoin(orderLines, eq(orderLines.id, paidTerms.orderLineId))
    .leftJoin(payments, eq(payments.orderId, orderLines.orderId))
    .where(eq(paidTerms.subscriptionId, subscriptionId))
    .orderBy(asc(paidTerms.id));

/** The terms of payments of which nothing is left after a chargeback, unless they have been ended. Oldest first. */
export const chargedBackTerms = (db: Tx) =>
  db
    .select({
      termId: paidTerms.id,
      subscriptionId: paidTerms.subscriptionId,
      orderId: payments.orderId,
      accountId: payments.accountId,
    })
    .from(payments)
    .innerJoin(orderLines, eq(orderLines.orderId, payments.orderId))
    .innerJoin(paidTerms, eq(paidTerms.orderLineId, orderLines.id))
    .where(
      and(
        isNotNull(payments.disputedAt),
        gt(payments.chargedBackCents, 0),
        sql`${payments.refundedCents} + ${payments.chargedBackCents} >= ${payments.amountCents}`,
        isNull(paidTerms.endedOn),
      ),
    )
    .orderBy(asc(paidTerms.id));

/** @returns false when the term has been ended meanwhile */
export const markEnded = async (tx: Tx, termId: number, subscriptionId: number, endedOn: Day): Promise<boolean> => {
  const latest = sql`(select max(latest.id) from ${paidTerms} latest where latest.subscription_id = ${subscriptionId})`;
  const ended = await tx
    .update(paidTerms)
    .set({ endedOn, endedAfterTermId: latest })
    .where(and(eq(paidTerms.id, termId), isNull(paidTerms.endedOn)))
    .returning({ id: paidTerms.id });
  return ended.length > 0;
};
