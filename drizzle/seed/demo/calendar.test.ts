import { describe, expect, it } from "vitest";
import { addDays } from "#app/domain/dates.ts";
import { mondayOf, weekOf } from "#app/domain/schedules/demo/weeks.ts";
import fc from "#app/testing/property-testing.ts";
import { demoCalendarOf, newestObservation, quarterAt } from "./calendar.ts";

const anyDay = fc.integer({ min: 0, max: 4000 }).map((days) => addDays("2024-01-01", days));

describe("The demo calendar", () => {
  const calendar = demoCalendarOf("2026-11-20");

  it("contains the open quarter and the four before it", () => {
    expect(calendar.quarters.map(({ code, name, endsOn }) => [code, name, endsOn])).toEqual([
      ["2025-Q4", "2025 Q4", "2026-01-01"],
      ["2026-Q1", "2026 Q1", "2026-04-01"],
      ["2026-Q2", "2026 Q2", "2026-07-01"],
      ["2026-Q3", "2026 Q3", "2026-10-01"],
      ["2026-Q4", "From 1 Oct 2026", null],
    ]);
  });

  it("covers the last thirteen months", () => {
    expect(calendar.weeks[0]?.monday).toBe("2025-10-20");
    expect(calendar.weeks.at(-1)?.monday).toBe("2026-11-16");
    expect(calendar.months).toHaveLength(13);
    expect(newestObservation(calendar)).toBe("2026-11-16T06:00:00Z");
  });

  it("reports on Mondays and first days of months, all before today and within a quarter", () => {
    fc.assert(
      fc.property(anyDay, (today) => {
        const { weeks, months, ...rest } = demoCalendarOf(today);
        const observed = [...weeks.map(({ monday }) => monday), ...months];
        expect(weeks.length).toBeGreaterThan(50);
        expect(weeks.every(({ monday, index }) => new Date(monday).getUTCDay() === 1 && weekOf(monday) === index)).toBe(
          true,
        );
        expect(months.every((month) => month.endsWith("-01"))).toBe(true);
        expect(observed.every((day) => day < today)).toBe(true);
        for (const day of observed) {
          const quarter = quarterAt({ weeks, months, ...rest }, day);
          expect(quarter !== undefined && (quarter.endsOn === null || day < quarter.endsOn)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("counts weeks from Monday to Sunday", () => {
    expect(mondayOf(weekOf("2026-11-22"))).toBe("2026-11-16");
    expect(mondayOf(weekOf("2026-11-23"))).toBe("2026-11-23");
  });
});
