/** What checkout says before the payment, beside what the payment then brings. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { routes } from "#drizzle/schema/index.ts";
import { pay, periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { addDays, type Day } from "../dates.ts";
import { type OpenOrder, orderOf } from "../payments/orders.server.ts";
import type { Term } from "../pricing/discounts.ts";
import { checkout } from "./checkout.server.ts";
import { getSubscription, paidTermsOf } from "./list.server.ts";
import { orderOutlook } from "./order-outlook.server.ts";
import { changeTerm, renewSubscription } from "./renew.server.ts";

const routeCodes = [
  "C-CNSHA-NLRTM-PEL9",
  "C-CNNGB-GBFXT-MRG9",
  "C-CNSHA-DEHAM-BRW9",
  "C-CNTAO-BEANR-MRG9",
  "B-AUPHE-CNTAO-GRN9",
];
let world: World;
beforeAll(async () => {
  world = await createWorld({ routeCodes });
});
afterAll(() => world.close());
beforeEach(() => world.clock.set("2026-11-20T09:30:00Z"));

const at = (day: Day) => world.clock.set(`${day}T10:00:00Z`);

const outlookOf = async (caller: Caller, { orderId }: OpenOrder) => {
  const order = await orderOf(world.ctx, caller.account.id, orderId);
  if (!order) throw new Error("The order is gone");
  return orderOutlook(world.ctx, caller, order);
};

const order = (caller: Caller, term: Term, autoRenew = true, periodId = periodOf(world)) =>
  checkout(world.ctx, caller, { items: [{ periodId, term }], autoRenew });

/** Reads the outlook, pays, and compares it with the days that were paid for and the next charge. */
const outlookThatHolds = async (caller: Caller, open: OpenOrder) => {
  const [outlook] = await outlookOf(caller, open);
  if (!outlook) throw new Error("The order has no line");
  const { id } = await pay(world, caller, open);
  const term = (await paidTermsOf(world.ctx, caller, { id })).reduce((a, b) => (b.id > a.id ? b : a));
  expect([outlook.firstDay, outlook.lastDay]).toEqual([term.startDate, addDays(term.endDate, -1)]);
  const { nextCharge } = await getSubscription(world.ctx, caller, { id });
  expect(outlook.renewal && { date: outlook.renewal.on, amountCents: outlook.renewal.amountCents }).toEqual(nextCharge);
  return outlook;
};

describe("Before the payment, checkout gives the days with access and the renewal of", () => {
  it("a new subscription", async () => {
    const { caller } = await world.account();
    const outlook = await outlookThatHolds(caller, await order(caller, "3_months"));
    expect(outlook).toMatchObject({ firstDay: "2026-11-20", lastDay: "2027-02-19", isExtension: false });
    expect(outlook.renewal?.on).toBe("2027-02-17");
  });

  it("an order that does not renew", async () => {
    const { caller } = await world.account();
    expect(await outlookThatHolds(caller, await order(caller, "1_month", false))).toMatchObject({ renewal: null });
  });

  it("another purchase of the same period, which extends the subscription", async () => {
    const { caller } = await world.account();
    await subscribe(world, caller);
    const outlook = await outlookThatHolds(caller, await order(caller, "2_months"));
    expect(outlook).toMatchObject({ firstDay: "2026-12-20", lastDay: "2027-02-19", isExtension: true });
  });

  it("an early renewal", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    const outlook = await outlookThatHolds(
      caller,
      await renewSubscription(world.ctx, caller, { id, term: "6_months" }),
    );
    expect(outlook).toMatchObject({ firstDay: "2026-12-20", lastDay: "2027-06-19", isExtension: true });
  });

  it("the renewal of an expired subscription, which begins today", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller, { autoRenew: false });
    at("2026-12-27");
    const outlook = await outlookThatHolds(caller, await renewSubscription(world.ctx, caller, { id }));
    expect(outlook).toMatchObject({ firstDay: "2026-12-27", lastDay: "2027-01-26", isExtension: false, renewal: null });
  });

  it("a change of term, without its credit", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    at("2026-11-30");
    const open = await changeTerm(world.ctx, caller, { id, term: "3_months" });
    const outlook = await outlookThatHolds(caller, open);
    expect(outlook).toMatchObject({ firstDay: "2026-11-30", lastDay: "2027-02-27", isExtension: false });
    expect(outlook.renewal?.amountCents).toBe(open.amountCents + open.creditCents);
  });
});

it("The renewal after an unpaid order is capped above what that order charges", async () => {
  const { caller } = await world.account();
  const open = await order(caller, "1_month");
  await world.ctx.db.update(routes).set({ popularityPercent: 150 });
  const [outlook] = await outlookOf(caller, open);
  const cents = outlook?.renewal?.amountCents ?? 0;
  expect(cents).toBeGreaterThan(open.amountCents);
  expect(cents).toBeLessThanOrEqual(Math.floor(open.amountCents * 1.1));
  await world.ctx.db.update(routes).set({ popularityPercent: 100 });
});

it("All routes of an unpaid order count for the volume discount of its renewals", async () => {
  const { caller } = await world.account();
  const items = world.routes.map(({ periods }) => ({ periodId: periods[0]?.id ?? 0, term: "1_month" as const }));
  const open = await checkout(world.ctx, caller, { items, autoRenew: true });
  expect(open.lines.map(({ volumeDiscountPercent }) => volumeDiscountPercent)).toEqual(Array(5).fill(5));
  const renewals = (await outlookOf(caller, open)).map(({ renewal }) => renewal?.amountCents);
  expect(renewals).toEqual(open.lines.map(({ totalCents }) => totalCents));
});
