import { describe, expect, it } from "vitest";
import type { Report } from "../../domain/catalogue/report.ts";
import type { ListedPeriod } from "../../domain/catalogue/route-data.server.ts";
import { addDays } from "../../domain/dates.ts";
import type { RouteSeries } from "../../domain/subscriptions/route-series.server.ts";
import { chartChoiceIn } from "./choice.ts";
import { chartCsv } from "./csv.ts";
import { chartModel } from "./models.ts";
import { routeChartsView } from "./route-charts-view.ts";

const now = new Date("2026-11-20T10:00:00Z");

const report = (observedAt: string, figures: Partial<Report>): Report => ({
  ...{ id: 1, periodId: 1, type: "rate", observedAt: new Date(observedAt), serviceLevel: "standard" },
  ...{ equipmentType: "45G1", vessel: null, voyage: null, etd: null, eta: null, transitDays: null },
  ...{ basis: "per_container", currency: "USD", baseRateCents: null, surcharges: null, surchargesCents: null },
  ...{ availableCapacity: null, capacityUnit: null, bookingStatus: null, onTimePercent: null, meanDelayDays: null },
  ...figures,
});

/** Weekly, ending on 16 Nov 2026. */
const weekly = (weeks: number, figuresOf: (week: number) => Partial<Report>): Report[] =>
  Array.from({ length: weeks }, (_, week) =>
    report(`${addDays("2026-11-16", (week - weeks + 1) * 7)}T06:00:00Z`, figuresOf(week)),
  );

const period: ListedPeriod = {
  ...{ id: 1, code: "R/2026-Q4", routeId: 1, name: "2026 Q4", startsOn: "2026-10-01", endsOn: null },
  ...{ freshness: "weekly", successorPeriodId: null, retiredAt: null, opened: true },
  ...{ dataAsOf: now, nextUpdateDue: null, isStale: false },
};

const rateKind = { serviceLevel: "standard", equipmentType: "45G1" } as const;

const viewOf = (reports: Partial<RouteSeries["reports"]>, search = "", isStale = false) =>
  routeChartsView(
    {
      ...{ periods: [{ ...period, isStale }], rateKinds: [rateKind], rateKind, nominalCapacity: 2_000 },
      reports: { rate: [], capacity: [], schedule: [], performance: [], ...reports },
    },
    chartChoiceIn(new URLSearchParams(search)),
    now,
  );

describe("The rates", () => {
  const rate = weekly(60, (week) => ({ baseRateCents: 200_000 + week * 1_000, surchargesCents: 50_000 }));

  it("are stacked from zero, with the all-in rate as a line", () => {
    const model = chartModel("rates", viewOf({ rate }));
    expect(model).toMatchObject({ baseline: "zero", unit: "USD per container" });
    expect(model?.series.map(({ label, mark, values }) => [label, mark, values.at(-1)])).toEqual([
      ["Base rate", "area", 259_000],
      ["Surcharges", "area", 50_000],
      ["All-in", "line", 309_000],
    ]);
  });

  it("are compared with rates of the same kind: all-in with all-in, base with base", () => {
    const without = (missing: number) =>
      weekly(5, (week) => ({
        baseRateCents: 200_000 + week * 10_000,
        surchargesCents: week === missing ? null : 50_000,
      }));
    const fourWeeks = (reports: Report[]) => viewOf({ rate: reports }).rates?.changes[0];
    expect(fourWeeks(without(4))).toMatchObject({ from: { value: 200_000 }, difference: 40_000 });
    expect(fourWeeks(without(2))).toMatchObject({ from: { value: 250_000 }, difference: 40_000 });
    expect(fourWeeks(without(0))?.from).toBeNull();
  });

  it("are lines on a zoomed axis", () => {
    const model = chartModel("rates", viewOf({ rate }, "scale=zoomed"));
    expect(model).toMatchObject({ baseline: "zoomed" });
    expect(model?.series.map(({ label, mark }) => [label, mark])).toEqual([
      ["Base rate", "line"],
      ["All-in", "line"],
    ]);
  });

  it("show the chosen range, and are compared with those before it", () => {
    const { rates } = viewOf({ rate }, "range=3_months");
    expect(rates?.points[0]?.at.slice(0, 10)).toBe("2026-08-24");
    expect(rates?.newest).toEqual({ on: "2026-11-16", value: 309_000 });
    expect(rates?.changes.map(({ span, from }) => [span, from?.on, from?.value])).toEqual([
      ["4_weeks", "2026-10-19", 305_000],
      ["quarter", "2026-08-10", 295_000],
      ["year", "2025-11-10", 256_000],
    ]);
    expect(viewOf({ rate }, "range=all").rates?.points).toHaveLength(60);
    expect(viewOf({ rate }, "range=forever").rates?.points).toHaveLength(52);
  });

  it("have no all-in rate where no surcharges were reported", () => {
    const some = weekly(8, (week) => ({ baseRateCents: 200_000, surchargesCents: week === 3 ? null : 50_000 }));
    expect(chartModel("rates", viewOf({ rate: some }))?.series[2]?.values[3]).toBeNull();
    const none = weekly(8, () => ({ baseRateCents: 200_000 }));
    expect(chartModel("rates", viewOf({ rate: none }))?.series.map(({ label }) => label)).toEqual(["Base rate"]);
  });

  it("leave a gap where weeks are missing", () => {
    const gappy = rate.filter((_, week) => week < 30 || week > 34);
    const model = chartModel("rates", viewOf({ rate: gappy }, "range=all"));
    expect(model?.gaps).toEqual([30]);
  });

  it("are in the currency of the newest one", () => {
    const mixed = [...rate.slice(0, 55).map((one) => ({ ...one, currency: "EUR" })), ...rate.slice(55)];
    expect(viewOf({ rate: mixed }).rates).toMatchObject({ currency: "USD", points: { length: 5 } });
  });

  it("need two observations for a chart", () => {
    expect(chartModel("rates", viewOf({ rate: rate.slice(0, 1) }, "range=all"))).toBeNull();
    expect(chartModel("rates", viewOf({}))).toBeNull();
  });
});

