/** Paying an open order with a saved card, and which card renewals are charged to afterwards. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pay, periodOf, subscribe, testCards } from "../../testing/purchases.ts";
import { appUrl, createWorld, payWith, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { checkout } from "../subscriptions/checkout.server.ts";
import { confirmPayment, settleIntent } from "../subscriptions/settle.server.ts";
import { listCards, listPayableCards, removeCard } from "./manage-cards.server.ts";
import { setMakesCardDefault } from "./orders.server.ts";
import { payWithSavedCard } from "./pay-order.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const mastercard = "5555555555554444";
const returnUrl = `${appUrl}/checkout/1/return`;

const order = (caller: Caller, autoRenew = true) =>
  checkout(world.ctx, caller, { items: [{ periodId: periodOf(world), term: "1_month" }], autoRenew });

/** An account with a Visa as the default card and a Mastercard beside it. */
const withTwoCards = async () => {
  const { caller } = await world.account();
  await subscribe(world, caller);
  const second = await order(caller);
  await setMakesCardDefault(world.ctx, caller, { orderId: second.orderId, makesCardDefault: false });
  await pay(world, caller, second, mastercard);
  const cards = await listPayableCards(world.ctx, caller);
  const idOf = (last4: string) => cards.find((card) => card.last4 === last4)?.id ?? 0;
  return { caller, cards, visa: idOf("4242"), mastercard: idOf("4444") };
};

const defaultOf = async (caller: Caller) =>
  (await listCards(world.ctx, caller)).find(({ isDefault }) => isDefault)?.last4 ?? null;

describe("A new card that pays an order", () => {
  it("becomes the default while there is none, even if the account holder was not asked", async () => {
    const { caller } = await world.account();
    const first = await order(caller);
    await setMakesCardDefault(world.ctx, caller, { orderId: first.orderId, makesCardDefault: false });
    await pay(world, caller, first);
    expect(await defaultOf(caller)).toBe("4242");
  });

  it("is saved in addition to the default if the account holder wants to keep that", async () => {
    const { caller, cards } = await withTwoCards();
    expect(cards).toMatchObject([
      { last4: "4242", isDefault: true },
      { last4: "4444", isDefault: false },
    ]);
    expect(await defaultOf(caller)).toBe("4242");
  });

  it("becomes the default if the account holder chooses so, whichever path settles the payment first", async () => {
    const { caller } = await withTwoCards();
    const next = await order(caller);
    await setMakesCardDefault(world.ctx, caller, { orderId: next.orderId, makesCardDefault: true });
    await payWith(world, next.intent, mastercard);
    await settleIntent(world.ctx, next.intent.id);
    await setMakesCardDefault(world.ctx, caller, { orderId: next.orderId, makesCardDefault: false });
    await confirmPayment(world.ctx, caller, { paymentIntentId: next.intent.id });
    expect(await defaultOf(caller)).toBe("4444");
  });

  it("is not saved for an order that does not renew", async () => {
    const { caller } = await world.account();
    await pay(world, caller, await order(caller, false));
    expect(await listPayableCards(world.ctx, caller)).toEqual([]);
  });
});

