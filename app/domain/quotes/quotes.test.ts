import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { orderLines, orders, outboxMessages, quotes, routes, subscriptions } from "#drizzle/schema/index.ts";
import { readDemoCatalogue } from "#drizzle/seed/catalogue-files.ts";
import { call } from "../../testing/api-client.ts";
import { periodOf } from "../../testing/purchases.ts";
import { createWorld, payWith, type World } from "../../testing/world.ts";
import type { Caller, OperatorCaller } from "../accounts/caller.ts";
import { findByEmail } from "../accounts/queries.server.ts";
import { recordPrices } from "../catalogue/price-history.server.ts";
import { getInvoice } from "../payments/get-invoice.server.ts";
import { listInvoices } from "../payments/invoices.server.ts";
import { orderOf } from "../payments/orders.server.ts";
import { closeExpiredOrders } from "../subscriptions/expired-orders.server.ts";
import type { OrderItem } from "../subscriptions/order-items.ts";
import { itemsOfLink } from "../subscriptions/order-items.ts";
import { priceBasket, priceOrder } from "../subscriptions/price.server.ts";
import { renewalQuotes } from "../subscriptions/renewal-quotes.server.ts";
import { confirmPayment } from "../subscriptions/settle.server.ts";
import { acceptQuote } from "./accept.server.ts";
import { expireQuotes } from "./expire.server.ts";
import { findQuotes, offerQuote, readQuote, withdrawQuote } from "./offer.server.ts";
import type { NewOffer } from "./quote.ts";
import { endOwnQuote, getQuote, listQuotes, requestQuote } from "./request.server.ts";

const start = "2026-11-20T09:30:00Z";
let world: World;
let operator: OperatorCaller;
beforeAll(async () => {
  const routeCodes = readDemoCatalogue({ today: "2026-11-20" }).routeCodes.slice(0, 22);
  world = await createWorld({ now: start, routeCodes });
  operator = await world.operator();
});
afterAll(() => world.close());

const items = (count = 21): OrderItem[] =>
  world.routes.slice(0, count).map(({ code }) => ({ periodId: periodOf(world, code), term: "3_months" }));

const offer = (changes: Partial<NewOffer> = {}): NewOffer => ({
  offerNumber: 0,
  discountPercent: 30,
  validThrough: "2026-12-04",
  keepsDiscount: false,
  discountThrough: null,
  note: "Our best price",
  ...changes,
});

const requested = async (caller: Caller) =>
  (await requestQuote(world.ctx, caller, { items: items(), note: "For the new year" })).id;

const offered = async (caller: Caller, changes: Partial<NewOffer> = {}) => {
  const id = await requested(caller);
  await offerQuote(world.ctx, operator, { id, ...offer(changes) });
  return id;
};

const accept = (caller: Caller, id: number, offerNumber = 1) =>
  acceptQuote(world.ctx, caller, { id, offerNumber, autoRenew: true });

const payFor = async (caller: Caller, orderId: number) => {
  const order = await orderOf(world.ctx, caller.account.id, orderId);
  if (!order?.paymentIntentId) throw new Error("The order cannot be paid");
  const intent = await world.ctx.payments.getIntent(order.paymentIntentId);
  await payWith(world, intent);
  return confirmPayment(world.ctx, caller, { paymentIntentId: intent.id });
};

const stateOf = async (caller: Caller, id: number) => (await getQuote(world.ctx, caller, { id })).quote.state;

const subjects = async (accountId: number) =>
  (await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, accountId))).map(
    ({ subject }) => subject,
  );

/** The same caller after the change of the account. */
const again = async (caller: Caller): Promise<Caller> => {
  const account = await findByEmail(world.ctx.db, caller.account.email);
  if (!account) throw new Error("The account is gone");
  return { ...caller, account };
};

const at = async (now: string, work: () => Promise<void>) => {
  world.clock.set(now);
  try {
    await work();
  } finally {
    world.clock.set(start);
  }
};

