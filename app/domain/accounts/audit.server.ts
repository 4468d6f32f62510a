/** The account's audit log. Entries are written in the transaction of the action itself; the account holder can read them. */
import type { Tx } from "../../platform/db.server.ts";
import { isSecurityEvent, logSecurityEvent } from "../../platform/security-events.ts";
import type { Action, AuditDetails } from "./action.ts";
import type { Caller, CatalogueEditor, OperatorCaller } from "./caller.ts";
import * as queries from "./queries.server.ts";

/** Security events are logged as well, for monitoring. */
const insertAudit = async (tx: Tx, row: Parameters<typeof queries.insertAudit>[1]): Promise<void> => {
  await queries.insertAudit(tx, row);
  const { action, accountId = null, actorAccountId = null } = row;
  if (isSecurityEvent(action)) logSecurityEvent(action, accountId, { actor_account_id: actorAccountId });
};

/** An action of the account holder. */
export const recordAudit = (
  tx: Tx,
  { account }: { account: Pick<Caller["account"], "id"> },
  action: Action,
  occurredAt: Date,
  details: AuditDetails = {},
): Promise<void> => insertAudit(tx, { accountId: account.id, actorAccountId: account.id, action, details, occurredAt });

/** An action of an operator. @param accountId null: it concerns the service, not an account */
export const recordOperatorAudit = (
  tx: Tx,
  operator: OperatorCaller,
  accountId: number | null,
  action: Action,
  occurredAt: Date,
  details: AuditDetails = {},
): Promise<void> => insertAudit(tx, { accountId, actorAccountId: operator.account.id, action, details, occurredAt });

/** An action of the service itself, or of a command-line tool. @param accountId null: it concerns no account */
export const recordServiceAudit = (
  tx: Tx,
  accountId: number | null,
  action: Action,
  occurredAt: Date,
  details: AuditDetails = {},
): Promise<void> => insertAudit(tx, { accountId, actorAccountId: null, action, details, occurredAt });

/** A change of the catalogue, or the import of a file. It concerns no account. */
export const recordCatalogueAudit = (
  tx: Tx,
  by: CatalogueEditor,
  action: Action,
  occurredAt: Date,
  details: AuditDetails,
): Promise<void> =>
  "machineUser" in by
    ? recordServiceAudit(tx, null, action, occurredAt, { ...details, machine_user: by.machineUser })
    : recordOperatorAudit(tx, by, null, action, occurredAt, details);
