/** Actions on several subscriptions at once. */
import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditLog, invoices, orders, payments, renewalAttempts, subscriptions } from "#drizzle/schema/index.ts";
import { pay, periodOf, subscribe, testCards } from "../../testing/purchases.ts";
import { createWorld, payWith, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { reconcile } from "../payments/reconcile.server.ts";
import { chargeDueRenewals } from "./charge-renewals.server.ts";
import { getSubscriptions } from "./list.server.ts";
import { cancelSelection, cancelSubscription, setAutoRenewOfSelection } from "./manage.server.ts";
import { payRenewal, renewSubscription } from "./renew.server.ts";
import { previewRenewals, renewSelection } from "./renew-selection.server.ts";
import { renewalQuotes } from "./renewal-quotes.server.ts";
import { confirmPayment } from "./settle.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({
    webhooks: false,
    routeCodes: [
      "C-CNSHA-NLRTM-PEL9",
      "C-CNNGB-GBFXT-MRG9",
      "B-AUPHE-CNTAO-GRN9",
      "C-CNSHA-DEHAM-BRW9",
      "C-CNSHA-PLGDN-COR9",
      "C-CNSHA-ITGOA-MRG9",
    ],
  });
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
});

const at = (day: string) => world.clock.set(`${day}T10:00:00Z`);
const periods = () => world.routes.map(({ code }) => periodOf(world, code));

/** An account with a subscription to each of the first routes, oldest first. */
const holding = async (count: number, options: Parameters<typeof subscribe>[2] = {}) => {
  const { caller, token } = await world.account();
  const bought = [];
  for (const periodId of periods().slice(0, count)) {
    bought.push(await subscribe(world, caller, { ...options, periodId }));
  }
  return { caller, token, bought, ids: bought.map(({ id }) => id) };
};
const held = (caller: Caller, ids: number[]) => getSubscriptions(world.ctx, caller, { ids });
const paymentsOf = ({ account }: Caller) => world.ctx.db.$count(payments, eq(payments.accountId, account.id));
/** Orders that the account holder can pay. */
const openOf = async ({ account }: Caller) =>
  (
    await world.ctx.db
      .select()
      .from(orders)
      .where(and(eq(orders.accountId, account.id), eq(orders.status, "pending"), isNotNull(orders.paymentIntentId)))
  ).length;

