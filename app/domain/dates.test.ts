import { describe, expect, it } from "vitest";
import fc from "#app/testing/property-testing.ts";
import { addDays, addMonths, dayOf, daysBetween, isoInstant, lastDayOf, startOf } from "./dates.ts";

describe("addMonths", () => {
  it.each([
    ["2026-01-15", 1, "2026-02-15"],
    ["2026-01-31", 1, "2026-02-28"],
    ["2026-01-31", 2, "2026-03-31"],
    ["2028-01-31", 1, "2028-02-29"],
    ["2028-02-29", 12, "2029-02-28"],
    ["2028-02-29", 48, "2032-02-29"],
    ["2026-08-31", 6, "2027-02-28"],
    ["2026-11-30", 3, "2027-02-28"],
    ["2026-12-31", 1, "2027-01-31"],
    ["2026-12-01", 12, "2027-12-01"],
  ])("%s plus %i months is %s", (start, months, end) => {
    expect(addMonths(start, months)).toBe(end);
  });

  const days = fc.integer({ min: 0, max: 36_500 }).map((n) => addDays("2000-01-01", n));

  it("never skips a month and never passes the original day of the month", () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 120 }), (start, months) => {
        const end = addMonths(start, months);
        const [y1, m1, d1] = start.split("-").map(Number) as [number, number, number];
        const [y2, m2, d2] = end.split("-").map(Number) as [number, number, number];
        expect(y2 * 12 + m2 - (y1 * 12 + m1)).toBe(months);
        expect(d2).toBeLessThanOrEqual(d1);
        expect(d2).toBeGreaterThanOrEqual(Math.min(d1, 28));
      }),
    );
  });
});

describe("Days", () => {
  it("are UTC days", () => {
    expect(dayOf(new Date("2026-11-20T23:59:59.999Z"))).toBe("2026-11-20");
    expect(dayOf(new Date("2026-11-21T00:30:00+02:00"))).toBe("2026-11-20");
  });

  it("are counted correctly across leap days and year ends", () => {
    expect(daysBetween("2028-02-28", "2028-03-01")).toBe(2);
    expect(daysBetween("2026-12-31", "2027-01-01")).toBe(1);
    expect(daysBetween("2026-11-21", "2026-11-14")).toBe(-7);
  });
});

describe("Instants", () => {
  it("are written in UTC with milliseconds, so that they sort as text", () => {
    expect(isoInstant(new Date("2026-11-20T08:00:00+01:00"))).toBe("2026-11-20T07:00:00.000Z");
    expect(isoInstant(new Date("2026-11-20T07:00:00.120Z"))).toBe("2026-11-20T07:00:00.120Z");
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date("2999-12-31"), noInvalidDate: true }),
        fc.integer({ min: 1, max: 5000 }),
        (date, ms) => {
          expect(isoInstant(date) < isoInstant(new Date(date.getTime() + ms))).toBe(true);
        },
      ),
    );
  });
});

describe("A day", () => {
  it("begins at midnight in UTC", () => {
    expect(startOf("2026-11-20").toISOString()).toBe("2026-11-20T00:00:00.000Z");
  });

  it("precedes an end that is exclusive", () => {
    expect(lastDayOf("2027-01-01")).toBe("2026-12-31");
    expect(lastDayOf("2028-03-01")).toBe("2028-02-29");
  });
});
