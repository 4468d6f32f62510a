import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { SecondFactorRequired } from "../errors.ts";
import { asOperator, type Caller, type OperatorCaller, type SessionProof } from "./caller.ts";
import * as queries from "./queries.server.ts";
import { isOn } from "./two-factor-queries.server.ts";

/**
 * Admits an operator to the console. Operators see the data of all accounts, so a password alone does not admit them. In test
 * mode it does: there are no customers, and the demo's operator has a public password.
 *
 * @throws not_found for everyone else
 * @throws SecondFactorRequired
 */
export const admitOperator = async (
  ctx: Pick<Context, "settings"> & { db: Tx },
  caller: Caller<SessionProof>,
): Promise<OperatorCaller> => {
  const operator = asOperator(caller);
  if (!ctx.settings.testMode && !(await isOn(ctx.db, operator.account.id))) throw new SecondFactorRequired();
  return operator;
};

/** The ids of all operators in good standing. */

export const operatorIds = (db: Tx): Promise<number[]> => queries.operatorIds(db);

/** Also locks their accounts. When two give up the role at once, the second sees that the first has. */
export const lockOperators = (tx: Tx): Promise<number[]> => queries.lockOperators(tx);
