/** The actions of an account holder on a subscription. */
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, orderLines, orders, paidTerms, periods, subscriptions } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { pay, periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, payWith, type World } from "../../testing/world.ts";
import type { PaymentIntent } from "../payments/gateway.ts";
import { memoryRateLimiter } from "../rate-limit/memory.ts";
import { closeExpiredOrders } from "./expired-orders.server.ts";
import { listSubscriptions, paidTermsOf } from "./list.server.ts";
import { cancelSubscription, resumeSubscription, setAutoRenew } from "./manage.server.ts";
import { changeTerm, renewSubscription } from "./renew.server.ts";
import { confirmPayment } from "./settle.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ webhooks: false });
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.set("2026-11-20T09:30:00Z");
  world.ctx.rateLimiter = memoryRateLimiter();
});

describe("Cancelling", () => {
  it("keeps access until the end of the paid period and can be undone until then", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    expect(await cancelSubscription(world.ctx, caller, { id })).toMatchObject({
      status: "cancelled",
      endDate: "2026-12-20",
      nextCharge: null,
    });
    await expect(cancelSubscription(world.ctx, caller, { id })).rejects.toMatchObject({ code: "conflict" });
    await expect(setAutoRenew(world.ctx, caller, { id, autoRenew: true })).rejects.toThrow("Resume it first");
    expect(await resumeSubscription(world.ctx, caller, { id })).toMatchObject({ status: "active", autoRenew: true });
    await expect(resumeSubscription(world.ctx, caller, { id })).rejects.toThrow("not cancelled");
    world.clock.set("2026-12-20T00:00:00Z");
    await expect(cancelSubscription(world.ctx, caller, { id })).rejects.toThrow("cannot be cancelled");
    await expect(resumeSubscription(world.ctx, caller, { id })).rejects.toThrow("Renew it instead");
  });

  it("is rejected as not found for other accounts", async () => {
    const [{ caller }, stranger] = [await world.account(), await world.account()];
    const { id } = await subscribe(world, caller);
    for (const act of [cancelSubscription, resumeSubscription, renewSubscription]) {
      await expect(act(world.ctx, stranger.caller, { id })).rejects.toMatchObject({ code: "not_found" });
    }
    expect(await paidTermsOf(world.ctx, stranger.caller, { id })).toEqual([]);
    expect(await paidTermsOf(world.ctx, caller, { id })).toMatchObject([{ startDate: "2026-11-20" }]);
  });
});

describe("Auto-renewal", () => {
  it("can be turned off and on, and set to another term", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    expect(await setAutoRenew(world.ctx, caller, { id, autoRenew: false })).toMatchObject({
      autoRenew: false,
      nextCharge: null,
    });
    expect(await setAutoRenew(world.ctx, caller, { id, autoRenew: true, renewalTerm: "6_months" })).toMatchObject({
      autoRenew: true,
      term: "1_month",
      renewalTerm: "6_months",
      nextCharge: { date: "2026-12-17" },
    });
  });
});

describe("Renewing", () => {
  it("an active subscription appends a term to its end, whenever it is paid", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    world.clock.set("2026-12-01T12:00:00Z");
    const order = await renewSubscription(world.ctx, caller, { id, term: "2_months" });
    expect(await pay(world, caller, order)).toMatchObject({
      id,
      startDate: "2026-11-20",
      endDate: "2027-02-20",
      term: "2_months",
    });
  });

  it("an expired subscription begins it again on the day of the payment", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    world.clock.set("2027-01-31T12:00:00Z");
    const paid = await pay(world, caller, await renewSubscription(world.ctx, caller, { id }));
    expect(paid).toMatchObject({ id, startDate: "2027-01-31", endDate: "2027-02-28", status: "active" });
    const again = await pay(world, caller, await renewSubscription(world.ctx, caller, { id }));
    expect(again.endDate).toBe("2027-03-31");
  });

  it("a cancelled subscription undoes the cancellation and leaves auto-renewal off", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    await cancelSubscription(world.ctx, caller, { id });
    const paid = await pay(world, caller, await renewSubscription(world.ctx, caller, { id }));
    expect(paid).toMatchObject({ status: "active", autoRenew: false, endDate: "2027-01-20", nextCharge: null });
  });

  it("an expired subscription extends the one that replaced it before the payment", async () => {
    const { caller } = await world.account();
    const first = await subscribe(world, caller);
    world.clock.set("2027-01-10T12:00:00Z");
    const order = await renewSubscription(world.ctx, caller, { id: first.id });
    const second = await subscribe(world, caller);
    await expect(renewSubscription(world.ctx, caller, { id: first.id })).rejects.toThrow(String(second.id));
    expect(await pay(world, caller, order)).toMatchObject({ id: second.id, endDate: "2027-03-10" });
  });

  it("is rejected for suspended accounts and for routes without a period on sale", async () => {
    const { account, caller } = await world.account();
    const periodId = periodOf(world, world.routes[2]?.code);
    const { id } = await subscribe(world, caller, { periodId });
    const { db } = world.ctx;
    await db.update(periods).set({ endsOn: "2026-11-20" }).where(eq(periods.id, periodId));
    await expect(renewSubscription(world.ctx, caller, { id })).rejects.toThrow("no longer has a period on sale");
    await db.update(periods).set({ endsOn: null }).where(eq(periods.id, periodId));
    await db.update(accounts).set({ standing: "suspended" }).where(eq(accounts.id, account.id));
    const suspended = { ...caller, account: { ...account, standing: "suspended" as const } };
    await expect(renewSubscription(world.ctx, suspended, { id })).rejects.toMatchObject({ code: "forbidden" });
    await expect(changeTerm(world.ctx, suspended, { id, term: "12_months" })).rejects.toMatchObject({
      code: "forbidden",
    });
  });
});

