import { and, desc, eq, lt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { accounts, auditLog } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { AuditFilter } from "./audit-filter.ts";

const actors = alias(accounts, "actors");

/** Newest first, behind `before`. */
export const searchAudit = (db: Tx, filter: AuditFilter, page: { limit: number; before: number | null }) =>
  db
    .select({
      id: auditLog.id,
      action: auditLog.action,
      details: auditLog.details,
      occurredAt: auditLog.occurredAt,
      account: { id: accounts.id, username: accounts.username },
      actor: { id: actors.id, username: actors.username },
    })
    .from(auditLog)
    .leftJoin(accounts, eq(accounts.id, auditLog.accountId))
    .leftJoin(actors, eq(actors.id, auditLog.actorAccountId))
    .where(
      and(
        filter.account === undefined ? undefined : eq(auditLog.accountId, filter.account),
        filter.actor === undefined ? undefined : eq(auditLog.actorAccountId, filter.actor),
        filter.action === undefined ? undefined : sql`${auditLog.action} = ${filter.action}`,
        page.before === null ? undefined : lt(auditLog.id, page.before),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(page.limit);
