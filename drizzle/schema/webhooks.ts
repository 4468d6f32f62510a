/** Webhooks: endpoints, the messages for them, and the deliveries of each message with all attempts. */

import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgEnum, pgTable, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { deliveryStatuses, disableReasons, webhookEventTypes } from "../../app/domain/webhooks/enums.ts";
import { accounts } from "./accounts.ts";
import { bigId, bytes, id, instant } from "./columns.ts";

export const webhookEventType = pgEnum("webhook_event_type", webhookEventTypes);
export const webhookDeliveryStatus = pgEnum("webhook_delivery_status", deliveryStatuses);
export const webhookDisableReason = pgEnum("webhook_disable_reason", disableReasons);

export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    url: text().notNull(),
    description: text().notNull().default(""),
    eventTypes: webhookEventType().array().notNull(),
    /** The signing secret, encrypted by the service's key. */
    sealedSecret: bytes().notNull(),
    /** The secret before the last rotation, which signs as well until `previousSecretUntil`. */
    previousSealedSecret: bytes(),
    previousSecretUntil: instant(),
    createdAt: instant().notNull(),
    /** Null: enabled. */
    disabledAt: instant(),
    disabledBecause: webhookDisableReason(),
    /** The first failure since the last success. */
    failingSince: instant(),
    /** One process at a time sends to an endpoint: the one that holds this lease. */
    leasedUntil: instant(),
    /** The start of the last lease. Endpoints take turns in this order. */
    servedAt: instant(),
  },
  (t) => [
    index("webhook_endpoints_account_id_idx").on(t.accountId),
    check("webhook_endpoints_disabled", sql`(${t.disabledAt} is null) = (${t.disabledBecause} is null)`),
    check(
      "webhook_endpoints_previous_secret",
      sql`(${t.previousSealedSecret} is null) = (${t.previousSecretUntil} is null)`,
    ),
  ],
);

export const webhookMessages = pgTable(
  "webhook_messages",
  {
    id: bigId(),
    /** Identifies the message to receivers, in the header `webhook-id`. */
    publicId: uuid().notNull().unique().defaultRandom(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    type: webhookEventType().notNull(),
    /** Makes the message unique within the account and type. */
    key: text().notNull(),
    /** The body as it is sent and signed. */
    payload: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [
    unique("webhook_messages_key").on(t.accountId, t.type, t.key),
    index("webhook_messages_created_at_idx").on(t.createdAt),
  ],
);

export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: bigId(),
    messageId: bigint({ mode: "number" })
      .notNull()
      .references(() => webhookMessages.id, { onDelete: "cascade" }),
    endpointId: integer()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    status: webhookDeliveryStatus().notNull().default("pending"),
    /** When the next attempt is due. */
    dueAt: instant().notNull(),
    /** Attempts since the message was written, or since the last replay. */
    tries: smallint().notNull().default(0),
    createdAt: instant().notNull(),
  },
  (t) => [
    unique("webhook_deliveries_once").on(t.messageId, t.endpointId),
    index("webhook_deliveries_due_idx").on(t.endpointId, t.dueAt).where(sql`${t.status} = 'pending'`),
    index("webhook_deliveries_endpoint_id_idx").on(t.endpointId, t.id),
  ],
);

export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: bigId(),
    deliveryId: bigint({ mode: "number" })
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    attemptedAt: instant().notNull(),
    durationMs: integer().notNull(),
    /** Null: there was no response. */
    responseStatus: smallint(),
    /** The beginning of the response's body. */
    responseExcerpt: text(),
    /** Why the attempt failed without a response, or despite one. */
    error: text(),
  },
  (t) => [index("webhook_attempts_delivery_id_idx").on(t.deliveryId, t.id)],
);
