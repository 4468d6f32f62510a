import { afterAll, beforeAll, expect, it } from "vitest";
import { subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { listInvoices } from "../payments/invoices.server.ts";
import { changePlan, suspend } from "./change-account.server.ts";
import { refundInvoice } from "./refund.server.ts";
import { figuresOfToday } from "./today.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ now: "2026-11-20T09:30:00Z" });
});
afterAll(() => world.close());

it("Today's figures count accounts, net revenue, due renewals and failures", async () => {
  const operator = await world.operator();
  const { account, caller } = await world.account();
  await subscribe(world, caller);
  const [invoice] = await listInvoices(world.ctx, caller);
  if (!invoice) throw new Error("Nothing was invoiced");
  const amountCents = 1_000;
  await refundInvoice(world.ctx, operator, {
    accountId: account.id,
    invoiceId: invoice.id,
    amountCents,
    leftCents: invoice.amountCents,
    reason: "Late",
  });
  await world.simulator.idle();
  await changePlan(world.ctx, operator, { accountId: account.id, plan: "professional", reason: "Agreed" });

  const figures = await figuresOfToday(world.ctx, operator);
  expect(figures).toMatchObject({
    today: "2026-11-20",
    accounts: {
      total: 2,
      suspended: 0,
      newToday: 2,
      newThisWeek: 2,
      byPlan: { free: 1, professional: 1, enterprise: 0 },
    },
    subscriptions: { running: 1, renewing: 1 },
    troubles: { declinedCharges: 0, disputes: 0, failedRuns: 0 },
    mail: { givenUp: 0 },
    openRequests: 0,
  });
  expect(figures.revenue).toHaveLength(30);
  expect(figures.revenue.at(-1)).toEqual({
    day: "2026-11-20",
    invoicedCents: invoice.amountCents,
    creditedCents: amountCents,
    refunds: 1,
  });
  expect(figures.usage).toHaveLength(30);
  expect(figures.databaseBytes).toBeGreaterThan(1_000_000);

  world.clock.set("2026-11-27T09:30:00Z");
  const later = await figuresOfToday(world.ctx, operator);
  expect(later.accounts).toMatchObject({ newToday: 0, newThisWeek: 0 });
  expect(later.revenue.at(-8)?.invoicedCents).toBe(invoice.amountCents);
});

it("Subscriptions of suspended accounts run, but are not counted as renewing", async () => {
  const operator = await world.operator();
  const { account, caller } = await world.account();
  await subscribe(world, caller);
  const before = await figuresOfToday(world.ctx, operator);
  await suspend(world.ctx, operator, { accountId: account.id, reason: "Disputed payment" });
  const { subscriptions } = await figuresOfToday(world.ctx, operator);
  const { running, renewing } = before.subscriptions;
  expect(subscriptions).toEqual({ running, renewing: renewing - 1 });
});