describe("Changing the term", () => {
  it("begins the new term today and credits the unused days at the price paid", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller, { term: "3_months" });
    const [line] = await world.ctx.db.select().from(orderLines).where(eq(orderLines.term, "3_months"));
    world.clock.set("2026-12-20T09:30:00Z");
    const change = await changeTerm(world.ctx, caller, { id, term: "12_months" });
    // 62 of the 92 days from 20 November to 20 February are unused.
    const paidCents = line?.totalCents ?? 0;
    expect(change.creditCents).toBe(Math.round((paidCents * 62) / 92));
    const [newLine] = change.lines;
    expect(change.amountCents).toBe((newLine?.listCents ?? 0) - (newLine?.discountCents ?? 0) - change.creditCents);
    expect(await pay(world, caller, change)).toMatchObject({
      id,
      startDate: "2026-11-20",
      endDate: "2027-12-20",
      term: "12_months",
      renewalTerm: "12_months",
    });
  });

  it("credits the full value of an earlier change, including its own credit", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller, { term: "1_month" });
    world.clock.set("2026-11-25T09:30:00Z");
    const first = await changeTerm(world.ctx, caller, { id, term: "6_months" });
    await pay(world, caller, first);
    const second = await changeTerm(world.ctx, caller, { id, term: "12_months" });
    expect(second.creditCents).toBe(first.amountCents + first.creditCents);
  });

  it("is rejected when nothing is left to pay, for the same term, and when cancelled or expired", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller, { term: "12_months" });
    await expect(changeTerm(world.ctx, caller, { id, term: "1_month" })).rejects.toThrow("payments are not refunded");
    await expect(changeTerm(world.ctx, caller, { id, term: "12_months" })).rejects.toThrow("already has this term");
    await cancelSubscription(world.ctx, caller, { id });
    await expect(changeTerm(world.ctx, caller, { id, term: "6_months" })).rejects.toThrow("Resume it first");
    world.clock.set("2027-12-01T00:00:00Z");
    await expect(changeTerm(world.ctx, caller, { id, term: "6_months" })).rejects.toThrow("Renew it instead");
  });

  it("can be started again: the first order is cancelled, so that the credit is given once", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller, { term: "1_month" });
    const first = await changeTerm(world.ctx, caller, { id, term: "6_months" });
    const second = await changeTerm(world.ctx, caller, { id, term: "12_months" });
    expect(await payWith(world, first.intent)).toBe(400);
    await expect(confirmPayment(world.ctx, caller, { paymentIntentId: first.intent.id })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await pay(world, caller, second)).toMatchObject({ endDate: "2027-11-20" });
  });

  it("can be paid once when it is started several times concurrently", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller, { term: "1_month" });
    const begun = await Promise.allSettled(
      (["6_months", "12_months", "3_months"] as const).map((term) => changeTerm(world.ctx, caller, { id, term })),
    );
    const payable = await world.ctx.db
      .select()
      .from(orders)
      .where(and(eq(orders.accountId, account.id), eq(orders.status, "pending")));
    expect(payable.length).toBeLessThanOrEqual(1);
    const paid = [];
    for (const one of begun) if (one.status === "fulfilled") paid.push(await payWith(world, one.value.intent));
    expect(paid.filter((status) => status === 200)).toHaveLength(payable.length);
  });

  it("is rejected if another change is started while the payment intent is being created", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller, { term: "1_month" });
    const made: PaymentIntent[] = [];
    const slow = {
      ...world.ctx,
      payments: {
        ...world.ctx.payments,
        createIntent: async (...input: Parameters<typeof world.ctx.payments.createIntent>) => {
          made.push(await world.ctx.payments.createIntent(...input));
          made.push((await changeTerm(world.ctx, caller, { id, term: "12_months" })).intent);
          return made[0] as PaymentIntent;
        },
      },
    };
    await expect(changeTerm(slow, caller, { id, term: "6_months" })).rejects.toMatchObject({ code: "conflict" });
    const statuses = await Promise.all(made.map((intent) => payWith(world, intent)));
    expect(statuses).toEqual([400, 200]);
  });

  it("keeps a term that was bought before the change was paid", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller, { term: "1_month" });
    const change = await changeTerm(world.ctx, caller, { id, term: "6_months" });
    world.clock.set("2026-11-20T10:00:00Z");
    await pay(world, caller, await renewSubscription(world.ctx, caller, { id, term: "2_months" }));
    expect(await pay(world, caller, change)).toMatchObject({ endDate: "2027-07-20" });
  });

  it("cannot be paid after its price lock has ended: the order is cancelled", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller, { term: "1_month" });
    const change = await changeTerm(world.ctx, caller, { id, term: "6_months" });
    world.clock.set("2026-11-21T09:30:01Z");
    expect((await closeExpiredOrders(world.ctx)).cancelled).toBeGreaterThan(0);
    expect(await payWith(world, change.intent)).toBe(400);
    expect(await world.ctx.db.select().from(orders).where(eq(orders.id, change.orderId))).toEqual([]);
  });
});

