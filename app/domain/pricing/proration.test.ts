import { describe, expect, it } from "vitest";
import fc from "#app/testing/property-testing.ts";
import { addDays } from "../dates.ts";
import { type PaidDays, unusedValueCents } from "./proration.ts";

const month = { startDate: "2026-11-01", endDate: "2026-12-01", valueCents: 3000 };
const next = { startDate: "2026-12-01", endDate: "2027-01-01", valueCents: 3100 };

describe("The unused value", () => {
  it.each([
    { today: "2026-11-01", terms: [month], cents: 3000, why: "on the first day is all that was paid" },
    { today: "2026-11-02", terms: [month], cents: 2900, why: "falls by the day" },
    { today: "2026-11-30", terms: [month], cents: 100, why: "on the last day is one day's price" },
    { today: "2026-12-01", terms: [month], cents: 0, why: "at the end is nothing" },
    { today: "2027-06-01", terms: [month], cents: 0, why: "after the end is nothing" },
    { today: "2026-11-16", terms: [month, next], cents: 1500 + 3100, why: "has terms to come in full" },
    { today: "2026-11-16", terms: [], cents: 0, why: "of nothing is nothing" },
    { today: "2026-11-20", terms: [{ ...month, valueCents: 5 }], cents: 2, why: "is rounded half up: 1.83" },
    { today: "2026-11-16", terms: [{ ...month, valueCents: 5 }], cents: 3, why: "is rounded half up: 2.5" },
    { today: "2026-11-16", terms: [{ ...month, valueCents: 0 }], cents: 0, why: "of a refunded term is nothing" },
  ] satisfies { today: string; terms: PaidDays[]; cents: number; why: string }[])("$why", ({ today, terms, cents }) => {
    expect(unusedValueCents(today, terms)).toBe(cents);
  });

  it("is never negative, never more than was paid, and never grows as days pass", () => {
    const term = fc.record({
      startDay: fc.integer({ min: 0, max: 900 }),
      days: fc.integer({ min: 1, max: 400 }),
      valueCents: fc.integer({ min: 0, max: 10_000_000 }),
    });
    fc.assert(
      fc.property(fc.array(term, { maxLength: 5 }), fc.integer({ min: 0, max: 1300 }), (specs, offset) => {
        const terms = specs.map(({ startDay, days, valueCents }) => {
          const startDate = addDays("2026-01-01", startDay);
          return { startDate, endDate: addDays(startDate, days), valueCents };
        });
        const today = addDays("2026-01-01", offset);
        const value = unusedValueCents(today, terms);
        expect(value).toBeGreaterThanOrEqual(unusedValueCents(addDays(today, 1), terms));
        expect(value).toBeLessThanOrEqual(specs.reduce((sum, { valueCents }) => sum + valueCents, 0));
        expect(value).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
