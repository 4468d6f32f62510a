/** Signs messages after Standard Webhooks. */
import { Webhook } from "standardwebhooks";

/** @param secrets during a rotation the new and the previous one; the receiver accepts either signature */
export const signedHeaders = (message: {
  id: string;
  sentAt: Date;
  payload: string;
  secrets: readonly Uint8Array[];
}): Record<string, string> => ({
  "webhook-id": message.id,
  "webhook-timestamp": String(Math.floor(message.sentAt.getTime() / 1000)),
  "webhook-signature": message.secrets
    .map((secret) => new Webhook(secret, { format: "raw" }).sign(message.id, message.sentAt, message.payload))
    .join(" "),
});