describe("Renewing a selection", () => {
  it("extends every subscription with one order, one payment and one invoice, once", async () => {
    const { caller, ids } = await holding(3);
    const order = await renewSelection(world.ctx, caller, { ids });
    expect(order.lines.map(({ subscriptionId }) => subscriptionId)).toEqual(ids);
    expect(order.amountCents).toBe(order.lines.reduce((sum, { totalCents }) => sum + totalCents, 0));
    await payWith(world, order.intent);
    const confirm = () => confirmPayment(world.ctx, caller, { paymentIntentId: order.intent.id });
    await Promise.all([confirm(), confirm()]);
    expect((await confirm()).map(({ id, endDate }) => [id, endDate])).toEqual(ids.map((id) => [id, "2027-01-20"]));
    expect(await paymentsOf(caller)).toBe(4);
    expect(await world.ctx.db.$count(invoices, eq(invoices.orderId, order.orderId))).toBe(1);
  });

  it("costs what renewing each of them costs, at the capped price", async () => {
    const { caller, ids } = await holding(2);
    const rows = await held(caller, ids);
    const today = "2026-11-20";
    const quotes = await renewalQuotes(
      world.ctx,
      rows.map((subscription) => ({ subscription, term: "1_month" as const, on: today })),
    );
    const order = await renewSelection(world.ctx, caller, { ids });
    expect(order.lines.map(({ totalCents }) => totalCents)).toEqual(quotes.map((quote) => quote?.totalCents));
  });

  it("counts all its routes for the volume discount, also those that have ended", async () => {
    const { caller, ids } = await holding(5);
    at("2027-03-01");
    const [alone] = await previewRenewals(world.ctx, caller, { ids: ids.slice(0, 1) });
    const together = await previewRenewals(world.ctx, caller, { ids });
    const percentOf = (renewal: typeof alone) =>
      renewal && renewal.reason === null ? renewal.line.volumeDiscountPercent : null;
    expect(percentOf(alone)).toBe(0);
    expect(together.map(percentOf)).toEqual([5, 5, 5, 5, 5]);
  });

  it("names price, days and term of each, running ones first", async () => {
    const { caller, ids } = await holding(1);
    at("2027-01-05");
    const second = await subscribe(world, caller, { periodId: periods()[1] ?? 0, term: "3_months" });
    expect(await previewRenewals(world.ctx, caller, { ids: [...ids, second.id] })).toMatchObject([
      { subscription: { id: second.id }, from: "2027-04-05", until: "2027-07-05", line: { term: "3_months" } },
      { subscription: { id: ids[0] }, from: "2027-01-05", until: "2027-02-05", line: { term: "1_month" } },
    ]);
    expect(await previewRenewals(world.ctx, caller, { ids: [second.id], term: "1_month" })).toMatchObject([
      { until: "2027-05-05", line: { term: "1_month" } },
    ]);
  });

  it("keeps each subscription's own auto-renewal setting, and leaves it off where it was cancelled", async () => {
    const { caller, ids } = await holding(3);
    const [on = 0, off = 0, cancelled = 0] = ids;
    await setAutoRenewOfSelection(world.ctx, caller, { ids: [off], autoRenew: false });
    await cancelSubscription(world.ctx, caller, { id: cancelled });
    await pay(world, caller, await renewSelection(world.ctx, caller, { ids }));
    const settings = (await held(caller, ids)).map(({ id, autoRenew, status }) => [id, autoRenew, status]);
    expect(settings).toEqual([
      [on, true, "active"],
      [off, false, "active"],
      [cancelled, false, "active"],
    ]);
  });

  it("orders nothing if one of them cannot be renewed, and says which and why", async () => {
    const { caller, ids } = await holding(2);
    at("2027-01-05");
    const again = await subscribe(world, caller, { periodId: periods()[0] ?? 0 });
    await expect(renewSelection(world.ctx, caller, { ids })).rejects.toMatchObject({
      code: "conflict",
      message: `Subscription ${ids[0]}: Subscription ${again.id} to the same period is active. Renew that one`,
    });
    expect(await openOf(caller)).toBe(0);
  });

  it("renews a period once if two ended subscriptions to it are selected", async () => {
    const { caller, ids } = await holding(1);
    at("2027-01-05");
    const again = await subscribe(world, caller, { periodId: periods()[0] ?? 0 });
    at("2027-03-01");
    const [first, second] = await previewRenewals(world.ctx, caller, { ids: [...ids, again.id] });
    expect(first?.reason).toBeNull();
    expect(second?.reason).toBe("Another selected subscription renews the same period");
  });

  it("is rejected as a whole for a subscription of another account", async () => {
    const { ids } = await holding(1);
    const stranger = await holding(1);
    const selection = { ids: [...stranger.ids, ...ids] };
    for (const act of [renewSelection, previewRenewals, cancelSelection]) {
      await expect(act(world.ctx, stranger.caller, selection)).rejects.toMatchObject({
        code: "not_found",
        message: `Subscription ${ids[0]} not found`,
      });
    }
    expect(await held(stranger.caller, stranger.ids)).toMatchObject([{ status: "active" }]);
  });

  it("is forbidden to a suspended account", async () => {
    const { caller, ids } = await holding(1);
    const suspended = { ...caller, account: { ...caller.account, standing: "suspended" as const } };
    await expect(renewSelection(world.ctx, suspended, { ids })).rejects.toMatchObject({ code: "forbidden" });
    const [shown] = await previewRenewals(world.ctx, suspended, { ids });
    expect(shown?.reason).toBe("The account is suspended");
  });
});

