/** Monthly statements of the account's billing. */
import { z } from "zod";
import { disputeStatuses } from "../../domain/payments/enums.ts";
import { entryKinds } from "../../domain/payments/statement.ts";
import { endpoint } from "../endpoint.ts";
import { cents, currencyCode, id, instant, nextCursor, pageQuery } from "./shapes.ts";

const month = z
  .string()
  .regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/, "Must be a month, such as 2026-11")
  .meta({ example: "2026-11" });

const monthPath = z.object({ month: month.meta({ description: "The month, in UTC." }) });

const summary = {
  month,
  currency: currencyCode,
  complete: z.boolean().meta({ description: "False until the month has ended." }),
  invoiced_cents: cents.meta({ description: "Total of the month's invoices." }),
  credited_cents: cents.meta({ description: "Total of the month's credit notes; zero or negative." }),
};

const document = z.object({ id, number: z.string().meta({ example: "2026-000042" }) });

export const listStatements = endpoint({
  id: "listStatements",
  tag: "Subscriptions",
  method: "GET",
  path: "/subscriptions/statements",
  access: "bearer",
  summary: "List the months with a statement",
  query: z.object(pageQuery),
  answer: {
    status: 200,
    description: "Months with an invoice or a credit note, newest first.",
    schema: z.object({
      statements: z.array(z.object(summary).meta({ id: "StatementSummary" })),
      next_cursor: nextCursor,
    }),
  },
});

export const getStatement = endpoint({
  id: "getStatement",
  tag: "Subscriptions",
  method: "GET",
  path: "/subscriptions/statements/{month}",
  access: "bearer",
  summary: "Show the statement of a month",
  description:
    "closing_cents is opening_cents plus the amounts of all entries. A month without entries returns an empty statement, a month in the future 404.",
  params: monthPath,
  answer: {
    status: 200,
    description: "The statement.",
    schema: z
      .object({
        ...summary,
        opening_cents: cents.meta({ description: "The balance at the beginning of the month." }),
        paid_cents: cents.meta({ description: "Total of the payments; zero or negative." }),
        refunded_cents: cents.meta({ description: "Total of the refunds." }),
        closing_cents: cents.meta({ description: "The balance at the end of the month." }),
        entries: z
          .array(
            z.object({
              occurred_at: instant,
              kind: z.enum(entryKinds),
              document: document.meta({
                description: "The invoice or credit note that was issued, paid or refunded.",
              }),
              amount_cents: cents.meta({
                description: "The amount that is added to the balance; negative for payments and credit notes.",
              }),
              card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
            }),
          )
          .meta({ description: "Oldest first." }),
        disputes: z
          .array(
            z.object({
              id,
              document: document.meta({ description: "The invoice whose payment is disputed." }),
              status: z.enum(disputeStatuses),
              amount_cents: cents,
              opened_at: instant,
              ended_at: instant.nullable(),
            }),
          )
          .meta({
            description: "Disputes that were opened or closed in the month. They do not change the balance.",
          }),
      })
      .meta({ id: "Statement" }),
  },
});

export const exportStatement = endpoint({
  id: "exportStatement",
  tag: "Subscriptions",
  method: "GET",
  path: "/subscriptions/statements/{month}/export",
  access: "bearer",
  summary: "Export the statement of a month as CSV",
  params: monthPath,
  answer: {
    status: 200,
    format: "csv",
    description: "One line per entry, oldest first, with the balance after it. RFC 4180, with a header line.",
    schema: z.string(),
  },
  example: {
    answer:
      "occurred_at,kind,document_number,currency,amount_cents,balance_cents,card_brand,card_last4\r\n2026-11-20T09:30:00.000Z,invoice,2026-000042,USD,45200,45200,,\r\n2026-11-20T09:30:00.000Z,payment,2026-000042,USD,-45200,0,visa,4242\r\n",
  },
});
