import type { Tx } from "../../platform/db.server.ts";
import type { Action, AuditDetails } from "../accounts/action.ts";
import { recordOperatorAudit, recordServiceAudit } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";

/** Who keeps the catalogue: an operator in the console, or a user of the machine by command. */
export type StockedBy = OperatorCaller | { machineUser: string };

/** An entry that concerns the catalogue, and so no account. */
export const recordStockAudit = (
  tx: Tx,
  by: StockedBy,
  action: Action,
  now: Date,
  details: AuditDetails,
): Promise<void> =>
  "machineUser" in by
    ? recordServiceAudit(tx, null, action, now, { ...details, machine_user: by.machineUser })
    : recordOperatorAudit(tx, by, null, action, now, details);
