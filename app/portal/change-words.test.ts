import { describe, expect, it } from "vitest";
import { type ChangeView, changeInWords } from "./change-words.ts";

const change = (fields: Partial<ChangeView>): ChangeView => ({
  id: 1,
  type: "reports_added",
  source: "feed",
  occurredAt: "2026-11-20T09:30:00.000Z",
  route: { id: 1, code: "C-CNSHA-NLRTM-PEL9", name: "Shanghai – Rotterdam" },
  periodId: 1,
  reportType: null,
  serviceLevel: null,
  equipmentType: "",
  surchargeCode: "",
  count: null,
  observedFrom: null,
  observedTo: null,
  fields: [],
  before: null,
  after: null,
  ...fields,
});
const rate = (cents: number) => ({ base_rate_cents: cents, currency: "USD" });
const ofRate = { reportType: "rate", serviceLevel: "standard", equipmentType: "45G1" } as const;
const ofCapacity = { reportType: "capacity", serviceLevel: "standard" } as const;

describe("A change in words", () => {
  it.each<[string, Partial<ChangeView>, string, string, string | null]>([
    [
      "a rate",
      { ...ofRate, before: rate(431_000), after: rate(448_000) },
      "40′ high cube (45G1) rate, standard",
      "$4,310.00 → $4,480.00",
      "+3.9%",
    ],
    ["the first rate", { ...ofRate, after: rate(448_000) }, "40′ high cube (45G1) rate, standard", "$4,480.00", null],
    [
      "the same rate",
      { ...ofRate, before: rate(1), after: rate(1) },
      "40′ high cube (45G1) rate, standard",
      "$0.01, unchanged",
      null,
    ],
    ["older rates", { ...ofRate, count: 3 }, "40′ high cube (45G1) rate, standard", "3 earlier reports", null],
    [
      "another currency",
      { ...ofRate, before: { ...rate(400), currency: "EUR" }, after: rate(500) },
      "40′ high cube (45G1) rate, standard",
      "€4.00 → $5.00",
      null,
    ],
    [
      "capacity",
      {
        ...ofCapacity,
        before: { available_capacity: 420, capacity_unit: "TEU", booking_status: "open" },
        after: { available_capacity: 210, capacity_unit: "TEU", booking_status: "limited" },
      },
      "Capacity, standard",
      "420 TEU → 210 TEU (limited)",
      "−50%",
    ],
    [
      "a corrected rate",
      { ...ofRate, type: "reports_corrected", before: rate(431_000), after: rate(430_000) },
      "Correction: 40′ high cube (45G1) rate, standard",
      "$4,310.00 → $4,300.00",
      "−0.2%",
    ],
    [
      "a surcharge",
      {
        type: "surcharges_changed",
        surchargeCode: "BAF",
        before: { amount_cents: 62_000, currency: "USD" },
        after: { amount_cents: 77_700, currency: "USD", valid_from: "2026-12-01" },
      },
      "BAF surcharge",
      "$620.00 → $777.00, from 1 Dec",
      "+25.3%",
    ],
    [
      "sailings",
      { type: "schedule_changed", observedFrom: "2026-12-04T12:00:00Z", observedTo: "2027-01-05T12:00:00Z" },
      "Schedule",
      "Departures 4 Dec – 5 Jan",
      null,
    ],
    [
      "the route",
      { type: "route_changed", fields: ["distance_nm", "service_levels"] },
      "Route details",
      "distance, service levels",
      null,
    ],
    ["a new period", { type: "period_opened", after: { name: "2027 Q1" } }, "Period", "2027 Q1 opened", null],
  ])("names %s", (_, fields, what, figures, difference) => {
    expect(changeInWords(change(fields))).toEqual({ what, figures, difference });
  });
});
