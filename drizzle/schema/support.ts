/** Support requests. */

import { sql } from "drizzle-orm";
import { boolean, index, integer, pgEnum, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { supportStatuses, topics } from "../../app/domain/support/enums.ts";
import { accounts, planName } from "./accounts.ts";
import { id, instant } from "./columns.ts";

export const supportTopic = pgEnum("support_topic", topics);

export const supportStatus = pgEnum("support_status", supportStatuses);

export const supportRequests = pgTable(
  "support_requests",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    topic: supportTopic().notNull(),
    subject: text().notNull(),
    status: supportStatus().notNull().default("open"),
    /** Of a request for another plan. */
    requestedPlan: planName(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (t) => [
    index("support_requests_account_id_idx").on(t.accountId, t.id),
    index("support_requests_status_idx").on(t.status, t.updatedAt),
    // One wish for a plan at a time.
    uniqueIndex("support_requests_one_plan_key")
      .on(t.accountId)
      .where(sql`${t.topic} = 'plan' and ${t.status} <> 'closed'`),
  ],
);

export const supportMessages = pgTable(
  "support_messages",
  {
    id: id(),
    requestId: integer()
      .notNull()
      .references(() => supportRequests.id, { onDelete: "cascade" }),
    authorAccountId: integer().references(() => accounts.id, { onDelete: "set null" }),
    /** Written by somebody of ours. */
    byOperator: boolean().notNull(),
    body: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [index("support_messages_request_id_idx").on(t.requestId, t.id)],
);
