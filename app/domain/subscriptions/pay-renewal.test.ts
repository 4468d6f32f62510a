/** The payment that the links of decline mails and the portal's buttons open. */
import { eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { orders, outboxMessages, payments, renewalAttempts, subscriptions } from "#drizzle/schema/index.ts";
import { periodOf, subscribe, testCards } from "../../testing/purchases.ts";
import { appUrl, createWorld, payWith, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { confirmableCard } from "../payments/gateway.ts";
import { listCards } from "../payments/manage-cards.server.ts";
import { reconcile } from "../payments/reconcile.server.ts";
import { chargeDueRenewals } from "./charge-renewals.server.ts";
import { checkout } from "./checkout.server.ts";
import { closeExpiredOrders } from "./expired-orders.server.ts";
import { getSubscription } from "./list.server.ts";
import { payRenewal, renewSubscription } from "./renew.server.ts";
import { confirmPayment } from "./settle.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ webhooks: false });
});
afterAll(async () => {
  expect((await reconcile(world.ctx)).differences).toEqual([]);
  await world.close();
});
beforeEach(async () => {
  // Subscriptions of earlier tests are moved to the past, so that only those of this test are due.
  const past = (day: PgColumn) => sql`${day} - interval '20 years'`;
  await world.ctx.db
    .update(subscriptions)
    .set({ startDate: past(subscriptions.startDate), endDate: past(subscriptions.endDate) });
  world.clock.set("2026-11-20T09:30:00Z");
  world.complaints.length = 0;
});

const at = (day: string, time = "10:00:00") => world.clock.set(`${day}T${time}Z`);
const end = "2026-12-20";
const open = (caller: Caller, id: number, more: { endDate?: string; withAnotherCard?: boolean } = {}) =>
  payRenewal(world.ctx, caller, { id, endDate: more.endDate ?? end, withAnotherCard: more.withAnotherCard ?? false });
const openedOrder = async (...args: Parameters<typeof open>) => {
  const payment = await open(...args);
  if (!("orderId" in payment)) throw new Error("It is paid already");
  const [order] = await world.ctx.db.select().from(orders).where(eq(orders.id, payment.orderId));
  if (!order?.paymentIntentId) throw new Error("The order has no intent");
  return { ...order, intent: await world.ctx.payments.getIntent(order.paymentIntentId) };
};
const endOf = async (caller: Caller, id: number) => (await getSubscription(world.ctx, caller, { id })).endDate;
const paymentsOf = ({ account }: Caller) => world.ctx.db.$count(payments, eq(payments.accountId, account.id));
const declined = async () => {
  const { caller } = await world.account();
  const { id } = await subscribe(world, caller, { card: testCards.declinedOffSession });
  at("2026-12-17");
  await chargeDueRenewals(world.ctx);
  return { caller, id };
};

