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
    /** Only for requests to change the plan. */
    requestedPlan: planName(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (t) => [
    index("support_requests_account_id_idx").on(t.accountId, t.id),
    index("support_requests_status_idx").on(t.status, t.updatedAt),
    // An account can have one open request for another plan.
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
    /** Whether an operator wrote the message. */
    byOperator: boolean().notNull(),
    body: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [index("support_messages_request_id_idx").on(t.requestId, t.id)],
);
