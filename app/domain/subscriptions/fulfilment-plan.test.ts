import { describe, expect, it } from "vitest";
import { type LineFacts, planLine } from "./fulfilment-plan.ts";

const today = "2026-11-20";
type Held = NonNullable<LineFacts<{ id: number; anchorDate: string; monthsPaid: number; endDate: string }>["own"]>;
const running: Held = { id: 1, anchorDate: "2026-10-31", monthsPaid: 1, endDate: "2026-11-30" };
const expired: Held = { id: 2, anchorDate: "2026-09-10", monthsPaid: 1, endDate: "2026-10-10" };
const facts: LineFacts<Held> = {
  kind: "purchase",
  term: "1_month",
  own: null,
  running: null,
  charge: null,
  bought: [],
  creditedThroughTermId: null,
};
const fromToday = {
  startDate: today,
  endDate: "2026-12-20",
  paid: { anchorDate: today, monthsPaid: 1, endDate: "2026-12-20" },
};
const behindRunning = {
  startDate: "2026-11-30",
  endDate: "2026-12-31",
  paid: { anchorDate: "2026-10-31", monthsPaid: 2, endDate: "2026-12-31" },
  act: "extend",
  subscription: running,
};

describe("A purchase", () => {
  it("begins a subscription today", () => {
    expect(planLine(today, facts)).toEqual({
      ...fromToday,
      act: "begin",
      subscription: null,
      keepsAutoRenewal: false,
    });
  });

  it("extends the one that is active by now, with the auto-renewal of the order", () => {
    expect(planLine(today, { ...facts, running })).toEqual({ ...behindRunning, keepsAutoRenewal: false });
  });
});

describe("A renewal", () => {
  const renewal: LineFacts<Held> = { ...facts, kind: "renewal" };

  it("adds days behind those paid for, and keeps auto-renewal as it is", () => {
    expect(planLine(today, { ...renewal, own: running, running })).toEqual({
      ...behindRunning,
      keepsAutoRenewal: true,
    });
  });

  it("extends the newer subscription that replaced the renewed one", () => {
    expect(planLine(today, { ...renewal, own: expired, running })).toEqual({
      ...behindRunning,
      keepsAutoRenewal: true,
    });
  });

  it("begins an expired subscription again today", () => {
    const plan = { ...fromToday, act: "restart", subscription: expired, keepsAutoRenewal: true };
    expect(planLine(today, { ...renewal, own: expired })).toEqual(plan);
    expect(planLine(today, { ...renewal, own: expired, charge: { endDate: "2026-09-10" } })).toEqual(plan);
  });

  it("extends an expired one that was charged before its end", () => {
    expect(planLine(today, { ...renewal, own: expired, charge: { endDate: expired.endDate } })).toEqual({
      startDate: "2026-10-10",
      endDate: "2026-11-10",
      paid: { anchorDate: "2026-09-10", monthsPaid: 2, endDate: "2026-11-10" },
      act: "extend",
      subscription: expired,
      keepsAutoRenewal: true,
    });
  });

  it("needs a subscription", () => {
    expect(() => planLine(today, renewal)).toThrow("A renewal names no subscription");
  });
});

describe("A change of term", () => {
  const bought = {
    id: 5,
    term: "1_month",
    startDate: "2026-10-31",
    endDate: "2026-11-30",
    paidCents: 3000,
    creditedThroughTermId: null,
  } as const;
  const change: LineFacts<Held> = {
    ...facts,
    kind: "term_change",
    term: "3_months",
    own: running,
    running,
    bought: [bought],
    creditedThroughTermId: 5,
  };

  it("replaces the days that it credits, from today, with the auto-renewal of the order", () => {
    expect(planLine(today, change)).toEqual({
      startDate: today,
      endDate: "2027-02-20",
      paid: { anchorDate: today, monthsPaid: 3, endDate: "2027-02-20" },
      act: "replace",
      subscription: running,
      keepsAutoRenewal: false,
    });
  });

  it("is followed by the terms that were bought while it waited for its payment", () => {
    const later = { ...bought, id: 6, term: "12_months", startDate: "2026-11-30", endDate: "2027-11-30" } as const;
    expect(planLine(today, { ...change, bought: [bought, later] })).toMatchObject({
      startDate: today,
      endDate: "2027-02-20",
      paid: { anchorDate: today, monthsPaid: 15, endDate: "2028-02-20" },
      act: "replace",
    });
  });

  it("is added as a renewal when nothing is left to replace", () => {
    expect(planLine(today, { ...change, creditedThroughTermId: null })).toMatchObject({
      startDate: "2026-11-30",
      endDate: "2027-02-28",
      act: "extend",
      keepsAutoRenewal: true,
    });
  });

  it("needs a subscription", () => {
    expect(() => planLine(today, { ...change, own: null })).toThrow("A renewal names no subscription");
  });
});

it("An order of a plan has no lines", () => {
  expect(() => planLine(today, { ...facts, kind: "plan" })).toThrow("An order of a plan has no lines");
});
