import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { subscribe } from "../../testing/purchases.ts";
import { appUrl, createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { beginCardSetup, chargeableCard, finishCardSetup } from "./cards.server.ts";
import { listCards, makeDefaultCard, removeCard } from "./manage-cards.server.ts";
import { payWithTestCard } from "./test-card.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const mastercard = "5555555555554444";
const authenticates = "4000002500003155";

const saveCard = async (caller: Caller, number: string) => {
  const setup = await beginCardSetup(world.ctx, caller);
  const card = { number, expMonth: 12, expYear: 2034, cvc: "123" };
  const outcome = await payWithTestCard(world.simulator, setup, card, `${appUrl}/billing/cards/return`);
  return { setup, outcome };
};

const add = async (caller: Caller, number: string) => {
  const { setup } = await saveCard(caller, number);
  await finishCardSetup(world.ctx, caller, { setupId: setup.id });
};

describe("A card", () => {
  it("is saved without a payment and becomes the default for renewals", async () => {
    const { caller } = await world.account();
    expect(await listCards(world.ctx, caller)).toEqual([]);
    await subscribe(world, caller);
    await add(caller, mastercard);
    expect(await listCards(world.ctx, caller)).toMatchObject([
      { brand: "mastercard", last4: "4444", expMonth: 12, expYear: 2034, isDefault: true, isExpired: false },
      { brand: "visa", last4: "4242", isDefault: false },
    ]);
  });

  it("is saved in addition to the default if the account holder wants to keep that, and is the default while there is none", async () => {
    const { caller } = await world.account();
    for (const [number, isDefault] of [
      ["4242424242424242", true],
      [mastercard, false],
    ] as const) {
      const { setup } = await saveCard(caller, number);
      const input = { setupId: setup.id, makesDefault: false };
      expect(await finishCardSetup(world.ctx, caller, input)).toMatchObject({ isNew: true, isDefault });
    }
    expect(await listCards(world.ctx, caller)).toMatchObject([
      { last4: "4242", isDefault: true },
      { last4: "4444", isDefault: false },
    ]);
  });

  it("that needs authentication is saved only once the cardholder has approved", async () => {
    const { caller } = await world.account();
    const { setup, outcome } = await saveCard(caller, authenticates);
    if (outcome.status !== "requires_action") throw new Error("The bank asked for nothing");
    expect(new URL(outcome.redirect).pathname).toBe(`/test-mode/authenticate/${setup.id}`);
    await expect(finishCardSetup(world.ctx, caller, { setupId: setup.id })).rejects.toMatchObject({ code: "conflict" });
    const { returnUrl } = await world.simulator.completeAuthentication(setup.id, setup.clientSecret, true);
    expect(new URL(returnUrl ?? "").searchParams.get("setup_intent")).toBe(setup.id);
    await finishCardSetup(world.ctx, caller, { setupId: setup.id });
    expect(await listCards(world.ctx, caller)).toMatchObject([{ last4: "3155", isDefault: true }]);
  });

  it("that is declined is rejected with an error at its number", async () => {
    const { caller } = await world.account();
    await expect(saveCard(caller, "4000000000000002")).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: "number" }],
    });
    expect(await listCards(world.ctx, caller)).toEqual([]);
  });

  it("saved with several payments is listed once and removed completely", async () => {
    const { account, caller } = await world.account();
    for (const _ of [1, 2, 3]) await subscribe(world, caller);
    const cards = await listCards(world.ctx, caller);
    expect(cards).toHaveLength(1);
    expect(await removeCard(world.ctx, caller, { id: cards[0]?.id ?? 0 })).toEqual({ cardsLeft: 0 });
    expect(await listCards(world.ctx, caller)).toEqual([]);
    expect(await chargeableCard(world.ctx.db, account.id)).toBeNull();
  });

  it("can be made the default", async () => {
    const { caller } = await world.account();
    await add(caller, "4242424242424242");
    await add(caller, mastercard);
    const visa = (await listCards(world.ctx, caller)).find(({ brand }) => brand === "visa");
    await makeDefaultCard(world.ctx, caller, { id: visa?.id ?? 0 });
    await makeDefaultCard(world.ctx, caller, { id: visa?.id ?? 0 });
    expect(await listCards(world.ctx, caller)).toMatchObject([
      { brand: "visa", isDefault: true },
      { brand: "mastercard", isDefault: false },
    ]);
  });

  it("that was removed can no longer be charged, and another becomes the default", async () => {
    const { account, caller } = await world.account();
    await add(caller, "4242424242424242");
    const visa = await chargeableCard(world.ctx.db, account.id);
    await add(caller, mastercard);
    await makeDefaultCard(world.ctx, caller, {
      id: (await listCards(world.ctx, caller)).find(({ brand }) => brand === "visa")?.id ?? 0,
    });
    if (!visa) throw new Error("There is no card");
    const [card] = await listCards(world.ctx, caller);
    expect(await removeCard(world.ctx, caller, { id: card?.id ?? 0 })).toEqual({ cardsLeft: 1 });
    expect(await listCards(world.ctx, caller)).toMatchObject([{ last4: "4444", isDefault: true }]);
    const charge = { ...visa, amountCents: 5000, currency: "USD", orderId: 1, description: "A test" };
    await expect(world.ctx.payments.chargeOffSession(charge, "after-removal")).rejects.toMatchObject({
      code: "conflict",
    });
    await world.ctx.payments.detachCard(visa.paymentMethodId);
    await world.ctx.payments.detachCard("pm_that_never_was");
  });

  it("that was removed is not saved again when its setup is finished again", async () => {
    const { account, caller } = await world.account();
    const { setup } = await saveCard(caller, mastercard);
    expect(await finishCardSetup(world.ctx, caller, { setupId: setup.id })).toMatchObject({ isNew: true });
    const [card] = await listCards(world.ctx, caller);
    await removeCard(world.ctx, caller, { id: card?.id ?? 0 });
    expect(await finishCardSetup(world.ctx, caller, { setupId: setup.id })).toMatchObject({ isNew: false });
    expect(await listCards(world.ctx, caller)).toEqual([]);
    expect(await chargeableCard(world.ctx.db, account.id)).toBeNull();
  });

  it("does not become the default again when its setup is finished again", async () => {
    const { caller } = await world.account();
    const { setup } = await saveCard(caller, mastercard);
    await finishCardSetup(world.ctx, caller, { setupId: setup.id });
    await add(caller, "4242424242424242");
    await Promise.all([1, 2, 3].map(() => finishCardSetup(world.ctx, caller, { setupId: setup.id })));
    expect(await listCards(world.ctx, caller)).toMatchObject([
      { brand: "visa", isDefault: true },
      { brand: "mastercard", isDefault: false },
    ]);
  });

  it("that was removed at the payment provider before it was saved is rejected", async () => {
    const { caller } = await world.account();
    const { setup } = await saveCard(caller, mastercard);
    const { card } = await world.ctx.payments.getCardSetup(setup.id);
    await world.ctx.payments.detachCard(card?.paymentMethodId ?? "");
    await expect(finishCardSetup(world.ctx, caller, { setupId: setup.id })).rejects.toThrow("was removed");
    expect(await listCards(world.ctx, caller)).toEqual([]);
  });

  it("is kept when the payment provider cannot be reached", async () => {
    const { caller } = await world.account();
    await add(caller, mastercard);
    const [card] = await listCards(world.ctx, caller);
    const away = { ...world.ctx.payments, detachCard: () => Promise.reject(new Error("away")) };
    await expect(removeCard({ ...world.ctx, payments: away }, caller, { id: card?.id ?? 0 })).rejects.toThrow("away");
    expect(await listCards(world.ctx, caller)).toHaveLength(1);
  });

  it("expires when its expiry month is over", async () => {
    const { caller } = await world.account();
    await add(caller, mastercard);
    world.clock.set("2034-12-31T23:59:59Z");
    expect(await listCards(world.ctx, caller)).toMatchObject([{ isExpired: false }]);
    world.clock.set("2035-01-01T00:00:00Z");
    expect(await listCards(world.ctx, caller)).toMatchObject([{ isExpired: true }]);
    world.clock.set("2026-11-20T09:30:00Z");
  });

  it("cannot be used by another account", async () => {
    const [{ caller }, stranger] = [await world.account(), await world.account()];
    await add(caller, mastercard);
    const [card] = await listCards(world.ctx, caller);
    const input = { id: card?.id ?? 0 };
    for (const act of [makeDefaultCard, removeCard]) {
      await expect(act(world.ctx, stranger.caller, input)).rejects.toMatchObject({ code: "not_found" });
    }
    const { setup } = await saveCard(caller, mastercard);
    await expect(finishCardSetup(world.ctx, stranger.caller, { setupId: setup.id })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
