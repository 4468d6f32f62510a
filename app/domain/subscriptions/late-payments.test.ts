/** Payments after the price lock or by a suspended account are refunded: see docs/decisions/0016. */
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, invoices, orders, outboxMessages, simulatorObjects } from "#drizzle/schema/index.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, payWith, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors.ts";
import { suspend } from "../operations/change-account.server.ts";
import type { PaymentGateway } from "../payments/gateway.ts";
import { maxOpenOrders } from "../payments/order.ts";
import { reconcile } from "../payments/reconcile.server.ts";
import { chargeDueRenewals } from "./charge-renewals.server.ts";
import { checkout } from "./checkout.server.ts";
import { closeExpiredOrders } from "./expired-orders.server.ts";
import { listSubscriptions } from "./list.server.ts";
import { handlePaymentEvent } from "./payment-events.server.ts";
import { changeTerm, renewSubscription } from "./renew.server.ts";
import { confirmPayment, settleIntent } from "./settle.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ webhooks: false });
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.set("2026-11-20T09:30:00Z");
  world.complaints.length = 0;
});

const lockEnds = "2026-11-21T09:30:00Z";
const away = () => Promise.reject(new Refusal("unavailable", "The payment provider cannot be reached"));
const withGateway = (over: Partial<PaymentGateway>): Context => ({
  ...world.ctx,
  payments: { ...world.ctx.payments, ...over },
});

const begin = (caller: Caller, ctx: Context = world.ctx) =>
  checkout(ctx, caller, { items: [{ periodId: periodOf(world), term: "3_months" }], autoRenew: true });
const confirm = (caller: Caller, { intent }: { intent: { id: string } }, ctx: Context = world.ctx) =>
  confirmPayment(ctx, caller, { paymentIntentId: intent.id });
const openOrdersOf = ({ account }: Caller) =>
  world.ctx.db.$count(orders, and(eq(orders.accountId, account.id), eq(orders.status, "pending")));

/** The amounts of the provider's refunds of the intent's charge. */
const refundsOf = async ({ intent }: { intent: { id: string } }): Promise<number[]> => {
  const rows = await world.ctx.db
    .select({ amount: sql`(${simulatorObjects.body}->>'amount')::int`.mapWith(Number) })
    .from(simulatorObjects)
    .where(and(eq(simulatorObjects.object, "refund"), sql`${simulatorObjects.body}->>'payment_intent' = ${intent.id}`));
  return rows.map(({ amount }) => amount);
};
const invoicesOf = async ({ account }: Caller) =>
  (await world.ctx.db.select().from(invoices).where(eq(invoices.accountId, account.id)).orderBy(invoices.id)).map(
    ({ amountCents }) => amountCents,
  );
const mailTo = async ({ account }: Caller) =>
  (
    await world.ctx.db
      .select({ subject: outboxMessages.subject })
      .from(outboxMessages)
      .where(eq(outboxMessages.accountId, account.id))
      .orderBy(outboxMessages.id)
  ).map(({ subject }) => subject);

/** The payment bought nothing and was refunded once, with an invoice, a credit note and mails. */
const expectReturned = async (caller: Caller, order: { amountCents: number; intent: { id: string } }) => {
  expect(await listSubscriptions(world.ctx, caller)).toEqual([]);
  expect(await refundsOf(order)).toEqual([order.amountCents]);
  expect(await invoicesOf(caller)).toEqual([order.amountCents, -order.amountCents]);
  expect(await mailTo(caller)).toEqual([
    expect.stringContaining("We are refunding your payment"),
    expect.stringContaining("credit note"),
  ]);
  expect((await reconcile(world.ctx)).differences).toEqual([]);
};