describe("The x axis", () => {
  const capacity = weekly(40, (week) => ({
    ...{ type: "capacity", availableCapacity: week, capacityUnit: "TEU", bookingStatus: "limited" },
  }));

  it("ends with the date of the last observation", () => {
    const model = chartModel("capacity", viewOf({ capacity }));
    expect(model?.axisLabels?.at(-1)).toEqual({ position: 1, text: "16 Nov 2026" });
    expect(model?.late).toBeUndefined();
    expect(model?.spans).toEqual([{ label: "2026 Q4", from: expect.any(Number), to: 1 }]);
  });

  it("marks the time for which data is late", () => {
    const model = chartModel("capacity", viewOf({ capacity }, "", true));
    const last = model?.positions?.at(-1) ?? 1;
    expect(last).toBeLessThan(1);
    expect(model?.late).toEqual({ from: last, to: 1, label: "Update late" });
    expect(model?.axisLabels?.at(-1)).toEqual({ position: last, text: "16 Nov 2026" });
  });

  it("thins thousands of observations, but keeps the extremes", () => {
    const hourly = Array.from({ length: 3_000 }, (_, hour) =>
      report(new Date(Date.UTC(2026, 6, 1, hour)).toISOString(), {
        ...{ type: "capacity", capacityUnit: "TEU", availableCapacity: hour === 1_501 ? 1_999 : 300 + (hour % 7) },
      }),
    );
    const view = viewOf({ capacity: hourly });
    const model = chartModel("capacity", view);
    expect(model?.labels.length).toBeLessThanOrEqual(400);
    expect(model?.series[0]?.values).toContain(1_999);
    expect(new Set(model?.labels).size).toBe(model?.labels.length);
    expect(chartCsv("capacity", view)[1]).toHaveLength(3_000);
  });
});

it("The file of a chart has every column in the API's names and units", () => {
  const rate = weekly(2, (week) => ({ baseRateCents: 200_000, surchargesCents: week === 0 ? null : 50_000 }));
  expect(chartCsv("rates", viewOf({ rate }))).toEqual([
    [
      ...["observed_at", "service_level", "equipment_type", "basis", "currency"],
      ...["base_rate_cents", "surcharges_cents", "all_in_cents"],
    ],
    [
      ["2026-11-09T06:00:00.000Z", "standard", "45G1", "per_container", "USD", 200_000, null, null],
      ["2026-11-16T06:00:00.000Z", "standard", "45G1", "per_container", "USD", 200_000, 50_000, 250_000],
    ],
  ]);
});
