/** The audit logs of all accounts. */
import { z } from "zod";
import type { Action, AuditDetails } from "../accounts/action.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { csv } from "../csv.ts";
import { isoInstant } from "../dates.ts";
import { cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import type { AuditFilter } from "./audit-filter.ts";
import * as queries from "./audit-queries.server.ts";

type Party = { id: number; username: string } | null;

export type AuditEntry = {
  id: number;
  action: Action;
  details: AuditDetails;
  occurredAt: Date;
  /** The account that was acted on. Null: the service as a whole. */
  account: Party;
  /** Who acted. Null: the service itself. */
  actor: Party;
};

/** Newest first. @throws invalid for a cursor of another list */
export const listAudit = async (
  ctx: Pick<Context, "db">,
  _operator: OperatorCaller,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEntry>> => {
  const [before] = auditCursor.read(page.cursor) ?? [null];
  const found = await queries.searchAudit(ctx.db, filter, { limit: page.limit + 1, before });
  return pageOf(found, page.limit, ({ id }) => auditCursor.write([id]));
};

const auditCursor = cursorOf(z.tuple([z.int().min(0)]));

/** The CSV holds at most this many of the newest entries. */
export const auditExportRows = 10_000;

export const auditCsv = async (
  ctx: Pick<Context, "db">,
  _operator: OperatorCaller,
  filter: AuditFilter,
): Promise<string> => {
  const entries = await queries.searchAudit(ctx.db, filter, { limit: auditExportRows, before: null });
  return csv(
    ["id", "occurred_at", "action", "account_id", "account", "actor_account_id", "actor", "details"],
    entries.map(({ id, occurredAt, action, account, actor, details }) => [
      id,
      isoInstant(occurredAt),
      action,
      account?.id ?? null,
      account?.username ?? null,
      actor?.id ?? null,
      actor?.username ?? null,
      JSON.stringify(details),
    ]),
  );
};
