import { describe, expect, it } from "vitest";
import { decide, isAlreadyBeyond, type Observation, percentChange, type SeriesFigures, slipOf } from "./decide.ts";
import type { LastKnown } from "./last-known.ts";
import { mailedBefore } from "./mail-schedule.ts";
import { defaultRules, type MailCadence } from "./policy.ts";
import type { WatchRules } from "./watch.ts";

const off: WatchRules = {
  rateChangePercent: null,
  allInBelowCents: null,
  allInAboveCents: null,
  capacityBelow: null,
  bookingStatus: false,
  scheduleSlipDays: null,
  staleData: false,
};

const nothing: SeriesFigures = {
  allInCents: null,
  currency: null,
  basis: null,
  availableCapacity: null,
  capacityUnit: null,
  bookingStatus: null,
};

const observed = (after: Partial<SeriesFigures>, before: Partial<SeriesFigures> | null = null): Observation => ({
  series: { serviceLevel: "standard", equipmentType: "45G1" },
  before: before && { ...nothing, ...before },
  after: { ...nothing, ...after },
});
const rate = (dollars: number, currency = "USD") => ({ allInCents: dollars * 100, currency, basis: "per_container" });

/** Decides one observation after the other. @returns which of them raised an alert, as their figures */
const run = (kind: Parameters<typeof decide>[0], rules: Partial<WatchRules>, observations: Observation[]) => {
  let lastKnown: LastKnown | null = null;
  return observations.map((observation) => {
    const { alert, next } = decide(kind, { ...off, ...rules }, lastKnown, observation);
    if (next !== undefined) lastKnown = next;
    return alert;
  });
};
const raisedAt = (alerts: unknown[]) => alerts.flatMap((alert, i) => (alert ? [i] : []));

describe("A rate change", () => {
  const series = (...dollars: number[]) =>
    dollars.map((each, i) => observed(rate(each), i === 0 ? null : rate(dollars[i - 1] ?? 0)));

  it.each([
    ["less than the percentage", [1000, 1049], []],
    ["exactly the percentage, up", [1000, 1050], [1]],
    ["exactly the percentage, down", [1000, 950], [1]],
    ["a slow drift", [1000, 1020, 1040, 1060, 1080, 1100, 1110], [3]],
    ["a drift that goes on", [1000, 1060, 1090, 1113], [1, 3]],
    ["a rate that stays where it is", [1000, 1100, 1100, 1100], [1]],
    ["there and back", [1000, 1100, 1000], [1, 2]],
  ])("of %s", (_, dollars, expected) => {
    expect(raisedAt(run("rate_change", { rateChangePercent: 5 }, series(...dollars)))).toEqual(expected);
  });

  it("is measured from the observation before the first one that is seen", () => {
    expect(run("rate_change", { rateChangePercent: 5 }, [observed(rate(4480), rate(4255))])).toEqual([
      {
        kind: "rate_change",
        service_level: "standard",
        equipment_type: "45G1",
        basis: "per_container",
        currency: "USD",
        before_cents: 425_500,
        after_cents: 448_000,
        change_percent: 5.3,
      },
    ]);
  });

  it.each([
    ["in another currency", [observed(rate(1000)), observed(rate(2000, "EUR"), rate(1000))]],
    ["without all surcharges", [observed(rate(1000)), observed({ allInCents: null, currency: "USD" }, rate(1000))]],
    ["before which there is none", [observed(rate(1000))]],
    ["of capacity", [observed({ availableCapacity: 10 }, { availableCapacity: 1000 })]],
  ])("is not found in a report %s", (_, observations) => {
    expect(raisedAt(run("rate_change", { rateChangePercent: 5 }, observations))).toEqual([]);
  });
});