describe("An order of 21 routes", () => {
  it("gets a 422 with a link that requests a quote for the same items", async () => {
    const { token } = await world.account();
    const body = { items: items().map(({ periodId, term }) => ({ period_id: periodId, subscription_term: term })) };
    for (const path of ["/subscriptions/calculate-subscription-price", "/subscriptions/create-payment-intent"]) {
      const answer = await call(world, "POST", path, { token, body });
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ success: false, message: "Custom pricing: contact sales" });
      const link = new URL(answer.body.sales_url);
      expect(link.origin + link.pathname).toBe("http://localhost:3000/billing/quotes/new");
      expect(itemsOfLink(link.searchParams.get("items"))).toEqual(items());
    }
  });

  it("has list prices and term discounts in the basket, line by line", async () => {
    const { caller } = await world.account();
    const basket = await priceBasket(world.ctx, caller.account, items());
    expect(basket).toMatchObject({ needsQuote: true, routes: 21, unavailable: [] });
    expect(basket.quote.lines).toHaveLength(21);
    expect(basket.quote.lines[0]).toMatchObject({ termDiscountPercent: 10, volumeDiscountPercent: 0 });
  });

  it("keeps the other lines of a basket when one is not on sale", async () => {
    const { caller } = await world.account();
    const basket = await priceBasket(world.ctx, caller.account, [
      ...items(2),
      { periodId: 2_000_000_000, term: "1_month" },
    ]);
    expect(basket.quote.lines).toHaveLength(2);
    expect(basket.unavailable).toEqual([{ periodId: 2_000_000_000, routeId: null }]);
  });
});

describe("A request for a quote", () => {
  it("is mailed to every operator, logged, and first in their list", async () => {
    const { caller, account } = await world.account();
    const id = await requested(caller);
    expect(await subjects(operator.account.id)).toContain(`Quote ${id}: ${account.username} requested a quote`);
    const { rows } = await findQuotes(world.ctx, operator, { q: account.username }, { limit: 10 });
    expect(rows).toMatchObject([{ id, state: "requested", routes: 21, requestNote: "For the new year" }]);
  });

  it("is rejected for an order that has a price, and while five are undecided", async () => {
    const { caller } = await world.account();
    await expect(requestQuote(world.ctx, caller, { items: items(20), note: "" })).rejects.toThrow(/needs no quote/);
    for (let i = 0; i < 5; i += 1) await requested(caller);
    await at("2026-11-20T09:31:00Z", async () => {
      await expect(requested(caller)).rejects.toThrow(/5 open quotes/);
    });
  });

  it("belongs to its account alone", async () => {
    const { caller } = await world.account();
    const { caller: stranger } = await world.account();
    const id = await offered(caller);
    await expect(getQuote(world.ctx, stranger, { id })).rejects.toThrow("Quote not found");
    await expect(accept(stranger, id)).rejects.toThrow("Quote not found");
    await expect(endOwnQuote(world.ctx, stranger, { id, note: "" })).rejects.toThrow("Quote not found");
    expect(await listQuotes(world.ctx, stranger)).toEqual([]);
  });

  it("can be withdrawn, and cannot be answered then", async () => {
    const { caller } = await world.account();
    const id = await requested(caller);
    await endOwnQuote(world.ctx, caller, { id, note: "" });
    await endOwnQuote(world.ctx, caller, { id, note: "" });
    expect(await stateOf(caller, id)).toBe("withdrawn");
    await expect(offerQuote(world.ctx, operator, { id, ...offer() })).rejects.toThrow("The quote is withdrawn");
  });
});

