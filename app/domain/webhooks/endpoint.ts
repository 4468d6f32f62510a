/** Webhook endpoints and deliveries as their holder sees them. */
import { z } from "zod";
import { singleLine } from "../input.ts";
import { cursorOf } from "../page.ts";
import { counted } from "../wording.ts";
import { deliveryStatuses, subscribableTypes, webhookEventTypes } from "./enums.ts";
import type { WebhookEventType } from "./events.ts";
import type { DeliveryStatus, DisableReason } from "./outcome.ts";
import { longestDescription, longestUrl, maxEndpoints } from "./policy.ts";

export type WebhookEndpoint = {
  id: number;
  url: string;
  description: string;
  eventTypes: WebhookEventType[];
  createdAt: Date;
  /** Null: enabled. */
  disabledAt: Date | null;
  disabledBecause: DisableReason | null;
  /** The first failure since the last success. */
  failingSince: Date | null;
  /** Until when the secret before the last rotation still signs. It may have passed. */
  previousSecretUntil: Date | null;
};

export type Delivery = {
  id: number;
  /** The header `webhook-id`. */
  messageId: string;
  type: WebhookEventType;
  status: DeliveryStatus;
  /** When the next attempt is due. Null unless it is pending. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  /** Null: none yet. */
  lastAttempt: DeliveryAttempt | null;
};

export type DeliveryAttempt = {
  attemptedAt: Date;
  durationMs: number;
  /** Null: there was no response. */
  responseStatus: number | null;
  responseExcerpt: string | null;
  /** Why there was no response. */
  error: string | null;
};

export type DeliveryDetails = Delivery & { payload: string; attempts: DeliveryAttempt[] };

const url = z.string().trim().min(1, "Enter the URL of your server").max(longestUrl).meta({
  description: "An https URL whose host has public IP addresses only.",
  example: "https://example.com/webhooks",
});

const description = z
  .string()
  .trim()
  .max(longestDescription)
  .regex(...singleLine)
  .meta({ description: "A description to identify the endpoint.", example: "Rate sync, production" });

const eventTypes = z
  .array(z.enum(subscribableTypes, { error: `Must be one of: ${subscribableTypes.join(", ")}` }))
  .min(1, "Choose at least one event type")
  .transform((types) => subscribableTypes.filter((type) => types.includes(type)))
  .meta({ override: { type: "array", minItems: 1, items: { type: "string", enum: [...subscribableTypes] } } });

export const endpointInput = z.strictObject({ url, event_types: eventTypes, description: description.default("") });
export type EndpointInput = z.output<typeof endpointInput>;

export const endpointStatus = z.enum(["enabled", "disabled"], { error: "Must be enabled or disabled" });
export type EndpointStatus = z.infer<typeof endpointStatus>;

export const deliveryStatus = z.enum(deliveryStatuses, { error: `Must be one of: ${deliveryStatuses.join(", ")}` });
export const eventType = z.enum(webhookEventTypes, { error: `Must be one of: ${webhookEventTypes.join(", ")}` });

export type DeliveryFilter = { status?: DeliveryStatus | undefined; event_type?: WebhookEventType | undefined };

/** Why another endpoint is refused. */
export const tooManyEndpoints = `An account can have ${counted(maxEndpoints, "webhook endpoint")}; delete one first`;

/** The cursor of the delivery log, which is sorted by id, newest first. */
export const deliveryCursor = cursorOf(z.tuple([z.int().min(0)]));
