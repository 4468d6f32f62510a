import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  accounts,
  auditLog,
  disputes,
  orders,
  outboxMessages,
  paidPlanTerms,
  payments,
} from "#drizzle/schema/index.ts";
import { invoiceView } from "../../portal/invoice-view.ts";
import { receiptPdf } from "../../portal/receipt-pdf.server.ts";
import { call } from "../../testing/api-client.ts";
import { pdfText } from "../../testing/pdf-text.ts";
import { createWorld, payWith, type World } from "../../testing/world.ts";
import type { Caller, OperatorCaller, SessionProof } from "../accounts/caller.ts";
import { closeAccount } from "../closure/close-account.server.ts";
import { dayOf } from "../dates.ts";
import { changePlan, reinstate } from "../operations/change-account.server.ts";
import { refundInvoice } from "../operations/refund.server.ts";
import { billingCsv } from "../payments/billing-csv.server.ts";
import { getInvoice } from "../payments/get-invoice.server.ts";
import { listInvoices } from "../payments/invoices.server.ts";
import { orderOf } from "../payments/orders.server.ts";
import { reconcile } from "../payments/reconcile.server.ts";
import { spendOf } from "../payments/spend.server.ts";
import { getStatement } from "../payments/statements.server.ts";
import { confirmPayment, settleIntent } from "../subscriptions/settle.server.ts";
import { buyPlan } from "./buy-plan.server.ts";
import { endPlans } from "./end-plans.server.ts";
import { heldPlan } from "./paid-plans.server.ts";
import type { PlanTerm, SoldPlan } from "./policy.ts";
import { planPriceHistory, planPrices, setPlanPrice } from "./prices.server.ts";

const start = "2026-11-20T09:30:00Z";
let world: World;
let operator: OperatorCaller;
beforeAll(async () => {
  world = await createWorld({ now: start });
  operator = await world.operator();
  await setPlanPrice(world.ctx, operator, { plan: "professional", monthlyCents: 4_900 });
  await setPlanPrice(world.ctx, operator, { plan: "enterprise", monthlyCents: 49_900 });
});
afterAll(() => world.close());
beforeEach(() => world.clock.set(start));

type Holder = Caller<SessionProof>;

const open = async (caller: Holder, term: PlanTerm = "1_month", plan: SoldPlan = "professional") => {
  const { orderId } = await buyPlan(world.ctx, caller, { plan, term });
  const order = await orderOf(world.ctx, caller.account.id, orderId);
  if (!order?.paymentIntentId) throw new Error("The order cannot be paid");
  return { ...order, intent: await world.ctx.payments.getIntent(order.paymentIntentId) };
};

/** Opens an order and pays it. The webhook settles it, too. */
const buy = async (caller: Holder, term: PlanTerm = "1_month", plan: SoldPlan = "professional") => {
  const order = await open(await asNow(caller), term, plan);
  await payWith(world, order.intent);
  await confirmPayment(world.ctx, caller, { paymentIntentId: order.intent.id });
  await world.simulator.idle();
  return order;
};

const accountNow = async (caller: Holder) => {
  const [row] = await world.ctx.db.select().from(accounts).where(eq(accounts.id, caller.account.id));
  if (!row) throw new Error("The account is gone");
  return row;
};

/** The caller of the next request. */
const asNow = async (caller: Holder): Promise<Holder> => ({
  ...caller,
  account: { ...caller.account, plan: (await accountNow(caller)).plan },
});

const planOf = async (caller: Holder) => {
  const { plan, paid } = await heldPlan(world.ctx, await asNow(caller));
  return [plan, paid?.endDate ?? null];
};

const mailTo = async ({ account }: Holder, about: RegExp) =>
  (await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, account.id))).filter(
    ({ subject }) => about.test(subject),
  );

const entries = (caller: Holder, action: "account.plan_changed" | "order.paid" | "order.charged_back") =>
  world.ctx.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.accountId, caller.account.id), eq(auditLog.action, action)))
    .orderBy(auditLog.id);

const paymentsOf = ({ account }: Holder) =>
  world.ctx.db.select().from(payments).where(eq(payments.accountId, account.id)).orderBy(payments.id);

