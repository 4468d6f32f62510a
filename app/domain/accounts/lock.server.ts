/**
 * One order of locks, so that nobody waits in a circle: operators' rows by id, then the account's row, then whatever
 * belongs to the account (its links, sessions, keys, cards, orders, payments, subscriptions).
 *
 * Accounts are locked `for no key update`: as nobody changes their ids, rows that refer to an account, the log's for
 * example, may be written meanwhile, in any order.
 */
import type { Tx } from "../../platform/db.server.ts";
import type { Account } from "./caller.ts";
import * as queries from "./queries.server.ts";

/** Before anything of the account is changed or locked, until the transaction ends. Null: there is none. */
export const lockAccount = (tx: Tx, accountId: number): Promise<Account | null> => queries.lockAccount(tx, accountId);

/** All of them, by id: of two who leave at once, the second sees that the first has. One who is suspended is none. */
export const lockOperators = (tx: Tx): Promise<number[]> => queries.lockOperators(tx);
