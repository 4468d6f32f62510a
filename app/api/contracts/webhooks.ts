/** Webhook endpoints and their delivery log. */
import { z } from "zod";
import {
  deliveryStatus,
  endpointInput,
  endpointStatus,
  eventType,
  tooManyEndpoints,
} from "../../domain/webhooks/endpoint.ts";
import { disableReasons } from "../../domain/webhooks/enums.ts";
import { retentionDays, rotationHours } from "../../domain/webhooks/policy.ts";
import { endpoint } from "../endpoint.ts";
import { id, idText, instant, instantText, nextCursor, pageQuery } from "./shapes.ts";

const webhookEndpoint = {
  id,
  url: z.string().meta({ example: "https://example.com/webhooks" }),
  description: z.string().meta({ example: "Rate sync, production" }),
  event_types: z.array(eventType),
  status: endpointStatus,
  disabled_reason: z.enum(disableReasons).nullable().meta({
    description:
      "Null while it is enabled. holder: you disabled it; gone: it returned 410; failing: every attempt failed for three days.",
  }),
  created_at: instant,
  disabled_at: instant.nullable(),
  failing_since: instant.nullable().meta({ description: "The first failure since the last success." }),
  previous_secret_until: instant.nullable().meta({
    description: "Until then, we also sign deliveries with the previous secret.",
  }),
};

const endpointRecord = z.object(webhookEndpoint).meta({ id: "WebhookEndpoint" });

const withSecret = z
  .object({
    ...webhookEndpoint,
    secret: z.string().meta({
      description: "The signing secret. Never shown again.",
      example: "whsec_MfKQ9r8GKYqrTwjU/D8ILPZIo2LaLaSwMfKQ9r8GKYo=",
    }),
  })
  .meta({ id: "NewWebhookEndpoint" });

const attempt = z
  .object({
    attempted_at: instant,
    duration_ms: z.int().min(0),
    response_status: z.int().nullable().meta({ description: "Null: there was no response.", example: 204 }),
    response_excerpt: z.string().nullable().meta({ description: "The beginning of the response body." }),
    error: z.string().nullable().meta({ description: "Why there was no response." }),
  })
  .meta({ id: "WebhookAttempt" });

const delivery = {
  id,
  message_id: z.string().meta({
    description: "The header webhook-id. The same for every attempt and replay.",
    example: "msg_0d9f4f0a7b1c4e6f8a2b3c4d5e6f7a8b",
  }),
  event_type: eventType,
  status: deliveryStatus.meta({ description: "failed: every attempt failed, or the endpoint was disabled." }),
  created_at: instant,
  next_attempt_at: instant.nullable().meta({ description: "Null unless it is pending." }),
  last_attempt: attempt.nullable(),
};

const deliveryDetails = z
  .object({
    ...delivery,
    payload: z.string().meta({ description: "The body exactly as we send and sign it." }),
    attempts: z.array(attempt).meta({ description: "Newest first." }),
  })
  .meta({ id: "WebhookDeliveryDetails" });

const endpointPath = { endpoint_id: idText.meta({ description: "The endpoint's ID." }) };
const deliveryPath = { ...endpointPath, delivery_id: idText.meta({ description: "The delivery's ID." }) };

const tag = "Webhooks" as const;
const access = "bearer" as const;

const inputExample = {
  url: "https://example.com/webhooks",
  event_types: ["data.changed", "subscription.expiring"],
  description: "Rate sync, production",
};

export const createEndpoint = endpoint({
  id: "createWebhookEndpoint",
  tag,
  method: "POST",
  path: "/webhooks",
  access,
  summary: "Register a webhook endpoint",
  description: `Only this response has the signing secret: store it now. The URL must use https, and its host must resolve to public IP addresses only. ${tooManyEndpoints}.`,
  body: endpointInput,
  answer: { status: 201, description: "The endpoint, with its secret.", schema: withSecret },
  refusals: ["conflict"],
  idempotent: true,
  example: { body: inputExample },
});

export const listEndpoints = endpoint({
  id: "listWebhookEndpoints",
  tag,
  method: "GET",
  path: "/webhooks",
  access,
  summary: "List the account's webhook endpoints",
  answer: {
    status: 200,
    description: "Oldest first, without their secrets.",
    schema: z.object({ webhooks: z.array(endpointRecord), next_cursor: z.null() }),
  },
});

export const getEndpoint = endpoint({
  id: "getWebhookEndpoint",
  tag,
  method: "GET",
  path: "/webhooks/{endpoint_id}",
  access,
  summary: "Show a webhook endpoint",
  params: z.object(endpointPath),
  answer: { status: 200, description: "The endpoint, without its secret.", schema: endpointRecord },
});

