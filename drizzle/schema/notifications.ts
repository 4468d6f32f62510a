/** The mail outbox. */

import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { id, instant } from "./columns.ts";

export const outboxMessages = pgTable(
  "outbox_messages",
  {
    id: id(),
    /** Makes each message unique: `reminder-7:subscription-12:2026-11-30`. */
    dedupeKey: text().notNull().unique(),
    accountId: integer().references(() => accounts.id, { onDelete: "set null" }),
    toAddress: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull().default(""),
    /** Stops such mail by one click: the List-Unsubscribe header (RFC 8058). Null: mail that cannot be stopped. */
    unsubscribeUrl: text(),
    /** Both bodies are erased once a mail server has accepted the message. */
    holdsSecret: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    /** When the message is next due. Every claim and every failed attempt moves it forward. */
    dueAt: instant().notNull(),
    tries: smallint().notNull().default(0),
    sentAt: instant(),
    lastError: text(),
    /** Sending was given up: refused permanently, failed too often, or stopped by an operator. */
    givenUpAt: instant(),
  },
  (t) => [
    index("outbox_messages_due_at_idx").on(t.dueAt).where(sql`${t.sentAt} is null and ${t.givenUpAt} is null`),
    index("outbox_messages_given_up_at_idx").on(t.givenUpAt).where(sql`${t.givenUpAt} is not null`),
  ],
);
