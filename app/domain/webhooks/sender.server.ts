/** Sends webhooks as soon as they are due for the first time. Retries are left to the job that runs every minute. */
import type { Follow } from "../../platform/db.server.ts";
import { asLongWork } from "../../platform/time-budget.server.ts";
import type { Context } from "../context.ts";
import { webhookChannel } from "./policy.ts";
import { sendDueWebhooks } from "./send.server.ts";

export type WebhookSender = {
  /** Resolves when no message is being sent. Abort the signal first. */
  stop(): Promise<void>;
};

/** @param signal aborted when the service stops */
export const startWebhookSender = (ctx: Context, follow: Follow, signal: AbortSignal): WebhookSender => {
  let latest: Promise<unknown> = Promise.resolve();
  const send = () => {
    if (signal.aborted) return;
    latest = asLongWork(() => sendDueWebhooks(ctx, signal)).catch((error) =>
      ctx.log.error("Webhooks could not be sent", {}, error),
    );
  };
  // Without the notifications, the job sends.
  follow(webhookChannel, send).catch((error) => ctx.log.error("Webhook notifications are not heard", {}, error));
  return { stop: async () => void (await latest) };
};
