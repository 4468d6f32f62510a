import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invoices, orders, paidTerms, payments, subscriptions } from "#drizzle/schema/index.ts";
import { createWorld, payWith, type World } from "../../testing/world.ts";
import { listInvoices } from "../payments/invoices.server.ts";
import { checkout } from "./checkout.server.ts";
import { listSubscriptions } from "./list.server.ts";
import { confirmPayment, settleIntent } from "./settle.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const firstPeriod = (code = "C-CNSHA-NLRTM-PEL9") => {
  const period = world.routes.find((route) => route.code === code)?.periods[0];
  if (!period) throw new Error(`${code} has no period on sale`);
  return period.id;
};

const buy = async (caller: Awaited<ReturnType<World["account"]>>["caller"], card?: string) => {
  const items = [{ periodId: firstPeriod(), term: "3_months" as const }];
  const order = await checkout(world.ctx, caller, { items, autoRenew: true });
  return { order, status: await payWith(world, order.intent, card) };
};

describe("A purchase", () => {
  it("creates one subscription from today for the term, and an invoice for the amount paid", async () => {
    const { caller } = await world.account();
    const { order } = await buy(caller);
    const made = await confirmPayment(world.ctx, caller, { paymentIntentId: order.intent.id });
    expect(made).toMatchObject([
      {
        routeName: "Shanghai – Rotterdam",
        term: "3_months",
        startDate: "2026-11-20",
        endDate: "2027-02-20",
        status: "active",
        autoRenew: true,
        nextCharge: { date: "2027-02-17" },
      },
    ]);
    expect(await listInvoices(world.ctx, caller)).toMatchObject([
      { kind: "invoice", amountCents: order.amountCents, card: { brand: "visa", last4: "4242" } },
    ]);
  });

  it("is fulfilled once by 50 concurrent confirmations and 50 webhooks, with identical responses", async () => {
    const { caller } = await world.account();
    const { order } = await buy(caller);
    const paymentIntentId = order.intent.id;
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, () => confirmPayment(world.ctx, caller, { paymentIntentId })),
      ...Array.from({ length: 50 }, () => settleIntent(world.ctx, paymentIntentId)),
    ]);
    const confirmed = answers.slice(0, 50);
    expect(new Set(confirmed.map((answer) => JSON.stringify(answer)))).toHaveLength(1);
    const mine = await listSubscriptions(world.ctx, caller);
    expect(mine).toHaveLength(1);
    expect(mine[0]?.endDate).toBe("2027-02-20");
    expect(await listInvoices(world.ctx, caller)).toHaveLength(1);
  });

  it("is not fulfilled before the payment", async () => {
    const { caller } = await world.account();
    const items = [{ periodId: firstPeriod(), term: "1_month" as const }];
    const order = await checkout(world.ctx, caller, { items, autoRenew: false });
    await expect(confirmPayment(world.ctx, caller, { paymentIntentId: order.intent.id })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("requires_payment_method"),
    });
    expect(await listSubscriptions(world.ctx, caller)).toEqual([]);
  });

  it("creates nothing when the card is declined, and can be paid with another card", async () => {
    const { caller } = await world.account();
    const { order, status } = await buy(caller, "4000000000000002");
    expect(status).toBe(402);
    await expect(confirmPayment(world.ctx, caller, { paymentIntentId: order.intent.id })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await payWith(world, order.intent)).toBe(200);
    expect(await confirmPayment(world.ctx, caller, { paymentIntentId: order.intent.id })).toHaveLength(1);
  });

  it("cannot be confirmed by another account", async () => {
    const [{ caller }, stranger] = [await world.account(), await world.account()];
    const { order } = await buy(caller);
    await expect(
      confirmPayment(world.ctx, stranger.caller, { paymentIntentId: order.intent.id }),
    ).rejects.toMatchObject({ code: "not_found" });
  });

  it("of a period with an active subscription extends that one", async () => {
    const { caller } = await world.account();
    for (const _ of [1, 2]) {
      const { order } = await buy(caller);
      await confirmPayment(world.ctx, caller, { paymentIntentId: order.intent.id });
    }
    expect(await listSubscriptions(world.ctx, caller)).toMatchObject([
      { startDate: "2026-11-20", endDate: "2027-05-20" },
    ]);
  });

  it("leaves one payment, paid term and invoice per paid order, with gapless invoice numbers", async () => {
    const { db } = world.ctx;
    const paid = (await db.select().from(orders)).filter(({ status }) => status === "paid").length;
    expect(await db.$count(payments)).toBe(paid);
    expect(await db.$count(paidTerms)).toBe(paid);
    expect((await db.select().from(invoices)).map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: paid }, (_, index) => index + 1),
    );
    expect(await db.$count(subscriptions)).toBeGreaterThan(0);
    expect(world.complaints).toEqual([]);
  });
});
