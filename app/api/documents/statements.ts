/** Monthly statements as JSON documents. */
import { isoInstant } from "../../domain/dates.ts";
import type { Statement } from "../../domain/payments/statement.ts";
import type { StatementSummary } from "../../domain/payments/statements.server.ts";

export const statementSummary = (summary: StatementSummary) => ({
  month: summary.month,
  currency: summary.currency,
  complete: summary.isComplete,
  invoiced_cents: summary.invoicedCents,
  credited_cents: summary.creditedCents,
});

export const statementDocument = (statement: Statement) => ({
  ...statementSummary(statement),
  opening_cents: statement.openingCents,
  paid_cents: statement.paidCents,
  refunded_cents: statement.refundedCents,
  closing_cents: statement.closingCents,
  entries: statement.entries.map(({ at, kind, document, amountCents, card }) => ({
    occurred_at: isoInstant(at),
    kind,
    document,
    amount_cents: amountCents,
    card,
  })),
  disputes: statement.disputes.map(({ id, document, status, amountCents, openedAt, endedAt }) => ({
    id,
    document,
    status,
    amount_cents: amountCents,
    opened_at: isoInstant(openedAt),
    ended_at: endedAt && isoInstant(endedAt),
  })),
});
