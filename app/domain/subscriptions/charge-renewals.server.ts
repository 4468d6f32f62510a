/**
 * Renewal charges. One transaction records the attempt, then the payment provider is called, then a second transaction
 * settles the attempt. Whatever fails in between, the next run finds the attempt pending and asks the provider for its
 * outcome, so that nothing is charged twice.
 *
 * @spec Subscription, rule 5
 */

import { paymentCharges } from "../../platform/metrics/metrics.ts";
import { recordServiceAudit } from "../accounts/audit.server.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import { Refusal } from "../errors.ts";
import { currency } from "../money.ts";
import { authenticationNeeded, cardMissing, chargeFailed, type Message } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { type ChargeableCard, chargeableCard, deleteSavedCard } from "../payments/cards.server.ts";
import { declineClass } from "../payments/declines.ts";
import type { IntentStatus, PaymentIntent } from "../payments/gateway.ts";
import { cancelOpenRenewals, handOver, writeOrder } from "../payments/orders.server.ts";
import { taxOrder } from "../payments/tax-order.server.ts";
import * as dueQueries from "./due-queries.server.ts";
import { chargeDaysBeforeEnd } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { isChargeable, nextAttempt } from "./renewal.ts";
import { lacksCard, needsAuthentication, renewalFailure } from "./renewal-failure.ts";
import { type RenewalQuote, renewalQuotes } from "./renewal-quotes.server.ts";
import { settle, settleIntent } from "./settle.server.ts";
import { announcePaymentFailed } from "./webhook-events.server.ts";

type World = Pick<Context, "db" | "clock" | "log" | "payments" | "settings" | "tax">;

/** How many renewals are read and priced together. */
const batchSize = 100;

/** `open`: the outcome is not known yet. `none`: nothing had to be charged. */
type Outcome = "succeeded" | "declined" | "open" | "none";
type Attempt = queries.RenewalAttempt;

/**
 * Charges every renewal that is due: once a day from `chargeDaysBeforeEnd` on until it succeeds, and never after the
 * end. Attempts left pending by earlier runs are resolved first. Accounts take turns, so that one with very many renewals
 * does not hold up the others.
 */
export const chargeDueRenewals = async (
  ctx: World,
  signal?: AbortSignal,
): Promise<{ succeeded: number; declined: number }> => {
  const count: Record<Outcome, number> = { succeeded: 0, declined: 0, open: 0, none: 0 };
  await forEachIsolated(ctx, signal, pendingAttempts(ctx), async (attempt) => {
    count[await resolvePendingCharge(ctx, attempt)] += 1;
  });
  await forEachIsolated(ctx, signal, dueRenewals(ctx, dayOf(ctx.clock.now())), async ({ subscription, quote }) => {
    count[await renew(ctx, subscription, quote)] += 1;
  });
  return { succeeded: count.succeeded, declined: count.declined };
};

async function* pendingAttempts(ctx: World): AsyncGenerator<Attempt> {
  let batch: Attempt[] = [];
  do {
    batch = await queries.pendingAttempts(ctx.db, batch.at(-1)?.id ?? 0, batchSize);
    yield* batch;
  } while (batch.length === batchSize);
}

/** Read and priced in batches, as they are reached. */
async function* dueRenewals(ctx: World, today: Day) {
  const last = addDays(today, chargeDaysBeforeEnd);
  const ids = await dueQueries.renewingInTurns(ctx.db, today, last);
  for (let first = 0; first < ids.length; first += batchSize) {
    const due = await dueQueries.dueForRenewal(ctx.db, ids.slice(first, first + batchSize), today, last);
    const quotes = await renewalQuotes(
      ctx,
      due.map((subscription) => ({ subscription, term: subscription.renewalTerm, on: today })),
    );
    yield* due.map((subscription, index) => ({
      subscriptionId: subscription.id,
      subscription,
      quote: quotes[index] ?? null,
    }));
  }
}

/** `renewalConcurrency` at a time. A failure does not stop the rest; the next run finds the attempt pending. */
const forEachIsolated = async <Item extends { subscriptionId: number }>(
  ctx: World,
  signal: AbortSignal | undefined,
  items: AsyncGenerator<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const worker = async () => {
    for await (const item of items) {
      if (signal?.aborted) return;
      await work(item).catch((error) =>
        ctx.log.error("A renewal was left open", { subscription_id: item.subscriptionId }, error),
      );
    }
  };
  await Promise.all(Array.from({ length: ctx.settings.renewalConcurrency }, worker));
};

