import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { periodOf, testCards } from "../../testing/purchases.ts";
import { appUrl, createWorld, payWith, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { memoryRateLimiter } from "../rate-limit/memory.ts";
import { checkout } from "../subscriptions/checkout.server.ts";
import { beginCardSetup, finishCardSetup } from "./cards.server.ts";
import { orderOf } from "./orders.server.ts";
import { declinedCardsPerHour, savedCardsPerDay } from "./policy.ts";
import { payWithTestCard } from "./test-card.server.ts";

let world: World;
let caller: Caller;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  world.ctx.rateLimiter = memoryRateLimiter();
  ({ caller } = await world.account());
});

const buy = (by = caller) =>
  checkout(world.ctx, by, { items: [{ periodId: periodOf(world), term: "1_month" }], autoRenew: false });

const saveCard = async (number: string) => {
  const setup = await beginCardSetup(world.ctx, caller);
  const card = { number, expMonth: 12, expYear: 2034, cvc: "123" };
  await payWithTestCard(world.simulator, setup, card, `${appUrl}/billing/cards`);
  return finishCardSetup(world.ctx, caller, { setupId: setup.id });
};

describe("Declined cards", () => {
  it("cancel the order at the limit, and nothing new opens until the next hour", async () => {
    const order = await buy();
    for (let i = 0; i < declinedCardsPerHour; i += 1) {
      expect(await payWith(world, order.intent, testCards.declined)).toBe(402);
    }
    await world.simulator.idle();
    expect((await world.ctx.payments.getIntent(order.intent.id)).status).toBe("canceled");
    expect(await orderOf(world.ctx, caller.account.id, order.orderId)).toBeNull();
    expect(await payWith(world, order.intent)).toBe(400);

    const refused = { code: "rate_limited", retryAfterSeconds: 1_800 };
    await expect(buy()).rejects.toMatchObject(refused);
    await expect(beginCardSetup(world.ctx, caller)).rejects.toMatchObject(refused);
    await buy((await world.account()).caller);
    world.clock.set("2026-11-20T10:00:00Z");
    await buy();
  });

  it("count when they were to be saved as well", async () => {
    for (let i = 0; i < declinedCardsPerHour; i += 1) {
      await expect(saveCard(testCards.declined)).rejects.toMatchObject({ code: "invalid" });
    }
    await world.simulator.idle();
    await expect(saveCard("4242424242424242")).rejects.toMatchObject({ code: "rate_limited" });
    await expect(buy()).rejects.toMatchObject({ code: "rate_limited" });
  });
});

describe("The form for a new card", () => {
  it("opens one setup at the payment provider, however often it is visited", async () => {
    const first = await beginCardSetup(world.ctx, caller);
    await expect(saveCard(testCards.declined)).rejects.toMatchObject({ code: "invalid" });
    expect((await beginCardSetup(world.ctx, caller)).id).toBe(first.id);
    await saveCard("4242424242424242");
    expect((await beginCardSetup(world.ctx, caller)).id).not.toBe(first.id);
  });

  it("saves a limited number of cards in a day", async () => {
    for (let i = 0; i < savedCardsPerDay; i += 1) await saveCard("4242424242424242");
    await expect(saveCard("4242424242424242")).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 52_200,
    });
    world.clock.set("2026-11-21T00:00:00Z");
    await saveCard("4242424242424242");
  });
});
