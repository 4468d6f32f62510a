import { describe, expect, it } from "vitest";
import { plainReportLine } from "./plain-report-line.ts";
import { reportLine } from "./report-line.ts";

const rate = {
  route_code: "C-CNSHA-NLRTM-PEL9",
  report_type: "rate",
  observed_at: "2026-11-16T06:00:17Z",
  external_id: "r-1",
  data: {
    service_level: "standard",
    equipment_type: "45G1",
    currency: "USD",
    basis: "per_container",
    base_rate: 4310.35,
    surcharges: [{ code: "BAF", amount: 620.5 }],
    surcharges_total: 620.5,
  },
};
const capacity = {
  ...rate,
  report_type: "capacity",
  data: { sailing_date: "2026-11-30", unit: "TEU", nominal: 2400, available: 300, booked: 10, booking_status: "open" },
};
const schedule = {
  ...rate,
  report_type: "schedule",
  data: { service_level: "express", vessel_name: "Elbe", voyage_reference: "1E", transit_time_days: 30 },
};
const lines: Record<string, unknown>[] = [rate, capacity, schedule];

const odd = [
  null,
  undefined,
  "",
  " ",
  "x",
  "x".repeat(200),
  "x".repeat(201),
  "USD",
  "EUR",
  "standard",
  "TEU",
  "open",
  "1_bad",
  "2026-02-28",
  "2026-02-29",
  "2024-02-29",
  "2026-04-31",
  "2026-12-31",
  "0999-01-01",
  "3000-01-01",
  "2026-11-16T06:00:17Z",
  "2026-11-16T06:00:17.1234Z",
  "2026-11-16T06:00Z",
  "2026-11-16T06:00:17",
  "2026-11-16T06:00:17+08:00",
  "2026-11-16T24:00:00Z",
  "2026-02-30T00:00:00Z",
  0,
  -0,
  -1,
  0.07,
  1.005,
  1.1,
  1e-7,
  4310.355,
  1_999_999_999.99,
  2_000_000_000,
  2_000_000_001,
  1e21,
  Number.NaN,
  true,
  [],
  {},
  [1],
  [{ code: "BAF", amount: 1.15 }],
  [{ code: "BAF", amount: 1.155 }],
  [{ code: "BAF", amount: 1, currency: "JPY" }],
  [{ code: "baf", amount: 1 }],
  Array.from({ length: 51 }, () => ({ code: "BAF", amount: 1 })),
];

/** Every line with every field replaced by every value, at the top and in `data`. */
const variants = lines.flatMap((line) => {
  const data = line.data as Record<string, unknown>;
  return odd.flatMap((value) => [
    ...[...Object.keys(line), "valid_from", "unknown"].map((field) => ({ ...line, [field]: value })),
    ...[...Object.keys(data), "service_level", "allocated", "departure", "unknown"].map((field) => ({
      ...line,
      data: { ...data, [field]: value },
    })),
  ]);
});

/** Without what is not there. */
const compact = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_, each) => each ?? undefined));

describe("plainReportLine", () => {
  it("accepts the usual lines", () => {
    for (const line of lines) expect(plainReportLine(line)).not.toBeNull();
  });

  it("reads what it accepts as the schema does", () => {
    for (const line of [...lines, ...variants]) {
      const plain = plainReportLine(line);
      if (plain === null) continue;
      const { success, data } = reportLine.safeParse(line);
      expect({ line, success, read: compact(plain) }).toEqual({ line, success: true, read: compact(data) });
    }
  });
});