describe("The endpoints of subscriptions", () => {
  it("return the subscription or the payment, and 409 in the wrong state", async () => {
    const { caller, token } = await world.account();
    const { id } = await subscribe(world, caller);
    const post = (act: string, body?: unknown) =>
      call(world, "POST", `/subscriptions/${id}/${act}`, { token, ...(body === undefined ? {} : { body }) });
    expect((await post("cancel")).body).toMatchObject({ id, status: "cancelled", auto_renew: false });
    expect((await post("cancel")).status).toBe(409);
    expect((await post("resume")).body).toMatchObject({ id, status: "active", auto_renew: true });
    const settings = { auto_renew: true, renewal_term: "3_months" };
    const put = await call(world, "PUT", `/subscriptions/${id}/auto-renew`, { token, body: settings });
    expect(put.body).toMatchObject(settings);
    const renewal = await post("renew", {});
    expect(renewal.body).toMatchObject({
      client_secret: expect.any(String),
      lines: [{ subscription_term: "3_months" }],
    });
    const change = await post("change-term", { subscription_term: "12_months" });
    expect(change.body.credit_cents).toBeGreaterThan(0);
    const [line] = change.body.lines;
    expect(change.body.amount_cents).toBe(line.total_cents);
    expect(line.credit_cents).toBe(change.body.credit_cents);
    expect(line.list_cents - line.discount_cents - line.credit_cents).toBe(line.total_cents);
    expect((await post("change-term", { subscription_term: "1_month" })).status).toBe(409);
    expect((await post("change-term", { subscription_term: "4_months" })).status).toBe(422);
  });

  it("list invoices page by page", async () => {
    const { caller, token } = await world.account();
    for (const _ of [1, 2, 3]) await subscribe(world, caller);
    const first = await call(world, "GET", "/subscriptions/invoices?limit=2", { token });
    expect(first.body.invoices).toHaveLength(2);
    expect(first.body.invoices[0]).toMatchObject({
      number: expect.stringMatching(/^2026-\d{6}$/),
      kind: "invoice",
      currency: "USD",
      issued_at: "2026-11-20T09:30:00.000Z",
      card: { brand: "visa", last4: "4242" },
      lines: [{ subscription_term: "1_month", months: 1, credit_cents: 0 }],
    });
    const second = await call(world, "GET", `/subscriptions/invoices?limit=2&cursor=${first.body.next_cursor}`, {
      token,
    });
    expect(second.body.invoices).toHaveLength(1);
    expect(second.body.next_cursor).toBeNull();
  });
});

it("There are as many paid terms as paid orders, and no amount is negative", async () => {
  const { db } = world.ctx;
  const paid = await db.select().from(orders).where(eq(orders.status, "paid"));
  expect(await db.$count(paidTerms)).toBe(paid.length);
  expect(Math.min(...paid.map(({ amountCents }) => amountCents))).toBeGreaterThan(0);
  expect(await db.$count(subscriptions)).toBeGreaterThan(0);
  const { caller } = await world.account();
  expect(await listSubscriptions(world.ctx, caller)).toEqual([]);
});
