import type { ChartModel, Series } from "./chart-model.ts";
import { type Geometry, stripTop } from "./geometry.ts";
import type { Paint } from "./paint.ts";
import type { Segment } from "./stack.ts";

type Props = {
  model: ChartModel;
  geometry: Geometry;
  /** Of the plot, in the units of the surrounding SVG. */
  width: number;
  paint: Paint;
};

/** The series of a chart. The surrounding SVG may be stretched sideways: the width of lines does not change with it. */
export const Marks = ({ model, geometry, width, paint }: Props) => (
  <>
    {geometry.layers.map(({ series, runs }) => (
      <g key={series.label}>
        {runs.map((run) => (
          <Run key={run[0]?.i} series={series} run={run} geometry={geometry} width={width} paint={paint} />
        ))}
      </g>
    ))}
    {model.states ? <States states={model.states} geometry={geometry} width={width} paint={paint} /> : null}
  </>
);

type RunProps = Omit<Props, "model"> & { series: Series; run: readonly Segment[] };

const Run = ({ series: { mark, colour, isReference = false }, run, geometry, width, paint }: RunProps) => {
  const { x, y, slot } = geometry;
  const at = (i: number) => rounded(x(i) * width);
  if (mark === "bar") {
    return run.map(({ i, low, high }) => {
      const { from, to } = slot(i);
      const [left, wide] = [from + (to - from) * 0.18, (to - from) * 0.64];
      if (high <= low) return null;
      return (
        <rect
          key={i}
          x={rounded(left * width)}
          width={rounded(wide * width)}
          y={rounded(y(high))}
          height={Math.max(1.5, rounded(y(low) - y(high)))}
          {...paint(colour, "fill")}
        />
      );
    });
  }
  const upper = run.map(({ i, high }) => `${at(i)} ${rounded(y(high))}`);
  const lower = run.toReversed().map(({ i, low }) => `${at(i)} ${rounded(y(low))}`);
  // A line of no length is drawn as a dot, by its round ends.
  const line = `M${upper.length === 1 ? [...upper, ...upper].join("L") : upper.join("L")}`;
  return (
    <>
      {mark === "area" && run.length > 1 ? (
        <path
          d={`M${[...upper, ...lower].join("L")}Z`}
          fillOpacity={colour === 1 ? 0.16 : 0.36}
          {...paint(colour, "fill")}
        />
      ) : null}
      <path
        d={line}
        fill="none"
        strokeWidth={isReference ? 1.5 : 2}
        strokeDasharray={isReference ? "5 4" : undefined}
        strokeLinejoin="round"
        strokeLinecap={isReference ? "butt" : "round"}
        vectorEffect="non-scaling-stroke"
        {...paint(colour, "stroke")}
      />
    </>
  );
};

type StatesProps = Omit<Props, "model"> & { states: NonNullable<ChartModel["states"]> };

/** Steps: the higher, the tighter. */
const States = ({ states, geometry, width, paint }: StatesProps) =>
  states.values.map((state, i) => {
    if (!state) return null;
    const { from, to } = geometry.slot(i);
    const top = stripTop(geometry, state.level);
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: a state has no other key than its place
        key={i}
        x={rounded(from * width)}
        width={rounded((to - from) * width)}
        y={top}
        height={geometry.stripBottom - top}
        {...paint("ink", "fill")}
        fillOpacity="0.45"
      />
    );
  });

const rounded = (value: number): number => Math.round(value * 100) / 100;
