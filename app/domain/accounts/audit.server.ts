import type { Tx } from "../../platform/db.server.ts";
import type { Caller, OperatorCaller } from "./caller.ts";
import { insertAudit } from "./queries.server.ts";

/** Writes down what an account holder did to the own account, in the transaction that does it. */
export const recordAct = async (
  tx: Tx,
  caller: Caller,
  action: `${string}.${string}`,
  occurredAt: Date,
  details: Record<string, string | number | boolean | null> = {},
): Promise<void> => {
  await insertAudit(tx, {
    accountId: caller.account.id,
    actorAccountId: caller.account.id,
    action,
    details,
    occurredAt,
  });
};

/** Writes down what somebody of ours did to an account, in the transaction that does it: the account's holder reads it too. */
export const recordOperatorsAct = async (
  tx: Tx,
  operator: OperatorCaller,
  accountId: number,
  action: `${string}.${string}`,
  occurredAt: Date,
  details: Record<string, string | number | boolean | null> = {},
): Promise<void> => {
  await insertAudit(tx, { accountId, actorAccountId: operator.account.id, action, details, occurredAt });
};

/** Writes down what the service did to an account by itself, or by a command of whoever runs it. */
export const recordServicesAct = async (
  tx: Tx,
  accountId: number,
  action: `${string}.${string}`,
  occurredAt: Date,
  details: Record<string, string | number | boolean | null> = {},
): Promise<void> => {
  await insertAudit(tx, { accountId, actorAccountId: null, action, details, occurredAt });
};