export const changeEndpoint = endpoint({
  id: "changeWebhookEndpoint",
  tag,
  method: "PUT",
  path: "/webhooks/{endpoint_id}",
  access,
  summary: "Change a webhook endpoint",
  description: "Replaces URL, event types and description. Pending deliveries go to the new URL.",
  params: z.object(endpointPath),
  body: endpointInput,
  answer: { status: 200, description: "The updated endpoint.", schema: endpointRecord },
  example: { body: inputExample },
});

export const deleteEndpoint = endpoint({
  id: "deleteWebhookEndpoint",
  tag,
  method: "DELETE",
  path: "/webhooks/{endpoint_id}",
  access,
  summary: "Delete a webhook endpoint with its delivery log",
  params: z.object(endpointPath),
  answer: {
    status: 200,
    description: "The endpoint is deleted.",
    schema: z.object({ id, deleted: z.literal(true) }),
  },
});

export const setEndpointStatus = endpoint({
  id: "setWebhookEndpointStatus",
  tag,
  method: "PUT",
  path: "/webhooks/{endpoint_id}/status",
  access,
  summary: "Enable or disable a webhook endpoint",
  description:
    "Disabling an endpoint stops its pending deliveries; you can replay them later. We do not store events for an endpoint while it is disabled.",
  params: z.object(endpointPath),
  body: z.strictObject({ status: endpointStatus }),
  answer: { status: 200, description: "The updated endpoint.", schema: endpointRecord },
  example: { body: { status: "disabled" } },
});

export const rotateSecret = endpoint({
  id: "rotateWebhookSecret",
  tag,
  method: "POST",
  path: "/webhooks/{endpoint_id}/rotate-secret",
  access,
  summary: "Replace the signing secret",
  description: `For ${rotationHours} hours we sign every delivery with both secrets, so that you can switch without losing one.`,
  params: z.object(endpointPath),
  answer: { status: 200, description: "The endpoint, with its new secret.", schema: withSecret },
});

export const sendTestEvent = endpoint({
  id: "sendWebhookTest",
  tag,
  method: "POST",
  path: "/webhooks/{endpoint_id}/test",
  access,
  summary: "Send a test event",
  description: "Sends endpoint.test, even if the endpoint does not subscribe to it.",
  params: z.object(endpointPath),
  answer: { status: 201, description: "The pending delivery.", schema: deliveryDetails },
  refusals: ["conflict"],
});

export const listDeliveries = endpoint({
  id: "listWebhookDeliveries",
  tag,
  method: "GET",
  path: "/webhooks/{endpoint_id}/deliveries",
  access,
  summary: "List an endpoint's deliveries",
  description: `Kept for ${retentionDays} days.`,
  params: z.object(endpointPath),
  query: z.object({
    status: deliveryStatus.optional(),
    event_type: eventType.optional(),
    ...pageQuery,
  }),
  answer: {
    status: 200,
    description: "Newest first.",
    schema: z.object({
      deliveries: z.array(z.object(delivery).meta({ id: "WebhookDelivery" })),
      next_cursor: nextCursor,
    }),
  },
});

export const getDelivery = endpoint({
  id: "getWebhookDelivery",
  tag,
  method: "GET",
  path: "/webhooks/{endpoint_id}/deliveries/{delivery_id}",
  access,
  summary: "Show a delivery with its payload and attempts",
  params: z.object(deliveryPath),
  answer: { status: 200, description: "The delivery.", schema: deliveryDetails },
});

export const replayDelivery = endpoint({
  id: "replayWebhookDelivery",
  tag,
  method: "POST",
  path: "/webhooks/{endpoint_id}/deliveries/{delivery_id}/replay",
  access,
  summary: "Send a delivery again",
  description: "With the same webhook-id and payload, and a new timestamp and signature.",
  params: z.object(deliveryPath),
  answer: { status: 200, description: "The pending delivery.", schema: deliveryDetails },
  refusals: ["conflict"],
});

export const replayFailed = endpoint({
  id: "replayFailedWebhooks",
  tag,
  method: "POST",
  path: "/webhooks/{endpoint_id}/replay-failed",
  access,
  summary: "Send all failed deliveries again",
  params: z.object(endpointPath),
  body: z.strictObject({
    since: instantText.meta({
      description: "Only deliveries of events at or after this time.",
      example: "2026-11-18T00:00:00Z",
    }),
  }),
  answer: {
    status: 200,
    description: "The number of deliveries that are sent again.",
    schema: z.object({ replayed: z.int().min(0) }),
  },
  refusals: ["conflict"],
  example: { body: { since: "2026-11-18T00:00:00Z" } },
});
