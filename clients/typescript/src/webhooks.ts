/** Verification of webhooks (Standard Webhooks, https://www.standardwebhooks.com). */
import { Webhook, WebhookVerificationError } from "standardwebhooks";

export { WebhookVerificationError };

/**
 * Checks the signature and the age of a delivery. A delivery may be repeated: handle each `webhook-id` once.
 *
 * @param body exactly as received, before any parsing
 * @param secret of the endpoint, `whsec_…`
 * @returns the event
 * @throws WebhookVerificationError if it is not from the service, or older than five minutes
 */
export const verifyWebhook = <Event = unknown>(
  body: string,
  headers: Headers | Record<string, string>,
  secret: string,
): Event => {
  const given = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  return new Webhook(secret).verify(body, given) as Event;
};
