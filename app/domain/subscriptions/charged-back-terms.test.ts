import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { outboxMessages, paidTerms, payments } from "#drizzle/schema/index.ts";
import { pay, periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller, OperatorCaller } from "../accounts/caller.ts";
import { reinstate } from "../operations/change-account.server.ts";
import { getInvoice } from "../payments/get-invoice.server.ts";
import { listInvoices } from "../payments/invoices.server.ts";
import { reconcile } from "../payments/reconcile.server.ts";
import { spendOf } from "../payments/spend.server.ts";
import { endChargedBackTerms } from "./charged-back-terms.server.ts";
import { checkout } from "./checkout.server.ts";
import { creditOf } from "./credit.server.ts";
import { closeExpiredOrders } from "./expired-orders.server.ts";
import { getSubscription, paidTermsOf } from "./list.server.ts";
import { changeTerm, renewSubscription } from "./renew.server.ts";

const start = "2026-11-20T09:30:00Z";
let world: World;
let operator: OperatorCaller;
beforeAll(async () => {
  world = await createWorld({ now: start });
  operator = await world.operator();
});
afterAll(() => world.close());
beforeEach(() => world.clock.set(start));

const paymentsOf = (caller: Caller) =>
  world.ctx.db.select().from(payments).where(eq(payments.accountId, caller.account.id)).orderBy(asc(payments.id));

/** The bank decides a dispute of the account's nth payment. */
const dispute = async (caller: Caller, nth: number, outcome: "won" | "lost" | "warning_closed") => {
  const chargeId = (await paymentsOf(caller))[nth]?.chargeId ?? "";
  const { id } = await world.simulator.openDispute(chargeId);
  await world.simulator.idle();
  await world.simulator.endDispute(id, outcome);
  await world.simulator.idle();
};

const endOf = async (caller: Caller, id: number) => {
  const { endDate, status } = await getSubscription(world.ctx, caller, { id });
  return { endDate, status };
};

const isConsistent = async () => expect((await reconcile(world.ctx)).differences).toEqual([]);

