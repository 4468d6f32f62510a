/** The section `webhooks` of the OpenAPI document: what endpoints receive. */
import { z } from "zod";
import { webhookEventTypes } from "../domain/webhooks/enums.ts";
import { type WebhookEventType, webhookEventDefinitions } from "../domain/webhooks/events.ts";

/** One entry per event type, named after it. */
export const describeWebhooks = () =>
  Object.fromEntries(
    webhookEventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on_${type.replace(".", "_")}`.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
          tags: ["Webhooks"],
          // Receivers verify the signature in the headers.
          security: [],
          summary: webhookEventDefinitions[type].summary,
          parameters: Object.entries(webhookHeaders).map(([name, header]) => ({
            name,
            in: "header" as const,
            required: true,
            schema: { type: "string" as const },
            ...header,
          })),
          requestBody: { required: true, content: { "application/json": { schema: webhookEventSchema(type) } } },
          responses: {
            "2XX": { description: "Received. Any other status is a failed attempt that we retry later." },
            "410": { description: "Disables the endpoint." },
          },
        },
      },
    ]),
  );

const webhookEventSchema = (type: WebhookEventType) =>
  z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime({ precision: 3 }).meta({ description: "When it happened." }),
    data: webhookEventDefinitions[type].data,
  });

const webhookHeaders = {
  "webhook-id": {
    description:
      "Identifies the event. The same for every attempt and replay. Ignore an ID that you have already processed.",
    example: "msg_0d9f4f0a7b1c4e6f8a2b3c4d5e6f7a8b",
  },
  "webhook-timestamp": { description: "When this attempt was sent, in Unix seconds.", example: "1795167000" },
  "webhook-signature": {
    description: "One or more signatures, separated by spaces: v1, followed by the HMAC-SHA256 in base64.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
};