describe("An offer", () => {
  it("is priced at its discount and e-mailed to the account holder", async () => {
    const { caller } = await world.account();
    const id = await offered(caller);
    const { quote, lines } = await getQuote(world.ctx, caller, { id });
    expect(quote).toMatchObject({ state: "offered", offerNumber: 1, offer: { discountPercent: 30 } });
    for (const { listCents, totalCents } of lines) expect(totalCents).toBe(Math.floor((listCents * 60 + 50) / 100));
    expect(quote.totalCents).toBe(lines.reduce((sum, { totalCents }) => sum + totalCents, 0));
    expect((await subjects(caller.account.id)).join()).toMatch(`Your quote ${id}: USD `);
  });

  it.each([
    [{ validThrough: "2026-11-19" }, "Enter a day that is not in the past"],
    [{ validThrough: "2027-02-19" }, /90 days from now/],
    [{ keepsDiscount: true, discountThrough: "2026-12-03" }, "Enter a day on or after the last day of the offer"],
  ])("is rejected with the days %j", async (changes, message) => {
    const { caller } = await world.account();
    await expect(offered(caller, changes)).rejects.toThrow(message);
  });

  it("is accepted at exactly its prices, whatever happens to the prices", async () => {
    const { caller } = await world.account();
    const id = await offered(caller);
    const { quote, lines } = await getQuote(world.ctx, caller, { id });
    await world.ctx.db.update(routes).set({ popularityPercent: 150 });
    const { orderId } = await accept(caller, id);
    expect(await stateOf(caller, id)).toBe("accepted");
    const bought = await payFor(caller, orderId);
    expect(bought).toHaveLength(21);
    expect(await stateOf(caller, id)).toBe("paid");
    const [invoice] = await listInvoices(world.ctx, caller);
    const detail = await getInvoice(world.ctx, caller, { id: invoice?.id ?? 0 });
    expect(detail.amountCents).toBe(quote.totalCents);
    expect(detail.lines.map(({ totalCents }) => totalCents)).toEqual(lines.map(({ totalCents }) => totalCents));
    expect(detail.lines[0]?.discounts).toContainEqual(
      expect.objectContaining({ percent: 30, reason: { kind: "quote", quoteId: id } }),
    );
  });

  it("is accepted once, however often and from how many windows", async () => {
    const { caller } = await world.account();
    const id = await offered(caller);
    const outcomes = await Promise.allSettled([accept(caller, id), accept(caller, id), accept(caller, id)]);
    const { orderId } = await accept(caller, id);
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled") expect(outcome.value).toEqual({ orderId });
      else expect(String(outcome.reason)).toMatch(/being prepared/);
    }
    expect(await world.ctx.db.$count(orders, eq(orders.quoteId, id))).toBe(1);
    await payFor(caller, orderId);
    expect(await accept(caller, id)).toEqual({ orderId });
    expect(await world.ctx.db.$count(subscriptions, eq(subscriptions.accountId, caller.account.id))).toBe(21);
  });

  it("cannot be accepted after another one has replaced it", async () => {
    const { caller } = await world.account();
    const id = await offered(caller);
    await offerQuote(world.ctx, operator, { id, ...offer({ offerNumber: 1, discountPercent: 20 }) });
    await expect(accept(caller, id, 1)).rejects.toThrow(/The offer has changed/);
    await accept(caller, id, 2);
    const { quote } = await getQuote(world.ctx, caller, { id });
    const [order] = await world.ctx.db.select().from(orders).where(eq(orders.quoteId, id));
    expect(order?.amountCents).toBe(quote.totalCents);
  });

  it("is either changed or accepted when both happen at the same time", async () => {
    const { caller } = await world.account();
    const id = await offered(caller);
    const [accepted, changed] = await Promise.allSettled([
      accept(caller, id),
      offerQuote(world.ctx, operator, { id, ...offer({ offerNumber: 1, discountPercent: 20 }) }),
    ]);
    expect([accepted.status, changed.status].sort()).toEqual(["fulfilled", "rejected"]);
    const { lines, quote } = await readQuote(world.ctx, operator, { id });
    expect(quote.state).toBe(accepted.status === "fulfilled" ? "accepted" : "offered");
    expect(lines[0]?.volumeDiscountPercent).toBe(accepted.status === "fulfilled" ? 30 : 20);
  });

  it("is rejected for an operator who has not seen the other operator's", async () => {
    const { caller } = await world.account();
    const id = await offered(caller);
    await expect(offerQuote(world.ctx, operator, { id, ...offer() })).rejects.toThrow(/changed the offer/);
    await expect(withdrawQuote(world.ctx, operator, { id, offerNumber: 0, note: "" })).rejects.toThrow(/changed/);
  });

  it("can be declined or withdrawn, and not accepted then", async () => {
    const { caller } = await world.account();
    const [declined, withdrawn] = [await offered(caller), await offered(caller)];
    await endOwnQuote(world.ctx, caller, { id: declined, note: "Too much" });
    await withdrawQuote(world.ctx, operator, { id: withdrawn, offerNumber: 1, note: "A mistake" });
    await expect(accept(caller, declined)).rejects.toThrow("The quote was declined");
    await expect(accept(caller, withdrawn)).rejects.toThrow("The quote was withdrawn");
    expect(await subjects(caller.account.id)).toContain(`Your quote ${withdrawn} was withdrawn`);
    expect((await subjects(operator.account.id)).join()).toContain(`Quote ${declined}: `);
  });

  it("can be paid again after its order has lapsed, as long as it is valid", async () => {
    const { caller } = await world.account();
    const id = await offered(caller);
    const { orderId } = await accept(caller, id);
    await at("2026-11-22T10:00:00Z", async () => {
      await closeExpiredOrders(world.ctx);
      const reopened = await accept(caller, id);
      expect(reopened.orderId).not.toBe(orderId);
      const [line] = await world.ctx.db.select().from(orderLines).where(eq(orderLines.orderId, reopened.orderId));
      expect(line).toMatchObject({ volumeDiscountPercent: 30 });
      await closeExpiredOrders(world.ctx);
    });
  });

  it("can be accepted again after a payment that came too late and is refunded", async () => {
    const { caller } = await world.account();
    const id = await offered(caller);
    const { orderId } = await accept(caller, id);
    await at("2026-11-21T10:00:00Z", async () => {
      await expect(payFor(caller, orderId)).rejects.toThrow(/refunding it in full/);
      expect(await stateOf(caller, id)).toBe("accepted");
      const reopened = await accept(caller, id);
      expect(reopened.orderId).not.toBe(orderId);
      expect(await payFor(caller, reopened.orderId)).toHaveLength(21);
      expect(await stateOf(caller, id)).toBe("paid");
    });
  });

  it("expires after its last day, with one mail, and cannot be accepted then", async () => {
    const { caller } = await world.account();
    const id = await offered(caller);
    await at("2026-12-04T23:59:00Z", async () => {
      expect(await stateOf(caller, id)).toBe("offered");
    });
    await at("2026-12-05T00:00:00Z", async () => {
      expect(await stateOf(caller, id)).toBe("expired");
      await expect(accept(caller, id)).rejects.toThrow(/has expired/);
      expect(await expireQuotes(world.ctx)).toBeGreaterThan(0);
      expect(await expireQuotes(world.ctx)).toBe(0);
      await expect(accept(caller, id)).rejects.toThrow(/has expired/);
    });
    expect((await subjects(caller.account.id)).filter((subject) => subject.includes("has expired"))).toHaveLength(1);
    const [row] = await world.ctx.db.select().from(quotes).where(eq(quotes.id, id));
    expect(row).toMatchObject({ status: "expired", endedAt: new Date("2026-12-05T00:00:00Z") });
  });
});

