/** The mail outbox. */

import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { id, instant } from "./columns.ts";

export const outboxMessages = pgTable(
  "outbox_messages",
  {
    id: id(),
    /** What the message is about, so that it is written once: `reminder-7:subscription-12:2026-11-30`. */
    dedupeKey: text().notNull().unique(),
    accountId: integer().references(() => accounts.id, { onDelete: "set null" }),
    toAddress: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull().default(""),
    /** Erased, in both forms, once a mail system has taken it. */
    holdsSecret: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    /** When it is next due; moves forward with every failed try and with every claim. */
    dueAt: instant().notNull(),
    tries: smallint().notNull().default(0),
    sentAt: instant(),
    lastError: text(),
    /** It is not tried any more: refused for good, too often, or by an operator's word. */
    givenUpAt: instant(),
  },
  (t) => [
    index("outbox_messages_due_at_idx").on(t.dueAt).where(sql`${t.sentAt} is null and ${t.givenUpAt} is null`),
    index("outbox_messages_given_up_at_idx").on(t.givenUpAt).where(sql`${t.givenUpAt} is not null`),
  ],
);
