/** What time does to subscriptions: renewals, reminders, period changes and popularity. */
import { asc, eq, like, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  accounts,
  invoices,
  orders,
  outboxMessages,
  paidTerms,
  payments,
  periods,
  renewalAttempts,
  routes,
  subscriptions,
} from "#drizzle/schema/index.ts";
import { pay, periodOf, subscribe, testCards } from "../../testing/purchases.ts";
import { createWorld, payWith, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors.ts";
import { runDueWork } from "../jobs/due-work.server.ts";
import type { PaymentGateway } from "../payments/gateway.ts";
import { listCards, removeCard } from "../payments/manage-cards.server.ts";
import { chargeDueRenewals } from "./charge-renewals.server.ts";
import { checkout } from "./checkout.server.ts";
import { listSubscriptions } from "./list.server.ts";
import { cancelSubscription, setAutoRenew } from "./manage.server.ts";
import { recomputePopularity } from "./popularity.server.ts";
import { expireEnded, remindExpiring } from "./remind.server.ts";
import { renewSubscription } from "./renew.server.ts";
import { confirmPayment, settleIntent } from "./settle.server.ts";
import { moveToSuccessors } from "./succession.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ webhooks: false });
});
afterAll(() => world.close());
beforeEach(async () => {
  // Moves the subscriptions of earlier tests to the past, so that only those of this test are due.
  const past = (day: PgColumn) => sql`${day} - interval '20 years'`;
  await world.ctx.db
    .update(subscriptions)
    .set({ startDate: past(subscriptions.startDate), endDate: past(subscriptions.endDate) });
  await world.ctx.db.update(renewalAttempts).set({ state: "declined" }).where(eq(renewalAttempts.state, "pending"));
  world.clock.set("2026-11-20T09:30:00Z");
  world.complaints.length = 0;
});

const at = (day: string, time = "10:00:00") => world.clock.set(`${day}T${time}Z`);
const only = async (caller: Caller) => {
  const all = await listSubscriptions(world.ctx, caller);
  expect(all).toHaveLength(1);
  return all[0] as (typeof all)[number];
};
const attemptsOf = (subscriptionId: number) =>
  world.ctx.db
    .select()
    .from(renewalAttempts)
    .where(eq(renewalAttempts.subscriptionId, subscriptionId))
    .orderBy(asc(renewalAttempts.id));
const mailTo = async (accountId: number) =>
  (
    await world.ctx.db
      .select({ subject: outboxMessages.subject, text: outboxMessages.text })
      .from(outboxMessages)
      .where(eq(outboxMessages.accountId, accountId))
      .orderBy(asc(outboxMessages.id))
  ).map(({ subject, text }) => `${subject}\n${text}`);
const paymentsOf = (accountId: number) => world.ctx.db.$count(payments, eq(payments.accountId, accountId));