describe("Of a selection and another payment of the same renewal, only one can be paid", () => {
  it("when a single renewal was opened before", async () => {
    const { caller, ids } = await holding(2);
    const single = await renewSubscription(world.ctx, caller, { id: ids[0] ?? 0 });
    await renewSelection(world.ctx, caller, { ids });
    expect((await world.ctx.payments.getIntent(single.intent.id)).status).toBe("canceled");
    expect(await openOf(caller)).toBe(1);
  });

  it("when the same selection is ordered twice, in turn or at once", async () => {
    const { caller, ids } = await holding(2);
    const first = await renewSelection(world.ctx, caller, { ids });
    await Promise.allSettled([
      renewSelection(world.ctx, caller, { ids }),
      renewSelection(world.ctx, caller, { ids: ids.slice(1) }),
    ]);
    expect((await world.ctx.payments.getIntent(first.intent.id)).status).toBe("canceled");
    await renewSelection(world.ctx, caller, { ids });
    expect(await openOf(caller)).toBe(1);
  });

  it("when one of them has been paid but not been reported yet", async () => {
    const { caller, ids } = await holding(2);
    const first = await renewSelection(world.ctx, caller, { ids });
    await payWith(world, first.intent);
    await expect(renewSelection(world.ctx, caller, { ids })).rejects.toMatchObject({ code: "conflict" });
    expect((await held(caller, ids)).map(({ endDate }) => endDate)).toEqual(["2027-01-20", "2027-01-20"]);
    expect(await openOf(caller)).toBe(0);
  });

  it("when the automatic renewal of one of them is due", async () => {
    const { caller, ids } = await holding(2);
    at("2026-12-16");
    const order = await renewSelection(world.ctx, caller, { ids });
    at("2026-12-17");
    await chargeDueRenewals(world.ctx);
    expect((await world.ctx.payments.getIntent(order.intent.id)).status).toBe("canceled");
    expect((await held(caller, ids)).map(({ endDate }) => endDate)).toEqual(["2027-01-20", "2027-01-20"]);
  });

  it("when the link in an e-mail about one of them is opened: it pays that renewal alone", async () => {
    const { caller, ids } = await holding(2, { card: testCards.declinedOffSession });
    at("2026-12-17");
    await chargeDueRenewals(world.ctx);
    expect(await world.ctx.db.$count(renewalAttempts, eq(renewalAttempts.subscriptionId, ids[0] ?? 0))).toBe(1);
    const selection = await renewSelection(world.ctx, caller, { ids });
    const link = { id: ids[0] ?? 0, endDate: "2026-12-20", withAnotherCard: false };
    const opened = await payRenewal(world.ctx, caller, link);
    expect(opened).not.toEqual({ orderId: selection.orderId });
    expect((await world.ctx.payments.getIntent(selection.intent.id)).status).toBe("canceled");
    expect(await openOf(caller)).toBe(1);
  });
});

describe("Cancelling a selection", () => {
  it("cancels what can be cancelled, says why the rest cannot, and logs each", async () => {
    const { caller, ids } = await holding(3);
    const [first = 0, second = 0, third = 0] = ids;
    await cancelSubscription(world.ctx, caller, { id: second });
    await world.ctx.db
      .update(subscriptions)
      .set({ startDate: "2026-01-01", endDate: "2026-02-01" })
      .where(eq(subscriptions.id, third));
    const results = await cancelSelection(world.ctx, caller, { ids: [third, first, second, first] });
    expect(results.map(({ subscription, reason }) => [subscription.id, subscription.status, reason])).toEqual([
      [first, "cancelled", null],
      [second, "cancelled", "The subscription is already cancelled"],
      [third, "expired", "The subscription has expired and cannot be cancelled"],
    ]);
    const entries = await world.ctx.db
      .select({ details: auditLog.details })
      .from(auditLog)
      .where(and(eq(auditLog.accountId, caller.account.id), eq(auditLog.action, "subscription.cancelled")))
      .orderBy(asc(auditLog.id));
    expect(entries.map(({ details }) => details)).toEqual([{ subscription_id: second }, { subscription_id: first }]);
  });
});

describe("Setting auto-renewal of a selection", () => {
  it("sets it where it differs, with the term, and leaves the rest as it is", async () => {
    const { caller, ids } = await holding(2);
    const [first = 0, second = 0] = ids;
    await setAutoRenewOfSelection(world.ctx, caller, { ids: [first], autoRenew: false });
    const off = await setAutoRenewOfSelection(world.ctx, caller, { ids, autoRenew: false });
    expect(off.map(({ subscription, reason }) => [subscription.id, subscription.autoRenew, reason])).toEqual([
      [first, false, "Auto-renewal is already off"],
      [second, false, null],
    ]);
    await cancelSubscription(world.ctx, caller, { id: second });
    const on = await setAutoRenewOfSelection(world.ctx, caller, { ids, autoRenew: true, renewalTerm: "6_months" });
    expect(on).toMatchObject([
      { subscription: { id: first, autoRenew: true, renewalTerm: "6_months" }, reason: null },
      { subscription: { id: second, autoRenew: false }, reason: "The subscription is cancelled. Resume it first" },
    ]);
  });
});
