import type { Tx } from "../../platform/db.server.ts";
import type { Caller } from "./caller.ts";
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
