/**
 * Property tests of the verbs with the simulated payment provider: purchases, renewals, term changes, refunds and passing
 * days in any order lose none of what was paid. At all times, for every account,
 *
 *   payments − refunds = value of the used days + value of the unused days,
 *
 * and every action changes the value of the unused days by exactly what was paid for it.
 */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import fc from "#app/testing/property-testing.ts";
import { payments, subscriptions } from "#drizzle/schema/index.ts";
import { pay, periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, payWith, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import { Refusal } from "../errors.ts";
import { reconcile } from "../payments/reconcile.server.ts";
import { recordRefunds } from "../payments/refunds.server.ts";
import type { Term } from "../pricing/discounts.ts";
import { unusedValueCents } from "../pricing/proration.ts";
import { chargeDueRenewals } from "./charge-renewals.server.ts";
import { checkout } from "./checkout.server.ts";
import { closeExpiredOrders } from "./expired-orders.server.ts";
import { listSubscriptions } from "./list.server.ts";
import { cancelSubscription, resumeSubscription } from "./manage.server.ts";
import { paidDays } from "./paid-days.ts";
import { boughtTerms } from "./paid-term-queries.server.ts";
import { changeTerm, renewSubscription } from "./renew.server.ts";
import { settleIntent } from "./settle.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ webhooks: false });
});
afterAll(() => world.close());

const today = (): Day => dayOf(world.ctx.clock.now());
const moveTo = (day: Day, time = "10:00:00") => world.clock.set(`${day}T${time}Z`);

it("A second term change credits what was paid while the first one waited for its payment", async () => {
  moveTo("2026-11-20");
  const { caller } = await world.account();
  const { id } = await subscribe(world, caller, { term: "1_month" });
  const change = await changeTerm(world.ctx, caller, { id, term: "3_months" });
  // At the same time as the change, so that timestamps cannot order the two.
  const renewal = await renewSubscription(world.ctx, caller, { id, term: "12_months" });
  await pay(world, caller, renewal);
  expect(await pay(world, caller, change)).toMatchObject({ endDate: "2028-02-20" });
  const second = await changeTerm(world.ctx, caller, { id, term: "12_months" }).catch((error) => error);
  const paidCents = change.creditCents + change.amountCents + renewal.amountCents;
  // Everything is unused and worth more than the new term, so the change is rejected.
  expect(second.message).toContain(`The unused days are worth ${paidCents} cents`);
});

type Act =
  | { act: "buy" | "renew" | "change"; term: Term; pays: "now" | "later" | "never" }
  | { act: "pay" | "cancel" | "resume" | "refund" | "next day" | "ten days" | "to the charge" | "beyond the end" };

const someTerm = fc.constantFrom<Term>("1_month", "1_month", "2_months", "3_months", "12_months");
const someAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constantFrom("buy", "renew", "change", "change"),
      term: someTerm,
      pays: fc.constantFrom("now", "now", "later", "never"),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constantFrom(
        ...([
          "pay",
          "pay",
          "cancel",
          "resume",
          "refund",
          "next day",
          "ten days",
          "to the charge",
          "beyond the end",
        ] as const),
      ),
    }),
  },
);

/** A term change that is paid only after something else was bought, and perhaps a day later. */
const overtakenChange: fc.Arbitrary<Act[]> = fc
  .tuple(someTerm, fc.constantFrom("buy", "renew"), someTerm, fc.boolean())
  .map(([changed, act, bought, aDayPasses]) => [
    { act: "change", term: changed, pays: "later" },
    { act, term: bought, pays: "now" },
    ...(aDayPasses ? [{ act: "next day" } as const] : []),
    { act: "pay" },
  ]);

const history = fc
  .array(fc.oneof({ weight: 3, arbitrary: someAct.map((act) => [act]) }, { weight: 1, arbitrary: overtakenChange }), {
    minLength: 4,
    maxLength: 10,
  })
  .map((parts) => parts.flat());

/** The value of the account's days and what was paid for them. */
const paidValueOf = async (caller: Caller) => {
  const all = await listSubscriptions(world.ctx, caller);
  const days = await Promise.all(
    all.map(async ({ id, endDate }) => ({ endDate, days: paidDays(await boughtTerms(world.ctx.db, id)) })),
  );
  const paid = await world.ctx.db.select().from(payments).where(eq(payments.accountId, caller.account.id));
  return {
    subscriptions: days,
    totalCents: days.flatMap((each) => each.days).reduce((sum, { valueCents }) => sum + valueCents, 0),
    leftCents: days.reduce((sum, each) => sum + unusedValueCents(today(), each.days), 0),
    paidCents: paid.reduce((sum, { amountCents, refundedCents }) => sum + amountCents - refundedCents, 0),
  };
};

