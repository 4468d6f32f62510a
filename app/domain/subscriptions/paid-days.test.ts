/** Property tests that compare `paidDays` with a ledger of single days, over random histories. */

import { describe, expect, it } from "vitest";
import fc from "#app/testing/property-testing.ts";
import { addDays, type Day, daysBetween } from "../dates.ts";
import { type Term, terms } from "../pricing/discounts.ts";
import { unusedValueCents } from "../pricing/proration.ts";
import { type BoughtTerm, paidDays, splitForChange } from "./paid-days.ts";
import { beginTerm, extendTerm, type PaidUntil, replaceTerm } from "./term.ts";

const bought = (
  id: number,
  term: Term,
  startDate: Day,
  paidCents: number,
  creditedThroughTermId: number | null = null,
) => ({
  id,
  term,
  startDate,
  endDate: beginTerm(startDate, term).endDate,
  paidCents,
  creditedThroughTermId,
});

describe("A change of term", () => {
  it("takes over the value of the days that it replaces", () => {
    const days = paidDays([bought(1, "1_month", "2026-11-01", 3000), bought(2, "3_months", "2026-11-21", 6000, 1)]);
    expect(days).toMatchObject([
      { id: 1, startDate: "2026-11-01", endDate: "2026-11-21", valueCents: 2000 },
      { id: 2, startDate: "2026-11-21", endDate: "2027-02-21", valueCents: 7000 },
    ]);
  });

  it("moves terms that were bought while it waited behind itself, with their value", () => {
    const days = paidDays([
      bought(1, "1_month", "2026-11-01", 3000),
      bought(2, "12_months", "2026-12-01", 50_000),
      bought(3, "3_months", "2026-11-01", 6000, 1),
    ]);
    expect(days).toMatchObject([
      { id: 3, startDate: "2026-11-01", endDate: "2027-02-01", valueCents: 9000 },
      { id: 2, startDate: "2027-02-01", endDate: "2028-02-01", valueCents: 50_000 },
    ]);
  });

  it("replaces nothing once its credited days have run out", () => {
    const days = paidDays([bought(1, "1_month", "2026-11-01", 3000), bought(2, "3_months", "2026-12-05", 6000, 1)]);
    expect(days).toMatchObject([
      { id: 1, endDate: "2026-12-01", valueCents: 3000 },
      { id: 2, startDate: "2026-12-05", valueCents: 6000 },
    ]);
  });

  it("takes over the remaining value of a term that was partly refunded", () => {
    const [, change] = paidDays([
      { ...bought(1, "1_month", "2026-11-01", 3000), paidCents: 1500 },
      bought(2, "3_months", "2026-11-16", 6000, 1),
    ]);
    expect(change?.valueCents).toBe(6750);
  });

  it("moves nothing if its credited days end as it begins", () => {
    const days = paidDays([bought(1, "1_month", "2026-11-01", 3000), bought(2, "1_month", "2026-12-01", 3000)]);
    expect(splitForChange(days, 1, "2026-12-01")).toEqual({ over: days, replaced: [], following: [] });
  });
});

describe("A payment that the bank returned", () => {
  const first = bought(1, "1_month", "2026-11-01", 3000);
  const second = bought(2, "1_month", "2026-12-01", 3100);
  const third = bought(3, "12_months", "2027-01-01", 50_000);

  it("leaves the days that were used, and the terms behind them move up", () => {
    const days = paidDays([first, { ...second, ended: { on: "2026-12-11", afterTermId: 3 } }, third]);
    expect(days).toMatchObject([
      { id: 1, startDate: "2026-11-01", endDate: "2026-12-01", valueCents: 3000 },
      { id: 2, startDate: "2026-12-01", endDate: "2026-12-11", valueCents: 1000 },
      { id: 3, startDate: "2026-12-11", endDate: "2027-12-11", valueCents: 50_000 },
    ]);
  });

  it("removes a term that has not begun", () => {
    const days = paidDays([first, { ...second, ended: { on: "2026-11-11", afterTermId: 3 } }, third]);
    expect(days).toMatchObject([
      { id: 1, endDate: "2026-12-01", valueCents: 3000 },
      { id: 3, startDate: "2026-12-01", endDate: "2027-12-01", valueCents: 50_000 },
    ]);
  });

  it("leaves days that are over as they were", () => {
    const later = bought(2, "1_month", "2026-12-05", 3100);
    const days = paidDays([{ ...first, ended: { on: "2026-12-01", afterTermId: 2 } }, later]);
    expect(days).toMatchObject([
      { id: 1, startDate: "2026-11-01", endDate: "2026-12-01" },
      { id: 2, startDate: "2026-12-05", endDate: "2027-01-05" },
    ]);
  });

  it("does not move a term that was bought afterwards", () => {
    const later = bought(2, "1_month", "2026-11-25", 3100);
    const days = paidDays([{ ...first, ended: { on: "2026-11-21", afterTermId: 1 } }, later]);
    expect(days).toMatchObject([
      { id: 1, endDate: "2026-11-21", valueCents: 2000 },
      { id: 2, startDate: "2026-11-25", endDate: "2026-12-25" },
    ]);
  });

  it("ends its days on its own date if another was returned before it", () => {
    const changed = bought(3, "3_months", "2026-11-01", 6000, 1);
    const days = paidDays([
      first,
      { ...bought(2, "12_months", "2026-12-01", 50_000), ended: { on: "2026-11-21", afterTermId: 3 } },
      { ...changed, ended: { on: "2026-11-11", afterTermId: 3 } },
    ]);
    expect(days).toMatchObject([
      { id: 3, startDate: "2026-11-01", endDate: "2026-11-11" },
      { id: 2, startDate: "2026-11-11", endDate: "2026-11-21" },
    ]);
  });
});