describe("The discount of a quote that keeps it", () => {
  it("applies to later purchases and to renewals, through its last day, once the quote is paid", async () => {
    const { caller } = await world.account();
    const id = await offered(caller, { keepsDiscount: true, discountThrough: "2027-11-19" });
    const { orderId } = await accept(caller, id);
    expect((await again(caller)).account.customDiscountPercent).toBeNull();
    const [subscription] = await payFor(caller, orderId);
    if (!subscription) throw new Error("Nothing was bought");
    const holder = await again(caller);
    expect(holder.account).toMatchObject({ customDiscountPercent: 30, customDiscountThrough: "2027-11-19" });

    const [further] = items(22).slice(21);
    if (!further) throw new Error("There is no further route");
    const { lines } = await priceOrder(world.ctx, holder.account, [further]);
    expect(lines).toMatchObject([{ volumeDiscountPercent: 30, volumeDiscountReason: { kind: "agreed" } }]);
    const renewal = { subscription, term: "3_months" as const };
    const [before, after] = await renewalQuotes(world.ctx, [
      { ...renewal, on: "2027-11-19" },
      { ...renewal, on: "2027-11-20" },
    ]);
    expect(before).toMatchObject({ volumeDiscountPercent: 30, volumeDiscountReason: { kind: "agreed" } });
    expect(after).toMatchObject({ volumeDiscountPercent: 10, volumeDiscountReason: { kind: "tier" } });
    await at("2027-11-19T23:00:00Z", async () => {
      const { lines: last } = await priceOrder(world.ctx, holder.account, items());
      expect(last[0]).toMatchObject({ volumeDiscountPercent: 30 });
    });
    await at("2027-11-20T00:00:00Z", async () => {
      await expect(priceOrder(world.ctx, holder.account, items())).rejects.toThrow("Custom pricing: contact sales");
    });
  });

  it("is not agreed when the quote is not to keep it", async () => {
    const { caller } = await world.account();
    const { orderId } = await accept(caller, await offered(caller));
    await payFor(caller, orderId);
    expect((await again(caller)).account.customDiscountPercent).toBeNull();
  });

  it.each([
    { kept: true, percent: 30 },
    { kept: false, percent: 10 },
  ])("meets the price cap at the first renewal: $percent% off if kept is $kept", async ({ kept, percent }) => {
    const { caller } = await world.account();
    const { orderId } = await accept(caller, await offered(caller, { keepsDiscount: kept }));
    const [subscription] = await payFor(caller, orderId);
    if (!subscription) throw new Error("Nothing was bought");
    const [line] = await world.ctx.db.select().from(orderLines).where(eq(orderLines.orderId, orderId));
    const paidCents = (line?.listCents ?? 0) - (line?.discountCents ?? 0);
    const [renewal] = await renewalQuotes(world.ctx, [{ subscription, term: "3_months", on: "2027-02-17" }]);
    expect(renewal).toMatchObject({
      volumeDiscountPercent: percent,
      priceChange: { previousCents: paidCents, isCapped: !kept },
    });
    expect(renewal?.priceChange?.reasons.includes("volume_discount")).toBe(!kept);
    const highest = Math.floor((paidCents * 110) / 100);
    if (kept) expect(renewal?.totalCents).toBe(paidCents);
    else expect(highest - (renewal?.totalCents ?? 0)).toBeOneOf([0, 1, 2]);
  });

  it("explains the first renewal by changes since the offer, not since the order", async () => {
    const { caller } = await world.account();
    const id = await offered(caller, { keepsDiscount: true });
    const [route] = await world.ctx.db
      .select()
      .from(routes)
      .where(eq(routes.id, world.routes[0]?.id ?? 0));
    const setPopularity = (popularityPercent: number) =>
      world.ctx.db
        .update(routes)
        .set({ popularityPercent })
        .where(eq(routes.id, route?.id ?? 0));
    await at("2026-11-26T09:30:00Z", async () => {
      await setPopularity(149);
      await recordPrices(world.ctx.db, world.clock.now());
      const { orderId } = await accept(caller, id);
      const subscription = (await payFor(caller, orderId)).find(({ routeId }) => routeId === route?.id);
      if (!subscription) throw new Error("Nothing was bought");
      const [renewal] = await renewalQuotes(world.ctx, [{ subscription, term: "3_months", on: "2027-02-17" }]);
      expect(renewal?.priceChange?.reasons).toEqual(["popularity"]);
    });
    await setPopularity(route?.popularityPercent ?? 100);
  });
});
