/** Pays an open order with a saved card, while its holder is present. */
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { requireFewDeclines } from "./decline-limit.server.ts";
import { declineInWords } from "./declines.ts";
import { confirmableCard } from "./gateway.ts";
import { listPayableCards, type PayableCard } from "./manage-cards.server.ts";
import { orderOf, setMakesCardDefault } from "./orders.server.ts";

type World = Pick<Context, "db" | "clock" | "payments">;
type Paying = World & Pick<Context, "rateLimiter">;

/** `authenticationUrl` is the page on which the bank asks the cardholder to approve the payment. Null: the card is charged. */
export type CardPayment = { authenticationUrl: string | null };

/** Whether the card that pays becomes the default for renewals, if the order renews. Without a default card it does in any case. */
type CardChoice = { orderId: number; makesDefault: boolean };

/**
 * Records what the account holder wants to use a new card for. Comes before the payment, because the provider's webhook may settle
 * that first.
 *
 * @throws not_found for an order of another account
 * @throws unavailable when the payment provider cannot be reached
 */
export const recordCardChoice = async (ctx: World, caller: Caller, input: CardChoice): Promise<void> =>
  recordChoice(ctx, caller, input, await listPayableCards(ctx, caller));

/**
 * Pays with a card that the account holder chooses. Settling the order is left to `confirmPayment`.
 *
 * @param input.returnUrl where the bank sends the account holder afterwards
 * @throws not_found for an order or a card of another account
 * @throws invalid at `card`, saying what to do next, when the card is declined
 * @throws conflict when the order is not open any more
 * @throws rate_limited when too many of the account's cards were declined in this hour
 * @throws unavailable when the payment provider cannot be reached
 */
export const payWithSavedCard = async (
  ctx: Paying,
  caller: Caller,
  input: CardChoice & { cardId: number; returnUrl: string },
): Promise<CardPayment> => {
  await requireFewDeclines(ctx, caller.account);
  const intentId = await intentOf(ctx, caller, input.orderId);
  const cards = await listPayableCards(ctx, caller);
  const card = cards.find(({ id }) => id === input.cardId);
  if (!card) throw notFound("Card");
  await recordChoice(ctx, caller, input, cards);
  return confirm(ctx, { intentId, paymentMethodId: card.paymentMethodId, returnUrl: input.returnUrl });
};

/**
 * Confirms a renewal charge again, with the card for which the bank asks the account holder to authenticate it.
 *
 * @throws the errors of `payWithSavedCard`
 */
export const approveCharge = async (
  ctx: Paying,
  caller: Caller,
  input: { orderId: number; returnUrl: string },
): Promise<CardPayment> => {
  await requireFewDeclines(ctx, caller.account);
  const intentId = await intentOf(ctx, caller, input.orderId);
  const card = confirmableCard(await ctx.payments.getIntent(intentId));
  if (!card) throw conflict("The approval request has expired. Open the payment again");
  return confirm(ctx, { intentId, paymentMethodId: card.paymentMethodId, returnUrl: input.returnUrl });
};

const recordChoice = (ctx: World, caller: Caller, { orderId, makesDefault }: CardChoice, cards: PayableCard[]) => {
  const makesCardDefault = makesDefault || !cards.some(({ isDefault }) => isDefault);
  return setMakesCardDefault(ctx, caller, { orderId, makesCardDefault });
};

const intentOf = async (ctx: World, { account }: Caller, orderId: number): Promise<string> => {
  const order = await orderOf(ctx, account.id, orderId);
  if (!order?.paymentIntentId) throw notFound("Order");
  return order.paymentIntentId;
};

const confirm = async (
  ctx: World,
  input: Parameters<Context["payments"]["confirmIntent"]>[0],
): Promise<CardPayment> => {
  const { intent, authenticationUrl } = await ctx.payments.confirmIntent(input);
  if (intent.status === "requires_payment_method") throw invalid("card", declineInWords(intent.declineCode));
  if (intent.status === "canceled") throw conflict("This order is no longer open. Nothing was charged");
  return { authenticationUrl };
};
