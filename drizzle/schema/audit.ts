/** The audit log. */
import { index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import type { Action, AuditDetails } from "../../app/domain/accounts/action.ts";
import { accounts } from "./accounts.ts";
import { bigId, instant } from "./columns.ts";

export const auditLog = pgTable(
  "audit_log",
  {
    id: bigId(),
    /** The account that was acted on. */
    accountId: integer().references(() => accounts.id, { onDelete: "cascade" }),
    /** Who acted. Null: the service itself. */
    actorAccountId: integer().references(() => accounts.id, { onDelete: "set null" }),
    /** `noun.past_tense`, for example `api_key.created`. */
    action: text().$type<Action>().notNull(),
    details: jsonb().$type<AuditDetails>().notNull().default({}),
    occurredAt: instant().notNull(),
  },
  (t) => [
    index("audit_log_account_id_idx").on(t.accountId, t.id),
    index("audit_log_actor_account_id_idx").on(t.actorAccountId, t.id),
    index("audit_log_action_idx").on(t.action, t.id),
  ],
);
