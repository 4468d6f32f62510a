/** The account's log: written in the transaction that does what it tells; the account's holder reads it. */
import type { Tx } from "../../platform/db.server.ts";
import type { Action, AuditDetails } from "./action.ts";
import type { Caller, OperatorCaller } from "./caller.ts";
import { insertAudit } from "./queries.server.ts";

/** What an account holder did to the own account. */
export const recordAudit = (
  tx: Tx,
  { account }: { account: Pick<Caller["account"], "id"> },
  action: Action,
  occurredAt: Date,
  details: AuditDetails = {},
): Promise<void> => insertAudit(tx, { accountId: account.id, actorAccountId: account.id, action, details, occurredAt });

/** What somebody of ours did to an account. @param accountId null: it concerns the service, and no account */
export const recordOperatorAudit = (
  tx: Tx,
  operator: OperatorCaller,
  accountId: number | null,
  action: Action,
  occurredAt: Date,
  details: AuditDetails = {},
): Promise<void> => insertAudit(tx, { accountId, actorAccountId: operator.account.id, action, details, occurredAt });

/** What the service did to an account by itself, or by a command of whoever runs it. */
export const recordServiceAudit = (
  tx: Tx,
  accountId: number,
  action: Action,
  occurredAt: Date,
  details: AuditDetails = {},
): Promise<void> => insertAudit(tx, { accountId, actorAccountId: null, action, details, occurredAt });
