/**
 * Sends due messages, at least once. A process leases an endpoint and sends its messages one after the other, so a slow
 * endpoint holds up no other, and no endpoint gets two messages at the same time. If the process dies between sending and
 * recording, the lease expires and the message is sent again with the same `webhook-id`.
 */
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { webhookDeliveries } from "../../platform/metrics/metrics.ts";
import { traced } from "../../platform/tracing.ts";
import { recordServiceAudit } from "../accounts/audit.server.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { webhookDisabled } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import * as queries from "./delivery-queries.server.ts";
import { isSuccess, type Outcome, outcomeOf } from "./outcome.ts";
import { excerptLength, timeoutSeconds } from "./policy.ts";
import { sealedAbout } from "./secret.server.ts";
import { signedHeaders } from "./signature.server.ts";
import { Unreachable, type WebhookResponse } from "./transport.server.ts";

type Sending = Pick<Context, "db" | "clock" | "deviceClock" | "log" | "random" | "sealer" | "settings" | "webhooks">;

type Sent = { delivered: number; failed: number };

/** How many endpoints a process serves at the same time. */
const concurrency = 10;
/** After this, an endpoint's turn ends, and other endpoints are served first. */
const turnSeconds = 20;
/** Longer than a turn whose last message times out. */
const leaseSeconds = turnSeconds + 2 * timeoutSeconds + 20;
/** Then a run takes up no more endpoints; the next one continues. */
const runSeconds = 45;

/**
 * Sends what is due. One run at a time per process: a call during a run makes it look again before it ends.
 *
 * @param signal once it is aborted, no further message is sent
 */
export const sendDueWebhooks = (ctx: Sending, signal?: AbortSignal): Promise<Sent> => {
  const sender = senderOf(ctx.db);
  sender.isWanted = true;
  sender.run ??= runAll(ctx, sender, signal).finally(() => {
    sender.run = null;
  });
  return sender.run;
};

type Sender = { run: Promise<Sent> | null; isWanted: boolean };
const senderOf = perDatabase((): Sender => ({ run: null, isWanted: false }));

const runAll = async (ctx: Sending, sender: Sender, signal: AbortSignal | undefined): Promise<Sent> => {
  const sent: Sent = { delivered: 0, failed: 0 };
  const endsAt = ctx.deviceClock.now().getTime() + runSeconds * 1_000;
  const isOver = () => signal?.aborted === true || ctx.deviceClock.now().getTime() >= endsAt;
  const worker = async () => {
    while (!isOver()) {
      const now = ctx.clock.now();
      const endpoint = await queries.leaseEndpoint(ctx.db, now, new Date(now.getTime() + leaseSeconds * 1_000));
      if (!endpoint) return;
      await serve(ctx, endpoint, sent, isOver).finally(() => queries.releaseEndpoint(ctx.db, endpoint));
    }
  };
  while (sender.isWanted && !isOver()) {
    sender.isWanted = false;
    const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
    for (const worker of ended) if (worker.status === "rejected") throw worker.reason;
  }
  return sent;
};

/** An endpoint's turn: until nothing is due, a message fails, or the time is up. */
const serve = async (
  ctx: Sending,
  endpoint: queries.LeasedEndpoint,
  sent: Sent,
  isOver: () => boolean,
): Promise<void> => {
  const endsAt = ctx.deviceClock.now().getTime() + turnSeconds * 1_000;
  while (!isOver() && ctx.deviceClock.now().getTime() < endsAt) {
    const due = await queries.findDue(ctx.db, endpoint.id, ctx.clock.now());
    if (!due) return;
    const delivered = await sendOne(ctx, endpoint, due);
    sent[delivered ? "delivered" : "failed"] += 1;
    if (!delivered) return;
  }
};

type Result = {
  response: WebhookResponse | null;
  error: string | null;
  durationMs: number;
};

/** @returns whether it was delivered */
const sendOne = async (ctx: Sending, endpoint: queries.LeasedEndpoint, due: queries.DueDelivery): Promise<boolean> => {
  const startedAt = ctx.deviceClock.now();
  const result = await traced(
    { name: "deliver webhook", kind: "client", attributes: { "webhook.endpoint_id": endpoint.id } },
    () => post(ctx, endpoint, due, startedAt),
  );
  const durationMs = ctx.deviceClock.now().getTime() - startedAt.getTime();
  const outcome = await ctx.db.transaction((tx) => record(tx, ctx, endpoint, due.id, { ...result, durationMs }));
  // If this process dies here, the next failure disables the endpoint.
  if (outcome?.disable) await disable(ctx, endpoint, outcome.disable);
  const isDelivered = isSuccess(result.response?.status ?? null);
  webhookDeliveries.add({ outcome: isDelivered ? "delivered" : "failed" });
  return isDelivered;
};

