/** What the checkout page offers for each kind of order. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDays, dayOf } from "#app/domain/dates.ts";
import { listCards } from "#app/domain/payments/manage-cards.server.ts";
import { chargeDueRenewals } from "#app/domain/subscriptions/charge-renewals.server.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { payRenewal } from "#app/domain/subscriptions/renew.server.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { testCards } from "#app/testing/purchases.ts";
import { payWith } from "#app/testing/world.ts";
import { paymentMethods, subscriptions } from "#drizzle/schema/index.ts";
import { action as chooseCard } from "./card.ts";
import { action, loader } from "./order.tsx";

let portal: Awaited<ReturnType<typeof openPortalService>>;
beforeAll(async () => {
  portal = await openPortalService("checkout");
});
afterAll(() => portal.close());

const site = "http://localhost:3000";
const ctx = () => portal.service.ctx;
const simulator = () => {
  if (!portal.service.testMode) throw new Error("The simulator is missing");
  return portal.service.testMode;
};
const argsOf = (orderId: number, form?: Record<string, string>, search = "") => {
  const init = form ? { method: "POST", body: new URLSearchParams(form) } : {};
  const request = new Request(`${site}/checkout/${orderId}${search}`, { ...init, headers: { Cookie: portal.cookie } });
  return { request, params: { order_id: String(orderId) }, context: {} } as never;
};
const show = (orderId: number, search?: string) => loader(argsOf(orderId, undefined, search));
/** Where the form leads. */
const send = async (orderId: number, form: Record<string, string>) => {
  const answer = await action(argsOf(orderId, form)).catch((thrown: unknown) => thrown);
  return answer instanceof Response ? answer.headers.get("Location") : answer;
};
const order = (autoRenew = true) =>
  checkout(ctx(), portal.caller, { items: [{ periodId: portal.periodId, term: "1_month" }], autoRenew });
const defaultCard = async () => (await listCards(ctx(), portal.caller)).find(({ isDefault }) => isDefault)?.last4;

