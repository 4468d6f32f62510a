import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLog, payments } from "#drizzle/schema/index.ts";
import { subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { listInvoices } from "../payments/invoices.server.ts";
import { getRefundable } from "./account-file.server.ts";
import { refundInvoice } from "./refund.server.ts";

let world: World;
let operator: OperatorCaller;
beforeAll(async () => {
  // A single connection reveals code that needs a second one while it holds the first.
  world = await createWorld({ connections: 1 });
  operator = await world.operator();
});
afterAll(() => world.close());

/** An account with one paid invoice, and the form as an operator has it open. */
const paidInvoice = async () => {
  const { account, caller } = await world.account();
  await subscribe(world, caller);
  await world.simulator.idle();
  const [invoice] = await listInvoices(world.ctx, caller);
  if (!invoice) throw new Error("Nothing was invoiced");
  const paidCents = invoice.amountCents;
  const refund = (amountCents: number, { leftCents = paidCents, ctx = world.ctx as Context } = {}) =>
    refundInvoice(ctx, operator, {
      accountId: account.id,
      invoiceId: invoice.id,
      amountCents,
      leftCents,
      reason: "Data was late",
    });
  const credited = async () => {
    await world.simulator.idle();
    const notes = (await listInvoices(world.ctx, caller)).filter(({ kind }) => kind === "credit_note");
    return notes.map(({ amountCents }) => amountCents);
  };
  const ordered = async () => {
    const rows = await world.ctx.db
      .select({ details: auditLog.details })
      .from(auditLog)
      .where(and(eq(auditLog.accountId, account.id), eq(auditLog.action, "refund.ordered")));
    return rows.map(({ details }) => details);
  };
  return { account, invoiceId: invoice.id, paidCents, refund, credited, ordered };
};

const statuses = (outcomes: PromiseSettledResult<void>[]) => outcomes.map(({ status }) => status).sort();
const refused = { code: "conflict" };

describe("Refunding an invoice", () => {
  it("creates a credit note and logs the reason, until nothing is left", async () => {
    const { account, invoiceId, paidCents, refund, credited, ordered } = await paidInvoice();
    await refund(500);
    expect(await credited()).toEqual([-500]);
    expect(await ordered()).toMatchObject([{ amount_cents: 500, reason: "Data was late" }]);
    await expect(refund(paidCents, { leftCents: paidCents - 500 })).rejects.toMatchObject({ code: "invalid" });
    await refund(paidCents - 500, { leftCents: paidCents - 500 });
    expect(await credited()).toEqual([500 - paidCents, -500]);
    const left = await getRefundable(world.ctx, operator, { accountId: account.id, invoiceId });
    expect(left).toMatchObject({ refundableCents: 0, isDisputed: false });
  });

  it("runs concurrently for more payments than there are connections", async () => {
    const invoices = [await paidInvoice(), await paidInvoice(), await paidInvoice(), await paidInvoice()];
    let calls = 0;
    let goOn = () => {};
    const allCalled = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { payments: provider } = world.ctx;
    const together: Context["payments"] = {
      ...provider,
      refund: async (...order) => {
        calls += 1;
        if (calls === invoices.length) goOn();
        await allCalled;
        return provider.refund(...order);
      },
    };
    const ctx = { ...world.ctx, payments: together };
    await Promise.all(invoices.map(({ refund }) => refund(500, { ctx })));
    for (const { credited } of invoices) expect(await credited()).toEqual([-500]);
  });

  it("happens once and is logged once for two concurrent clicks", async () => {
    const { refund, credited, ordered } = await paidInvoice();
    expect(statuses(await Promise.allSettled([refund(500), refund(500)]))).toEqual(["fulfilled", "rejected"]);
    expect(await credited()).toEqual([-500]);
    expect(await ordered()).toHaveLength(1);
  });

  it("happens once when the second click arrives before the provider's response to the first", async () => {
    const { refund, credited, ordered } = await paidInvoice();
    const { payments: provider } = world.ctx;
    const second: PromiseSettledResult<void>[] = [];
    const slow: Context["payments"] = {
      ...provider,
      refund: async (...args) => {
        const answer = await provider.refund(...args);
        // The webhook arrives before the response, and the second click in between.
        await world.simulator.idle();
        second.push(...(await Promise.allSettled([refund(500)])));
        return answer;
      },
    };
    await refund(500, { ctx: { ...world.ctx, payments: slow } });
    expect(statuses(second)).toEqual(["rejected"]);
    expect(await credited()).toEqual([-500]);
    expect(await ordered()).toHaveLength(1);
  });

  it("is rejected if more was refunded since the page was shown", async () => {
    const { refund, credited, ordered } = await paidInvoice();
    await refund(500);
    await expect(refund(500)).rejects.toMatchObject(refused);
    await expect(refund(700)).rejects.toMatchObject(refused);
    expect(await credited()).toEqual([-500]);
    expect(await ordered()).toHaveLength(1);
  });

  it("is not repeated by a retry after a lost response of the provider", async () => {
    const { refund, credited } = await paidInvoice();
    const { payments: provider } = world.ctx;
    const lost: Context["payments"] = {
      ...provider,
      refund: async (...args) => {
        await provider.refund(...args);
        throw new Error("The connection was cut");
      },
    };
    await expect(refund(500, { ctx: { ...world.ctx, payments: lost } })).rejects.toThrow("cut");
    await refund(500).catch(() => null);
    expect(await credited()).toEqual([-500]);
  });

  it("is rejected for another account's invoice and for a disputed payment", async () => {
    const { account, invoiceId, paidCents, refund } = await paidInvoice();
    const other = await world.account();
    const foreign = { accountId: other.account.id, invoiceId, amountCents: 100, leftCents: paidCents, reason: "Error" };
    await expect(refundInvoice(world.ctx, operator, foreign)).rejects.toMatchObject({ code: "not_found" });
    await world.ctx.db
      .update(payments)
      .set({ disputedAt: world.clock.now() })
      .where(eq(payments.accountId, account.id));
    await expect(refund(100)).rejects.toMatchObject(refused);
  });
});
