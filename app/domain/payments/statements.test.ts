/** Monthly statements: that they add up, across months and with the billing history, and the mail about them. */
import { and, eq, like } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, outboxMessages } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { setStatementsByMail, wantsStatements } from "../accounts/statement-setting.server.ts";
import { listInvoices } from "./invoices.server.ts";
import { mailStatements } from "./mail-statements.server.ts";
import * as reconcileQueries from "./reconcile-queries.server.ts";
import { statementCsv } from "./statement-csv.ts";
import { getStatement, listStatements } from "./statements.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(() => world.clock.set("2026-10-31T23:59:59.999Z"));

const at = (instant: string) => world.clock.set(instant);
const buy = (caller: Caller, route = 0, card?: string) =>
  subscribe(world, caller, { periodId: periodOf(world, world.routes[route]?.code), ...(card ? { card } : {}) });
const latestCharge = async () => {
  const [latest] = (await reconcileQueries.allPayments(world.ctx.db)).sort((a, b) => b.id - a.id);
  return latest?.chargeId ?? "";
};
const refund = async (chargeId: string, amountCents: number) => {
  await world.simulator.refundCharge(chargeId, amountCents);
  await world.simulator.idle();
};
const mailsTo = ({ account }: Caller) =>
  world.ctx.db
    .select({ subject: outboxMessages.subject, text: outboxMessages.text })
    .from(outboxMessages)
    .where(and(eq(outboxMessages.accountId, account.id), like(outboxMessages.subject, "Your statement for%")));

describe("A statement", () => {
  it("has each invoice, payment, credit note and refund of its month, and the sums of each", async () => {
    const { caller } = await world.account();
    await buy(caller);
    at("2026-11-01T00:00:00Z");
    await buy(caller, 1);
    at("2026-11-30T23:59:59.999Z");
    await refund(await latestCharge(), 1_000);
    const [note, second, first] = await listInvoices(world.ctx, caller);
    const october = await getStatement(world.ctx, caller, { month: "2026-10" });
    expect(october).toMatchObject({
      isComplete: true,
      entries: [
        { kind: "invoice", document: { id: first?.id, number: first?.number }, amountCents: first?.amountCents },
        { kind: "payment", document: { id: first?.id }, amountCents: -(first?.amountCents ?? 0) },
      ],
    });
    const november = await getStatement(world.ctx, caller, { month: "2026-11" });
    expect(november).toMatchObject({
      isComplete: false,
      openingCents: 0,
      invoicedCents: second?.amountCents,
      paidCents: -(second?.amountCents ?? 0),
      creditedCents: -1_000,
      refundedCents: 1_000,
      closingCents: 0,
    });
    expect(november.entries.map(({ kind, card }) => [kind, card?.last4 ?? null])).toEqual([
      ["invoice", null],
      ["payment", "4242"],
      ["credit_note", null],
      ["refund", "4242"],
    ]);
    expect(november.entries.at(-1)?.document).toEqual({ id: note?.id, number: note?.number });
  });

  it("agrees with the billing history to the cent, summed over all months", async () => {
    const { caller } = await world.account();
    for (const [month, route] of [
      ["2026-10", 0],
      ["2026-11", 1],
      ["2027-01", 2],
    ] as const) {
      at(`${month}-15T12:00:00Z`);
      await buy(caller, route);
      await refund(await latestCharge(), 333);
    }
    const months = await listStatements(world.ctx, caller);
    expect(months.map(({ month, isComplete }) => [month, isComplete])).toEqual([
      ["2027-01", false],
      ["2026-11", true],
      ["2026-10", true],
    ]);
    const statements = await Promise.all(months.map(({ month }) => getStatement(world.ctx, caller, { month })));
    const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
    const history = await listInvoices(world.ctx, caller);
    expect(sum(statements.map(({ invoicedCents, creditedCents }) => invoicedCents + creditedCents))).toBe(
      sum(history.map(({ amountCents }) => amountCents)),
    );
    for (const { openingCents, closingCents, entries, ...totals } of statements) {
      expect(openingCents + sum(entries.map(({ amountCents }) => amountCents))).toBe(closingCents);
      expect(totals.invoicedCents + totals.creditedCents).toBe(-totals.paidCents - totals.refundedCents);
    }
  });

  it("names a dispute in the month in which it was opened, without changing the balance", async () => {
    const { caller } = await world.account();
    await buy(caller, 0, "4000000000000259");
    await world.simulator.idle();
    const [invoice] = await listInvoices(world.ctx, caller);
    const { disputes, closingCents } = await getStatement(world.ctx, caller, { month: "2026-10" });
    expect(disputes).toMatchObject([
      { status: "open", document: { number: invoice?.number }, amountCents: invoice?.amountCents, endedAt: null },
    ]);
    expect(closingCents).toBe(0);
    expect((await getStatement(world.ctx, caller, { month: "2026-09" })).disputes).toEqual([]);
  });

  it("as CSV has the balance after each entry", async () => {
    const { caller } = await world.account();
    await buy(caller);
    const statement = await getStatement(world.ctx, caller, { month: "2026-10" });
    const [first] = await listInvoices(world.ctx, caller);
    const when = "2026-10-31T23:59:59.999Z";
    const cents = first?.amountCents;
    expect(statementCsv(statement).split("\r\n")).toEqual([
      "occurred_at,kind,document_number,currency,amount_cents,balance_cents,card_brand,card_last4",
      `${when},invoice,${first?.number},USD,${cents},${cents},,`,
      `${when},payment,${first?.number},USD,-${cents},0,visa,4242`,
      "",
    ]);
  });
});

