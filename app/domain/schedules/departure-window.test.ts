import { expect, it } from "vitest";
import { departureWindow } from "./departure-window.ts";

const today = "2026-11-20";
const at = (text: string) => ({ instant: new Date(text) });

it.each([
  [{}, { day: "2026-11-20" }, { day: "2027-02-18" }],
  [{ from: { day: "2026-12-01" } }, { day: "2026-12-01" }, { day: "2027-03-01" }],
  [{ to: { day: "2026-12-01" } }, { day: "2026-11-20" }, { day: "2026-12-01" }],
  [{ to: { day: "2026-11-01" } }, { day: "2026-11-01" }, { day: "2026-11-01" }],
  [{ from: at("2026-11-24T06:00:00Z") }, at("2026-11-24T06:00:00Z"), { day: "2027-02-22" }],
  [{ from: { day: today }, to: { day: today } }, { day: today }, { day: today }],
])("%o is a range from %o to %o", (asked, from, to) => {
  expect(departureWindow(asked, today)).toEqual({ from, to });
});

it.each([
  [{ from: { day: "2026-11-20" }, to: { day: "2027-02-19" } }, "Must be at most 90 days after departure_from"],
  [{ from: { day: "2026-11-21" }, to: { day: "2026-11-20" } }, "Must not be before departure_from"],
  [{ from: at("2026-11-20T10:00:00Z"), to: at("2026-11-20T09:00:00Z") }, "Must not be before departure_from"],
])("%o is rejected: %s", (asked, message) => {
  expect(() => departureWindow(asked, today)).toThrow(
    expect.objectContaining({ fields: [{ path: "departure_to", message }] }),
  );
});