describe("Open orders", () => {
  it("are limited per account: a new one withdraws the oldest and can be paid", async () => {
    const { caller } = await world.account();
    const begun = [];
    for (let count = 0; count <= maxOpenOrders; count += 1) begun.push(await begin(caller));
    expect(await openOrdersOf(caller)).toBe(maxOpenOrders);
    const [oldest, second] = begun as [(typeof begun)[0], (typeof begun)[0]];
    expect(await payWith(world, oldest.intent)).toBe(400);
    for (const order of [second, begun.at(-1) as typeof second]) {
      expect(await payWith(world, order.intent)).toBe(200);
      expect(await confirm(caller, order)).toHaveLength(1);
    }
  });

  it("stay within the limit when many are opened concurrently", async () => {
    const { caller } = await world.account();
    const begun = await Promise.allSettled(Array.from({ length: 2 * maxOpenOrders }, () => begin(caller)));
    expect(await openOrdersOf(caller)).toBeLessThanOrEqual(maxOpenOrders);
    for (const one of begun) {
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "conflict" });
    }
    expect(await begin(caller)).toMatchObject({ orderId: expect.any(Number) });
  });

  it("are not cancelled while they are being paid; when all are, the next one is rejected with advice", async () => {
    const { caller } = await world.account();
    const begun = [];
    for (let count = 0; count < maxOpenOrders; count += 1) begun.push(await begin(caller));
    for (const order of begun) await payWith(world, order.intent);
    await expect(begin(caller)).rejects.toThrow("Try again in a minute");
    for (const order of begun) await settleIntent(world.ctx, order.intent.id);
    expect(await begin(caller)).toMatchObject({ orderId: expect.any(Number) });
  });
});

describe("A payment", () => {
  it("charged before the price lock ends counts, however late it is reported", async () => {
    const { caller } = await world.account();
    const order = await begin(caller);
    world.clock.set("2026-11-21T09:29:59.900Z");
    await payWith(world, order.intent);
    world.clock.set("2026-11-24T09:30:00Z");
    expect(await closeExpiredOrders(world.ctx)).toMatchObject({ settled: 1 });
    expect(await confirm(caller, order)).toMatchObject([{ startDate: "2026-11-24", endDate: "2027-02-24" }]);
    expect(await refundsOf(order)).toEqual([]);
  });

  it.each([
    ["payment-success", (caller: Caller, order: { intent: { id: string } }) => confirm(caller, order)],
    ["the webhook", (_: Caller, order: { intent: { id: string } }) => settleIntent(world.ctx, order.intent.id)],
    ["the hourly job", () => closeExpiredOrders(world.ctx)],
  ])("charged after the price lock ends is refunded in full and once when %s finds it", async (_, find) => {
    const { caller } = await world.account();
    const order = await begin(caller);
    world.clock.set(lockEnds);
    expect(await payWith(world, order.intent)).toBe(200);
    await find(caller, order).catch((error) => expect(error).toMatchObject({ code: "conflict" }));
    await expectReturned(caller, order);

    await expect(confirm(caller, order)).rejects.toThrow("refunding it in full. Start again at today's price");
    await settleIntent(world.ctx, order.intent.id);
    await closeExpiredOrders(world.ctx);
    await expectReturned(caller, order);
    expect(world.complaints).toEqual([]);
  });

  it("is refunded once when confirmations, webhooks and jobs run concurrently", async () => {
    const { caller } = await world.account();
    const order = await begin(caller);
    world.clock.set(lockEnds);
    await payWith(world, order.intent);
    await Promise.allSettled([
      ...Array.from({ length: 5 }, () => confirm(caller, order)),
      ...Array.from({ length: 5 }, () => settleIntent(world.ctx, order.intent.id)),
      ...Array.from({ length: 3 }, () => closeExpiredOrders(world.ctx)),
    ]);
    await closeExpiredOrders(world.ctx);
    await expectReturned(caller, order);
  });

  it.each([
    ["before the refund", away],
    [
      "between the refund and its answer",
      async (...input: Parameters<PaymentGateway["refund"]>) => {
        await world.ctx.payments.refund(...input);
        return away();
      },
    ],
  ])(
    "is refunded once when the process ends %s, even if the provider's idempotency key has expired",
    async (_, refund) => {
      const { caller } = await world.account();
      const order = await begin(caller);
      world.clock.set(lockEnds);
      await payWith(world, order.intent);
      await expect(confirm(caller, order, withGateway({ refund }))).rejects.toThrow("refunding it in full");
      expect((await reconcile(world.ctx)).differences).not.toEqual([]);

      world.clock.set("2026-11-23T09:30:00Z");
      await world.simulator.redeliver();
      expect(await closeExpiredOrders(world.ctx)).toMatchObject({ returned: 1 });
      await expectReturned(caller, order);
      expect(await closeExpiredOrders(world.ctx)).toMatchObject({ returned: 0 });
    },
  );

  it("is refunded for the remainder if part of it was refunded elsewhere", async () => {
    const { caller } = await world.account();
    const order = await begin(caller);
    world.clock.set(lockEnds);
    await payWith(world, order.intent);
    await settleIntent(withGateway({ refund: away }), order.intent.id);
    const { chargeId } = await world.ctx.payments.getIntent(order.intent.id);
    await world.simulator.refundCharge(chargeId ?? "", 700);
    // The first run records the partial refund, the second one refunds the remainder.
    for (const _ of [1, 2]) await closeExpiredOrders(world.ctx);
    expect((await refundsOf(order)).sort((a, b) => a - b)).toEqual([700, order.amountCents - 700]);
    expect((await reconcile(world.ctx)).differences).toEqual([]);
  });

  it("that comes too late for a renewal or a term change leaves the subscription unchanged", async () => {
    const { caller } = await world.account();
    const before = await subscribe(world, caller);
    for (const act of [
      () => renewSubscription(world.ctx, caller, { id: before.id, term: "12_months" }),
      () => changeTerm(world.ctx, caller, { id: before.id, term: "12_months" }),
    ]) {
      world.clock.set("2026-11-20T09:30:00Z");
      const order = await act();
      world.clock.set(lockEnds);
      await payWith(world, order.intent);
      await settleIntent(world.ctx, order.intent.id);
      expect(await refundsOf(order)).toEqual([order.amountCents]);
      expect(await listSubscriptions(world.ctx, caller)).toMatchObject([
        { endDate: before.endDate, term: before.term, renewalTerm: before.renewalTerm },
      ]);
    }
  });
});

