// biome-ignore-all lint/a11y/useSemanticElements: a scrolling region, not a group of form fields
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
import { type ReactNode, useId } from "react";
import { formatCompact, formatNumber } from "../../format.ts";
import { axisTicks, labelIndexes } from "./scale.ts";

export type Series = {
  label: string;
  /** One value for each of the chart's labels. */
  values: readonly number[];
  /** 1 is the default, for the main series; 2 is amber, 3 is red. */
  colour?: 1 | 2 | 3;
};

export type ChartProps = {
  title: string;
  /** One sentence that describes the chart to screen readers. */
  description: string;
  /** The x axis, one label for each value: "1 Nov". */
  labels: readonly string[];
  /** Shorter labels for the axis, one for each label. Defaults to `labels`. */
  axisLabels?: readonly string[];
  /** Header of the table's first column: "Day". */
  labelHeader: string;
  series: readonly Series[];
  /** Formats a value for the table and the tooltip. */
  format?: (value: number) => string;
  /** Formats a value for the axis, shorter: `$4K`. */
  formatAxis?: (value: number) => string;
};

/** Height of the plot in pixels. Horizontal positions are percentages, so that text keeps its size. */
export const plotHeight = 200;
const topSpace = 8;
const axisDigitWidth = 8;

type FrameProps = ChartProps & {
  maxValue: number;
  /** Draws the marks. `y` converts a value to pixels from the top. */
  children: (y: (value: number) => number) => ReactNode;
};

/** Axes, legend and tooltips of a chart, and the same data as a table. */
export const ChartFrame = ({
  title,
  description,
  labels,
  axisLabels = labels,
  labelHeader,
  series,
  format = formatNumber,
  formatAxis = formatCompact,
  maxValue,
  children,
}: FrameProps) => {
  const id = useId();
  const ticks = axisTicks(maxValue);
  const top = ticks[ticks.length - 1] ?? 1;
  const y = (value: number) => topSpace + (1 - value / top) * plotHeight;
  const shown = labelIndexes(labels.length, 7);
  const marks = ticks.map((tick) => ({ tick, text: formatAxis(tick) }));
  const axisWidth = 12 + axisDigitWidth * Math.max(...marks.map(({ text }) => text.length));
  return (
    <figure className="chart min-w-0">
      <Legend series={series} />
      <div className="flex">
        <svg className="h-60 shrink-0" width={axisWidth} aria-hidden="true">
          {marks.map(({ tick, text }) => (
            <text key={tick} x={axisWidth - 8} y={y(tick) + 4} textAnchor="end">
              {text}
            </text>
          ))}
        </svg>
        <svg className="h-60 w-0 flex-1 overflow-visible" role="img" aria-labelledby={`${id}-title ${id}-desc`}>
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-desc`}>{description}</desc>
          {ticks.map((tick) => (
            <line
              key={tick}
              x2="100%"
              y1={y(tick)}
              y2={y(tick)}
              className={tick === 0 ? "chart-axis" : "chart-grid"}
              shapeRendering="crispEdges"
            />
          ))}
          {children(y)}
          {labels.map((label, i) => (
            <g key={label}>
              <rect
                x={`${(i / labels.length) * 100}%`}
                width={`${100 / labels.length}%`}
                y="0"
                height={topSpace + plotHeight}
                className="chart-hit"
              >
                <title>
                  {[label, ...series.map((one) => `${one.label}: ${format(one.values[i] ?? 0)}`)].join("\n")}
                </title>
              </rect>
            </g>
          ))}
          {shown.map((i, position) => (
            <text
              key={labels[i]}
              x={`${((i + 0.5) / labels.length) * 100}%`}
              y={topSpace + plotHeight + 20}
              textAnchor="middle"
              className={position % 2 === 1 ? "max-sm:hidden" : undefined}
            >
              {axisLabels[i]}
            </text>
          ))}
        </svg>
      </div>
      <DataTable title={title} labels={labels} labelHeader={labelHeader} series={series} format={format} />
    </figure>
  );
};

const Legend = ({ series }: { series: readonly Series[] }) => (
  <ul className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-muted">
    {series.map((one) => (
      <li key={one.label} className="flex items-center gap-2">
        <svg viewBox="0 0 10 10" className="size-2.5" aria-hidden="true">
          <rect width="10" height="10" rx="2.5" className={fillOf(one.colour)} />
        </svg>
        {one.label}
      </li>
    ))}
  </ul>
);

const DataTable = ({
  title,
  labels,
  labelHeader,
  series,
  format,
}: Required<Pick<ChartProps, "title" | "labels" | "labelHeader" | "series" | "format">>) => (
  <details className="group mt-3 text-sm">
    <summary className="inline-flex min-h-6 items-center rounded font-medium text-[0.8125rem] text-muted hover:text-ink">
      <span className="group-open:hidden">Show as a table</span>
      <span className="hidden group-open:inline">Hide the table</span>
    </summary>
    <div
      className="mt-2 max-h-72 overflow-auto rounded-lg border border-line"
      tabIndex={0}
      role="group"
      aria-label={title}
    >
      <table className="w-full text-[0.8125rem] leading-5">
        <caption className="sr-only">{title}</caption>
        <thead className="bg-canvas text-muted">
          <tr>
            <th scope="col" className="px-3 py-2 text-left font-medium">
              {labelHeader}
            </th>
            {series.map((one) => (
              <th key={one.label} scope="col" className="px-3 py-2 text-right font-medium">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {labels.map((label, i) => (
            <tr key={label}>
              <th scope="row" className="px-3 py-1.5 text-left font-normal">
                {label}
              </th>
              {series.map((one) => (
                <td key={one.label} className="px-3 py-1.5 text-right">
                  {format(one.values[i] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);

export const fillOf = (colour: Series["colour"] = 1) =>
  ({ 1: "fill-chart-1", 2: "fill-chart-2", 3: "fill-chart-3" })[colour];

export const strokeOf = (colour: Series["colour"] = 1) =>
  ({ 1: "stroke-chart-1", 2: "stroke-chart-2", 3: "stroke-chart-3" })[colour];
