/** The event types with their data. The OpenAPI document and the guide are made from this table. */
import { z } from "zod";
import { largestId } from "../input.ts";
import { terms } from "../pricing/enums.ts";
import type { webhookEventTypes } from "./enums.ts";

export type WebhookEventType = (typeof webhookEventTypes)[number];

const id = z.int().min(1).max(largestId);
const day = z.iso.date();
const cents = z.int().meta({ description: "In minor units of the currency." });
const currency = z.string().length(3).meta({ description: "ISO 4217.", example: "USD" });

const route = {
  route_id: id.meta({ example: 109 }),
  route_code: z.string().meta({ example: "C-CNSHA-NLRTM-PEL9" }),
  route_name: z.string().meta({ example: "Shanghai to Rotterdam, Pelagia" }),
};
const subscription = { subscription_id: id.meta({ example: 42 }), ...route };
const endDate = day.meta({ description: "The first day without access.", example: "2027-02-20" });
const dataChange = {
  ...route,
  revision: z.int().meta({ description: "The revision of the catalogue after the change.", example: 1204 }),
};
const quota = z.object({
  limit: z.int().meta({ description: "Requests allowed per hour.", example: 1_000 }),
  used: z.int().meta({ example: 800 }),
  resets_at: z.iso.datetime({ precision: 3 }).meta({ description: "When the hour ends." }),
});

type Definition = { summary: string; data: z.ZodType };

export const webhookEventDefinitions = {
  "data.changed": {
    summary: "Data of a subscribed route changed: reports, rates, surcharges, sailings, periods or the route itself.",
    data: z.object({
      ...dataChange,
      changes: z.record(z.string(), z.int().min(1)).meta({
        description: "Number of change records by type.",
        example: { rates_changed: 1, reports_added: 3 },
      }),
    }),
  },
  "report.added": {
    summary: "New reports about a subscribed route.",
    data: z.object({
      ...dataChange,
      reports: z.int().min(1).meta({ description: "Number of reports that were added.", example: 12 }),
      observed_from: z.iso.datetime({ precision: 3 }),
      observed_to: z.iso.datetime({ precision: 3 }),
    }),
  },
  "alert.triggered": {
    summary: "A watchlist rule triggered an alert.",
    data: z.object({
      alert_id: id,
      watch_id: id,
      rule: z.string().meta({ description: "The kind of rule.", example: "rate_change" }),
      ...route,
      summary: z.string().meta({ description: "What happened, in a sentence." }),
    }),
  },
  "subscription.expiring": {
    summary: "A subscription ends soon. Sent with each e-mail reminder.",
    data: z.object({
      ...subscription,
      end_date: endDate,
      days_left: z.int().min(1).meta({ example: 7 }),
      auto_renew: z.boolean().meta({ description: "Whether it renews automatically." }),
    }),
  },
  "subscription.expired": {
    summary: "A subscription has ended without a renewal.",
    data: z.object({ ...subscription, end_date: endDate }),
  },
  "subscription.renewed": {
    summary: "A subscription was renewed, automatically or manually.",
    data: z.object({
      ...subscription,
      end_date: endDate,
      subscription_term: z.enum(terms),
      amount_cents: cents.meta({
        description: "The amount paid for the term before tax, in minor units.",
        example: 45_200,
      }),
      currency,
      automatic: z.boolean().meta({ description: "Whether it was charged automatically." }),
    }),
  },
  "payment.failed": {
    summary: "The charge of an automatic renewal failed.",
    data: z.object({
      ...subscription,
      end_date: endDate,
      amount_cents: cents.meta({ example: 45_200 }),
      currency,
      reason: z.string().meta({ description: "The decline code.", example: "card_declined" }),
      next_attempt_on: day.nullable().meta({ description: "Null: no further attempt." }),
    }),
  },
  "api_key.created": {
    summary: "An API key was created.",
    data: z.object({
      api_key_id: id,
      api_key_name: z.string().meta({ example: "Rate sync, production" }),
      user: z.string().meta({ example: "forwarder-ops" }),
    }),
  },
  "api_key.revoked": {
    summary:
      "An API key has stopped working: it was deactivated, deleted or rotated, it has expired, or somebody has found it.",
    data: z.object({
      api_key_id: id,
      api_key_name: z.string().meta({ example: "Rate sync, production" }),
      reason: z.enum(["deactivated", "deleted", "rotated", "expired", "leaked"]),
    }),
  },
  "quota.reached_80": { summary: "80% of the hour's requests are used. Sent once per hour.", data: quota },
  "quota.reached_100": { summary: "All of the hour's requests are used. Sent once per hour.", data: quota },
  "endpoint.test": {
    summary: "A test event, sent on request.",
    data: z.object({ endpoint_id: id, message: z.string().meta({ example: "It works" }) }),
  },
} as const satisfies Record<WebhookEventType, Definition>;

export type WebhookData<Type extends WebhookEventType> = z.input<(typeof webhookEventDefinitions)[Type]["data"]>;

/** An event for one account. */
export type NewWebhookEvent<Type extends WebhookEventType = WebhookEventType> = {
  [One in Type]: {
    accountId: number;
    type: One;
    /** Identifies the fact: a second event with the same account, type and key is not stored. */
    key: string;
    data: WebhookData<One>;
    /** When it happened. */
    at: Date;
  };
}[Type];

/** The body of an event, as Standard Webhooks has it. */
export const payloadOf = ({ type, at, data }: NewWebhookEvent): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });
