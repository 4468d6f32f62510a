/** The statement of an account for one month (UTC): what was invoiced, paid, credited and refunded. */
import { addMonths, type Day, startOf } from "../dates.ts";
import type { disputeStatuses } from "./enums.ts";

/** `2026-11`. */
export type Month = string;

export const monthOf = (day: Day): Month => day.slice(0, 7);

/** The first instant of the month, and the first one after it. */
export const boundsOf = (month: Month): { start: Date; end: Date } => ({
  start: startOf(`${month}-01`),
  end: startOf(addMonths(`${month}-01`, 1)),
});

export const monthBefore = (day: Day): Month => monthOf(addMonths(`${monthOf(day)}-01`, -1));

/** In the order in which entries of the same instant are listed. */
export const entryKinds = ["invoice", "payment", "credit_note", "refund"] as const;
export type EntryKind = (typeof entryKinds)[number];

export type StatementEntry = {
  kind: EntryKind;
  at: Date;
  /** The invoice or credit note, or the one that was paid or refunded. */
  document: { id: number; number: string };
  /** What it adds to the balance: positive for invoices and refunds, negative for payments and credit notes. */
  amountCents: number;
  card: { brand: string; last4: string } | null;
};

/** Each of these is the sum of the entries of one kind. */
export type StatementTotals = {
  invoicedCents: number;
  paidCents: number;
  creditedCents: number;
  refundedCents: number;
};

/** A dispute that was opened or decided in the month. The bank holds the amount; the balance does not change. */
export type StatementDispute = {
  id: number;
  document: { id: number; number: string };
  status: (typeof disputeStatuses)[number];
  amountCents: number;
  openedAt: Date;
  endedAt: Date | null;
};

export type Statement = StatementTotals & {
  month: Month;
  currency: string;
  /** False while the month lasts. */
  isComplete: boolean;
  /** What the account owes: positive when it has to pay. */
  openingCents: number;
  closingCents: number;
  /** Oldest first. */
  entries: StatementEntry[];
  disputes: StatementDispute[];
};

export const inOrder = (entries: readonly StatementEntry[]): StatementEntry[] =>
  [...entries].sort(
    (a, b) =>
      a.at.getTime() - b.at.getTime() ||
      a.document.number.localeCompare(b.document.number) ||
      entryKinds.indexOf(a.kind) - entryKinds.indexOf(b.kind),
  );

export const totalsOf = (entries: readonly Pick<StatementEntry, "kind" | "amountCents">[]): StatementTotals => {
  const sum = (kind: EntryKind) =>
    entries.reduce((total, entry) => total + (entry.kind === kind ? entry.amountCents : 0), 0);
  return {
    invoicedCents: sum("invoice"),
    paidCents: sum("payment"),
    creditedCents: sum("credit_note"),
    refundedCents: sum("refund"),
  };
};