it("A settled order is answered from the database while the payment provider is unavailable", async () => {
  const { caller } = await world.account();
  const order = await begin(caller);
  await payWith(world, order.intent);
  const unavailable = withGateway({ getIntent: away });
  await expect(confirm(caller, order, unavailable)).rejects.toMatchObject({ code: "unavailable" });
  const bought = await confirm(caller, order);
  expect(await confirm(caller, order, unavailable)).toEqual(bought);
});

describe("Expired orders", () => {
  /** Orders written straight into the table, with intents that the provider does not know. */
  const leaveBehind = async (caller: Caller, count: number) => {
    const createdAt = world.ctx.clock.now();
    const order = { accountId: caller.account.id, kind: "purchase", currency: "USD", amountCents: 5000 } as const;
    await world.ctx.db.insert(orders).values(
      Array.from({ length: count }, (_, index) => ({
        ...order,
        autoRenew: false,
        paymentIntentId: `pi_left${caller.account.id}x${index}`,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + 86_400_000),
      })),
    );
  };

  it("are all cancelled in one run, and a failure does not stop the rest", async () => {
    await closeExpiredOrders(world.ctx);
    const { caller } = await world.account();
    await leaveBehind(caller, 450);
    const stuck = `pi_left${caller.account.id}x449`;
    const fails = withGateway({
      cancelIntent: (id) => (id === stuck ? Promise.reject(new Error("Stuck")) : world.ctx.payments.cancelIntent(id)),
    });
    world.clock.set("2026-11-22T00:00:00Z");
    expect(await closeExpiredOrders(fails)).toMatchObject({ cancelled: 449 });
    expect(await openOrdersOf(caller)).toBe(1);
    expect(world.complaints).toEqual([expect.stringContaining("A lapsed order was not closed")]);
    expect(await closeExpiredOrders(world.ctx)).toMatchObject({ cancelled: 1 });
  });

  it("are left for the next run after a few failed calls while the payment provider is unavailable", async () => {
    const { caller } = await world.account();
    await leaveBehind(caller, 30);
    let calls = 0;
    const unavailable = withGateway({
      cancelIntent: () => {
        calls += 1;
        return away();
      },
    });
    world.clock.set("2026-11-22T00:00:00Z");
    expect(await closeExpiredOrders(unavailable)).toMatchObject({ cancelled: 0 });
    expect(calls).toBe(5);
    expect(world.complaints).toEqual(["Lapsed orders were left for later: the payment provider is unavailable"]);
    expect(await closeExpiredOrders(world.ctx)).toMatchObject({ cancelled: 30 });
  });
});

