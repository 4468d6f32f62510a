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
  ...change,
});

const ended = (id: number, successorPeriodId: number | null) => period(id, { endsOn: "2026-06-30", successorPeriodId });

describe("A subscription to a period that has ended", () => {
  it("goes on with the next open one, however many have ended between", () => {
    expect(runningPeriod([ended(1, 2), ended(2, 3), period(3)], 1, today)?.id).toBe(3);
  });

  it("stays with the last one where none follows", () => {
    expect(runningPeriod([ended(1, 2), ended(2, null)], 1, today)?.id).toBe(2);
    expect(runningPeriod([period(1)], 2, today)).toBeNull();
  });

  it("opens history alone where ended periods follow each other in a circle", () => {
    const circle = [ended(1, 2), ended(2, 1), period(3)];
    expect(openedPeriods(circle, [1], today).map(({ id }) => id)).toEqual([1, 2]);
  });
});
