import { expect, it } from "vitest";
import { counted, dayInWords, instantInWords, monthInWords } from "./wording.ts";

it("writes days, months and moments as in sentences", () => {
  expect(dayInWords("2026-12-05")).toBe("5 Dec 2026");
  expect(monthInWords("2026-09")).toBe("September 2026");
  expect(instantInWords(new Date("2026-12-21T00:00:59Z"))).toBe("21 Dec 2026, 00:00 UTC");
});

it("counts in the singular and the plural", () => {
  expect([counted(1, "day"), counted(2, "day"), counted(12_000, "entry", "entries")]).toEqual([
    "1 day",
    "2 days",
    "12,000 entries",
  ]);
});
