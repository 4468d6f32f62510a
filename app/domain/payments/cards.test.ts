import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { paymentMethods } from "#drizzle/schema/index.ts";
import { subscribe } from "../../testing/purchases.ts";
import { appUrl, createWorld, type World } from "../../testing/world.ts";
import { beginCardSetup, chargeableCard, finishCardSetup } from "./cards.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const confirm = async (setup: { id: string; clientSecret: string }, number: string) => {
  const form = new URLSearchParams({
    client_secret: setup.clientSecret,
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": number,
    "payment_method_data[card][exp_month]": "12",
    "payment_method_data[card][exp_year]": "2034",
    "payment_method_data[card][cvc]": "123",
  });
  const url = `${appUrl}/test-mode/stripe/v1/setup_intents/${setup.id}/confirm`;
  return (await world.simulator.confirmFromBrowser(new Request(url, { method: "POST", body: form }))).status;
};

it("A saved card becomes the default for renewals, and another account cannot finish its setup", async () => {
  const [{ account, caller }, stranger] = [await world.account(), await world.account()];
  await subscribe(world, caller);
  const before = await chargeableCard(world.ctx.db, account.id);
  const setup = await beginCardSetup(world.ctx, caller);
  await expect(finishCardSetup(world.ctx, caller, { setupId: setup.id })).rejects.toMatchObject({ code: "conflict" });
  expect(await confirm(setup, "5555555555554444")).toBe(200);
  await expect(finishCardSetup(world.ctx, stranger.caller, { setupId: setup.id })).rejects.toMatchObject({
    code: "not_found",
  });
  for (const _ of [1, 2]) {
    expect(await finishCardSetup(world.ctx, caller, { setupId: setup.id })).toMatchObject({ last4: "4444" });
  }
  const after = await chargeableCard(world.ctx.db, account.id);
  expect(after?.customerId).toBe(before?.customerId);
  expect(after?.paymentMethodId).not.toBe(before?.paymentMethodId);
  const cards = await world.ctx.db.select().from(paymentMethods).where(eq(paymentMethods.accountId, account.id));
  expect(cards.filter(({ isDefault }) => isDefault)).toHaveLength(1);
});

it("Exactly one of two cards saved concurrently becomes the default", async () => {
  const { account, caller } = await world.account();
  const first = await beginCardSetup(world.ctx, caller);
  const customerId = first.customerId ?? "";
  const setups = [first, await world.ctx.payments.createCardSetup({ customerId }, "another")];
  for (const [i, setup] of setups.entries()) await confirm(setup, i === 0 ? "5555555555554444" : "4242424242424242");
  await Promise.all(setups.map((setup) => finishCardSetup(world.ctx, caller, { setupId: setup.id })));
  const cards = await world.ctx.db.select().from(paymentMethods).where(eq(paymentMethods.accountId, account.id));
  expect(cards.map(({ isDefault }) => isDefault).sort()).toEqual([false, true]);
});
