/** What a chart shows, without how it is drawn: the page, its table and the downloaded SVG are made from it. */

/** Bars and areas are stacked, the first at the bottom. Lines show their own values. */
export type Mark = "bar" | "area" | "line";

/** 1 is teal, for the main series; 2 is amber, 3 is red. */
export type Colour = 1 | 2 | 3 | "ink";

export type Series = {
  label: string;
  /** One value for each of the chart's labels. Null: there is none. Stacked values must not be negative. */
  values: readonly (number | null)[];
  mark: Mark;
  colour: Colour;
  /** A thin dashed line to compare the others with. */
  isReference?: boolean;
};

export type AxisLabel = {
  /** From 0, left, to 1. */
  position: number;
  text: string;
  /** Left out on a phone. */
  minor?: boolean;
};

/** A part of the x axis with a name, such as a quarter. */
export type Span = { from: number; to: number; label: string };

export type ChartModel = {
  title: string;
  /** One sentence that describes the chart to screen readers. */
  description: string;
  /** The x axis, one label for each value: "16 Nov 2026". They must differ. */
  labels: readonly string[];
  /** Header of the table's first column: "Day". */
  labelHeader: string;
  series: readonly Series[];
  /** Where the values are on the x axis, from 0 to 1, ascending. Absent: in even slots. */
  positions?: readonly number[];
  /** Shorter labels for the axis, one for each label. Defaults to `labels`. */
  shortLabels?: readonly string[];
  /** Absent: some of the labels, the first and the last among them. */
  axisLabels?: readonly AxisLabel[];
  /** Indexes of values that follow a gap. Lines and areas are interrupted there. */
  gaps?: readonly number[];
  /** What the y axis counts: "USD per container". */
  unit?: string;
  /** "zoomed" begins the axis below the lowest value, and says so. Only for lines. */
  baseline?: "zero" | "zoomed";
  /** The y axis reaches at least this value: 100 for shares. */
  axisReaches?: number;
  spans?: readonly Span[];
  /** The end of the axis, for which an observation is missing. */
  late?: Span;
  /** A state for each label, drawn as a strip of steps below the plot. `level` is from 0 to 1. */
  states?: { label: string; values: readonly ({ text: string; level: number } | null)[] };
  /** What the legend shows until a value is selected. */
  atRest: "newest" | "total";
  /** Formats a value for the legend and the table. */
  format: (value: number) => string;
  /** Formats a value for the axis. Defaults to `format`. */
  formatAxis?: (value: number) => string;
};
