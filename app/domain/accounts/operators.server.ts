/** The ids of all operators in good standing. */
import type { Tx } from "../../platform/db.server.ts";
import * as queries from "./queries.server.ts";

export const operatorIds = (db: Tx): Promise<number[]> => queries.operatorIds(db);

/** Also locks their accounts. When two give up the role at once, the second sees that the first has. */
export const lockOperators = (tx: Tx): Promise<number[]> => queries.lockOperators(tx);
