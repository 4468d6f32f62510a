/**
 * The transactional outbox for webhooks: events are stored in the transaction of the fact itself and sent later, so nothing
 * that was rolled back is sent, and nothing that was committed is lost.
 */
import type { Tx } from "../../platform/db.server.ts";
import { insertEvents } from "./enqueue-queries.server.ts";
import { type NewWebhookEvent, payloadOf } from "./events.ts";

/**
 * Stores an event for the account's endpoints that subscribe to its type. Without one, nothing is stored. Of events with
 * the same account, type and key only the first is stored.
 *
 * @returns whether it was stored
 */
export const enqueueWebhookEvent = async (tx: Tx, event: NewWebhookEvent): Promise<boolean> =>
  (await enqueueWebhookEvents(tx, [event])) > 0;

/** The same for events of any accounts, in one statement. @returns how many were stored */
export const enqueueWebhookEvents = async (tx: Tx, events: readonly NewWebhookEvent[]): Promise<number> =>
  events.length === 0 ? 0 : insertEvents(tx, events.map(rowOf));

const rowOf = (event: NewWebhookEvent) => ({ ...event, payload: payloadOf(event) });
