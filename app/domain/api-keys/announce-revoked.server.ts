import type { Tx } from "../../platform/db.server.ts";
import { enqueueWebhookEvent } from "../webhooks/enqueue.server.ts";
import type { WebhookData } from "../webhooks/events.ts";

/** Stores the event that a key has stopped working. */
export const announceRevoked = (
  tx: Tx,
  accountId: number,
  { id, name }: { id: number; name: string },
  reason: WebhookData<"api_key.revoked">["reason"],
  at: Date,
) =>
  enqueueWebhookEvent(tx, {
    accountId,
    type: "api_key.revoked",
    // A key can be deactivated again and again.
    key: `${id}:${reason}:${at.toISOString()}`,
    data: { api_key_id: id, api_key_name: name, reason },
    at,
  });
