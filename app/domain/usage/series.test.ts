import { describe, expect, it } from "vitest";
import { denseSeries, type SeriesRequest, seriesRange, totalOf } from "./series.ts";

const now = new Date("2026-03-01T09:30:00Z");
const rangeOf = (request: { period: SeriesRequest["period"]; from?: string; to?: string }) =>
  seriesRange(
    {
      period: request.period,
      from: request.from ? new Date(request.from) : undefined,
      to: request.to ? new Date(request.to) : undefined,
    },
    now,
  );

describe("The range of a series", () => {
  it.each([
    ["hours", "2026-02-27T10:00:00Z", "2026-03-01T10:00:00Z", 48],
    ["days", "2026-01-31T00:00:00Z", "2026-03-02T00:00:00Z", 30],
    ["months", "2025-04-01T00:00:00Z", "2026-04-01T00:00:00Z", 12],
  ] as const)("of %s ends with the current one by default", (period, from, to, count) => {
    const range = rangeOf({ period });
    expect([range.from, range.to, range.starts.length]).toEqual([new Date(from), new Date(to), count]);
  });

  it.each([
    ["hours", "2026-02-28T22:15:00Z", "2026-03-01T01:00:00Z", ["02-28T22", "02-28T23", "03-01T00"]],
    ["days", "2026-02-27T23:59:59Z", "2026-03-01T00:00:00Z", ["02-27T00", "02-28T00"]],
    ["days", "2026-02-27", "2026-03-01T00:00:00.001Z", ["02-27T00", "02-28T00", "03-01T00"]],
    ["months", "2026-01-31", "2026-03-01", ["01-01T00", "02-01T00"]],
    ["months", "2026-01-31", "2026-03-02", ["01-01T00", "02-01T00", "03-01T00"]],
    ["days", "2026-02-28T23:30:00-03:00", "2026-03-02T01:00:00+03:00", ["03-01T00"]],
  ] as const)("of %s from %s to %s includes every one that it touches", (period, from, to, starts) => {
    expect(rangeOf({ period, from, to }).starts).toEqual(starts.map((start) => new Date(`2026-${start}:00:00Z`)));
  });

  it.each([
    ["hours", "2026-01-01", "2026-02-01", 744],
    ["days", "2026-01-01", "2027-02-05", 400],
    ["months", "2021-01-01", "2026-01-01", 60],
  ] as const)("of %s may have the maximum length, and is refused beyond it", (period, from, to, count) => {
    expect(rangeOf({ period, from, to }).starts).toHaveLength(count);
    const longer = new Date(Date.parse(to) + 1).toISOString();
    expect(() => rangeOf({ period, from, to: longer })).toThrow(/can span at most (31 days|400 days|60 months)/);
  });

  it.each([
    { period: "days", from: "2026-02-02", to: "2026-02-02" },
    { period: "days", from: "2026-02-03", to: "2026-02-02" },
    { period: "hours", from: "2026-03-01T10:00:00Z" },
  ] as const)("is refused when it is empty: %o", (request) => {
    expect(() => rangeOf(request)).toThrow("Must be before the end of the range");
  });
});

describe("A series", () => {
  it("has a point for every start, with zeros where nothing was counted", () => {
    const { starts } = rangeOf({ period: "days", from: "2026-02-26", to: "2026-03-01" });
    const counted = [{ startsAt: new Date("2026-02-27T00:00:00Z"), requests: 5, errors: 2, rateLimited: 1 }];
    const series = denseSeries(starts, counted);
    expect(series.map(({ requests, errors, rateLimited }) => [requests, errors, rateLimited])).toEqual([
      [0, 0, 0],
      [5, 2, 1],
      [0, 0, 0],
    ]);
    expect(totalOf(series)).toEqual({ requests: 5, errors: 2, rateLimited: 1 });
  });
});
