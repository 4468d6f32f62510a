/** Stripe Tax through the real SDK and the simulator. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pay, periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { billingDetailsForm } from "../billing-details/billing-details.ts";
import { saveBillingDetails } from "../billing-details/manage.server.ts";
import { validate } from "../input.ts";
import { chargeDueRenewals } from "../subscriptions/charge-renewals.server.ts";
import { checkout } from "../subscriptions/checkout.server.ts";
import { getSubscriptions } from "../subscriptions/list.server.ts";
import { taxAt } from "../tax/tax.ts";
import { getInvoice } from "./get-invoice.server.ts";
import { listInvoices } from "./invoices.server.ts";
import { reconcile } from "./reconcile.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ stripeTaxOf: { country: "DE" } });
});
afterAll(() => world.close());

const accountIn = async (country: string, more: Record<string, string> = {}) => {
  const { caller } = await world.account();
  const details = { name: "Company", addressLine1: "Street 1", city: "City", country, ...more };
  await saveBillingDetails(world.ctx, caller, validate(billingDetailsForm, details));
  return caller;
};

const order = (caller: Caller) =>
  checkout(world.ctx, caller, {
    items: world.routes.slice(0, 2).map(({ code }) => ({ periodId: periodOf(world, code), term: "3_months" })),
    autoRenew: true,
  });

const newest = async (caller: Caller) => {
  const [invoice] = await listInvoices(world.ctx, caller);
  return getInvoice(world.ctx, caller, { id: invoice?.id ?? 0 });
};

describe("Stripe Tax", () => {
  it("taxes each line, and the payment is over the calculation's total", async () => {
    const caller = await accountIn("NL");
    const opened = await order(caller);
    for (const { totalCents, taxes } of opened.lines) {
      const taxCents = taxAt(totalCents, "21");
      expect(taxes).toEqual([
        { name: "VAT", jurisdiction: "NL", ratePercent: "21", taxableCents: totalCents, taxCents },
      ]);
    }
    expect(opened.intent.amountCents).toBe(opened.amountCents);
    await pay(world, caller, opened);
    expect(await newest(caller)).toMatchObject({ amountCents: opened.amountCents, taxCents: opened.taxCents });
  });

  it("finds the reverse charge", async () => {
    const caller = await accountIn("NL", { taxId: "NL123456789B01" });
    const opened = await order(caller);
    expect(opened.taxCents).toBe(0);
    await pay(world, caller, opened);
    expect(await newest(caller)).toMatchObject({ isReverseCharge: true, taxes: [] });
  });

  it("does not tax where the seller is not registered", async () => {
    const caller = await accountIn("US", { postalCode: "10001" });
    expect(await order(caller)).toMatchObject({ taxCents: 0 });
  });

  it("rejects an order whose buyer it cannot place, and says why", async () => {
    const caller = await accountIn("US");
    await expect(order(caller)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("postal code"),
    });
  });

  it("taxes buyers without billing details as in the seller's country", async () => {
    const { caller } = await world.account();
    expect((await order(caller)).lines[0]?.taxes).toMatchObject([{ jurisdiction: "DE", ratePercent: "19" }]);
  });

  it("charges renewals at the amount that was announced", async () => {
    const caller = await accountIn("FR");
    const { id } = await subscribe(world, caller);
    const [subscription] = await getSubscriptions(world.ctx, caller, { ids: [id] });
    world.clock.set("2026-12-17T09:30:00Z");
    expect(await chargeDueRenewals(world.ctx)).toMatchObject({ succeeded: 1 });
    expect((await newest(caller)).amountCents).toBe(subscription?.nextCharge?.amountCents);
  });

  it("keeps the books consistent", async () => {
    expect((await reconcile(world.ctx)).differences).toEqual([]);
  });
});
