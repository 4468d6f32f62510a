/**
 * Renewal charges. One transaction records the attempt, then the payment provider is called, then a second transaction
 * settles the attempt. Whatever fails in between, the next run finds the attempt pending and asks the provider for its
 * outcome, so that nothing is charged twice.
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
import { cancelOpenRenewals, writeOrder } from "../payments/orders.server.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import { chargeDaysBeforeEnd } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { isChargeable, nextAttempt } from "./renewal.ts";
import { renewalQuotes } from "./renewal-quotes.server.ts";
import { settle, settleIntent } from "./settle.server.ts";

type World = Pick<Context, "db" | "clock" | "log" | "payments" | "settings">;

/** `open`: the outcome is not known yet. `none`: nothing had to be charged. */
type Outcome = "succeeded" | "declined" | "open" | "none";
type Attempt = queries.RenewalAttempt;

/**
 * Charges every renewal that is due: once a day from `chargeDaysBeforeEnd` on until it succeeds, and never after the
 * end. Attempts left pending by earlier runs are resolved first.
 */
export const chargeDueRenewals = async (
  ctx: World,
  signal?: AbortSignal,
): Promise<{ succeeded: number; declined: number }> => {
  const count: Record<Outcome, number> = { succeeded: 0, declined: 0, open: 0, none: 0 };
  const pending = await queries.pendingAttempts(ctx.db);
  await forEachIsolated(ctx, signal, pending, async (attempt) => {
    count[await resolvePendingCharge(ctx, attempt)] += 1;
  });
  const today = dayOf(ctx.clock.now());
  const due = await queries.dueForRenewal(ctx.db, today, addDays(today, chargeDaysBeforeEnd));
  const quotes = await renewalQuotes(
    ctx,
    due.map((subscription) => ({ subscription, term: subscription.renewalTerm, on: today })),
  );
  const renewals = due.map((subscription, index) => ({
    subscriptionId: subscription.id,
    subscription,
    quote: quotes[index] ?? null,
  }));
  await forEachIsolated(ctx, signal, renewals, async ({ subscription, quote }) => {
    count[await renew(ctx, subscription, quote)] += 1;
  });
  return { succeeded: count.succeeded, declined: count.declined };
};

const concurrency = 4;

/** A failure does not stop the rest; the next run finds the attempt pending. */
const forEachIsolated = async <Item extends { subscriptionId: number }>(
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
  await Promise.all(Array.from({ length: concurrency }, worker));
};

const renew = async (ctx: World, due: queries.EndingSubscription, quote: QuoteLine | null): Promise<Outcome> => {
  if (!isChargeable(quote)) {
    ctx.log.warn("A subscription cannot be renewed", {
      subscription_id: due.id,
      reason: quote ? "too little to charge" : "no period on sale",
    });
    return "none";
  }
  if (await isBeingPaid(ctx, due.id)) return "none";
  const now = ctx.clock.now();
  const today = dayOf(now);
  const opened = await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, due.accountId);
    if (!(await queries.isDueForRenewal(tx, due, today))) return null;
    // Every attempt charges the price that the first one, or the reminder before it, announced.
    const lock = { ...quote, subscriptionId: due.id, endDate: due.endDate, lockedAt: now };
    if (!(await queries.lockPrice(tx, lock))) return null;
    const orderId = await writeOrder(
      tx,
      due.accountId,
      {
        kind: "renewal",
        autoRenew: true,
        description: descriptionOf(due),
        lines: [{ ...quote, subscriptionId: due.id, creditCents: 0, creditedThroughTermId: null }],
      },
      now,
    );
    const id = await queries.insertAttempt(tx, {
      subscriptionId: due.id,
      orderId,
      endDate: due.endDate,
      attemptedOn: today,
      idempotencyKey: `renewal-${due.id}-${due.endDate}-${today}`,
      createdAt: now,
    });
    return { id, card: await chargeableCard(tx, due.accountId) };
  });
  if (!opened) return "none";
  const attempt = await queries.findAttempt(ctx.db, opened.id);
  return opened.card ? charge(ctx, attempt, opened.card) : decline(ctx, attempt, "no_card");
};

