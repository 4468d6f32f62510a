/** Property tests of the pure rules: random sequences of renewals, term changes and pauses. */

import { expect, it } from "vitest";
import fc from "#app/testing/property-testing.ts";
import { addDays, addMonths, type Day, daysBetween } from "../dates.ts";
import { monthsOf, type Term, terms } from "../pricing/discounts.ts";
import { type PaidDays, unusedValueCents } from "../pricing/proration.ts";
import { quoteLine } from "../pricing/quote.ts";
import { accessOn } from "./access.ts";
import { statusOn } from "./status.ts";
import { beginTerm, extendTerm, type PaidUntil, replaceTerm } from "./term.ts";

type Act = { kind: "renew" | "change"; term: Term; afterDays: number; monthlyCents: number; volumePercent: number };

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom("renew", "change"),
  term: fc.constantFrom(...terms),
  afterDays: fc.integer({ min: 0, max: 500 }),
  monthlyCents: fc.integer({ min: 100, max: 50_000 }),
  volumePercent: fc.constantFrom(0, 5, 10),
});

const start = fc.integer({ min: 0, max: 1500 }).map((days) => addDays("2024-01-01", days));

/** A subscription as the database would hold it, and what was paid for it. */
type Subscription = { paid: PaidUntil; inForce: PaidDays[]; paidCents: number; creditsCents: number };

const priceOf = ({ term, monthlyCents, volumePercent }: Act) =>
  quoteLine({ periodId: 1, routeId: 1, term, monthlyCents }, { percent: volumePercent, reason: null }).totalCents;

const apply = (subscription: Subscription, today: Day, next: Act): Subscription => {
  const price = priceOf(next);
  const running = today < subscription.paid.endDate;
  if (next.kind === "change" && running) {
    const credit = unusedValueCents(today, subscription.inForce);
    if (price - credit < 50) return subscription;
    const paid = replaceTerm(today, next.term, []);
    return {
      paid,
      inForce: [{ startDate: today, endDate: paid.endDate, valueCents: price }],
      paidCents: subscription.paidCents + price - credit,
      creditsCents: subscription.creditsCents + credit,
    };
  }
  const startDate = running ? subscription.paid.endDate : today;
  const paid = running ? extendTerm(subscription.paid, next.term) : beginTerm(today, next.term);
  const inForce = [...subscription.inForce, { startDate, endDate: paid.endDate, valueCents: price }];
  return { ...subscription, paid, inForce, paidCents: subscription.paidCents + price };
};

/** Like `expect`, but fast enough for 100,000 runs. */
const hold = (fact: boolean, rule: string): void => {
  if (!fact) throw new Error(`Broken: ${rule}`);
};

it("Terms never leave gaps or overlap, amounts are never negative, and credit never exceeds what was paid", () => {
  fc.assert(
    fc.property(start, fc.array(act, { minLength: 1, maxLength: 12 }), (firstDay, acts) => {
      const [first, ...others] = acts as [Act, ...Act[]];
      const begun = beginTerm(firstDay, first.term);
      const price = priceOf(first);
      let today = firstDay;
      let subscription: Subscription = {
        paid: begun,
        inForce: [{ startDate: firstDay, endDate: begun.endDate, valueCents: price }],
        paidCents: price,
        creditsCents: 0,
      };
      for (const next of others) {
        today = addDays(today, next.afterDays);
        const before = subscription;
        subscription = apply(subscription, today, next);
        hold(
          next.kind !== "renew" || daysBetween(before.paid.endDate, subscription.paid.endDate) > 0,
          "a renewal prolongs",
        );
        hold(subscription.paidCents >= before.paidCents, "nothing is charged twice or given back");
        hold(subscription.creditsCents <= subscription.paidCents + before.creditsCents, "credit was paid before");
        hold(
          subscription.paid.endDate === addMonths(subscription.paid.anchorDate, subscription.paid.monthsPaid),
          "months count from the anchor",
        );
        for (const [index, term] of subscription.inForce.entries()) {
          hold(term.startDate < term.endDate, "a term has days");
          const previous = subscription.inForce[index - 1];
          hold(!previous || term.startDate >= previous.endDate, "terms do not overlap");
        }
        hold(subscription.inForce.at(-1)?.endDate === subscription.paid.endDate, "the last term ends the subscription");
      }
    }),
    { numRuns: 100_000 },
  );
}, 120_000);

it("Consecutive terms end on the same day as a single term of as many months", () => {
  fc.assert(
    fc.property(start, fc.array(fc.constantFrom(...terms), { minLength: 1, maxLength: 20 }), (firstDay, bought) => {
      const [first, ...others] = bought as [Term, ...Term[]];
      const paid = others.reduce<PaidUntil>((before, term) => extendTerm(before, term), beginTerm(firstDay, first));
      const months = bought.reduce((sum, term) => sum + monthsOf[term], 0);
      expect(paid.endDate).toBe(addMonths(firstDay, months));
    }),
  );
});

it("The status only moves forward as days pass, and access ends on the end date", () => {
  const order = ["active", "expiring_soon", "expired"];
  fc.assert(
    fc.property(start, fc.integer({ min: 1, max: 400 }), fc.boolean(), (firstDay, length, isCancelled) => {
      const endDate = addDays(firstDay, length);
      const subscription = { endDate, cancelledAt: isCancelled ? new Date(firstDay) : null };
      let rank = 0;
      for (let day = firstDay; day <= addDays(endDate, 2); day = addDays(day, 1)) {
        const status = statusOn(day, subscription);
        expect(accessOn(day, "good", [subscription]).hasAccess).toBe(day < endDate);
        expect(accessOn(day, "suspended", [subscription]).hasAccess).toBe(false);
        if (isCancelled) {
          expect(status).toBe(day < endDate ? "cancelled" : "expired");
          continue;
        }
        expect(order.indexOf(status)).toBeGreaterThanOrEqual(rank);
        rank = order.indexOf(status);
      }
      if (!isCancelled) expect(rank).toBe(2);
    }),
  );
});
