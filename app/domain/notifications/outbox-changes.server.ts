/** Changes to messages that have been written: by operators, and when an account is closed. */
import type { Tx } from "../../platform/db.server.ts";
import * as queries from "./queries.server.ts";

/** The account that the message belongs to, if any. */
export type MessageOwner = { accountId: number | null };

/** Makes a message that waits, or was given up, due now with all its tries. @returns null for one that was sent */
export const makeMailDue = (tx: Tx, id: number, now: Date): Promise<MessageOwner | null> =>
  queries.makeDue(tx, id, now);

/** Ends the tries of a message that waits. @returns null if it does not wait */
export const giveUpMail = (tx: Tx, id: number, now: Date): Promise<MessageOwner | null> => queries.giveUp(tx, id, now);

/** Deletes what was sent to an account. Messages that wait are still sent. */
export const deleteSentMail = async (tx: Tx, accountId: number): Promise<void> => {
  await queries.deleteSent(tx, accountId);
};