/**
 * Whether the account holder is paying for a renewal right now. Renewal orders that are open and unpaid are cancelled, so
 * that the same renewal cannot be charged here and paid again on a payment page that is still open.
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

/** Until then, a pending attempt is left to the run that made it. */
const staleAfterMs = 5 * 60_000;
const isStale = ({ createdAt }: Attempt, now: Date): boolean => now.getTime() - createdAt.getTime() >= staleAfterMs;
/** Stripe keeps idempotency keys for 24 hours; this leaves a margin. */
const retryableForMs = 20 * 3_600_000;

/** Resolves a pending attempt by what the payment provider has recorded, not by what we remember. */
const resolvePendingCharge = async (ctx: World, attempt: Attempt): Promise<Outcome> => {
  const now = ctx.clock.now();
  const ageMs = now.getTime() - attempt.createdAt.getTime();
  // Another process may be working on it.
  if (!isStale(attempt, now)) return "open";
  const card = await chargeableCard(ctx.db, attempt.accountId);
  const { customerId, orderId, createdAt } = attempt;
  const intent = customerId === null ? null : await ctx.payments.findIntent({ customerId, orderId, since: createdAt });
  if (intent) return conclude(ctx, attempt, intent);
  const isStillDue = dayOf(now) < attempt.endDate && attempt.isRenewing;
  if (isStillDue && card && ageMs < retryableForMs) return charge(ctx, attempt, card);
  await queries.markDeclined(ctx.db, attempt.id, "not_charged", now);
  return "none";
};

const resultOf = {
  succeeded: "paid",
  processing: "open",
  requires_confirmation: "open",
  requires_capture: "open",
  requires_payment_method: "declined",
  requires_action: "declined",
  canceled: "declined",
} as const satisfies Record<IntentStatus, string>;

const conclude = async (ctx: World, attempt: Attempt, intent: PaymentIntent): Promise<Outcome> => {
  switch (resultOf[intent.status]) {
    case "paid":
      return succeed(ctx, attempt, intent);
    case "open":
      return "open";
    case "declined":
      return cancelDeclined(ctx, attempt, intent);
  }
};

/**
 * When several runs overlap, exactly one counts the charge: the one that settled it, or the one that made it if a webhook
 * settled it first. Once the attempt is stale, only the run that settles it counts it.
 */
const succeed = async (ctx: World, attempt: Attempt, intent: PaymentIntent): Promise<Outcome> => {
  const { isNew } = await settle(ctx, attempt, intent);
  return isNew || !isStale(attempt, ctx.clock.now()) ? "succeeded" : "none";
};

/** A declined intent is cancelled before the holder is asked to pay another way, so that it cannot succeed later. */
const cancelDeclined = async (ctx: World, attempt: Attempt, intent: PaymentIntent): Promise<Outcome> => {
  const ended = intent.status === "canceled" ? intent : await ctx.payments.cancelIntent(intent.id);
  switch (resultOf[ended.status]) {
    case "paid":
      return succeed(ctx, attempt, ended);
    case "open":
      return "open";
    case "declined":
      return decline(ctx, attempt, intent.declineCode ?? intent.status);
  }
};

const decline = async (ctx: World, attempt: Attempt, code: string, missingCard?: ChargeableCard): Promise<Outcome> => {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    await lockAccount(tx, attempt.accountId);
    if (!(await queries.markDeclined(tx, attempt.id, code, now))) return "none";
    if (missingCard) await deleteSavedCard(tx, missingCard);
    const { subscriptionId, amountCents } = attempt;
    const details = { subscription_id: subscriptionId, amount_cents: amountCents, currency, reason: code };
    await recordServiceAudit(tx, attempt.accountId, "subscription.renewal_declined", now, details);
    const mail = declineMail(ctx.settings.appUrl, attempt, code, dayOf(now));
    await enqueue(tx, { ...mail, dedupeKey: `charge-declined:${attempt.id}`, accountId: attempt.accountId }, now);
    return "declined";
  });
};

const declineMail = (appUrl: string, attempt: Attempt, code: string, today: Day): Message => {
  const { attemptedOn, endDate, isRenewing } = attempt;
  const nextTry = isRenewing ? nextAttempt(today, endDate, { attemptedOn, state: "declined" }) : null;
  const facts = { ...attempt, currency, nextTry };
  if (code === "authentication_required" || code === "requires_action") return authenticationNeeded(appUrl, facts);
  return code === "no_card" || code === "card_gone" ? cardMissing(appUrl, facts) : chargeFailed(appUrl, facts);
};