const renew = async (ctx: World, due: dueQueries.EndingSubscription, quote: RenewalQuote | null): Promise<Outcome> => {
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
    if (!(await dueQueries.isDueForRenewal(tx, due, today))) return null;
    // Every attempt charges the price that the first one, or the reminder before it, announced.
    const lock = { ...quote, subscriptionId: due.id, endDate: due.endDate, lockedAt: now };
    if (!(await queries.lockPrice(tx, lock))) return null;
    const orderId = await writeOrder(
      tx,
      ctx,
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
  return opened.card ? charge(ctx, attempt, opened.card) : decline(ctx, await withTax(ctx, attempt), "no_card");
};

type TaxedAttempt = Attempt & { taxCalculationId: string | null };

/** The attempt over the amount with tax. It stays the same when the attempt is made again. */
const withTax = async (ctx: World, attempt: Attempt): Promise<TaxedAttempt> => {
  if (!ctx.tax) return { ...attempt, taxCalculationId: null };
  const { amountCents, taxCalculationId } = await taxOrder(ctx, attempt);
  return { ...attempt, amountCents, taxCalculationId };
};

/**
 * Whether the account holder is paying for a renewal right now. Renewal orders that are open and unpaid are cancelled, so
 * that the same renewal cannot be charged here and paid again on a payment page that is still open. So is an earlier
 * charge that waits for authentication.
 */
const isBeingPaid = async (ctx: World, subscriptionId: number): Promise<boolean> => {
  const paying = await cancelOpenRenewals(ctx, subscriptionId);
  for (const paymentIntentId of paying) await settleIntent(ctx, paymentIntentId);
  return paying.length > 0;
};

const descriptionOf = ({ routeCode }: { routeCode: string }) => `Renewal of shipping route data, ${routeCode}`;

const charge = async (ctx: World, untaxed: Attempt, card: ChargeableCard): Promise<Outcome> => {
  let attempt: TaxedAttempt;
  try {
    attempt = await withTax(ctx, untaxed);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { subscriptionId } = untaxed;
    ctx.log.warn("A renewal cannot be taxed yet", { subscription_id: subscriptionId, reason: error.message });
    return "open";
  }
  const { orderId, amountCents, taxCalculationId } = attempt;
  const input = { ...card, orderId, amountCents, currency, description: descriptionOf(attempt), taxCalculationId };
  try {
    return await conclude(ctx, attempt, await ctx.payments.chargeOffSession(input, attempt.idempotencyKey));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "conflict") return decline(ctx, attempt, "card_gone", { missingCard: card });
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

/**
 * A declined intent is cancelled before the account holder is asked to pay another way, so that it cannot succeed later. One that
 * waits for authentication is handed over to the account holder instead; the next attempt cancels it.
 */
const cancelDeclined = async (ctx: World, attempt: Attempt, intent: PaymentIntent): Promise<Outcome> => {
  const code = intent.declineCode ?? intent.status;
  if (intent.status !== "canceled" && needsAuthentication(code)) return decline(ctx, attempt, code, { intent });
  const ended = intent.status === "canceled" ? intent : await ctx.payments.cancelIntent(intent.id);
  switch (resultOf[ended.status]) {
    case "paid":
      return succeed(ctx, attempt, ended);
    case "open":
      return "open";
    case "declined":
      return decline(ctx, attempt, code);
  }
};

/**
 * @param outcome.intent what the account holder can still authenticate
 * @param outcome.missingCard a saved card that the provider no longer has
 */
const decline = async (
  ctx: World,
  attempt: Attempt,
  code: string,
  { intent, missingCard }: { intent?: PaymentIntent; missingCard?: ChargeableCard } = {},
): Promise<Outcome> => {
  const now = ctx.clock.now();
  const outcome = await ctx.db.transaction(async (tx): Promise<Outcome> => {
    await lockAccount(tx, attempt.accountId);
    if (!(await queries.markDeclined(tx, attempt.id, code, now))) return "none";
    if (missingCard) await deleteSavedCard(tx, missingCard);
    if (intent) await handOver(tx, attempt.orderId, intent.id);
    const { subscriptionId, amountCents } = attempt;
    const details = { subscription_id: subscriptionId, amount_cents: amountCents, currency, reason: code };
    await recordServiceAudit(tx, attempt.accountId, "subscription.renewal_declined", now, details);
    const mail = declineMail(ctx.settings.appUrl, attempt, code, dayOf(now));
    await enqueue(tx, { ...mail, dedupeKey: `charge-declined:${attempt.id}`, accountId: attempt.accountId }, now);
    await announcePaymentFailed(tx, attempt, { reason: code, nextAttemptOn: nextTryOf(attempt, dayOf(now)), at: now });
    return "declined";
  });
  if (outcome === "declined") paymentCharges.add({ kind: "renewal", outcome, reason: declineClass(code) });
  return outcome;
};

const nextTryOf = ({ attemptedOn, endDate, isRenewing }: Attempt, today: Day): Day | null =>
  isRenewing ? nextAttempt(today, endDate, { attemptedOn, state: "declined" }) : null;

const declineMail = (appUrl: string, attempt: Attempt, code: string, today: Day): Message => {
  const facts = {
    ...attempt,
    currency,
    nextTry: nextTryOf(attempt, today),
    reason: renewalFailure(code, attempt.createdAt).message,
  };
  if (needsAuthentication(code)) return authenticationNeeded(appUrl, facts);
  return lacksCard(code) ? cardMissing(appUrl, facts) : chargeFailed(appUrl, facts);
};