describe("A renewal", () => {
  it("is charged three days before the end, at the announced price, and moves the end by the renewal term", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller);
    await setAutoRenew(world.ctx, caller, { id, autoRenew: true, renewalTerm: "3_months" });
    at("2026-12-16");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 0 });
    at("2026-12-17", "00:00:00");
    const expected = (await only(caller)).nextCharge;
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 1, declined: 0 });
    expect(await only(caller)).toMatchObject({ endDate: "2027-03-20", term: "3_months", status: "active" });
    const [invoice] = await world.ctx.db
      .select()
      .from(invoices)
      .where(eq(invoices.accountId, account.id))
      .orderBy(asc(invoices.id))
      .offset(1);
    expect(invoice?.amountCents).toBe(expected?.amountCents);
    expect(await attemptsOf(id)).toMatchObject([
      { state: "succeeded", endDate: "2026-12-20", idempotencyKey: `renewal-${id}-2026-12-20-2026-12-17` },
    ]);
    expect((await mailTo(account.id)).at(-1)).toContain("Your receipt");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 0 });
  });

  it("is retried on the two days after a decline, with a mail each, and then expires", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller, { card: testCards.declinedOffSession });
    const seen: unknown[] = [];
    for (const day of ["2026-12-17", "2026-12-17", "2026-12-18", "2026-12-19", "2026-12-20", "2026-12-21"]) {
      at(day);
      seen.push((await runDueWork(world.ctx)).chargesDeclined);
    }
    expect(seen).toEqual([1, 0, 1, 1, 0, 0]);
    expect(await only(caller)).toMatchObject({ endDate: "2026-12-20", status: "expired" });
    const attempts = await attemptsOf(id);
    expect(attempts.map(({ attemptedOn, state, declineCode }) => [attemptedOn, state, declineCode])).toEqual([
      ["2026-12-17", "declined", "card_declined"],
      ["2026-12-18", "declined", "card_declined"],
      ["2026-12-19", "declined", "card_declined"],
    ]);
    const mail = (await mailTo(account.id)).filter((text) => text.includes("Payment failed"));
    expect(mail).toHaveLength(3);
    expect(mail[0]).toContain("try again on 18 Dec 2026");
    expect(mail[2]).toContain("We will not try again");
    expect((await mailTo(account.id)).filter((text) => text.includes("has ended"))).toHaveLength(1);
    expect(await paymentsOf(account.id)).toBe(1);
  });

  it("is declined with a link to approve it when the bank asks for authentication", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller);
    at("2026-12-17");
    const ctx = withGateway({
      chargeOffSession: async (input, key) => {
        const intent = await world.ctx.payments.createIntent({ ...input, saveCard: false }, `${key}-unpaid`);
        return { ...intent, status: "requires_payment_method", declineCode: "authentication_required" };
      },
    });
    expect(await chargeDueRenewals(ctx)).toEqual({ succeeded: 0, declined: 1 });
    expect((await mailTo(account.id)).at(-1)).toMatch(/Your bank asks you to approve[\s\S]*\/subscriptions/);
    expect(await attemptsOf(id)).toMatchObject([{ declineCode: "authentication_required" }]);
  });

  it("is paid once when the account holder pays after a request for authentication: the declined charge cannot succeed later", async () => {
    const { account, caller } = await world.account();
    const items = [{ periodId: periodOf(world), term: "1_month" as const }];
    const bought = await checkout(world.ctx, caller, { items, autoRenew: true });
    await payWith(world, bought.intent, testCards.authenticatesAlways);
    await world.simulator.completeAuthentication(bought.intent.id, bought.intent.clientSecret, true);
    const [subscription] = await confirmPayment(world.ctx, caller, { paymentIntentId: bought.intent.id });
    const id = subscription?.id ?? 0;
    at("2026-12-17");
    let declined = "";
    const ctx = withGateway({
      chargeOffSession: async (input, key) => {
        const intent = await world.ctx.payments.chargeOffSession(input, key);
        declined = intent.id;
        return intent;
      },
    });
    expect(await chargeDueRenewals(ctx)).toEqual({ succeeded: 0, declined: 1 });
    expect((await mailTo(account.id)).at(-1)).toContain(`/subscriptions/${id}`);

    await pay(world, caller, await renewSubscription(world.ctx, caller, { id }));
    expect(await payWith(world, await world.ctx.payments.getIntent(declined))).toBe(400);
    await settleIntent(world.ctx, declined);
    at("2026-12-18");
    await chargeDueRenewals(world.ctx);
    expect(await paymentsOf(account.id)).toBe(2);
    expect((await only(caller)).endDate).toBe("2027-01-20");
  });

  it("is never both charged and paid by the account holder", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller);
    at("2026-12-16");
    const begun = await renewSubscription(world.ctx, caller, { id });
    at("2026-12-17");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 1, declined: 0 });
    expect(await payWith(world, begun.intent)).toBe(400);
    expect(await paymentsOf(account.id)).toBe(2);

    at("2027-01-16");
    const paid = await renewSubscription(world.ctx, caller, { id });
    await payWith(world, paid.intent);
    at("2027-01-17");
    // No webhook reported the payment: the run finds it and charges nothing.
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 0 });
    expect(await paymentsOf(account.id)).toBe(3);
    expect((await only(caller)).endDate).toBe("2027-02-20");
  });

  it("is declined with a mail when there is no card, without a call to the provider", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller, { autoRenew: false });
    await setAutoRenew(world.ctx, caller, { id, autoRenew: true });
    at("2026-12-18");
    const ctx = withGateway({ chargeOffSession: () => Promise.reject(new Error("No card, no charge")) });
    expect(await chargeDueRenewals(ctx)).toEqual({ succeeded: 0, declined: 1 });
    expect((await mailTo(account.id)).at(-1)).toContain("Choose a card to renew");
    expect(world.complaints).toEqual([]);
  });

  it("is declined when the provider no longer has the card, and the card is deleted", async () => {
    const { account, caller } = await world.account();
    await subscribe(world, caller);
    at("2026-12-17");
    const gone = () => Promise.reject(new Refusal("conflict", "The saved card can no longer be charged"));
    expect(await chargeDueRenewals(withGateway({ chargeOffSession: gone }))).toEqual({ succeeded: 0, declined: 1 });
    at("2026-12-18");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 1 });
    expect((await mailTo(account.id)).filter((text) => text.includes("Choose a card to renew"))).toHaveLength(2);
  });

  it.each([
    ["is cancelled", (caller: Caller, id: number) => cancelSubscription(world.ctx, caller, { id })],
    ["has auto-renewal off", (caller: Caller, id: number) => setAutoRenew(world.ctx, caller, { id, autoRenew: false })],
    [
      "belongs to a suspended account",
      (caller: Caller) =>
        world.ctx.db.update(accounts).set({ standing: "suspended" }).where(eq(accounts.id, caller.account.id)),
    ],
  ])("is not charged if the subscription %s", async (_, act) => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    await act(caller, id);
    at("2026-12-18");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 0 });
    expect(await attemptsOf(id)).toEqual([]);
  });

  it("is charged by a late job, but never after the end", async () => {
    const [late, tooLate] = [await world.account(), await world.account()];
    await subscribe(world, late.caller);
    const { id } = await subscribe(world, tooLate.caller, { term: "2_months" });
    at("2026-12-19", "23:59:59");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 1, declined: 0 });
    at("2027-01-20", "00:00:00");
    await setAutoRenew(world.ctx, late.caller, { id: (await only(late.caller)).id, autoRenew: false }).catch(() => {});
    expect(await attemptsOf(id)).toEqual([]);
    expect(await only(tooLate.caller)).toMatchObject({ status: "expired" });
  });

  it("is charged once by four concurrent runs", async () => {
    const [one, two] = [await world.account(), await world.account()];
    await subscribe(world, one.caller);
    await subscribe(world, two.caller);
    at("2026-12-17");
    const sweeps = await Promise.all([1, 2, 3, 4].map(() => runDueWork(world.ctx)));
    expect(sweeps.reduce((sum, { chargesSucceeded }) => sum + chargesSucceeded, 0)).toBe(2);
    for (const { account, caller } of [one, two]) {
      expect((await only(caller)).endDate).toBe("2027-01-20");
      expect(await paymentsOf(account.id)).toBe(2);
    }
    expect(world.complaints).toEqual([]);
  });
});

