import { z } from "zod";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { notFound } from "../errors.ts";
import { currency } from "../money.ts";
import { cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import { invoiceNumber } from "./invoices.server.ts";
import { boundsOf, inOrder, type Month, monthOf, type Statement, type StatementEntry, totalsOf } from "./statement.ts";
import * as queries from "./statement-queries.server.ts";

export type StatementSummary = Pick<Statement, "month" | "currency" | "isComplete" | "invoicedCents" | "creditedCents">;

type World = Pick<Context, "db" | "clock">;

/** The months with an invoice or a credit note, newest first. */
export const listStatements = async (ctx: World, { account }: Caller): Promise<StatementSummary[]> => {
  const today = dayOf(ctx.clock.now());
  const months = await queries.monthsOf(ctx.db, account.id);
  return months.map((each) => ({ ...each, currency, isComplete: each.month < monthOf(today) }));
};

/** One page of the same list. @throws invalid for a cursor of another list */
export const pageStatements = async (
  ctx: World,
  caller: Caller,
  { limit, cursor }: PageRequest,
): Promise<Page<StatementSummary>> => {
  const [before] = statementCursor.read(cursor) ?? [null];
  const all = await listStatements(ctx, caller);
  const rest = before === null ? all : all.filter(({ month }) => month < before);
  return pageOf(rest.slice(0, limit + 1), limit, ({ month }) => statementCursor.write([month]));
};

const statementCursor = cursorOf(z.tuple([z.string().regex(/^\d{4}-\d{2}$/)]));

/**
 * The statement of a month, also of one without entries. The current month is complete only once it is over.
 *
 * @throws not_found for a month that has not begun
 */
export const getStatement = async (ctx: World, { account }: Caller, input: { month: Month }): Promise<Statement> => {
  const { month } = input;
  const thisMonth = monthOf(dayOf(ctx.clock.now()));
  if (month > thisMonth) throw notFound("Statement");
  return statementOf(ctx, account.id, month, month < thisMonth);
};

/** @param isComplete whether the month is over */
export const statementOf = async (
  ctx: Pick<Context, "db">,
  accountId: number,
  month: Month,
  isComplete: boolean,
): Promise<Statement> => {
  const bounds = boundsOf(month);
  const [openingCents, documents, payments, disputes] = await Promise.all([
    queries.balanceAt(ctx.db, accountId, bounds.start),
    queries.documentsWithin(ctx.db, accountId, bounds),
    queries.paymentsWithin(ctx.db, accountId, bounds),
    queries.disputesWithin(ctx.db, accountId, bounds),
  ]);
  const entries = inOrder([...documents.flatMap(documentEntries), ...payments.map(paymentEntry)]);
  return {
    month,
    currency,
    isComplete,
    openingCents,
    closingCents: entries.reduce((balance, { amountCents }) => balance + amountCents, openingCents),
    ...totalsOf(entries),
    entries,
    disputes: disputes.map(({ dispute, invoice }) => ({
      id: dispute.id,
      document: documentOf(invoice),
      status: dispute.status,
      amountCents: dispute.amountCents,
      openedAt: dispute.openedAt,
      endedAt: dispute.endedAt,
    })),
  };
};

type DocumentRow = Awaited<ReturnType<typeof queries.documentsWithin>>[number];

const documentOf = ({ id, year, number }: DocumentRow["invoice"]) => ({ id, number: invoiceNumber(year, number) });

const cardOf = ({ cardBrand, cardLast4 }: { cardBrand: string | null; cardLast4: string | null }) =>
  cardBrand !== null && cardLast4 !== null ? { brand: cardBrand, last4: cardLast4 } : null;

/** A credit note is recorded with its refund, so both have the same time. */
const documentEntries = ({ invoice, ...card }: DocumentRow): StatementEntry[] => {
  const entry = { at: invoice.issuedAt, document: documentOf(invoice) };
  const issued = { ...entry, kind: invoice.kind, amountCents: invoice.amountCents, card: null };
  if (invoice.refundId === null) return [issued];
  return [issued, { ...entry, kind: "refund", amountCents: -invoice.amountCents, card: cardOf(card) }];
};

const paymentEntry = ({
  payment,
  invoice,
}: Awaited<ReturnType<typeof queries.paymentsWithin>>[number]): StatementEntry => ({
  kind: "payment",
  at: payment.paidAt,
  document: documentOf(invoice),
  amountCents: -payment.amountCents,
  card: cardOf(payment),
});
