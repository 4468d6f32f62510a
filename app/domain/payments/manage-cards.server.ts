/** An account's saved cards. A card that was saved with several payments is shown as one. */
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { notFound, Refusal } from "../errors.ts";
import * as queries from "./card-queries.server.ts";
import { findCustomerId } from "./queries.server.ts";

export type SavedCard = {
  id: number;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  /** Whether renewals are charged to it. */
  isDefault: boolean;
  /** Whether its expiry month is over. */
  isExpired: boolean;
  /** The holder has disputed a charge of it. Nothing is charged to it until the account holder chooses it. */
  isDisputed: boolean;
};

/** The default card first, then the newest. */
export const listCards = async (ctx: Pick<Context, "db" | "clock">, caller: Caller): Promise<SavedCard[]> =>
  shownOn(ctx.clock.now(), await queries.listCards(ctx.db, caller.account.id));

/** A saved card that can pay an order. */
export type PayableCard = SavedCard & { paymentMethodId: string };

/**
 * The saved cards that the payment provider still has, as it has them: banks renew cards there. The default card first, then
 * the newest.
 *
 * @throws unavailable when the payment provider cannot be reached
 */
export const listPayableCards = async (
  ctx: Pick<Context, "db" | "clock" | "payments">,
  { account }: Caller,
): Promise<PayableCard[]> => {
  const customerId = await findCustomerId(ctx.db, account.id);
  if (customerId === null) return [];
  const [rows, attached] = await Promise.all([
    queries.listCards(ctx.db, account.id),
    ctx.payments.listCards(customerId),
  ]);
  const attachedById = new Map(attached.map(({ paymentMethodId, customerId: _, ...card }) => [paymentMethodId, card]));
  const left = rows.flatMap((row) => {
    const card = attachedById.get(row.stripePaymentMethodId);
    return card ? { ...row, ...card } : [];
  });
  const paymentMethods = new Map(left.map((row) => [row.id, row.stripePaymentMethodId]));
  return shownOn(ctx.clock.now(), left).flatMap((card) => {
    const paymentMethodId = paymentMethods.get(card.id);
    return paymentMethodId === undefined ? [] : { ...card, paymentMethodId };
  });
};

const shownOn = (now: Date, rows: Row[]): SavedCard[] => {
  const month = now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  return groupByCard(rows).map(([{ id, brand, last4, expMonth, expYear, isDefault, disputedAt }]) => ({
    id,
    brand,
    last4,
    expMonth,
    expYear,
    isDefault,
    isExpired: expYear * 12 + expMonth < month,
    isDisputed: disputedAt !== null,
  }));
};

/**
 * Makes a saved card the default for renewals.
 *
 * @throws not_found
 */
export const makeDefaultCard = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
  input: { id: number },
): Promise<void> => {
  const { id: accountId } = caller.account;
  await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const [card] = findCard(await queries.listCards(tx, accountId), input.id);
    if (card.isDefault) return;
    await queries.setDefault(tx, accountId, card.id);
    const details = { brand: card.brand, last4: card.last4 };
    await recordAudit(tx, caller, "card.made_default", ctx.clock.now(), details);
  });
};

/**
 * Removes a card, at the payment provider first, so that it cannot be charged even if the rest fails. The newest remaining
 * card becomes the default, unless a charge of it was disputed. Without a card renewals fail and subscriptions end, so callers must warn the user first.
 *
 * @returns how many cards are left
 * @throws not_found
 * @throws unavailable when the payment provider cannot be reached; the card is then kept
 */
export const removeCard = async (
  ctx: Pick<Context, "db" | "clock" | "payments">,
  caller: Caller,
  input: { id: number },
): Promise<{ cardsLeft: number }> => {
  const { id: accountId } = caller.account;
  const card = findCard(await queries.listCards(ctx.db, accountId), input.id);
  for (const { stripePaymentMethodId } of card) await ctx.payments.detachCard(stripePaymentMethodId);
  return ctx.db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    await queries.deleteCards(
      tx,
      accountId,
      card.map(({ id }) => id),
    );
    const left = groupByCard(await queries.listCards(tx, accountId));
    const next = left.some(([saved]) => saved.isDefault) ? null : left.find(([saved]) => saved.disputedAt === null);
    if (next) await queries.setDefault(tx, accountId, next[0].id);
    const { brand, last4 } = card[0];
    await recordAudit(tx, caller, "card.removed", ctx.clock.now(), { brand, last4 });
    return { cardsLeft: left.length };
  });
};

/**
 * Removes the cards of closed accounts, at the payment provider first. While the provider cannot be reached they stay for
 * the next run; nothing charges them any more.
 *
 * @returns how many saved cards were removed
 */
export const removeCardsOfClosed = async (
  ctx: Pick<Context, "db" | "payments" | "log">,
  signal?: AbortSignal,
): Promise<number> => {
  let removed = 0;
  try {
    for (const { id, accountId, stripePaymentMethodId } of await queries.listCardsOfClosed(ctx.db)) {
      if (signal?.aborted) break;
      await ctx.payments.detachCard(stripePaymentMethodId);
      await queries.deleteCards(ctx.db, accountId, [id]);
      removed += 1;
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "unavailable") throw error;
    ctx.log.warn("Cards of closed accounts were left for later: the payment provider is unavailable");
  }
  return removed;
};

type Row = Awaited<ReturnType<typeof queries.listCards>>[number];
/** The rows of one physical card, one for each time it was saved. */
type Card = [Row, ...Row[]];

const groupByCard = (rows: Row[]): Card[] => {
  const cards = new Map<string, Card>();
  for (const row of rows) {
    const key = [row.brand, row.last4, row.expMonth, row.expYear].join(" ");
    const card = cards.get(key);
    if (card) card.push(row);
    else cards.set(key, [row]);
  }
  return [...cards.values()];
};

const findCard = (rows: Row[], id: number): Card => {
  const card = groupByCard(rows).find((saved) => saved.some((row) => row.id === id));
  if (!card) throw notFound("Card");
  return card;
};
