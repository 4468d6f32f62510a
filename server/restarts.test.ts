import { describe, expect, it } from "vitest";
import { type Deaths, deathsAfter, noDeaths, restartDelayMs } from "./restarts.ts";

const delaysAfter = (deaths: { livedMs: number; hasServed: boolean }[]): (number | null)[] => {
  let soFar: Deaths = noDeaths;
  return deaths.map((death) => {
    soFar = deathsAfter(soFar, death);
    return restartDelayMs(soFar);
  });
};
const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

describe("A worker that has died", () => {
  it("is replaced at once if it lived for a minute, however often that happens", () => {
    expect(delaysAfter(times(4, { livedMs: 60_000, hasServed: true }))).toEqual([0, 0, 0, 0]);
  });

  it("is replaced with backoff, up to half a minute, if it died soon after its start", () => {
    expect(delaysAfter(times(8, { livedMs: 5_000, hasServed: true }))).toEqual([
      0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
  });

  it("resets the backoff after a long life", () => {
    const [short, long] = [
      { livedMs: 10, hasServed: true },
      { livedMs: 90_000, hasServed: true },
    ];
    expect(delaysAfter([short, short, short, long, short])).toEqual([0, 1_000, 2_000, 0, 1_000]);
  });

  it("is not replaced any more after five in a row that never served", () => {
    expect(delaysAfter(times(5, { livedMs: 300, hasServed: false }))).toEqual([0, 1_000, 2_000, 4_000, null]);
    const [failed, served] = [
      { livedMs: 300, hasServed: false },
      { livedMs: 300, hasServed: true },
    ];
    expect(delaysAfter([...times(4, failed), served, failed])).not.toContain(null);
  });
});