describe("A lost dispute", () => {
  it("ends what the payment bought, on the invoice, in the books and for the account's figures", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller, { term: "3_months" });
    world.clock.set("2026-12-10T12:00:00Z");
    await dispute(caller, 0, "lost");
    expect(await endOf(caller, id)).toEqual({ endDate: "2026-12-10", status: "expired" });
    expect(await paidTermsOf(world.ctx, caller, { id })).toMatchObject([{ endedOn: "2026-12-10" }]);
    const [invoice] = await listInvoices(world.ctx, caller);
    expect(invoice?.chargedBackCents).toBe(invoice?.amountCents);
    expect(await getInvoice(world.ctx, caller, { id: invoice?.id ?? 0 })).toMatchObject({
      dispute: { status: "lost", endedAt: new Date("2026-12-10T12:00:00Z") },
      balanceCents: 0,
    });
    expect(await spendOf(world.ctx, caller, { since: new Date(start) })).toMatchObject({ totalCents: 0 });
    await isConsistent();
  });

  it("lets the account holder renew once the account is reinstated", async () => {
    const { caller, account } = await world.account();
    const { id } = await subscribe(world, caller, { term: "3_months" });
    world.clock.set("2026-12-10T12:00:00Z");
    await dispute(caller, 0, "lost");
    await reinstate(world.ctx, operator, { accountId: account.id, reason: "Talked to the holder" });
    await pay(world, caller, await renewSubscription(world.ctx, caller, { id, term: "1_month" }));
    expect(await endOf(caller, id)).toEqual({ endDate: "2027-01-10", status: "active" });
    await isConsistent();
  });

  it("on the day of the purchase ends access on the next day", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    await dispute(caller, 0, "lost");
    expect((await endOf(caller, id)).endDate).toBe("2026-11-21");
    await isConsistent();
  });

  it("of a renewal leaves the term before it", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller, { term: "1_month" });
    await pay(world, caller, await renewSubscription(world.ctx, caller, { id, term: "6_months" }));
    await dispute(caller, 1, "lost");
    expect((await endOf(caller, id)).endDate).toBe("2026-12-20");
    const [first] = await paymentsOf(caller);
    expect((await creditOf(world.ctx.db, id, "2026-11-20")).creditCents).toBe(first?.amountCents);
    await isConsistent();
  });

  it("moves the terms of other payments up to its day, without a loss of months or of value", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller, { term: "3_months" });
    await pay(world, caller, await renewSubscription(world.ctx, caller, { id, term: "1_month" }));
    world.clock.set("2026-12-01T12:00:00Z");
    await dispute(caller, 0, "lost");
    expect((await endOf(caller, id)).endDate).toBe("2027-01-01");
    const [, second] = await paymentsOf(caller);
    expect((await creditOf(world.ctx.db, id, "2026-12-01")).creditCents).toBe(second?.amountCents);
    await isConsistent();
  });

  it("of a term that a change of term has replaced ends nothing, and takes its credit out of the change", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller, { term: "1_month" });
    await pay(world, caller, await changeTerm(world.ctx, caller, { id, term: "12_months" }));
    await dispute(caller, 0, "lost");
    expect((await endOf(caller, id)).endDate).toBe("2027-11-20");
    const [, change] = await paymentsOf(caller);
    expect((await creditOf(world.ctx.db, id, "2026-11-20")).creditCents).toBe(change?.amountCents);
    await isConsistent();
  });

  it("ends all that an order bought, and nothing of other orders", async () => {
    const { caller } = await world.account();
    const other = await subscribe(world, caller, { periodId: periodOf(world, world.routes[2]?.code) });
    const items = [0, 1].map((index) => ({
      periodId: periodOf(world, world.routes[index]?.code),
      term: "1_month" as const,
    }));
    await pay(world, caller, await checkout(world.ctx, caller, { items, autoRenew: false }));
    world.clock.set("2026-11-25T12:00:00Z");
    await dispute(caller, 1, "lost");
    const ended = await world.ctx.db
      .select({ endedOn: paidTerms.endedOn })
      .from(paidTerms)
      .where(eq(paidTerms.endedOn, "2026-11-25"));
    expect(ended).toHaveLength(2);
    expect((await endOf(caller, other.id)).status).not.toBe("expired");
    await isConsistent();
  });

  it("over a part of the payment leaves its terms, with less value", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    const [payment] = await paymentsOf(caller);
    await world.ctx.db
      .update(payments)
      .set({ chargedBackCents: 100, disputedAt: new Date(start) })
      .where(eq(payments.id, payment?.id ?? 0));
    await endChargedBackTerms(world.ctx);
    expect((await endOf(caller, id)).endDate).toBe("2026-12-20");
    expect((await creditOf(world.ctx.db, id, "2026-11-20")).creditCents).toBe((payment?.amountCents ?? 0) - 100);
    await world.ctx.db
      .update(payments)
      .set({ chargedBackCents: 0, disputedAt: null })
      .where(eq(payments.id, payment?.id ?? 0));
  });

  it("is caught up by the hourly job after a crash, once", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    const [payment] = await paymentsOf(caller);
    world.clock.set("2026-11-25T12:00:00Z");
    await dispute(caller, 0, "lost");
    await world.ctx.db
      .update(paidTerms)
      .set({ endedOn: null, endedAfterTermId: null })
      .where(eq(paidTerms.subscriptionId, id));
    expect((await reconcile(world.ctx)).differences).toEqual([
      expect.stringMatching(new RegExp(`^Paid term \\d+: goes on, but payment ${payment?.id} was charged back$`)),
    ]);
    await closeExpiredOrders(world.ctx);
    await closeExpiredOrders(world.ctx);
    expect(await paidTermsOf(world.ctx, caller, { id })).toMatchObject([{ endedOn: "2026-11-25" }]);
    await isConsistent();
  });

  it("tells the account holder what has ended, and what to do", async () => {
    const { caller, account } = await world.account();
    await subscribe(world, caller);
    await dispute(caller, 0, "lost");
    const mails = await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, account.id));
    const mail = mails.find(({ subject }) => /^The dispute over .* has ended$/.test(subject));
    expect(mail?.text).toContain("The terms bought with this payment have ended");
    expect(mail?.text).toContain("renew the subscription");
  });
});

describe("A dispute that is won or closed", () => {
  it.each(["won", "warning_closed"] as const)("leaves invoice, books and subscription as they were: %s", async (as) => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    await dispute(caller, 0, as);
    expect((await endOf(caller, id)).endDate).toBe("2026-12-20");
    const [invoice] = await listInvoices(world.ctx, caller);
    expect(await getInvoice(world.ctx, caller, { id: invoice?.id ?? 0 })).toMatchObject({
      dispute: { status: as === "won" ? "won" : "closed" },
      balanceCents: invoice?.amountCents,
    });
    await isConsistent();
  });
});