describe("A suspended account", () => {
  it("cannot pay its open orders: they are cancelled", async () => {
    const { account, caller } = await world.account();
    const begun = [await begin(caller), await begin(caller)];
    await suspend(world.ctx, await world.operator(), { accountId: account.id, reason: "Keys were shared" });
    for (const { intent } of begun) expect(await payWith(world, intent)).toBe(400);
    expect(await openOrdersOf(caller)).toBe(0);
  });

  it("cannot pay its other orders after disputing a payment", async () => {
    const { caller } = await world.account();
    const [disputed, begun] = [await begin(caller), await begin(caller)];
    await payWith(world, disputed.intent);
    await confirm(caller, disputed);
    const { chargeId } = await world.ctx.payments.getIntent(disputed.intent.id);
    await world.simulator.openDispute(chargeId ?? "");
    const ctx = withGateway({
      readEvent: async () => ({
        id: `evt_${disputed.orderId}`,
        type: "charge.dispute.created",
        paymentIntentId: disputed.intent.id,
        chargeId,
        cardSetupId: null,
      }),
    });
    await handlePaymentEvent(ctx, { rawBody: "", signature: "" });
    expect(await payWith(world, begun.intent)).toBe(400);
  });

  it.each([
    ["payment-success", (caller: Caller, order: { intent: { id: string } }) => confirm(caller, order)],
    ["the webhook", (_: Caller, order: { intent: { id: string } }) => settleIntent(world.ctx, order.intent.id)],
    ["the hourly job", () => closeExpiredOrders(world.ctx)],
  ])("is refunded when it pays an order that could not be cancelled and %s finds the payment", async (_, find) => {
    const { account, caller } = await world.account();
    const order = await begin(caller);
    const input = { accountId: account.id, reason: "Keys were shared" };
    await suspend(withGateway({ cancelIntent: away }), await world.operator(), input);
    await world.ctx.db.delete(outboxMessages).where(eq(outboxMessages.accountId, account.id));
    expect(await payWith(world, order.intent)).toBe(200);
    await find(caller, order).catch((error) => expect(error).toMatchObject({ code: "conflict" }));
    await expectReturned(caller, order);
    await expect(confirm(caller, order)).rejects.toThrow("The account is suspended");
  });

  it("has its open orders cancelled by the hourly job before their price locks end", async () => {
    const { account, caller } = await world.account();
    const order = await begin(caller);
    const input = { accountId: account.id, reason: "Keys were shared" };
    await suspend(withGateway({ cancelIntent: away }), await world.operator(), input);
    expect(await closeExpiredOrders(world.ctx)).toMatchObject({ cancelled: 1 });
    expect(await payWith(world, order.intent)).toBe(400);
  });

  it("cannot open an order with a request that was authenticated before the suspension", async () => {
    const { account, caller } = await world.account();
    await world.ctx.db.update(accounts).set({ standing: "suspended" }).where(eq(accounts.id, account.id));
    await expect(begin(caller)).rejects.toMatchObject({ code: "forbidden" });
  });

  it("keeps a renewal that was charged before the suspension", async () => {
    const { account, caller } = await world.account();
    await subscribe(world, caller);
    world.clock.set("2026-12-17T10:00:00Z");
    const losesAnswer = withGateway({
      chargeOffSession: async (...input) => {
        await world.ctx.payments.chargeOffSession(...input);
        return away();
      },
    });
    await chargeDueRenewals(losesAnswer);
    await suspend(world.ctx, await world.operator(), { accountId: account.id, reason: "Keys were shared" });
    world.clock.set("2026-12-17T11:00:00Z");
    await chargeDueRenewals(world.ctx);
    expect(await listSubscriptions(world.ctx, caller)).toMatchObject([{ endDate: "2027-01-20" }]);
  });
});
