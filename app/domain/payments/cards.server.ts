/** The cards that renewals are charged to. */
import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { conflict, notFound } from "../errors.ts";
import type { CardSetup } from "./gateway.ts";
import { customerOf } from "./orders.server.ts";
import * as queries from "./queries.server.ts";

export type CardOnFile = { brand: string; last4: string; expMonth: number; expYear: number };

/** Begins the saving of another card, which the browser then confirms. */
export const beginCardSetup = async (
  ctx: Pick<Context, "db" | "payments" | "random">,
  caller: Caller,
): Promise<CardSetup> => {
  const customerId = await customerOf(ctx, caller.account);
  const nonce = Buffer.from(ctx.random.bytes(12)).toString("hex");
  return ctx.payments.createCardSetup({ customerId }, `card-${caller.account.id}-${nonce}`);
};

/**
 * Makes a card that was saved the one that renewals are charged to: once for each setup. Whatever the holder has decided
 * about cards since then stays as it is when the same setup is finished again.
 *
 * @returns the card, and whether it was saved by this call
 * @throws not_found for a setup that is not the account's own
 * @throws conflict naming the setup's status unless it has succeeded, and when the card was removed before it was saved here
 */
export const finishCardSetup = async (
  ctx: Pick<Context, "db" | "clock" | "payments">,
  caller: Caller,
  input: { setupId: string },
): Promise<CardOnFile & { isNew: boolean }> => {
  const { id: accountId } = caller.account;
  const [setup, customerId] = await Promise.all([
    ctx.payments.getCardSetup(input.setupId),
    queries.findCustomerId(ctx.db, accountId),
  ]);
  if (setup.customerId === null || setup.customerId !== customerId) throw notFound("Card setup");
  if (!setup.card) throw conflict(`The card was not saved: the setup's status is ${setup.status}`);
  const { paymentMethodId, customerId: holder, ...card } = setup.card;
  const now = ctx.clock.now();
  const isNew = await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const handled = { id: setup.id, type: "setup_intent.succeeded", handledAt: now };
    if (!(await queries.insertHandled(tx, handled))) return false;
    if (holder !== customerId) throw conflict("The card was removed before it was saved; add it again");
    await queries.saveCard(tx, {
      ...card,
      accountId,
      stripePaymentMethodId: paymentMethodId,
      isDefault: true,
      createdAt: now,
    });
    await recordAudit(tx, caller, "card.saved", now, { brand: card.brand, last4: card.last4 });
    return true;
  });
  return { ...card, isNew };
};

export type ChargeableCard = { customerId: string; paymentMethodId: string };

/** What an off-session charge needs; null when the account has no card. */
export const chargeableCard = async (tx: Tx, accountId: number): Promise<ChargeableCard | null> => {
  const [card, customerId] = [
    await queries.findDefaultCard(tx, accountId),
    await queries.findCustomerId(tx, accountId),
  ];
  return card && customerId !== null ? { customerId, paymentMethodId: card.stripePaymentMethodId } : null;
};

/** The provider does not know the card any more. */
export const deleteSavedCard = async (
  tx: Tx,
  { paymentMethodId }: Pick<ChargeableCard, "paymentMethodId">,
): Promise<void> => {
  await queries.deleteCard(tx, paymentMethodId);
};