describe("After a declined card", () => {
  it("a new payment is opened at the announced price, once however often it is opened", async () => {
    const { caller, id } = await declined();
    const [attempt] = await world.ctx.db
      .select({ amountCents: orders.amountCents })
      .from(renewalAttempts)
      .innerJoin(orders, eq(orders.id, renewalAttempts.orderId))
      .where(eq(renewalAttempts.subscriptionId, id));
    const first = await openedOrder(caller, id);
    expect(first.amountCents).toBe(attempt?.amountCents);
    expect((await openedOrder(caller, id)).id).toBe(first.id);
    expect(confirmableCard(first.intent)).toBeNull();
  });

  it("paying it renews from the end, saves the card, and the link then says that it is paid", async () => {
    const { caller, id } = await declined();
    const order = await openedOrder(caller, id);
    await payWith(world, order.intent, "5555555555554444");
    await confirmPayment(world.ctx, caller, { paymentIntentId: order.intent.id });
    expect(await endOf(caller, id)).toBe("2027-01-20");
    expect(await open(caller, id)).toEqual({ paidUntil: "2027-01-20" });
    expect((await listCards(world.ctx, caller)).find(({ isDefault }) => isDefault)?.last4).toBe("4444");
    at("2026-12-18");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 0 });
    expect(await paymentsOf(caller)).toBe(2);
  });

  it("finds a payment that has not been reported yet, instead of opening another", async () => {
    const { caller, id } = await declined();
    const order = await openedOrder(caller, id);
    await payWith(world, order.intent);
    expect(await open(caller, id)).toEqual({ paidUntil: "2027-01-20" });
    expect(await paymentsOf(caller)).toBe(2);
  });

  it("only one of the payments that two tabs open at once can be paid", async () => {
    const { caller, id } = await declined();
    await Promise.allSettled([open(caller, id), open(caller, id)]);
    await openedOrder(caller, id);
    const pending = await world.ctx.db
      .select()
      .from(orders)
      .leftJoin(renewalAttempts, eq(renewalAttempts.orderId, orders.id))
      .where(sql`${orders.accountId} = ${caller.account.id} and ${orders.status} = 'pending'`);
    expect(pending.filter(({ renewal_attempts }) => renewal_attempts === null)).toHaveLength(1);
  });

  it("an expired subscription is paid at today's price, from today", async () => {
    const { caller, id } = await declined();
    at("2026-12-25");
    const order = await openedOrder(caller, id);
    await payWith(world, order.intent);
    await confirmPayment(world.ctx, caller, { paymentIntentId: order.intent.id });
    expect(await endOf(caller, id)).toBe("2027-01-25");
  });

  it("is not found for other accounts, whether it is paid or not", async () => {
    const { id } = await declined();
    const stranger = await world.account();
    for (const endDate of ["2026-01-01", end]) {
      await expect(open(stranger.caller, id, { endDate })).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

describe("After the bank has asked for authentication", () => {
  const waiting = async () => {
    const { caller } = await world.account();
    const items = [{ periodId: periodOf(world), term: "1_month" as const }];
    const bought = await checkout(world.ctx, caller, { items, autoRenew: true });
    await payWith(world, bought.intent, testCards.authenticatesAlways);
    await world.simulator.completeAuthentication(bought.intent.id, bought.intent.clientSecret, true);
    const [subscription] = await confirmPayment(world.ctx, caller, { paymentIntentId: bought.intent.id });
    at("2026-12-17");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 1 });
    return { caller, id: subscription?.id ?? 0 };
  };
  const authenticate = async ({ intent }: Awaited<ReturnType<typeof openedOrder>>, approved: boolean) => {
    const card = confirmableCard(intent);
    if (!card) throw new Error("There is no card to confirm");
    const { paymentMethodId } = card;
    const confirmation = { intentId: intent.id, paymentMethodId, returnUrl: `${appUrl}/checkout/1/return` };
    expect((await world.ctx.payments.confirmIntent(confirmation)).intent.status).toBe("requires_action");
    await world.simulator.completeAuthentication(intent.id, intent.clientSecret, approved);
  };
  const attemptsOf = (id: number) =>
    world.ctx.db
      .select({ orderId: renewalAttempts.orderId, state: renewalAttempts.state })
      .from(renewalAttempts)
      .where(eq(renewalAttempts.subscriptionId, id))
      .orderBy(renewalAttempts.id);

  it("the mail's link resumes the charge itself, with the saved card, once", async () => {
    const { caller, id } = await waiting();
    const [mail] = await world.ctx.db
      .select({ text: outboxMessages.text })
      .from(outboxMessages)
      .where(
        sql`${outboxMessages.accountId} = ${caller.account.id} and ${outboxMessages.subject} like 'Your bank asks%'`,
      );
    expect(mail?.text).toContain(`${appUrl}/subscriptions/${id}/pay?end=${end}`);
    const order = await openedOrder(caller, id);
    expect(await attemptsOf(id)).toEqual([{ orderId: order.id, state: "declined" }]);
    await authenticate(order, true);
    await confirmPayment(world.ctx, caller, { paymentIntentId: order.intent.id });
    expect(await endOf(caller, id)).toBe("2027-01-20");
    expect(await attemptsOf(id)).toEqual([{ orderId: order.id, state: "succeeded" }]);
    expect(await open(caller, id)).toEqual({ paidUntil: "2027-01-20" });
    expect(await paymentsOf(caller)).toBe(2);
  });

  it("can be tried again when the account holder has rejected it", async () => {
    const { caller, id } = await waiting();
    const order = await openedOrder(caller, id);
    await authenticate(order, false);
    const again = await openedOrder(caller, id);
    expect(again.id).toBe(order.id);
    await authenticate(again, true);
    expect(await open(caller, id)).toEqual({ paidUntil: "2027-01-20" });
  });

  it("another card pays a new order, and the waiting charge can no longer succeed", async () => {
    const { caller, id } = await waiting();
    const charge = await openedOrder(caller, id);
    const other = await openedOrder(caller, id, { withAnotherCard: true });
    expect(other.id).not.toBe(charge.id);
    expect((await world.ctx.payments.getIntent(charge.intent.id)).status).toBe("canceled");
    await payWith(world, other.intent);
    await confirmPayment(world.ctx, caller, { paymentIntentId: other.intent.id });
    expect(await endOf(caller, id)).toBe("2027-01-20");
  });

  it("the next attempt replaces the waiting charge, and the link leads to the new one", async () => {
    const { caller, id } = await waiting();
    const first = await openedOrder(caller, id);
    at("2026-12-18");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 1 });
    expect((await world.ctx.payments.getIntent(first.intent.id)).status).toBe("canceled");
    const second = await openedOrder(caller, id);
    expect(second.id).not.toBe(first.id);
    await authenticate(second, true);
    expect(await open(caller, id)).toEqual({ paidUntil: "2027-01-20" });
    expect(await paymentsOf(caller)).toBe(2);
  });

  it("a charge approved while the next attempt is due is settled, and nothing is charged again", async () => {
    const { caller, id } = await waiting();
    await authenticate(await openedOrder(caller, id), true);
    at("2026-12-18");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 0 });
    expect(await endOf(caller, id)).toBe("2027-01-20");
    expect(await paymentsOf(caller)).toBe(2);
  });

  it("the waiting charge is cancelled when its price lock ends, and its order is kept with the attempt", async () => {
    const { caller, id } = await waiting();
    const { intent } = await openedOrder(caller, id);
    at("2026-12-18", "10:00:01");
    await closeExpiredOrders(world.ctx);
    expect((await world.ctx.payments.getIntent(intent.id)).status).toBe("canceled");
    expect(await attemptsOf(id)).toMatchObject([{ state: "declined" }]);
    expect(world.complaints).toEqual([]);
  });

  it("a renewal that the account holder begins instead cancels the waiting charge", async () => {
    const { caller, id } = await waiting();
    const { intent } = await openedOrder(caller, id);
    await renewSubscription(world.ctx, caller, { id, term: "3_months" });
    expect((await world.ctx.payments.getIntent(intent.id)).status).toBe("canceled");
  });
});