type Act = { kind: "renew" | "open" | "pay"; term: Term; afterDays: number; priceCents: number };

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom("renew", "open", "pay"),
  term: fc.constantFrom(...terms),
  afterDays: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 400 })),
  priceCents: fc.integer({ min: 50, max: 90_000 }),
});

/** Every paid day with its exact value and the purchase that it belongs to. */
type Ledger = Map<Day, { value: number; lot: number; term: Term }>;

const enter = (ledger: Ledger, from: Day, until: Day, value: number, lot: number, term: Term): void => {
  const length = daysBetween(from, until);
  for (let day = from; day < until; day = addDays(day, 1)) {
    if (ledger.has(day)) throw new Error(`${day} was sold twice`);
    ledger.set(day, { value: value / length, lot, term });
  }
};

/** Like `expect`, but fast enough for thousands of runs. */
const hold = (fact: boolean, rule: string): void => {
  if (!fact) throw new Error(`Broken: ${rule}`);
};

it("In every history the days, used and unused, are worth what was paid, and no day is lost or sold twice", () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 1, maxLength: 12 }), (acts) => {
      let today: Day = "2026-11-20";
      let paid: PaidUntil = { anchorDate: today, monthsPaid: 0, endDate: today };
      let change: { term: Term; priceCents: number; through: number } | null = null;
      const ledger: Ledger = new Map();
      const rows: BoughtTerm[] = [];
      const write = (startDate: Day, endDate: Day, term: Term, paidCents: number, through: number | null) =>
        rows.push({ id: rows.length + 1, term, startDate, endDate, paidCents, creditedThroughTermId: through });

      const append = (term: Term, priceCents: number, through: number | null) => {
        const startDate = today < paid.endDate ? paid.endDate : today;
        paid = today < paid.endDate ? extendTerm(paid, term) : beginTerm(today, term);
        write(startDate, paid.endDate, term, priceCents, through);
        enter(ledger, startDate, paid.endDate, priceCents, rows.length, term);
      };

      const payChange = ({ term, priceCents, through }: NonNullable<typeof change>) => {
        const { replaced, following } = splitForChange(paidDays(rows), through, today);
        if (replaced.length === 0) return append(term, priceCents, through);
        paid = replaceTerm(
          today,
          term,
          following.map((each) => each.term),
        );
        const { endDate } = beginTerm(today, term);
        write(today, endDate, term, priceCents, through);
        let credit = 0;
        const moved = new Map<number, { value: number; term: Term }>();
        for (const [day, { value, lot, term }] of [...ledger]) {
          if (day < today) continue;
          ledger.delete(day);
          if (lot <= through) credit += value;
          else moved.set(lot, { term, value: (moved.get(lot)?.value ?? 0) + value });
        }
        enter(ledger, today, endDate, priceCents + credit, rows.length, term);
        let until = beginTerm(today, term);
        for (const [lot, each] of moved) {
          const from = until.endDate;
          until = extendTerm(until, each.term);
          enter(ledger, from, until.endDate, each.value, lot, each.term);
        }
      };

      for (const { kind, term, afterDays, priceCents } of acts) {
        today = addDays(today, afterDays);
        if (kind === "renew") append(term, priceCents, null);
        else if (kind === "open" && today < paid.endDate) change = { term, priceCents, through: rows.length };
        else if (kind === "pay" && change) {
          payChange(change);
          change = null;
        }
        const days = paidDays(rows);
        const total = rows.reduce((sum, { paidCents }) => sum + paidCents, 0);
        hold(days.reduce((sum, { valueCents }) => sum + valueCents, 0) === total, "every cent stands on a day");
        hold((days.at(-1)?.endDate ?? paid.endDate) === paid.endDate, "the last day paid for is the subscription's");
        for (const [index, each] of days.entries()) {
          hold(each.startDate < each.endDate && each.valueCents >= 0, "a term has days, and no debt");
          hold(index === 0 || each.startDate >= (days[index - 1]?.endDate ?? ""), "no day is paid twice");
        }
        const covered = days.reduce((sum, { startDate, endDate }) => sum + daysBetween(startDate, endDate), 0);
        hold(covered === ledger.size, "as many days as were sold");
        let left = 0;
        for (const [day, { value }] of ledger) if (day >= today) left += value;
        hold(Math.abs(unusedValueCents(today, days) - left) <= rows.length, "to the cent that each term is rounded to");
      }
    }),
    { numRuns: 3_000 },
  );
}, 120_000);
