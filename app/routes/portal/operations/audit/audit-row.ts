import type { AuditEntry } from "#app/domain/operations/audit.server.ts";
import { describeAct } from "../../account/activity-words.ts";

/** An entry of the audit log as the tables show it. */
export const auditRow = (entry: AuditEntry) => ({
  id: entry.id,
  action: entry.action,
  words: describeAct(entry),
  account: entry.account,
  actor: entry.actor,
  occurredAt: entry.occurredAt.toISOString(),
});

export type AuditRow = ReturnType<typeof auditRow>;
