import { and, asc, desc, eq, gte, isNotNull, lt, or, sql } from "drizzle-orm";
import { disputes, invoices, payments } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Month } from "./statement.ts";

type Span = { start: Date; end: Date };

const invoiceOfPayment = and(eq(invoices.orderId, payments.orderId), eq(invoices.kind, "invoice"));

export const documentsWithin = (db: Tx, accountId: number, { start, end }: Span) =>
  db
    .select({ invoice: invoices, cardBrand: payments.cardBrand, cardLast4: payments.cardLast4 })
    .from(invoices)
    .leftJoin(payments, eq(payments.orderId, invoices.orderId))
    .where(and(eq(invoices.accountId, accountId), gte(invoices.issuedAt, start), lt(invoices.issuedAt, end)))
    .orderBy(asc(invoices.id));

export const paymentsWithin = (db: Tx, accountId: number, { start, end }: Span) =>
  db
    .select({ payment: payments, invoice: invoices })
    .from(payments)
    .innerJoin(invoices, invoiceOfPayment)
    .where(and(eq(payments.accountId, accountId), gte(payments.paidAt, start), lt(payments.paidAt, end)))
    .orderBy(asc(payments.id));

export const disputesWithin = (db: Tx, accountId: number, { start, end }: Span) =>
  db
    .select({ dispute: disputes, invoice: invoices })
    .from(disputes)
    .innerJoin(payments, eq(payments.id, disputes.paymentId))
    .innerJoin(invoices, invoiceOfPayment)
    .where(
      and(
        eq(disputes.accountId, accountId),
        or(
          and(gte(disputes.openedAt, start), lt(disputes.openedAt, end)),
          and(gte(disputes.endedAt, start), lt(disputes.endedAt, end)),
        ),
      ),
    )
    .orderBy(asc(disputes.id));

const cents = (value: ReturnType<typeof sql>) => sql`coalesce(${value}, 0)`.mapWith(Number);

/** What was owed at an instant: invoices and credit notes, less payments, plus refunds. */
export const balanceAt = async (db: Tx, accountId: number, at: Date): Promise<number> => {
  const [documents] = await db
    .select({
      owed: cents(sql`sum(${invoices.amountCents})`),
      refunded: cents(sql`-sum(${invoices.amountCents}) filter (where ${isNotNull(invoices.refundId)})`),
    })
    .from(invoices)
    .where(and(eq(invoices.accountId, accountId), lt(invoices.issuedAt, at)));
  const [received] = await db
    .select({ paid: cents(sql`sum(${payments.amountCents})`) })
    .from(payments)
    .where(and(eq(payments.accountId, accountId), lt(payments.paidAt, at)));
  return (documents?.owed ?? 0) + (documents?.refunded ?? 0) - (received?.paid ?? 0);
};

/** The months with an invoice or a credit note, newest first. */
export const monthsOf = (db: Tx, accountId: number) => {
  const month = sql<Month>`to_char(${invoices.issuedAt} at time zone 'UTC', 'YYYY-MM')`;
  return db
    .select({
      month,
      invoicedCents: cents(sql`sum(${invoices.amountCents}) filter (where ${eq(invoices.kind, "invoice")})`),
      creditedCents: cents(sql`sum(${invoices.amountCents}) filter (where ${eq(invoices.kind, "credit_note")})`),
    })
    .from(invoices)
    .where(eq(invoices.accountId, accountId))
    .groupBy(sql`1`)
    .orderBy(desc(sql`1`));
};