describe("By API", () => {
  it("statements are listed in pages, shown and exported", async () => {
    const { caller, token } = await world.account();
    await buy(caller);
    at("2026-11-01T12:00:00Z");
    await buy(caller, 1);
    const list = (query: string) => call(world, "GET", `/subscriptions/statements?${query}`, { token });
    const first = await list("limit=1");
    expect(first.body.statements).toMatchObject([{ month: "2026-11", complete: false }]);
    const second = await list(`limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ statements: [{ month: "2026-10", complete: true }], next_cursor: null });
    const shown = await call(world, "GET", "/subscriptions/statements/2026-10", { token });
    expect(shown.body).toMatchObject({ month: "2026-10", opening_cents: 0, closing_cents: 0 });
    expect(shown.body.entries).toHaveLength(2);
    const exported = await call(world, "GET", "/subscriptions/statements/2026-10/export", { token });
    expect(exported.text.split("\r\n")).toHaveLength(4);
  });

  it("a month that has not begun is not found, and anything but a month is invalid", async () => {
    const { token } = await world.account();
    for (const [month, status] of [
      ["2026-11", 404],
      ["2026-13", 422],
      ["latest", 422],
      ["2026-09", 200],
    ] as const) {
      expect([month, (await call(world, "GET", `/subscriptions/statements/${month}`, { token })).status]).toEqual([
        month,
        status,
      ]);
    }
  });
});

describe("The mail with the statement", () => {
  it("is written once, after the month, to those who asked for it before the month ended", async () => {
    const holders = [await world.account(), await world.account(), await world.account()];
    const [asked, late, silent] = holders.map(({ caller }) => caller) as [Caller, Caller, Caller];
    for (const caller of [asked, late, silent]) await buy(caller);
    await setStatementsByMail(world.ctx, asked, { byMail: true });
    await mailStatements(world.ctx);
    expect(await mailsTo(asked)).toEqual([]);
    at("2026-11-01T03:27:00Z");
    await setStatementsByMail(world.ctx, late, { byMail: true });
    await Promise.all([mailStatements(world.ctx), mailStatements(world.ctx)]);
    at("2026-11-20T03:27:00Z");
    expect(await mailStatements(world.ctx)).toBe(0);
    const [mail, ...more] = await mailsTo(asked);
    expect(mail?.subject).toBe("Your statement for October 2026");
    expect(mail?.text).toContain("/billing/statements/2026-10");
    expect(more).toEqual([]);
    for (const caller of [late, silent]) expect(await mailsTo(caller)).toEqual([]);
  });

  it("is left out for a month without entries, and for closed accounts", async () => {
    const { caller } = await world.account();
    const closed = (await world.account()).caller;
    await buy(closed);
    for (const each of [caller, closed]) await setStatementsByMail(world.ctx, each, { byMail: true });
    await world.ctx.db.update(accounts).set({ closedAt: world.clock.now() }).where(eq(accounts.id, closed.account.id));
    at("2026-11-01T03:27:00Z");
    expect(await mailStatements(world.ctx)).toBe(0);
  });

  it("is off until it is asked for, and can be turned off", async () => {
    const { caller } = await world.account();
    expect(await wantsStatements(world.ctx, caller)).toBe(false);
    await setStatementsByMail(world.ctx, caller, { byMail: true });
    expect(await wantsStatements(world.ctx, caller)).toBe(true);
    await setStatementsByMail(world.ctx, caller, { byMail: false });
    expect(await wantsStatements(world.ctx, caller)).toBe(false);
  });
});