describe("A charge is counted once", () => {
  const chargedBy = (afterCharge: (intentId: string) => Promise<void>) =>
    withGateway({
      chargeOffSession: async (input, key) => {
        const intent = await world.ctx.payments.chargeOffSession(input, key);
        await afterCharge(intent.id);
        return intent;
      },
    });

  it("by the run that resolved it when the run that made it was too slow", async () => {
    const { caller } = await world.account();
    await subscribe(world, caller);
    at("2026-12-17");
    let faster = { succeeded: 0, declined: 0 };
    const slow = chargedBy(async () => {
      at("2026-12-17", "10:10:00");
      faster = await chargeDueRenewals(world.ctx);
    });
    expect(await chargeDueRenewals(slow)).toEqual({ succeeded: 0, declined: 0 });
    expect(faster).toEqual({ succeeded: 1, declined: 0 });
    expect((await only(caller)).endDate).toBe("2027-01-20");
  });

  it("by the run that made it when the webhook was faster", async () => {
    const { caller } = await world.account();
    await subscribe(world, caller);
    at("2026-12-17");
    const overtaken = chargedBy(async (intentId) => {
      await settleIntent(world.ctx, intentId);
    });
    expect(await chargeDueRenewals(overtaken)).toEqual({ succeeded: 1, declined: 0 });
  });

  it("when it is resolved later, and does not restore a card that was removed in the meantime", async () => {
    const { caller } = await world.account();
    await subscribe(world, caller);
    at("2026-12-17");
    const loses = chargedBy(() => Promise.reject(new Refusal("unavailable", "The answer was lost")));
    await chargeDueRenewals(loses);
    const [card] = await listCards(world.ctx, caller);
    await removeCard(world.ctx, caller, { id: card?.id ?? 0 });
    at("2026-12-17", "11:00:00");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 1, declined: 0 });
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 0 });
    expect(await listCards(world.ctx, caller)).toEqual([]);
  });
});

