import { setTimeout as wait } from "node:timers/promises";
import { asRequest } from "#app/platform/time-budget.server.ts";
import type { Context } from "../../context.ts";
import { signWebhook } from "../stripe.server.ts";
import { findObject, undeliveredEventIds, updateObject } from "./queries.server.ts";

export type Deliver = (rawBody: string, signature: string) => Promise<{ status: number }>;

type Webhooks = {
  /** Starts delivering events in order, and returns at once. */
  send(eventIds: string[]): void;
  /** Resends the events that were never accepted. @returns how many */
  redeliver(): Promise<number>;
  /** Resolves when no delivery is running. */
  idle(): Promise<void>;
  /** Like `idle`, but without further attempts: undelivered events wait for `redeliver`. */
  stop(): Promise<void>;
};

/** Delivers events as Stripe does: signed, asynchronously, at least once, with a few retries. */
export const createWebhooks = (
  ctx: Pick<Context, "db" | "clock" | "log">,
  options: { webhookSecret: string; deliver: Deliver; retryDelaysMs: readonly number[] },
): Webhooks => {
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  const deliverOnce = async (eventId: string): Promise<boolean> => {
    const event = await findObject(ctx.db, "event", eventId);
    if (!event || event.hidden.delivered_at !== null) return true;
    const now = ctx.clock.now();
    const rawBody = JSON.stringify(event.body, null, 2);
    const { status } = await options.deliver(rawBody, signWebhook(rawBody, options.webhookSecret, now));
    if (status < 200 || status > 299) return false;
    await updateObject(ctx.db, { ...event, hidden: { delivered_at: now.toISOString() } });
    return true;
  };

  const deliver = async (eventId: string): Promise<void> => {
    let failure: unknown;
    for (const delayMs of [0, ...options.retryDelaysMs]) {
      await wait(delayMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        if (await asRequest(() => deliverOnce(eventId))) return;
        failure = undefined;
      } catch (error) {
        failure = error;
      }
    }
    ctx.log.warn("A simulated webhook was not taken", { eventId, error: failure ? String(failure) : null });
  };

  const send = (eventIds: string[]) => {
    let previous: Promise<void> = Promise.resolve();
    for (const id of eventIds.filter((id) => !running.has(id))) {
      previous = previous.then(() => deliver(id)).finally(() => running.delete(id));
      running.set(id, previous);
    }
  };

  const idle = async () => {
    while (running.size > 0) await Promise.all(running.values());
  };

  return {
    send,
    redeliver: async () => {
      const undelivered = (await undeliveredEventIds(ctx.db)).filter((id) => !running.has(id));
      send(undelivered);
      return undelivered.length;
    },
    idle,
    stop: () => {
      stopping.abort();
      return idle();
    },
  };
};