describe("A saved card", () => {
  it("pays, and the default stays", async () => {
    const { caller, mastercard: cardId } = await withTwoCards();
    const { orderId, intent } = await order(caller);
    const payment = await payWithSavedCard(world.ctx, caller, { orderId, cardId, makesDefault: false, returnUrl });
    expect(payment).toEqual({ authenticationUrl: null });
    await confirmPayment(world.ctx, caller, { paymentIntentId: intent.id });
    expect((await world.ctx.payments.getIntent(intent.id)).card?.last4).toBe("4444");
    expect(await defaultOf(caller)).toBe("4242");
    expect(await listCards(world.ctx, caller)).toHaveLength(2);
  });

  it("becomes the default if the account holder chooses so", async () => {
    const { caller, mastercard: cardId } = await withTwoCards();
    const { orderId, intent } = await order(caller);
    await payWithSavedCard(world.ctx, caller, { orderId, cardId, makesDefault: true, returnUrl });
    await confirmPayment(world.ctx, caller, { paymentIntentId: intent.id });
    expect(await defaultOf(caller)).toBe("4444");
  });

  it("pays an order that does not renew", async () => {
    const { caller, visa: cardId } = await withTwoCards();
    const { orderId, intent } = await order(caller, false);
    await payWithSavedCard(world.ctx, caller, { orderId, cardId, makesDefault: false, returnUrl });
    expect(await confirmPayment(world.ctx, caller, { paymentIntentId: intent.id })).toHaveLength(1);
  });

  it("leads to the bank's page when the bank asks for authentication", async () => {
    const { caller } = await world.account();
    const first = await order(caller);
    await payWith(world, first.intent, testCards.authenticatesAlways);
    await world.simulator.completeAuthentication(first.intent.id, first.intent.clientSecret, true);
    await confirmPayment(world.ctx, caller, { paymentIntentId: first.intent.id });
    const [card] = await listPayableCards(world.ctx, caller);
    const { orderId, intent } = await order(caller);
    const input = { orderId, cardId: card?.id ?? 0, makesDefault: false, returnUrl };
    const { authenticationUrl } = await payWithSavedCard(world.ctx, caller, input);
    expect(new URL(authenticationUrl ?? "").pathname).toBe(`/test-mode/authenticate/${intent.id}`);
    await expect(confirmPayment(world.ctx, caller, { paymentIntentId: intent.id })).rejects.toThrow("requires_action");
    await world.simulator.completeAuthentication(intent.id, intent.clientSecret, true);
    expect(await confirmPayment(world.ctx, caller, { paymentIntentId: intent.id })).toHaveLength(1);
  });

  it("that is declined is rejected at the choice of cards, with what to do next", async () => {
    const { caller, visa, mastercard: cardId } = await withTwoCards();
    const { orderId, intent } = await order(caller);
    const declined = { ...(await world.ctx.payments.getIntent(intent.id)), declineCode: "insufficient_funds" };
    const confirmIntent = async () => ({ intent: declined, authenticationUrl: null });
    const ctx = { ...world.ctx, payments: { ...world.ctx.payments, confirmIntent } };
    const message = "Your card has insufficient funds. Add funds and try again, or pay with another card.";
    await expect(
      payWithSavedCard(ctx, caller, { orderId, cardId, makesDefault: true, returnUrl }),
    ).rejects.toMatchObject({ code: "invalid", fields: [{ path: "card", message }] });
    expect(await defaultOf(caller)).toBe("4242");
    await payWithSavedCard(world.ctx, caller, { orderId, cardId: visa, makesDefault: false, returnUrl });
    expect(await confirmPayment(world.ctx, caller, { paymentIntentId: intent.id })).toHaveLength(1);
  });

  it("is not offered once the payment provider no longer has it", async () => {
    const { caller, visa, mastercard: cardId } = await withTwoCards();
    await removeCard(world.ctx, caller, { id: visa });
    const [left] = await world.ctx.payments.listCards(
      (await world.ctx.payments.getIntent((await order(caller)).intent.id)).customerId ?? "",
    );
    await world.ctx.payments.detachCard(left?.paymentMethodId ?? "");
    expect(await listPayableCards(world.ctx, caller)).toEqual([]);
    const { orderId } = await order(caller);
    await expect(
      payWithSavedCard(world.ctx, caller, { orderId, cardId, makesDefault: false, returnUrl }),
    ).rejects.toMatchObject({ code: "not_found" });
  });

  it("of another account is not found, and neither is another account's order", async () => {
    const [mine, theirs] = [await withTwoCards(), await withTwoCards()];
    const [own, foreign] = [await order(mine.caller), await order(theirs.caller)];
    for (const input of [
      { orderId: own.orderId, cardId: theirs.visa },
      { orderId: foreign.orderId, cardId: mine.visa },
    ]) {
      await expect(
        payWithSavedCard(world.ctx, mine.caller, { ...input, makesDefault: true, returnUrl }),
      ).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(
      setMakesCardDefault(world.ctx, mine.caller, { orderId: foreign.orderId, makesCardDefault: true }),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});
