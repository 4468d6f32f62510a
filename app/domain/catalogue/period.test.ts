import { describe, expect, it } from "vitest";
import { openedPeriods, type Period, runningPeriod } from "./period.ts";

const today = "2026-11-20";

const period = (id: number, change: Partial<Period> = {}): Period => ({
  id,
  code: `P${id}`,
  routeId: 1,
  name: `Period ${id}`,
  startsOn: "2026-01-01",
  endsOn: null,
  freshness: "daily",
  successorPeriodId: null,
  retiredAt: null,
  ...change,
});

const ended = (id: number, successorPeriodId: number | null) => period(id, { endsOn: "2026-06-30", successorPeriodId });

describe("A subscription to an ended period", () => {
  it("continues with the next open period, across any number of ended ones", () => {
    expect(runningPeriod([ended(1, 2), ended(2, 3), period(3)], 1, today)?.id).toBe(3);
  });

  it("stays with the last period if there is no successor", () => {
    expect(runningPeriod([ended(1, 2), ended(2, null)], 1, today)?.id).toBe(2);
    expect(runningPeriod([period(1)], 2, today)).toBeNull();
  });

  it("opens only history if ended periods form a cycle", () => {
    const circle = [ended(1, 2), ended(2, 1), period(3)];
    expect(openedPeriods(circle, [1], today).map(({ id }) => id)).toEqual([1, 2]);
  });
});