describe("The checkout page", () => {
  it("takes a new card first, then offers it and asks before another one replaces it for renewals", async () => {
    const first = await order();
    expect(await show(first.orderId)).toMatchObject({ cards: [], entersCard: true, forRenewals: null });
    const card = { number: testCards.declinedOffSession, expiry: "12 / 34", cvc: "123" };
    expect(await send(first.orderId, { intent: "pay", ...card })).toBe(`/checkout/${first.orderId}/done`);

    const { orderId } = await order();
    const shown = await show(orderId);
    expect(shown).toMatchObject({
      cards: [{ name: "Visa •••• 0341", expires: "12/2034", isDefault: true }],
      entersCard: false,
      forRenewals: { card: "Visa •••• 0341", isExpired: false, isSuggested: false },
      renewalCap: "A renewal costs at most 10% more than what you last paid for the same route and term.",
    });
    expect(await show(orderId, "?card=new")).toMatchObject({ entersCard: true });
    expect(shown.order.lines).toMatchObject([{ isExtension: true, renewal: { amountCents: expect.any(Number) } }]);
    const other = { intent: "pay", number: "5555555555554444", expiry: "12 / 34", cvc: "123" };
    expect(await send(orderId, other)).toBe(`/checkout/${orderId}/done`);
    expect(await defaultCard()).toBe("0341");
  });

  it("pays with a saved card, and rejects one that is not the account's", async () => {
    const { orderId } = await order(false);
    const { cards, order: shown } = await show(orderId);
    expect(shown.lines).toMatchObject([{ renewal: null }]);
    expect(await send(orderId, { intent: "pay-saved", card: "999999" })).toMatchObject({
      data: { problem: { message: "Card not found" } },
    });
    const chosen = String(cards.find(({ isDefault }) => !isDefault)?.id);
    expect(await send(orderId, { intent: "pay-saved", card: chosen })).toBe(`/checkout/${orderId}/done`);
    expect(await defaultCard()).toBe("0341");
  });

  it("records the answer about renewals before Stripe's form confirms a new card", async () => {
    const { orderId, intent } = await order();
    expect(await chooseCard(argsOf(orderId, { for_renewals: "on" }))).toMatchObject({ problem: null });
    const foreign = (await chooseCard(argsOf(999_999, { for_renewals: "on" }))) as Response;
    expect(foreign.status).toBe(404);
    await payWith(simulator(), intent, testCards.works);
    await confirmPayment(ctx(), portal.caller, { paymentIntentId: intent.id });
    expect(await defaultCard()).toBe("4242");
  });

  it("says what to do after a decline, and asks nothing while no card is used for renewals", async () => {
    const { orderId, intent } = await order();
    await payWith(simulator(), intent, "4000000000000069");
    expect(await show(orderId, "?failed")).toMatchObject({ failure: "Your card has expired. Pay with another card." });
    await ctx().db.update(paymentMethods).set({ isDefault: false });
    expect(await show(orderId)).toMatchObject({ forRenewals: null });
    await ctx().db.update(paymentMethods).set({ isDefault: true }).where(eq(paymentMethods.last4, "0341"));
  });

  it("enters a new card for a renewal whose charge has failed, and suggests it for renewals", async () => {
    const endDate = addDays(dayOf(ctx().clock.now()), 3);
    const [row] = await ctx().db.select().from(subscriptions);
    if (!row) throw new Error("Nothing was bought");
    await ctx()
      .db.update(subscriptions)
      .set({ startDate: addDays(endDate, -30), endDate, autoRenew: true })
      .where(eq(subscriptions.id, row.id));
    expect(await chargeDueRenewals(ctx())).toEqual({ succeeded: 0, declined: 1 });
    const input = { id: row.id, endDate, withAnotherCard: false };
    const payment = await payRenewal(ctx(), portal.caller, input);
    const orderId = "orderId" in payment ? payment.orderId : 0;
    const shown = await show(orderId);
    expect(shown).toMatchObject({
      approval: null,
      entersCard: true,
      renewalFailure: "Your card was declined. Ask your bank why, or pay with another card.",
      forRenewals: { card: "Visa •••• 0341", isSuggested: true },
      order: { lines: [{ firstDay: endDate, isExtension: true }] },
    });
    expect(await show(orderId, "?card=saved")).toMatchObject({ entersCard: false });
    const other = { intent: "pay", number: "4242424242424242", expiry: "11 / 36", cvc: "123", for_renewals: "on" };
    expect(await send(orderId, other)).toBe(`/checkout/${orderId}/done`);
    expect((await listCards(ctx(), portal.caller))[0]).toMatchObject({ expYear: 2036, isDefault: true });
  });

  it("asks to approve a renewal charge for which the bank wants authentication", async () => {
    const bought = await order();
    await payWith(simulator(), bought.intent, testCards.authenticatesAlways);
    await simulator().simulator.completeAuthentication(bought.intent.id, bought.intent.clientSecret, true);
    const [subscription] = await confirmPayment(ctx(), portal.caller, { paymentIntentId: bought.intent.id });
    const id = subscription?.id ?? 0;
    const endDate = addDays(dayOf(ctx().clock.now()), 2);
    const ending = { startDate: addDays(endDate, -30), endDate };
    await ctx().db.update(subscriptions).set(ending).where(eq(subscriptions.id, id));
    expect(await chargeDueRenewals(ctx())).toEqual({ succeeded: 0, declined: 1 });
    const payment = await payRenewal(ctx(), portal.caller, { id, endDate, withAnotherCard: false });
    const orderId = "orderId" in payment ? payment.orderId : 0;
    expect(await show(orderId)).toMatchObject({
      approval: { card: "Visa •••• 3184", anotherCard: `/subscriptions/${id}/pay?another_card` },
    });
    expect(await send(orderId, { intent: "approve" })).toMatch(/^\/test-mode\/authenticate\/pi_/);
  });
});