describe("A payment provider that fails", () => {
  const away = () => Promise.reject(new Refusal("unavailable", "The payment provider cannot be reached"));

  it("between charge and response has charged once, and the next run finds the charge", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller);
    at("2026-12-17");
    const loses = withGateway({
      chargeOffSession: async (input, key) => {
        await world.ctx.payments.chargeOffSession(input, key);
        return away();
      },
    });
    expect(await chargeDueRenewals(loses)).toEqual({ succeeded: 0, declined: 0 });
    expect(await attemptsOf(id)).toMatchObject([{ state: "pending" }]);
    expect((await only(caller)).endDate).toBe("2026-12-20");
    await expect(renewSubscription(world.ctx, caller, { id })).rejects.toThrow("is being charged");
    at("2026-12-17", "11:00:00");
    const counted = countingCharges();
    const sweeps = await Promise.all([1, 2, 3, 4].map(() => chargeDueRenewals(counted.ctx)));
    expect(sweeps.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(1);
    expect(counted.charges()).toBe(0);
    expect((await only(caller)).endDate).toBe("2027-01-20");
    expect(await paymentsOf(account.id)).toBe(2);
  });

  it("after the charge has the renewal settled by its webhook", async () => {
    const { account, caller } = await world.account();
    await subscribe(world, caller);
    at("2026-12-17");
    let intentId = "";
    const loses = withGateway({
      chargeOffSession: async (input, key) => {
        intentId = (await world.ctx.payments.chargeOffSession(input, key)).id;
        return away();
      },
    });
    await chargeDueRenewals(loses);
    await Promise.all([1, 2, 3].map(() => settleIntent(world.ctx, intentId)));
    expect((await only(caller)).endDate).toBe("2027-01-20");
    at("2026-12-18");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 0 });
    expect(await paymentsOf(account.id)).toBe(2);
  });

  it("before the charge is called again with the same idempotency key", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller);
    at("2026-12-17");
    await chargeDueRenewals(withGateway({ chargeOffSession: away }));
    at("2026-12-17", "11:00:00");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 1, declined: 0 });
    expect(await attemptsOf(id)).toMatchObject([{ state: "succeeded", attemptedOn: "2026-12-17" }]);
    expect(await paymentsOf(account.id)).toBe(2);
  });

  it("for longer than its idempotency keys live has charged nothing, and a new attempt is made", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    at("2026-12-17");
    await chargeDueRenewals(withGateway({ chargeOffSession: away }));
    at("2026-12-18", "12:00:00");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 1, declined: 0 });
    expect(await attemptsOf(id)).toMatchObject([
      { state: "declined", declineCode: "not_charged" },
      { state: "succeeded", attemptedOn: "2026-12-18" },
    ]);
  });

  it("until after the end is not asked to charge again, and a charge that it made extends without a gap", async () => {
    const [lost, never] = [await world.account(), await world.account()];
    await subscribe(world, lost.caller);
    await subscribe(world, never.caller, { periodId: periodOf(world, world.routes[1]?.code) });
    at("2026-12-19", "23:30:00");
    const loses = withGateway({
      chargeOffSession: async (input, key) => {
        if (input.customerId === (await customerOf(lost.account.id)))
          await world.ctx.payments.chargeOffSession(input, key);
        return away();
      },
    });
    await chargeDueRenewals(loses);
    at("2026-12-20", "00:30:00");
    const work = await runDueWork(world.ctx);
    expect(work).toMatchObject({ chargesSucceeded: 1, expired: 1 });
    expect(await only(lost.caller)).toMatchObject({ startDate: "2026-11-20", endDate: "2027-01-20" });
    expect(await only(never.caller)).toMatchObject({ status: "expired" });
  });

  it("does not stop reminders from being sent", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller, { autoRenew: false });
    await renewSubscription(world.ctx, caller, { id });
    at("2026-12-19");
    const ctx = withGateway({ chargeOffSession: away, cancelIntent: away, findIntent: away });
    expect(await runDueWork(ctx)).toMatchObject({ remindersSent: 1 });
    expect((await mailTo(account.id)).at(-1)).toContain("has 1 day left");
    expect(world.complaints).toEqual([expect.stringContaining("Lapsed orders were left for later")]);
  });

  it("for one renewal does not stop the others", async () => {
    const accountsInTurn = [await world.account(), await world.account(), await world.account()];
    for (const { caller } of accountsInTurn) await subscribe(world, caller);
    const unlucky = await customerOf(accountsInTurn[0]?.account.id ?? 0);
    at("2026-12-17");
    const ctx = withGateway({
      chargeOffSession: async (input, key) => {
        if (input.customerId === unlucky) throw new Error("Something quite unexpected");
        return world.ctx.payments.chargeOffSession(input, key);
      },
    });
    expect(await chargeDueRenewals(ctx)).toEqual({ succeeded: 2, declined: 0 });
    expect(world.complaints).toEqual([expect.stringContaining("A renewal was left open")]);
  });
});