describe("A threshold", () => {
  it.each([
    ["all_in_below", { allInBelowCents: 400_000 }, [4100, 3999, 3900, 4050, 3990, 4080, 3990], [1, 6]],
    ["all_in_below", { allInBelowCents: 400_000 }, [3900, 3900], [0]],
    ["all_in_below", { allInBelowCents: 400_000 }, [4000], []],
    ["all_in_above", { allInAboveCents: 400_000 }, [3900, 4001, 4100, 3950, 4010, 3920, 4010], [1, 6]],
    ["all_in_above", { allInAboveCents: 400_000 }, [4000], []],
  ] as const)("of %s, %j, raises one alert until the rate has recovered: %j", (kind, rules, dollars, expected) => {
    expect(
      raisedAt(
        run(
          kind,
          rules,
          dollars.map((each) => observed(rate(each))),
        ),
      ),
    ).toEqual(expected);
  });

  it.each([
    [
      [250, 199, 150, 210, 190, 220, 199],
      [1, 6],
    ],
    [[200, 0], [1]],
  ])("of space raises one alert until there is more again: %j", (units, expected) => {
    const observations = units.map((each) => observed({ availableCapacity: each, capacityUnit: "TEU" }));
    expect(raisedAt(run("capacity_below", { capacityBelow: 200 }, observations))).toEqual(expected);
  });

  it.each([
    ["all_in_below", { allInBelowCents: 400_000 }, 3384, [3384, 3300, 3990, 4100, 3950], [4]],
    ["all_in_above", { allInAboveCents: 400_000 }, 4500, [4600, 3900, 4001], [2]],
  ] as const)("of %s, %j, raises nothing for a rate of %i that was beyond it from the start", (...example) => {
    const [kind, rules, from, dollars, expected] = example;
    const observations = dollars.map((each, i) => observed(rate(each), rate(dollars[i - 1] ?? from)));
    expect(raisedAt(run(kind, rules, observations))).toEqual(expected);
    expect(isAlreadyBeyond(kind, { ...off, ...rules }, from * 100)).toBe(true);
  });

  it("of space raises nothing while there is too little from the start", () => {
    const space = (availableCapacity: number) => ({ availableCapacity, capacityUnit: "TEU" });
    const observations = [
      observed(space(150), space(160)),
      observed(space(300), space(150)),
      observed(space(190), space(300)),
    ];
    expect(raisedAt(run("capacity_below", { capacityBelow: 200 }, observations))).toEqual([2]);
    expect(isAlreadyBeyond("capacity_below", { ...off, capacityBelow: 200 }, 200)).toBe(false);
  });

  it("is not compared with a rate in another currency", () => {
    expect(raisedAt(run("all_in_below", { allInBelowCents: 400_000 }, [observed(rate(1000, "EUR"))]))).toEqual([]);
  });
});

it("A booking status raises an alert when it changes", () => {
  const statuses = ["open", "limited", "limited", "full", "open"];
  const observations = statuses.map((bookingStatus) => observed({ bookingStatus }));
  expect(run("booking_status", { bookingStatus: true }, observations)).toEqual([
    null,
    { kind: "booking_status", before: "open", after: "limited" },
    null,
    { kind: "booking_status", before: "limited", after: "full" },
    { kind: "booking_status", before: "full", after: "open" },
  ]);
});

it.each(["rate_change", "all_in_below", "all_in_above", "capacity_below", "booking_status"] as const)(
  "The rule %s raises nothing while it is off",
  (kind) => {
    const all = { ...rate(1), availableCapacity: 0, bookingStatus: "full" };
    expect(run(kind, {}, [observed({ ...rate(9999), bookingStatus: "open" }), observed(all, rate(9999))])).toEqual([
      null,
      null,
    ]);
  },
);

describe("A sailing", () => {
  const first = { etd: new Date("2026-12-01T06:00:00Z"), eta: new Date("2026-12-30T18:00:00Z"), cancelled: false };
  it.each([
    ["that stays", {}, 0],
    ["that departs 47 hours later", { etd: new Date("2026-12-03T05:00:00Z") }, 1],
    ["that departs two days earlier", { etd: new Date("2026-11-29T06:00:00Z") }, 2],
    ["that arrives three days later", { eta: new Date("2027-01-02T18:00:00Z") }, 3],
    ["that is cancelled", { cancelled: true }, "withdrawn"],
  ])("%s", (_, change, slip) => {
    expect(slipOf(first, { ...first, ...change })).toBe(slip);
  });

  it("that was cancelled when it was first seen, and runs after all, has not slipped", () => {
    expect(slipOf({ ...first, cancelled: true }, first)).toBe(0);
  });
});

describe("Mail", () => {
  it.each<[MailCadence, string, string | null]>([
    ["off", "2026-11-20T09:30:00Z", null],
    ["daily", "2026-11-20T09:30:00Z", "2026-11-20T06:00:00.000Z"],
    ["daily", "2026-11-20T06:00:00Z", "2026-11-20T06:00:00.000Z"],
    ["daily", "2026-11-20T05:59:59Z", "2026-11-19T06:00:00.000Z"],
    ["hourly", "2026-11-20T09:30:00Z", "2026-11-20T09:00:00.000Z"],
    ["at_once", "2026-11-20T09:30:00Z", "2026-11-20T09:30:00.001Z"],
  ])("%s: at %s, it has the alerts raised before %s", (cadence, now, before) => {
    expect(mailedBefore(cadence, new Date(now))?.toISOString() ?? null).toBe(before);
  });
});

it("A percentage has one decimal", () => {
  expect([percentChange(300, 310), percentChange(1000, 999.6), defaultRules.rateChangePercent]).toEqual([3.3, -0, 3]);
});
