/**
 * Renewal charges. A charge is written down before it is made and settled after it, each in a transaction of its own, and
 * the provider is called in between: whatever fails, and wherever, the next sweep finds the charge open, asks the
 * provider what became of it, and never makes it twice.
 *
 * @spec Subscription, rule 5
 */

import { recordServiceAudit } from "../accounts/audit.server.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import { Refusal } from "../errors.ts";
import { currency } from "../money.ts";
import { authenticationNeeded, cardMissing, chargeFailed, type Message } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { type ChargeableCard, chargeableCard, deleteSavedCard } from "../payments/cards.server.ts";
import type { IntentStatus, PaymentIntent } from "../payments/gateway.ts";
import { smallestChargeCents } from "../payments/order.ts";
import { cancelOpenRenewals, writeOrder } from "../payments/orders.server.ts";
import { chargeDaysBeforeEnd } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { renewalLine } from "./renewal-price.server.ts";
import { settle, settleIntent } from "./settle.server.ts";

type World = Pick<Context, "db" | "clock" | "log" | "payments" | "settings">;

/** `open`: the outcome is not known yet. `none`: nothing was to be charged. */
type Outcome = "succeeded" | "declined" | "open" | "none";
type Attempt = queries.RenewalAttempt;

/**
 * Charges every renewal that is due: from `chargeDaysBeforeEnd` on once a day until it succeeds, never after the end.
 * First it finds out what became of the charges that were left open.
 */
export const chargeDueRenewals = async (
  ctx: World,
  signal?: AbortSignal,
): Promise<{ succeeded: number; declined: number }> => {
  const count: Record<Outcome, number> = { succeeded: 0, declined: 0, open: 0, none: 0 };
  const left = await queries.pendingAttempts(ctx.db);
  await eachAlone(ctx, signal, left, async (attempt) => {
    count[await resolvePendingCharge(ctx, attempt)] += 1;
  });
  const today = dayOf(ctx.clock.now());
  const due = await queries.dueForRenewal(ctx.db, today, addDays(today, chargeDaysBeforeEnd));
  await eachAlone(ctx, signal, due, async (subscription) => {
    count[await renew(ctx, subscription)] += 1;
  });
  return { succeeded: count.succeeded, declined: count.declined };
};

const atOnce = 4;

/** One that fails does not keep the others from their turn; it is found open by the next sweep. */
const eachAlone = async <Item extends { subscriptionId: number }>(
  ctx: World,
  signal: AbortSignal | undefined,
  items: Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) {
      if (signal?.aborted) return;
      await work(item).catch((error) =>
        ctx.log.error("A renewal was left open", { subscription_id: item.subscriptionId }, error),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

const renew = async (ctx: World, due: queries.DueSubscription): Promise<Outcome> => {
  const line = await renewalLine(ctx, due.account, due, due.renewalTerm);
  if (!line || line.totalCents < smallestChargeCents) {
    ctx.log.warn("A subscription cannot be renewed", {
      subscription_id: due.subscriptionId,
      reason: line ? "too little to charge" : "no period on sale",
    });
    return "none";
  }
  if (await isBeingPaid(ctx, due.subscriptionId)) return "none";
  const now = ctx.clock.now();
  const today = dayOf(now);
  const opened = await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, due.accountId);
    if (!(await queries.isDueForRenewal(tx, due, today))) return null;
    const orderId = await writeOrder(
      tx,
      due.accountId,
      {
        kind: "renewal",
        autoRenew: true,
        description: descriptionOf(due),
        lines: [{ ...line, subscriptionId: due.subscriptionId, creditCents: 0, creditedThroughTermId: null }],
      },
      now,
    );
    const id = await queries.insertAttempt(tx, {
      subscriptionId: due.subscriptionId,
      orderId,
      endDate: due.endDate,
      attemptedOn: today,
      idempotencyKey: `renewal-${due.subscriptionId}-${due.endDate}-${today}`,
      createdAt: now,
    });
    return { id, card: await chargeableCard(tx, due.accountId) };
  });
  if (!opened) return "none";
  const attempt = await queries.findAttempt(ctx.db, opened.id);
  return opened.card ? charge(ctx, attempt, opened.card) : decline(ctx, attempt, "no_card");
};

/**
 * Whether its holder is paying for a renewal at this moment. What has been begun and not paid is withdrawn, so that one
 * renewal is never paid twice: here, and at the payment page that still stands open.
 */
const isBeingPaid = async (ctx: World, subscriptionId: number): Promise<boolean> => {
  const paying = await cancelOpenRenewals(ctx, subscriptionId);
  for (const paymentIntentId of paying) await settleIntent(ctx, paymentIntentId);
  return paying.length > 0;
};

const descriptionOf = ({ routeCode }: { routeCode: string }) => `Renewal of shipping route data, ${routeCode}`;

