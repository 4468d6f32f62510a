/** Net + tax = gross wherever money is shown or charged, with fixed rates. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { call } from "../../testing/api-client.ts";
import { pay, periodOf, subscribe, testCards } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { billingDetailsForm } from "../billing-details/billing-details.ts";
import { saveBillingDetails } from "../billing-details/manage.server.ts";
import { validate } from "../input.ts";
import { listMailbox } from "../notifications/outbox.server.ts";
import { listInvoices } from "../payments/invoices.server.ts";
import { reconcile } from "../payments/reconcile.server.ts";
import { fixedRates } from "../tax/fixed-rates.ts";
import { taxAt } from "../tax/tax.ts";
import { chargeDueRenewals } from "./charge-renewals.server.ts";
import { checkout } from "./checkout.server.ts";
import { getSubscriptions, paidTermsOf } from "./list.server.ts";
import { priceBasket } from "./price.server.ts";
import { remindExpiring } from "./remind.server.ts";
import { changeTerm } from "./renew.server.ts";
import { termOffers } from "./term-offers.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const seller = { country: "DE", taxId: "DE123456789" };
  world.ctx.tax = fixedRates(seller, new Map([["NL", { name: "VAT", ratePercent: "21" }]]));
});
afterAll(() => world.close());
beforeEach(() => world.clock.set("2026-11-20T09:30:00Z"));

const dutchAccount = async () => {
  const opened = await world.account();
  const details = { name: "Rederij", addressLine1: "Kade 1", city: "Rotterdam", country: "NL" };
  await saveBillingDetails(world.ctx, opened.caller, validate(billingDetailsForm, details));
  return opened;
};

const onlyOne = async (caller: Caller, id: number) => {
  const [subscription] = await getSubscriptions(world.ctx, caller, { ids: [id] });
  if (!subscription) throw new Error("The subscription is gone");
  return subscription;
};

describe("With tax", () => {
  it("the prices, the basket and the payment agree", async () => {
    const { caller, token } = await dutchAccount();
    const items = [{ periodId: periodOf(world), term: "3_months" as const }];
    const { body: price } = await call(world, "POST", "/subscriptions/calculate-single-route-price", {
      token,
      body: { period_id: periodOf(world), subscription_term: "3_months" },
    });
    expect(price.tax_cents).toBe(taxAt(price.total_cents, "21"));
    expect(price.amount_cents).toBe(price.total_cents + price.tax_cents);
    expect(price.lines).toMatchObject([{ total_cents: price.total_cents, tax_cents: price.tax_cents }]);
    const basket = await priceBasket(world.ctx, caller.account, items);
    expect(basket.taxCents).toBe(price.tax_cents);
    const order = await checkout(world.ctx, caller, { items, autoRenew: true });
    expect(order).toMatchObject({ amountCents: price.amount_cents, taxCents: price.tax_cents });
  });

  it("a renewal is announced, charged and invoiced at the same amount", async () => {
    const { caller } = await dutchAccount();
    const { id } = await subscribe(world, caller);
    const { nextCharge } = await onlyOne(caller, id);
    const [invoice] = await listInvoices(world.ctx, caller);
    expect(nextCharge?.amountCents).toBe(invoice?.amountCents);
    expect(await paidTermsOf(world.ctx, caller, { id })).toMatchObject([{ amountCents: invoice?.amountCents }]);
    world.clock.set("2026-12-14T09:30:00Z");
    await remindExpiring(world.ctx);
    world.clock.set("2026-12-17T09:30:00Z");
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 1, declined: 0 });
    const [renewal] = await listInvoices(world.ctx, caller);
    expect(renewal?.amountCents).toBe(nextCharge?.amountCents);
    expect(renewal?.taxCents).toBe(invoice?.taxCents);
    const mails = await listMailbox(world.ctx, { secrets: false });
    const words = `USD ${((nextCharge?.amountCents ?? 0) / 100).toFixed(2)}`;
    expect(mails.filter(({ to, text }) => to === caller.account.email && text.includes(words))).not.toHaveLength(0);
  });

  it("a declined renewal names the amount with tax", async () => {
    const { caller } = await dutchAccount();
    const { id } = await subscribe(world, caller, { card: testCards.declinedOffSession });
    const { nextCharge } = await onlyOne(caller, id);
    world.clock.set("2026-12-17T09:30:00Z");
    expect(await chargeDueRenewals(world.ctx)).toMatchObject({ declined: 1 });
    const { renewal } = await onlyOne(caller, id);
    expect(renewal).toMatchObject({ state: "past_due", amountCents: nextCharge?.amountCents });
  });

  it("a change of term credits the net price and taxes the rest", async () => {
    const { caller } = await dutchAccount();
    const { id } = await subscribe(world, caller);
    const offers = await termOffers(world.ctx, caller, { id });
    const offer = offers.find(({ term }) => term === "12_months")?.change;
    const change = await changeTerm(world.ctx, caller, { id, term: "12_months" });
    const netCents = (offer?.totalCents ?? 0) - change.creditCents;
    expect(change).toMatchObject({ taxCents: taxAt(netCents, "21"), amountCents: netCents + taxAt(netCents, "21") });
    expect(offer).toMatchObject({ taxCents: change.taxCents, amountCents: change.amountCents });
    await pay(world, caller, change);
  });
});

it("The books agree, tax included", async () => {
  expect((await reconcile(world.ctx)).differences).toEqual([]);
});
