/** What follows from the provider's reports of refunds, disputes and failed payments. */
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, invoices, orders, outboxMessages, payments } from "#drizzle/schema/index.ts";
import { subscribe } from "../../testing/purchases.ts";
import { createWorld, payWith, type World } from "../../testing/world.ts";
import { checkout } from "../subscriptions/checkout.server.ts";
import { changeTerm } from "../subscriptions/renew.server.ts";
import { recordDisputes } from "./disputes.server.ts";
import { recordRefunds } from "./refunds.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const paymentOf = async (accountId: number) => {
  await world.simulator.idle();
  const [payment] = await world.ctx.db.select().from(payments).where(eq(payments.accountId, accountId));
  if (!payment?.chargeId) throw new Error("Nothing was paid");
  return { ...payment, chargeId: payment.chargeId };
};

describe("A refund", () => {
  it("creates one credit note in the invoice series and one mail, however often it is reported", async () => {
    const { account, caller } = await world.account();
    await subscribe(world, caller);
    const { chargeId, amountCents, orderId } = await paymentOf(account.id);
    await world.simulator.refundCharge(chargeId, 1000);
    await world.simulator.idle();
    await Promise.all([1, 2, 3, 4].map(() => recordRefunds(world.ctx, chargeId)));
    const mine = () =>
      world.ctx.db.select().from(invoices).where(eq(invoices.accountId, account.id)).orderBy(asc(invoices.id));
    const [invoice, creditNote, ...others] = await mine();
    expect(others).toEqual([]);
    expect(creditNote).toMatchObject({ kind: "credit_note", amountCents: -1000, orderId });
    expect(creditNote?.number).toBe((invoice?.number ?? 0) + 1);
    expect(await paymentOf(account.id)).toMatchObject({ refundedCents: 1000 });

    await world.simulator.refundCharge(chargeId);
    await world.simulator.idle();
    expect((await mine()).map((each) => each.amountCents)).toEqual([amountCents, -1000, 1000 - amountCents]);
    expect(await paymentOf(account.id)).toMatchObject({ refundedCents: amountCents });
    const [order] = await world.ctx.db.select().from(orders).where(eq(orders.id, orderId));
    expect(order?.status).toBe("refunded");
    const mail = await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, account.id));
    expect(mail.filter(({ subject }) => subject.includes("credit note"))).toHaveLength(2);
    expect(world.complaints).toEqual([]);
  });

  it("leaves no credit for a change of term", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller);
    const { chargeId } = await paymentOf(account.id);
    await world.simulator.refundCharge(chargeId);
    await world.simulator.idle();
    expect((await changeTerm(world.ctx, caller, { id, term: "6_months" })).creditCents).toBe(0);
  });
});

describe("A dispute", () => {
  it("suspends the account once the provider has confirmed it", async () => {
    const { account, caller } = await world.account();
    const { periodId } = await subscribe(world, caller);
    const { chargeId } = await paymentOf(account.id);
    await recordDisputes(world.ctx, chargeId);
    const standing = async () =>
      (await world.ctx.db.select().from(accounts).where(eq(accounts.id, account.id)))[0]?.standing;
    expect(await standing()).toBe("good");
    await world.simulator.openDispute(chargeId);
    await world.simulator.idle();
    expect(await standing()).toBe("suspended");
    const suspended = { ...caller, account: { ...account, standing: "suspended" as const } };
    await expect(
      checkout(world.ctx, suspended, { items: [{ periodId, term: "1_month" }], autoRenew: true }),
    ).rejects.toMatchObject({ code: "forbidden" });
  });
});

it("A failed payment creates no payment record and logs no problem", async () => {
  const { account, caller } = await world.account();
  const [period] = world.routes[0]?.periods ?? [];
  if (!period) throw new Error("The route has no period on sale");
  const order = await checkout(world.ctx, caller, {
    items: [{ periodId: period.id, term: "1_month" }],
    autoRenew: true,
  });
  await payWith(world, order.intent, "4000000000000002");
  await world.simulator.idle();
  expect(await world.ctx.db.$count(payments, eq(payments.accountId, account.id))).toBe(0);
  expect(world.complaints).toEqual([]);
});
