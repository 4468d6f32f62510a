/** Where the marks of a chart are, in units of its values. */
import type { ChartModel, Series } from "./chart-model.ts";

export type Segment = {
  /** Index of the value. */
  i: number;
  low: number;
  high: number;
};

/** One series: runs of segments without a gap. */
export type Layer = { series: Series; runs: Segment[][] };

/** Stacks bars and areas. A value on top of a missing one is missing as well, because its place is unknown. */
export const layersOf = ({ labels, series, gaps = [] }: Pick<ChartModel, "labels" | "series" | "gaps">): Layer[] => {
  const breaks = new Set(gaps);
  const tops: (number | null)[] = labels.map(() => 0);
  return series.map((one) => {
    const segments = labels.map((_, i): Segment | null => {
      const value = one.values[i] ?? null;
      if (one.mark === "line") return value === null ? null : { i, low: 0, high: value };
      const low = tops[i] ?? null;
      const high = low === null || value === null ? null : low + value;
      tops[i] = high;
      return low === null || high === null ? null : { i, low, high };
    });
    return { series: one, runs: runsOf(segments, breaks) };
  });
};

const runsOf = (segments: readonly (Segment | null)[], breaks: ReadonlySet<number>): Segment[][] => {
  const runs: Segment[][] = [];
  let run: Segment[] = [];
  for (const [i, segment] of segments.entries()) {
    if ((segment === null || breaks.has(i)) && run.length > 0) {
      runs.push(run);
      run = [];
    }
    if (segment) run.push(segment);
  }
  return run.length > 0 ? [...runs, run] : runs;
};

/** The lowest and the highest value that a mark reaches. */
export const extentOf = (layers: readonly Layer[]): { min: number; max: number } => {
  const reached = layers.flatMap(({ runs }) => runs.flat().map(({ high }) => high));
  return { min: Math.min(...reached, Number.MAX_VALUE), max: Math.max(...reached, 0) };
};