describe("Reminders", () => {
  it("are sent seven days and one day before the end, once each, even by concurrent runs", async () => {
    const { account, caller } = await world.account();
    await subscribe(world, caller, { autoRenew: false });
    const days = ["2026-12-12", "2026-12-13", "2026-12-14", "2026-12-18", "2026-12-19", "2026-12-20"];
    const counts: number[] = [];
    for (const day of days) {
      at(day);
      const swept = await Promise.all([1, 2, 3, 4].map(() => remindExpiring(world.ctx)));
      counts.push(swept.reduce((sum, count) => sum + count, 0));
    }
    expect(counts).toEqual([0, 1, 0, 0, 1, 0]);
    const mail = (await mailTo(account.id)).slice(1);
    expect(mail).toHaveLength(2);
    expect(mail[0]).toMatch(/has 7 days left[\s\S]*19 Dec 2026[\s\S]*does not renew automatically/);
    expect(mail[1]).toContain("has 1 day left");
  });

  it("name the date and the amount of the coming charge when the subscription renews", async () => {
    const { account, caller } = await world.account();
    await subscribe(world, caller);
    at("2026-12-13");
    const charge = (await only(caller)).nextCharge;
    expect(await remindExpiring(world.ctx)).toBe(1);
    const amount = ((charge?.amountCents ?? 0) / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",");
    expect((await mailTo(account.id)).at(-1)).toContain(`charge your card USD ${amount} on 17 Dec 2026`);
  });

  it("are not sent for cancelled subscriptions", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    await cancelSubscription(world.ctx, caller, { id });
    at("2026-12-19");
    expect(await remindExpiring(world.ctx)).toBe(0);
  });

  it("that it has ended are sent once for each end date, also after a late renewal", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller, { autoRenew: false });
    const ended = async () => (await mailTo(account.id)).filter((text) => text.includes("has ended")).length;
    at("2026-12-20");
    await Promise.all([1, 2, 3].map(() => expireEnded(world.ctx)));
    expect(await ended()).toBe(1);
    at("2026-12-22");
    await pay(world, caller, await renewSubscription(world.ctx, caller, { id }));
    at("2027-01-22");
    await Promise.all([1, 2, 3].map(() => expireEnded(world.ctx)));
    expect(await ended()).toBe(2);
  });
});