const charge = async (ctx: World, attempt: Attempt, card: ChargeableCard): Promise<Outcome> => {
  const { orderId, amountCents } = attempt;
  const input = { ...card, orderId, amountCents, currency, description: descriptionOf(attempt) };
  try {
    return await conclude(ctx, attempt, await ctx.payments.chargeOffSession(input, attempt.idempotencyKey));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "conflict") return decline(ctx, attempt, "card_gone", card);
    ctx.log.warn("A renewal charge has no answer yet", { subscription_id: attempt.subscriptionId, code: error.code });
    return "open";
  }
};

/** For so long a charge is left to the sweep that makes it. */
const patienceMs = 5 * 60_000;
const isPursued = ({ createdAt }: Attempt, now: Date): boolean => now.getTime() - createdAt.getTime() >= patienceMs;
/** Safely within the day for which the provider knows an idempotency key. */
const repeatableMs = 20 * 3_600_000;

/** What became of a charge that was left open: by what the provider has, not by what we remember. */
const resolvePendingCharge = async (ctx: World, attempt: Attempt): Promise<Outcome> => {
  const now = ctx.clock.now();
  const ageMs = now.getTime() - attempt.createdAt.getTime();
  // Another process may be at it right now.
  if (!isPursued(attempt, now)) return "open";
  const card = await chargeableCard(ctx.db, attempt.accountId);
  const { customerId, orderId, createdAt } = attempt;
  const intent = customerId === null ? null : await ctx.payments.findIntent({ customerId, orderId, since: createdAt });
  if (intent) return conclude(ctx, attempt, intent);
  const wanted = dayOf(now) < attempt.endDate && attempt.wanted;
  if (wanted && card && ageMs < repeatableMs) return charge(ctx, attempt, card);
  await queries.markDeclined(ctx.db, attempt.id, "not_charged", now);
  return "none";
};

const meaning = {
  succeeded: "paid",
  processing: "open",
  requires_confirmation: "open",
  requires_capture: "open",
  requires_payment_method: "declined",
  requires_action: "declined",
  canceled: "declined",
} as const satisfies Record<IntentStatus, string>;

const conclude = async (ctx: World, attempt: Attempt, intent: PaymentIntent): Promise<Outcome> => {
  switch (meaning[intent.status]) {
    case "paid":
      return succeed(ctx, attempt, intent);
    case "open":
      return "open";
    case "declined":
      return giveUp(ctx, attempt, intent);
  }
};

/**
 * Of several sweeps at once, one reports the charge: the one that has made it, unless another one has pursued it since.
 * A webhook that was faster reports nothing, so the charge is still this sweep's.
 */
const succeed = async (ctx: World, attempt: Attempt, intent: PaymentIntent): Promise<Outcome> => {
  const { isNew } = await settle(ctx, attempt, intent);
  return isNew || !isPursued(attempt, ctx.clock.now()) ? "succeeded" : "none";
};

/** A declined intent is ended before the holder is asked to pay otherwise: it can never succeed beside that. */
const giveUp = async (ctx: World, attempt: Attempt, intent: PaymentIntent): Promise<Outcome> => {
  const ended = intent.status === "canceled" ? intent : await ctx.payments.cancelIntent(intent.id);
  switch (meaning[ended.status]) {
    case "paid":
      return succeed(ctx, attempt, ended);
    case "open":
      return "open";
    case "declined":
      return decline(ctx, attempt, intent.declineCode ?? intent.status);
  }
};

const decline = async (ctx: World, attempt: Attempt, code: string, gone?: ChargeableCard): Promise<Outcome> => {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    await lockAccount(tx, attempt.accountId);
    if (!(await queries.markDeclined(tx, attempt.id, code, now))) return "none";
    if (gone) await deleteSavedCard(tx, gone);
    const { subscriptionId, amountCents } = attempt;
    const details = { subscription_id: subscriptionId, amount_cents: amountCents, currency, reason: code };
    await recordServiceAudit(tx, attempt.accountId, "subscription.renewal_declined", now, details);
    const mail = declineMail(ctx.settings.appUrl, attempt, code, dayOf(now));
    await enqueue(tx, { ...mail, dedupeKey: `charge-declined:${attempt.id}`, accountId: attempt.accountId }, now);
    return "declined";
  });
};

const declineMail = (appUrl: string, attempt: Attempt, code: string, today: Day): Message => {
  const tomorrow = addDays(today, 1);
  const facts = { ...attempt, currency, nextTry: tomorrow < attempt.endDate ? tomorrow : null };
  if (code === "authentication_required" || code === "requires_action") return authenticationNeeded(appUrl, facts);
  return code === "no_card" || code === "card_gone" ? cardMissing(appUrl, facts) : chargeFailed(appUrl, facts);
};
