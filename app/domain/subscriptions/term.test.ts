import { expect, it } from "vitest";
import { beginTerm, extendTerm, replaceTerm } from "./term.ts";

it("begins a term on a day, with the months that it has", () => {
  expect(beginTerm("2026-01-31", "1_month")).toEqual({
    anchorDate: "2026-01-31",
    monthsPaid: 1,
    endDate: "2026-02-28",
  });
});

it("extends a term from its first day, so that the day of the month survives February", () => {
  expect(extendTerm({ anchorDate: "2026-01-31", monthsPaid: 1 }, "1_month")).toEqual({
    anchorDate: "2026-01-31",
    monthsPaid: 2,
    endDate: "2026-03-31",
  });
});

it("replaces a term from today, with the terms that follow it", () => {
  expect(replaceTerm("2026-11-20", "3_months", [])).toMatchObject({ monthsPaid: 3, endDate: "2027-02-20" });
  expect(replaceTerm("2026-11-20", "3_months", ["1_month", "12_months"])).toEqual({
    anchorDate: "2026-11-20",
    monthsPaid: 16,
    endDate: "2028-03-20",
  });
});