describe("A period that ends", () => {
  it("moves its active subscriptions to its successor, and they renew at its price", async () => {
    const { db } = world.ctx;
    const { caller } = await world.account();
    const periodId = periodOf(world, world.routes[2]?.code);
    const { id, routeId } = await subscribe(world, caller, { periodId });
    const [old] = await db.select().from(periods).where(eq(periods.id, periodId));
    const [next] = await db
      .insert(periods)
      .values({ code: "NEXT", routeId, name: "Next", startsOn: "2026-12-01", freshness: "real_time" })
      .returning({ id: periods.id });
    await db.update(periods).set({ endsOn: "2026-12-01", successorPeriodId: next?.id }).where(eq(periods.id, periodId));
    at("2026-11-30");
    expect(await moveToSuccessors(world.ctx)).toBe(0);
    at("2026-12-01");
    expect(await moveToSuccessors(world.ctx)).toBeGreaterThan(0);
    expect(await only(caller)).toMatchObject({ id, periodId: next?.id });
    expect(await moveToSuccessors(world.ctx)).toBe(0);
    at("2026-12-17");
    expect(old?.freshness).not.toBe("real_time");
    const charge = (await only(caller)).nextCharge;
    expect((await chargeDueRenewals(world.ctx)).succeeded).toBe(1);
    const [order] = await db
      .select()
      .from(orders)
      .where(eq(orders.kind, "renewal"))
      .orderBy(asc(orders.id))
      .limit(1)
      .offset((await db.$count(orders, eq(orders.kind, "renewal"))) - 1);
    expect(order?.amountCents).toBe(charge?.amountCents);
  });
});

describe("Popularity", () => {
  it("counts the subscriptions to a route that were active in the last 90 days", async () => {
    const { db } = world.ctx;
    await subscribe(world, (await world.account()).caller);
    await recomputePopularity(world.ctx);
    const percents = () => db.select({ percent: routes.popularityPercent }).from(routes).orderBy(asc(routes.id));
    const before = await percents();
    expect(Math.max(...before.map(({ percent }) => percent))).toBeGreaterThan(80);
    expect(await recomputePopularity(world.ctx)).toBe(0);
    at("2029-01-01");
    await recomputePopularity(world.ctx);
    expect(new Set((await percents()).map(({ percent }) => percent))).toEqual(new Set([80]));
    at("2026-11-20");
    await recomputePopularity(world.ctx);
    expect(await percents()).toEqual(before);
  });
});

it("After all of this, every paid order has one payment, invoice, paid term and receipt", async () => {
  const { db } = world.ctx;
  const paid = await db.$count(orders, eq(orders.status, "paid"));
  expect(await db.$count(payments)).toBe(paid);
  expect(await db.$count(invoices)).toBe(paid);
  expect(await db.$count(paidTerms)).toBe(paid);
  expect(await db.$count(outboxMessages, like(outboxMessages.dedupeKey, "receipt:%"))).toBe(paid);
});

const withGateway = (changed: Partial<PaymentGateway>): Context => ({
  ...world.ctx,
  payments: { ...world.ctx.payments, ...changed },
});

const countingCharges = () => {
  let charges = 0;
  const ctx = withGateway({
    chargeOffSession: (input, key) => {
      charges += 1;
      return world.ctx.payments.chargeOffSession(input, key);
    },
  });
  return { ctx, charges: () => charges };
};

const customerOf = async (accountId: number): Promise<string | null> => {
  const [row] = await world.ctx.db
    .select({ id: accounts.stripeCustomerId })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return row?.id ?? null;
};