const post = async (
  ctx: Sending,
  endpoint: queries.LeasedEndpoint,
  { publicId, payload }: queries.DueDelivery,
  // Receivers compare with their own clock, which the test clock does not move.
  sentAt: Date,
): Promise<Omit<Result, "durationMs">> => {
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "ShippingRouteDataService-Webhooks/1.0",
    ...signedHeaders({ id: messageIdOf(publicId), sentAt, payload, secrets: secretsOf(ctx, endpoint) }),
  };
  try {
    const response = await ctx.webhooks.post({ url: endpoint.url, headers, body: payload });
    return { response, error: null };
  } catch (error) {
    if (!(error instanceof Unreachable))
      ctx.log.error("A webhook could not be sent", { endpoint_id: endpoint.id }, error);
    return { response: null, error: error instanceof Unreachable ? error.message : "The request could not be made" };
  }
};

/** The header `webhook-id`: the same for every attempt and replay, and at each endpoint. */
export const messageIdOf = (publicId: string): string => `msg_${publicId.replaceAll("-", "")}`;

const secretsOf = (ctx: Sending, endpoint: queries.LeasedEndpoint): Uint8Array[] => {
  const { accountId, sealedSecret, previousSealedSecret, previousSecretUntil } = endpoint;
  const previous = previousSecretUntil && ctx.clock.now() < previousSecretUntil ? previousSealedSecret : null;
  return [sealedSecret, ...(previous ? [previous] : [])].map((sealed) =>
    ctx.sealer.open(sealed, sealedAbout(accountId)),
  );
};

const record = async (
  tx: Tx,
  ctx: Sending,
  endpoint: queries.LeasedEndpoint,
  deliveryId: number,
  { response, error, durationMs }: Result,
): Promise<Outcome | null> => {
  const delivery = await queries.lockDelivery(tx, endpoint.id, deliveryId);
  if (!delivery) return null;
  const now = ctx.clock.now();
  const tries = delivery.tries + 1;
  const { failingSince } = delivery;
  const outcome = outcomeOf({
    status: response?.status ?? null,
    retryAfter: response?.retryAfter ?? null,
    tries,
    failingSince,
    now,
    jitter: (ctx.random.bytes(1)[0] ?? 0) / 255,
  });
  await queries.insertAttempt(tx, {
    deliveryId,
    attemptedAt: now,
    durationMs,
    responseStatus: response?.status ?? null,
    responseExcerpt: response && excerptOf(response.body),
    error,
  });
  // A delivery that was given up meanwhile, because the endpoint was disabled, stays so unless it has arrived.
  const isOpen = delivery.status === "pending";
  const { status, dueAt } = outcome;
  await queries.updateDelivery(tx, deliveryId, {
    tries,
    ...(isOpen || status === "delivered" ? { status, dueAt } : {}),
  });
  const isFailing = status !== "delivered";
  if (isFailing !== (failingSince !== null)) await queries.setFailingSince(tx, endpoint.id, isFailing ? now : null);
  return outcome;
};

/** PostgreSQL stores no NUL characters. */
const excerptOf = (body: string): string => body.replaceAll("\0", "").slice(0, excerptLength).toWellFormed();

const disable = (
  ctx: Sending,
  { id, accountId, url }: queries.LeasedEndpoint,
  reason: NonNullable<Outcome["disable"]>,
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await lockAccount(tx, accountId);
    if (!(await queries.disableEndpoint(tx, id, reason, now))) return;
    const { host } = new URL(url);
    await recordServiceAudit(tx, accountId, "webhook_endpoint.disabled", now, { endpoint_id: id, host, reason });
    const mail = webhookDisabled(ctx.settings.appUrl, { endpointId: id, url, reason });
    await enqueue(tx, { ...mail, dedupeKey: `webhook-disabled:${id}:${now.toISOString()}`, accountId }, now);
  });