const refused = (error: unknown): null => {
  if (error instanceof Refusal) return null;
  throw error;
};

const run = async (caller: Caller, acts: readonly Act[]): Promise<void> => {
  const waiting: { id: string; clientSecret: string }[] = [];
  const settle = async (intent: { id: string; clientSecret: string }) => {
    await payWith(world, intent);
    await settleIntent(world.ctx, intent.id);
  };
  const passUntil = async (day: Day) => {
    moveTo(day);
    await closeExpiredOrders(world.ctx);
    await chargeDueRenewals(world.ctx);
  };

  const perform = async (act: Act): Promise<void> => {
    const [own] = await listSubscriptions(world.ctx, caller);
    switch (act.act) {
      case "buy":
      case "renew":
      case "change": {
        const { term, pays } = act;
        const id = own?.id ?? 0;
        const { leftCents } = await paidValueOf(caller);
        const order = await (act.act === "buy"
          ? checkout(world.ctx, caller, { items: [{ periodId: periodOf(world), term }], autoRenew: true })
          : act.act === "renew"
            ? renewSubscription(world.ctx, caller, { id, term })
            : changeTerm(world.ctx, caller, { id, term })
        ).catch(refused);
        if (!order) return;
        if ("creditCents" in order) expect(order.creditCents).toBe(leftCents);
        if (pays === "now") await settle(order.intent);
        if (pays === "later") waiting.push(order.intent);
        return;
      }
      case "pay": {
        const intent = waiting.pop();
        if (intent) await settle(intent).catch(refused);
        return;
      }
      case "cancel":
        await cancelSubscription(world.ctx, caller, { id: own?.id ?? 0 }).catch(refused);
        return;
      case "resume":
        await resumeSubscription(world.ctx, caller, { id: own?.id ?? 0 }).catch(refused);
        return;
      case "refund": {
        const [payment] = await world.ctx.db.select().from(payments).where(eq(payments.accountId, caller.account.id));
        if (!payment?.chargeId || payment.refundedCents === payment.amountCents) return;
        await world.simulator.refundCharge(
          payment.chargeId,
          Math.ceil((payment.amountCents - payment.refundedCents) / 3),
        );
        await recordRefunds(world.ctx, payment.chargeId);
        return;
      }
      case "next day":
        return passUntil(addDays(today(), 1));
      case "ten days":
        return passUntil(addDays(today(), 10));
      case "to the charge":
        if (own && addDays(own.endDate, -3) > today()) await passUntil(addDays(own.endDate, -3));
        return;
      case "beyond the end":
        if (own && own.endDate >= today()) await passUntil(addDays(own.endDate, 2));
        return;
    }
  };

  for (const act of acts) {
    const [before, dayBefore] = [await paidValueOf(caller), today()];
    await perform(act);
    const after = await paidValueOf(caller);
    expect(after.totalCents, `value after ${act.act}`).toBe(after.paidCents);
    if (today() === dayBefore && act.act !== "refund") {
      expect(after.leftCents - before.leftCents, `value left by ${act.act}`).toBe(after.paidCents - before.paidCents);
    }
    for (const { endDate, days } of after.subscriptions) {
      expect(days.at(-1)?.endDate).toBe(endDate);
      const ahead = days.filter((each) => each.endDate > today());
      for (const [index, each] of ahead.entries()) {
        if (index > 0) expect(each.startDate).toBe(ahead[index - 1]?.endDate);
      }
    }
  }
  // Leaves nothing due for the next run.
  await world.ctx.db
    .update(subscriptions)
    .set({ autoRenew: false })
    .where(eq(subscriptions.accountId, caller.account.id));
  moveTo(addDays(today(), 2));
  await closeExpiredOrders(world.ctx);
};

it("In every history the used and unused days are worth what was paid", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (acts) => {
      const { caller } = await world.account();
      await run(caller, [{ act: "buy", term: "1_month", pays: "now" }, ...acts]);
    }),
    { numRuns: 30, endOnFailure: true },
  );
  expect((await reconcile(world.ctx)).differences).toEqual([]);
}, 300_000);
