import type { Tx } from "../../platform/db.server.ts";
import * as queries from "./queries.server.ts";

/** The accounts of the operators in good standing, for mail that all of them get. */
export const operatorIds = (tx: Tx): Promise<number[]> => queries.operatorIds(tx);
