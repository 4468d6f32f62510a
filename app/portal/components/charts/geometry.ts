/** Where everything in a chart is. Heights are in pixels from the top, widths are shares of the plot from 0 to 1. */
import type { AxisLabel, ChartModel } from "./chart-model.ts";
import { axisTicks, labelIndexes, zoomedTicks } from "./scale.ts";
import { extentOf, type Layer, layersOf } from "./stack.ts";

export type Geometry = {
  layers: Layer[];
  ticks: number[];
  /** The middle of a value. */
  x: (i: number) => number;
  /** From where to where a value is the closest to the pointer. */
  slot: (i: number) => { from: number; to: number };
  y: (value: number) => number;
  axisLabels: readonly AxisLabel[];
  /** The plot's upper and lower edge, the lower edge of the strip of states, and the baseline of the axis labels. */
  top: number;
  bottom: number;
  stripBottom: number;
  labelsAt: number;
  height: number;
};

const stripHeight = 12;
const stripGap = 5;

export const geometryOf = (model: ChartModel, plotHeight: number): Geometry => {
  const { labels, positions, spans = [], states, baseline = "zero", axisReaches = 0 } = model;
  const layers = layersOf(model);
  const { min, max } = extentOf(layers);
  const ticks = baseline === "zoomed" && min <= max ? zoomedTicks(min, max) : axisTicks(Math.max(max, axisReaches));
  const [lowest, highest] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const top = spans.length > 0 || model.late ? 24 : 8;
  const bottom = top + plotHeight;
  const stripBottom = states ? bottom + stripGap + stripHeight : bottom;
  const labelsAt = stripBottom + 20;
  const x = (i: number) => positions?.[i] ?? (i + 0.5) / Math.max(1, labels.length);
  return {
    ...{ layers, ticks, x, top, bottom, stripBottom, labelsAt, height: labelsAt + 8 },
    y: (value) => bottom - ((value - lowest) / (highest - lowest)) * plotHeight,
    slot: (i) => ({
      from: i === 0 ? 0 : (x(i - 1) + x(i)) / 2,
      to: i === labels.length - 1 ? 1 : (x(i) + x(i + 1)) / 2,
    }),
    axisLabels: model.axisLabels ?? someLabels(model.shortLabels ?? labels, x),
  };
};

/** The upper edge of a state's step in the strip. */
export const stripTop = ({ stripBottom }: Geometry, level: number): number => stripBottom - level * stripHeight;

/** Up to seven labels and the last one, in place of any that is too close to it. */
const someLabels = (labels: readonly string[], x: (i: number) => number): AxisLabel[] => {
  const last = labels.length - 1;
  const spread = labelIndexes(labels.length, 7);
  const interval = spread[1] ?? 1;
  return [...spread.filter((i) => last - i >= interval / 2 && i !== last), ...(last >= 0 ? [last] : [])].map(
    (i, at, all) => ({ position: x(i), text: labels[i] ?? "", minor: (all.length - 1 - at) % 2 === 1 }),
  );
};

/** The value closest to a place on the x axis. */
export const closestTo = (at: number, { labels }: Pick<ChartModel, "labels">, { slot }: Geometry): number => {
  const found = labels.findIndex((_, i) => at < slot(i).to);
  return found < 0 ? labels.length - 1 : found;
};