/** The bank returns the account's nth payment, and an operator reinstates the account. */
const loseDispute = async (caller: Holder, nth: number) => {
  const chargeId = (await paymentsOf(caller))[nth]?.chargeId ?? "";
  const { id } = await world.simulator.openDispute(chargeId);
  await world.simulator.idle();
  await world.simulator.endDispute(id, "lost");
  await world.simulator.idle();
  await reinstate(world.ctx, operator, { accountId: caller.account.id, reason: "Settled" });
};

const agree = async () => expect((await reconcile(world.ctx)).differences).toEqual([]);

describe("A plan that is bought", () => {
  it("applies at once and is invoiced, mailed and in the books", async () => {
    const { caller } = await world.account();
    const { id: orderId } = await buy(caller, "3_months");
    expect(await planOf(caller)).toEqual(["professional", "2027-02-20"]);
    const [invoice, ...others] = await listInvoices(world.ctx, caller);
    expect(others).toEqual([]);
    expect(await getInvoice(world.ctx, caller, { id: invoice?.id ?? 0 })).toMatchObject({
      orderId,
      orderKind: "plan",
      amountCents: 14_700,
      lines: [],
      planLine: {
        plan: "professional",
        months: 3,
        monthlyCents: 4_900,
        totalCents: 14_700,
        covers: { startDate: "2026-11-20", endDate: "2027-02-20" },
      },
    });
    const [receipt] = await mailTo(caller, /^Your receipt/);
    expect(receipt?.text).toContain("Professional plan: 20 Nov 2026 – 19 Feb 2027, USD 147.00");
    expect(await spendOf(world.ctx, caller, { since: new Date(start) })).toMatchObject({ totalCents: 14_700 });
    expect(await getStatement(world.ctx, caller, { month: "2026-11" })).toMatchObject({
      invoicedCents: 14_700,
      paidCents: -14_700,
      closingCents: 0,
    });
    await agree();
  });

  it("is paid for once, however often the payment is confirmed and reported", async () => {
    const { caller } = await world.account();
    const { intent } = await open(caller);
    await payWith(world, intent);
    const confirm = () => confirmPayment(world.ctx, caller, { paymentIntentId: intent.id });
    await Promise.all([confirm(), confirm(), settleIntent(world.ctx, intent.id), settleIntent(world.ctx, intent.id)]);
    expect(await confirm()).toEqual([]);
    await world.simulator.idle();
    expect(await planOf(caller)).toEqual(["professional", "2026-12-20"]);
    expect(await entries(caller, "account.plan_changed")).toHaveLength(1);
    expect(await entries(caller, "order.paid")).toHaveLength(1);
    expect(await mailTo(caller, /^Your receipt/)).toHaveLength(1);
    await agree();
  });

  it("has one open order, also when the form is sent twice", async () => {
    const { caller } = await world.account();
    const first = await open(caller, "1_month");
    expect((await open(caller, "1_month")).id).toBe(first.id);
    const other = await open(caller, "6_months");
    expect(other.id).not.toBe(first.id);
    expect((await world.ctx.payments.getIntent(first.intent.id)).status).toBe("canceled");
    expect(await world.ctx.db.$count(orders, eq(orders.accountId, caller.account.id))).toBe(1);
  });

  it("leaves one open order when two requests come at the same time", async () => {
    const { caller } = await world.account();
    const sent = await Promise.allSettled([open(caller, "1_month"), open(caller, "1_month")]);
    expect(sent.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(await world.ctx.db.$count(orders, eq(orders.accountId, caller.account.id))).toBe(1);
  });

  it("is extended from its end, counted from the first day", async () => {
    world.clock.set("2026-12-31T12:00:00Z");
    const { caller } = await world.account();
    await buy(caller, "1_month");
    expect(await planOf(caller)).toEqual(["professional", "2027-01-31"]);
    world.clock.set("2027-01-30T12:00:00Z");
    await buy(caller, "1_month");
    expect(await planOf(caller)).toEqual(["professional", "2027-02-28"]);
    world.clock.set("2027-02-27T12:00:00Z");
    await buy(caller, "1_month");
    expect(await planOf(caller)).toEqual(["professional", "2027-03-31"]);
    expect(await entries(caller, "account.plan_changed")).toHaveLength(1);
    await agree();
  });

  it("keeps the locked price when the operator changes or withdraws it", async () => {
    const { caller } = await world.account();
    const { intent, amountCents } = await open(caller);
    await setPlanPrice(world.ctx, operator, { plan: "professional", monthlyCents: null });
    await expect(open(caller)).rejects.toMatchObject({ code: "conflict" });
    await setPlanPrice(world.ctx, operator, { plan: "professional", monthlyCents: 4_900 });
    await payWith(world, intent);
    await confirmPayment(world.ctx, caller, { paymentIntentId: intent.id });
    expect((await paymentsOf(caller))[0]?.amountCents).toBe(amountCents);
  });

  it("has its plan in the API's invoices, in the CSV and in the PDF", async () => {
    const { caller, token } = await world.account();
    const { id: orderId } = await buy(caller, "6_months");
    const { body } = await call(world, "GET", "/subscriptions/invoices", { token });
    const plan = { plan: "professional", term: "6_months", months: 6, monthly_cents: 4_900 };
    expect(body.invoices).toMatchObject([
      { order_id: orderId, lines: [], plan: { ...plan, total_cents: 29_400, tax_cents: 0 } },
    ]);
    expect(await billingCsv(world.ctx, caller)).toContain(`,${orderId},plan,,USD,29400,`);
    const invoice = await getInvoice(world.ctx, caller, { id: (await listInvoices(world.ctx, caller))[0]?.id ?? 0 });
    const text = pdfText(await receiptPdf(invoiceView(invoice, world.ctx.settings)));
    expect(text).toContain("Professional plan");
    expect(text).toContain("20 Nov 2026 – 19 May 2027");
    expect(text).toContain("6 months at $49.00 per month");
  });

  it("is taxed like other orders", async () => {
    const taxed = await createWorld({ now: start, stripeTaxOf: { country: "DE" } });
    try {
      await setPlanPrice(taxed.ctx, await taxed.operator(), { plan: "professional", monthlyCents: 10_000 });
      const { caller } = await taxed.account();
      const { orderId } = await buyPlan(taxed.ctx, caller, { plan: "professional", term: "1_month" });
      const order = await orderOf(taxed.ctx, caller.account.id, orderId);
      expect(order?.amountCents).toBe(10_000 + (order?.taxCents ?? 0));
      const intent = await taxed.ctx.payments.getIntent(order?.paymentIntentId ?? "");
      await payWith(taxed, intent);
      await confirmPayment(taxed.ctx, caller, { paymentIntentId: intent.id });
      const [invoice] = await listInvoices(taxed.ctx, caller);
      const { taxes, planLine } = await getInvoice(taxed.ctx, caller, { id: invoice?.id ?? 0 });
      expect(planLine?.taxes).toEqual(taxes);
      expect((await reconcile(taxed.ctx)).differences).toEqual([]);
    } finally {
      await taxed.close();
    }
  });
});

describe("A plan is not sold", () => {
  const refusal = (message: RegExp) => ({ code: "conflict", message: expect.stringMatching(message) });

  it("while another one is paid for", async () => {
    const { caller } = await world.account();
    await buy(caller);
    const now = await asNow(caller);
    await expect(open(now, "1_month", "enterprise")).rejects.toMatchObject(refusal(/last day, 19 Dec 2026/));
  });

  it("in place of one that an operator has set", async () => {
    const { caller } = await world.account();
    const to = { accountId: caller.account.id, plan: "professional", reason: "As agreed" } as const;
    await changePlan(world.ctx, operator, to);
    const now = await asNow(caller);
    for (const plan of ["professional", "enterprise"] as const) {
      await expect(open(now, "1_month", plan)).rejects.toMatchObject(refusal(/no end date/));
    }
  });

  it("to a suspended account", async () => {
    const { caller } = await world.account();
    const suspended = { ...caller, account: { ...caller.account, standing: "suspended" as const } };
    await expect(open(suspended)).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("A payment for a plan", () => {
  it("is refunded in full when an operator has set another plan in the meantime", async () => {
    const { caller } = await world.account();
    const { intent } = await open(caller);
    const to = { accountId: caller.account.id, plan: "enterprise", reason: "As agreed" } as const;
    await changePlan(world.ctx, operator, to);
    await payWith(world, intent);
    await world.simulator.idle();
    await expect(confirmPayment(world.ctx, caller, { paymentIntentId: intent.id })).rejects.toMatchObject({
      code: "conflict",
    });
    await world.simulator.idle();
    expect(await planOf(caller)).toEqual(["enterprise", null]);
    expect((await paymentsOf(caller)).map((each) => each.amountCents - each.refundedCents)).toEqual([0]);
    expect(await mailTo(caller, /We are refunding/)).toHaveLength(1);
    await agree();
  });

  it("that is refunded leaves the plan, which the operator decides about", async () => {
    const { caller } = await world.account();
    await buy(caller);
    const [invoice] = await listInvoices(world.ctx, caller);
    const [payment] = await paymentsOf(caller);
    await refundInvoice(world.ctx, operator, {
      accountId: caller.account.id,
      invoiceId: invoice?.id ?? 0,
      amountCents: payment?.amountCents ?? 0,
      leftCents: payment?.amountCents ?? 0,
      reason: "Goodwill",
    });
    await world.simulator.idle();
    expect(await planOf(caller)).toEqual(["professional", "2026-12-20"]);
    await agree();
    const to = { accountId: caller.account.id, plan: "free", reason: "Refunded" } as const;
    await changePlan(world.ctx, operator, to);
    expect(await planOf(caller)).toEqual(["free", null]);
    await agree();
  });

  it("that the bank returns ends the plan, once", async () => {
    const { caller } = await world.account();
    await buy(caller, "3_months");
    world.clock.set("2026-12-01T12:00:00Z");
    await loseDispute(caller, 0);
    expect(await planOf(caller)).toEqual(["free", null]);
    expect(await mailTo(caller, /Professional plan has ended/)).toHaveLength(1);
    expect(await entries(caller, "order.charged_back")).toHaveLength(1);
    await agree();
    world.clock.set("2026-12-05T12:00:00Z");
    await buy(caller);
    expect(await planOf(caller)).toEqual(["professional", "2027-01-05"]);
    await agree();
  });

  it("that the bank returns ends only what it paid for: later months move up", async () => {
    const { caller } = await world.account();
    await buy(caller, "1_month");
    await buy(caller, "3_months");
    expect(await planOf(caller)).toEqual(["professional", "2027-03-20"]);
    world.clock.set("2026-12-01T12:00:00Z");
    await loseDispute(caller, 0);
    expect(await planOf(caller)).toEqual(["professional", "2027-03-01"]);
    await agree();
    await buy(caller, "1_month");
    expect(await planOf(caller)).toEqual(["professional", "2027-04-01"]);
    await agree();
    expect(await world.ctx.db.$count(disputes, eq(disputes.accountId, caller.account.id))).toBe(1);
  });
});

describe("The end of a paid plan", () => {
  it("is announced 7 days before and comes after the last day, each once", async () => {
    const { caller } = await world.account();
    await buy(caller);
    world.clock.set("2026-12-12T12:00:00Z");
    await endPlans(world.ctx);
    expect(await mailTo(caller, /ends after 19 Dec 2026/)).toEqual([]);
    world.clock.set("2026-12-13T12:00:00Z");
    await Promise.all([endPlans(world.ctx), endPlans(world.ctx)]);
    expect(await mailTo(caller, /ends after 19 Dec 2026/)).toHaveLength(1);
    world.clock.set("2026-12-19T23:59:00Z");
    await endPlans(world.ctx);
    expect(await planOf(caller)).toEqual(["professional", "2026-12-20"]);
    world.clock.set("2026-12-20T00:03:00Z");
    await Promise.all([endPlans(world.ctx), endPlans(world.ctx)]);
    expect(await planOf(caller)).toEqual(["free", null]);
    expect(await mailTo(caller, /Professional plan has ended/)).toHaveLength(1);
    expect((await entries(caller, "account.plan_changed")).map(({ details }) => details.to)).toEqual([
      "professional",
      "free",
    ]);
    expect(await endPlans(world.ctx)).toEqual({ ended: 0, reminders: 0 });
    await agree();
  });

  it("does not come for a plan that was extended, nor for one that an operator has set", async () => {
    const { caller } = await world.account();
    const { caller: agreed } = await world.account();
    await buy(caller);
    await buy(caller);
    await buy(agreed);
    await changePlan(world.ctx, operator, { accountId: agreed.account.id, plan: "enterprise", reason: "As agreed" });
    world.clock.set("2026-12-20T12:00:00Z");
    await endPlans(world.ctx);
    expect(await planOf(caller)).toEqual(["professional", "2027-01-20"]);
    expect(await planOf(agreed)).toEqual(["enterprise", null]);
    await agree();
  });

  it("comes without a mail when the account is closed", async () => {
    const { caller } = await world.account();
    await buy(caller);
    const confirmed = { username: caller.account.username, current_password: "correct horse battery", code: "" };
    await closeAccount(world.ctx, caller, confirmed, { ipAddress: "192.0.2.1", userAgent: "tests" });
    world.clock.set("2026-12-20T12:00:00Z");
    await endPlans(world.ctx);
    expect(await mailTo(caller, /plan (ends|has ended)/)).toEqual([]);
    await agree();
  });

  it("may be late: a plan that is bought between the last day and the end begins on that day", async () => {
    const { caller } = await world.account();
    await buy(caller);
    world.clock.set("2026-12-22T12:00:00Z");
    await buy(caller, "1_month", "enterprise");
    expect(await planOf(caller)).toEqual(["enterprise", "2027-01-22"]);
    await endPlans(world.ctx);
    expect(await planOf(caller)).toEqual(["enterprise", "2027-01-22"]);
    await agree();
  });
});

describe("The check of the books", () => {
  it("finds a plan that was paid for and not given", async () => {
    const { caller } = await world.account();
    const { id: orderId } = await buy(caller);
    const [term] = await world.ctx.db.delete(paidPlanTerms).where(eq(paidPlanTerms.orderId, orderId)).returning();
    expect((await reconcile(world.ctx)).differences).toEqual([
      `Plan of order ${orderId}: of a paid order, has 0 paid terms instead of 1`,
      `Account ${caller.account.id}: nothing was paid for its professional plan`,
    ]);
    if (!term) throw new Error("There was no paid term");
    const { id: _, ...row } = term;
    await world.ctx.db.insert(paidPlanTerms).values(row);
    await agree();
  });
});

describe("The price of a plan", () => {
  it("applies from now, is withdrawn, and has a history and an audit entry", async () => {
    const own = await createWorld({ now: start, catalogue: "empty" });
    try {
      const by = await own.operator();
      expect(await planPrices(own.ctx)).toEqual({});
      await setPlanPrice(own.ctx, by, { plan: "professional", monthlyCents: 4_900 });
      await setPlanPrice(own.ctx, { machineUser: "deploy" }, { plan: "professional", monthlyCents: 5_900 });
      expect(await planPrices(own.ctx)).toEqual({ professional: 5_900 });
      await expect(setPlanPrice(own.ctx, by, { plan: "professional", monthlyCents: 5_900 })).rejects.toMatchObject({
        code: "conflict",
      });
      await expect(setPlanPrice(own.ctx, by, { plan: "professional", monthlyCents: 49 })).rejects.toMatchObject({
        code: "invalid",
      });
      await setPlanPrice(own.ctx, by, { plan: "professional", monthlyCents: null });
      expect(await planPrices(own.ctx)).toEqual({});
      expect(
        (await planPriceHistory(own.ctx, by)).map(({ monthlyCents, operator: who }) => [monthlyCents, who]),
      ).toEqual([
        [null, by.account.username],
        [5_900, null],
        [4_900, by.account.username],
      ]);
      const log = await own.ctx.db
        .select()
        .from(auditLog)
        .where(eq(auditLog.action, "plan.price_set"))
        .orderBy(auditLog.id);
      expect(log.map(({ details }) => [details.amount_cents, details.former_cents, details.machine_user])).toEqual([
        [4_900, null, undefined],
        [5_900, 4_900, "deploy"],
      ]);
      expect(dayOf(own.clock.now())).toBe("2026-11-20");
    } finally {
      await own.close();
    }
  });
});
