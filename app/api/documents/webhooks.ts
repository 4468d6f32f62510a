/** Webhook endpoints and deliveries as JSON documents. */
import { isoInstant } from "../../domain/dates.ts";
import type { Delivery, DeliveryAttempt, DeliveryDetails, WebhookEndpoint } from "../../domain/webhooks/endpoint.ts";

export const endpointDocument = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  event_types: endpoint.eventTypes,
  status: endpoint.disabledAt === null ? ("enabled" as const) : ("disabled" as const),
  disabled_reason: endpoint.disabledBecause,
  created_at: isoInstant(endpoint.createdAt),
  disabled_at: endpoint.disabledAt && isoInstant(endpoint.disabledAt),
  failing_since: endpoint.failingSince && isoInstant(endpoint.failingSince),
  previous_secret_until: endpoint.previousSecretUntil && isoInstant(endpoint.previousSecretUntil),
});

export const newEndpointDocument = ({ secret, ...endpoint }: WebhookEndpoint & { secret: string }) => ({
  ...endpointDocument(endpoint),
  secret,
});

export const deliveryDocument = (delivery: Delivery) => ({
  id: delivery.id,
  message_id: delivery.messageId,
  event_type: delivery.type,
  status: delivery.status,
  created_at: isoInstant(delivery.createdAt),
  next_attempt_at: delivery.nextAttemptAt && isoInstant(delivery.nextAttemptAt),
  last_attempt: delivery.lastAttempt && attemptDocument(delivery.lastAttempt),
});

export const deliveryDetailsDocument = ({ payload, attempts, ...delivery }: DeliveryDetails) => ({
  ...deliveryDocument(delivery),
  payload,
  attempts: attempts.map(attemptDocument),
});

const attemptDocument = (attempt: DeliveryAttempt) => ({
  attempted_at: isoInstant(attempt.attemptedAt),
  duration_ms: attempt.durationMs,
  response_status: attempt.responseStatus,
  response_excerpt: attempt.responseExcerpt,
  error: attempt.error,
});
