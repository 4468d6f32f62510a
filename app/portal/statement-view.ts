/** The text and sums of a monthly statement, shared by the page and the PDF. */
import { isoInstant } from "../domain/dates.ts";
import type { EntryKind, Statement, StatementEntry } from "../domain/payments/statement.ts";
import { formatDay, formatMonth } from "./format.ts";
import { cardName } from "./invoice-view.ts";

export type StatementView = {
  /** `Statement for Nov 2026`. */
  title: string;
  month: string;
  currency: string;
  isComplete: boolean;
  openingCents: number;
  closingCents: number;
  totals: { label: string; cents: number }[];
  entries: { key: string; at: string; label: string; documentId: number; amountCents: number }[];
  disputes: { id: number; label: string; documentId: number; amountCents: number }[];
};

export const statementView = (statement: Statement): StatementView => ({
  title: `Statement for ${monthInWords(statement.month)}`,
  month: statement.month,
  currency: statement.currency,
  isComplete: statement.isComplete,
  openingCents: statement.openingCents,
  closingCents: statement.closingCents,
  totals: [
    { label: "Invoices", cents: statement.invoicedCents },
    { label: "Payments", cents: statement.paidCents },
    { label: "Credit notes", cents: statement.creditedCents },
    { label: "Refunds", cents: statement.refundedCents },
  ],
  entries: statement.entries.map((entry) => ({
    key: `${entry.kind} ${entry.document.id}`,
    at: isoInstant(entry.at),
    label: entryInWords(entry),
    documentId: entry.document.id,
    amountCents: entry.amountCents,
  })),
  disputes: statement.disputes.map(({ id, document, status, amountCents, openedAt, endedAt }) => ({
    id,
    label: `Payment of invoice ${document.number}: disputed on ${formatDay(openedAt)}${endedAt ? `, ${endings[status]} on ${formatDay(endedAt)}` : ""}`,
    documentId: document.id,
    amountCents,
  })),
});

/** `Nov 2026`. */
export const monthInWords = (month: string): string => formatMonth(`${month}-01`);

const names = {
  invoice: "Invoice",
  payment: "Payment of invoice",
  credit_note: "Credit note",
  refund: "Refund of credit note",
} as const satisfies Record<EntryKind, string>;

const entryInWords = ({ kind, document, card }: StatementEntry): string =>
  [`${names[kind]} ${document.number}`, card && cardName(card)].filter(Boolean).join(", ");

const endings = {
  open: "reopened",
  won: "decided in our favour",
  lost: "decided in your favour",
  closed: "closed",
} as const satisfies Record<Statement["disputes"][number]["status"], string>;
