/** Saves cards, and finds the card that renewals are charged to. */
import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { addDays, dayOf } from "../dates.ts";
import { conflict, notFound, Refusal } from "../errors.ts";
import * as cardQueries from "./card-queries.server.ts";
import { requireFewDeclines } from "./decline-limit.server.ts";
import type { CardSetup } from "./gateway.ts";
import { customerOf } from "./orders.server.ts";
import { savedCardsPerDay } from "./policy.ts";
import * as queries from "./queries.server.ts";

export type CardOnFile = { brand: string; last4: string; expMonth: number; expYear: number };

/**
 * The account's open setup intent, which the browser then confirms; a new one if there is none. Every visit of the form
 * gets the same one, so that nobody can open many of them to test card numbers. The idempotency key finds it at the provider:
 * it counts the cards that were saved on this day.
 *
 * @throws rate_limited when the account has saved `savedCardsPerDay` cards today, or too many cards were declined
 * @throws unavailable when the payment provider cannot be reached
 */
export const beginCardSetup = async (
  ctx: Pick<Context, "clock" | "db" | "payments" | "rateLimiter">,
  { account }: Caller,
): Promise<CardSetup> => {
  await requireFewDeclines(ctx, account);
  const customerId = await customerOf(ctx, account);
  const now = ctx.clock.now();
  for (let used = 0; used < savedCardsPerDay; used += 1) {
    const { id } = await ctx.payments.createCardSetup({ customerId }, `card-${account.id}-${dayOf(now)}-${used}`);
    // The repeated answer is that of the creation. Its state may have changed since.
    const setup = await ctx.payments.getCardSetup(id);
    if (setup.status !== "succeeded" && setup.status !== "canceled") return setup;
  }
  const tomorrow = new Date(`${addDays(dayOf(now), 1)}T00:00:00Z`);
  const retryAfterSeconds = Math.ceil((tomorrow.getTime() - now.getTime()) / 1000);
  throw new Refusal("rate_limited", "Too many requests - Rate limit exceeded", { retryAfterSeconds });
};

/**
 * Saves the card of a confirmed setup, once per setup. Finishing the same setup again changes nothing, so that what the
 * holder has done with the cards since is kept.
 *
 * @param input.makesDefault whether it becomes the default for renewals. Without another default it does in any case
 * @returns the card, whether it was saved by this call, and whether it is the default for renewals now
 * @throws not_found for a setup of another account
 * @throws conflict naming the setup's status unless it has succeeded, and when the card was removed before it was saved here
 */
export const finishCardSetup = async (
  ctx: Pick<Context, "db" | "clock" | "payments">,
  caller: Caller,
  input: { setupId: string; makesDefault?: boolean },
): Promise<CardOnFile & { isNew: boolean; isDefault: boolean }> => {
  const { id: accountId } = caller.account;
  const [setup, customerId] = await Promise.all([
    ctx.payments.getCardSetup(input.setupId),
    queries.findCustomerId(ctx.db, accountId),
  ]);
  if (setup.customerId === null || setup.customerId !== customerId) throw notFound("Card setup");
  if (!setup.card) throw conflict(`The card was not saved: the setup's status is ${setup.status}`);
  const { paymentMethodId, customerId: attachedTo, ...card } = setup.card;
  const now = ctx.clock.now();
  const isNew = await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const handled = { id: setup.id, type: "setup_intent.succeeded", handledAt: now };
    if (!(await queries.insertHandled(tx, handled))) return false;
    if (attachedTo !== customerId) throw conflict("The card was removed before it was saved. Add it again");
    const saved = { ...card, accountId, stripePaymentMethodId: paymentMethodId, createdAt: now };
    const isDefault = input.makesDefault !== false || !(await queries.findDefaultCard(tx, accountId));
    await (isDefault ? queries.saveDefaultCard(tx, saved) : queries.saveCard(tx, saved));
    await recordAudit(tx, caller, "card.saved", now, { brand: card.brand, last4: card.last4 });
    return true;
  });
  const current = await queries.findDefaultCard(ctx.db, accountId);
  return { ...card, isNew, isDefault: current?.stripePaymentMethodId === paymentMethodId };
};

export type ChargeableCard = { customerId: string; paymentMethodId: string };

/** The card for an off-session charge. Null: the account has none. */
export const chargeableCard = async (tx: Tx, accountId: number): Promise<ChargeableCard | null> => {
  const [card, customerId] = [
    await queries.findDefaultCard(tx, accountId),
    await queries.findCustomerId(tx, accountId),
  ];
  return card && customerId !== null ? { customerId, paymentMethodId: card.stripePaymentMethodId } : null;
};

/** Which of the accounts have a `chargeableCard`. */
export const accountsWithChargeableCard = async (db: Tx, accountIds: readonly number[]): Promise<Set<number>> =>
  new Set((await cardQueries.withDefaultCard(db, [...new Set(accountIds)])).map(({ id }) => id));

/** Deletes a card that no longer exists at the payment provider. */
export const deleteSavedCard = async (
  tx: Tx,
  { paymentMethodId }: Pick<ChargeableCard, "paymentMethodId">,
): Promise<void> => {
  await queries.deleteCard(tx, paymentMethodId);
};
