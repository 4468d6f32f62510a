import { memo, type PointerEvent, useEffect, useMemo, useState } from "react";
import type { ChartModel } from "./chart-model.ts";
import { ChartTable } from "./chart-table.tsx";
import { closestTo, type Geometry, geometryOf } from "./geometry.ts";
import { Marks } from "./marks.tsx";
import { paintByClass } from "./paint.ts";
import { Readout } from "./readout.tsx";
import { valueTexts } from "./value-texts.ts";

type Props = {
  model: ChartModel;
  /** Across the whole page rather than half of it. */
  isWide?: boolean;
};

/** Of the plot, in pixels. */
const plotHeight = { wide: 260, half: 200 };

/**
 * A series over time: drawn on the server, with every value as a tooltip and in a table. With scripts, the values of one
 * point are read out above the plot, by mouse, by touch or with the arrow keys.
 *
 * The keyboard and screen readers use a slider, whose value text is what is read out. A live region would say it twice.
 */
export const Chart = ({ model, isWide = false }: Props) => {
  const geometry = useMemo(() => geometryOf(model, plotHeight[isWide ? "wide" : "half"]), [model, isWide]);
  const { selected, select, isReady } = useSelection(model.labels.length);
  const newest = model.labels.length - 1;
  const pointAt = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (width > 0) select(closestTo((event.clientX - left) / width, model, geometry));
  };
  return (
    <figure className="chart min-w-0">
      <Readout model={model} selected={selected} />
      {model.unit ? <p className="mb-1 text-faint text-xs">{model.unit}</p> : null}
      <div className="flex">
        <YAxis model={model} geometry={geometry} />
        <div
          className="chart-plot relative w-0 flex-1 touch-pan-y select-none rounded"
          onPointerMove={pointAt}
          onPointerDown={pointAt}
          onPointerLeave={(event) => {
            if (event.pointerType === "mouse") select(null);
          }}
        >
          <svg
            className="w-full overflow-visible"
            height={geometry.height}
            role="img"
            aria-label={`${model.title}. ${model.description}`}
          >
            <Plot model={model} geometry={geometry} isWide={isWide} hasTooltips={!isReady} />
            {selected === null ? null : <Crosshair model={model} geometry={geometry} at={selected} />}
          </svg>
          {isReady ? (
            <input
              type="range"
              className="pointer-events-none absolute inset-0 h-full w-full opacity-0"
              aria-label={`${model.title}, by ${model.labelHeader.toLowerCase()}`}
              aria-valuetext={valueTexts(model, selected ?? newest).join(", ")}
              min={0}
              max={newest}
              value={selected ?? newest}
              onFocus={() => select(selected ?? newest)}
              onBlur={() => select(null)}
              onChange={(event) => select(event.currentTarget.valueAsNumber)}
            />
          ) : null}
        </div>
      </div>
      {model.baseline === "zoomed" ? (
        <figcaption className="mt-1 text-faint text-xs">
          The axis begins at {axisText(model, geometry.ticks[0] ?? 0)}, not at zero.
        </figcaption>
      ) : null}
      <ChartTable model={model} />
    </figure>
  );
};

/** The selected point; Escape ends the selection. `isReady`: scripts run. */
const useSelection = (count: number) => {
  const [selected, select] = useState<number | null>(null);
  const [isReady, setReady] = useState(false);
  const isSelecting = selected !== null;
  useEffect(() => setReady(true), []);
  useEffect(() => {
    if (!isSelecting) return;
    const end = ({ key }: KeyboardEvent) => key === "Escape" && select(null);
    document.addEventListener("keydown", end);
    return () => document.removeEventListener("keydown", end);
  }, [isSelecting]);
  // With other data on the page, the point may be gone.
  return { selected: selected !== null && selected < count ? selected : null, select, isReady };
};

const axisText = ({ format, formatAxis = format }: ChartModel, tick: number) => formatAxis(tick);

const axisDigitWidth = 7.5;

const YAxis = ({ model, geometry: { ticks, y, height } }: { model: ChartModel; geometry: Geometry }) => {
  const marks = ticks.map((tick) => ({ tick, text: axisText(model, tick) }));
  const width = 12 + axisDigitWidth * Math.max(...marks.map(({ text }) => text.length));
  return (
    <svg className="shrink-0" height={height} width={width} aria-hidden="true">
      {marks.map(({ tick, text }) => (
        <text key={tick} x={width - 8} y={y(tick) + 4} textAnchor="end">
          {text}
        </text>
      ))}
    </svg>
  );
};

type PlotProps = { model: ChartModel; geometry: Geometry; isWide: boolean; hasTooltips: boolean };

/** Everything that does not change with the pointer. */
const Plot = memo(({ model, geometry, isWide, hasTooltips }: PlotProps) => {
  const { ticks, y, top, bottom, height, labelsAt, axisLabels } = geometry;
  return (
    <>
      <Spans model={model} geometry={geometry} isWide={isWide} />
      {ticks.map((tick, i) => (
        <line
          key={tick}
          x2="100%"
          y1={y(tick)}
          y2={y(tick)}
          className={i === 0 && tick === 0 ? "chart-axis" : "chart-grid"}
          shapeRendering="crispEdges"
        />
      ))}
      {/* 100 wide and stretched to the available width; heights stay in pixels. */}
      <svg width="100%" height={height} viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <Marks model={model} geometry={geometry} width={100} paint={paintByClass} />
      </svg>
      {axisLabels.map(({ position, text, minor }) => (
        <text
          key={text}
          x={percent(position)}
          y={labelsAt}
          textAnchor={model.positions && position === 1 ? "end" : position === 0 ? "start" : "middle"}
          className={minor ? "max-sm:hidden" : undefined}
        >
          {text}
        </text>
      ))}
      {hasTooltips
        ? model.labels.map((label, i) => (
            <rect key={label} {...slotOf(geometry, i)} y={top} height={bottom - top} className="chart-hit">
              <title>{valueTexts(model, i).join("\n")}</title>
            </rect>
          ))
        : null}
    </>
  );
});

/** The share of the plot that a letter of a name takes. Names that do not fit are left out. */
const letterWidth = { wide: 0.0075, half: 0.018, phone: 0.045 };

type SpansProps = Omit<PlotProps, "hasTooltips">;

const Spans = ({ model: { spans = [], late }, geometry: { top, bottom }, isWide }: SpansProps) => (
  <>
    {spans.map(({ from, to, label }) => (
      <g key={label}>
        {from > 0 ? <line x1={percent(from)} x2={percent(from)} y1={4} y2={bottom} className="chart-span" /> : null}
        <svg x={percent(from)} width={percent(to - from)} height={top} aria-hidden="true">
          {to - from < label.length * letterWidth[isWide ? "wide" : "half"] ? null : (
            <text
              x={from > 0 ? 6 : 0}
              y={14}
              className={to - from < label.length * letterWidth.phone ? "max-sm:hidden" : undefined}
            >
              {label}
            </text>
          )}
        </svg>
      </g>
    ))}
    {late ? (
      <rect
        x={percent(late.from)}
        width={percent(late.to - late.from)}
        y={top}
        height={bottom - top}
        className="chart-late"
      >
        <title>{late.label}</title>
      </rect>
    ) : null}
  </>
);

const Crosshair = ({ model, geometry, at }: { model: ChartModel; geometry: Geometry; at: number }) => {
  const { x, y, top, bottom, layers } = geometry;
  const hasBars = model.series.some(({ mark }) => mark === "bar");
  return (
    <g className="chart-crosshair">
      {hasBars ? (
        <rect {...slotOf(geometry, at)} y={top} height={bottom - top} className="chart-slot" />
      ) : (
        <line x1={percent(x(at))} x2={percent(x(at))} y1={top} y2={geometry.stripBottom} className="chart-pointer" />
      )}
      {layers.flatMap(({ series, runs }) =>
        runs
          .flat()
          .map(({ i, high }) =>
            i !== at || series.mark === "bar" || series.isReference ? null : (
              <circle
                key={series.label}
                cx={percent(x(i))}
                cy={y(high)}
                r={4}
                {...paintByClass(series.colour, "fill")}
              />
            ),
          ),
      )}
    </g>
  );
};

const slotOf = ({ slot }: Geometry, i: number) => {
  const { from, to } = slot(i);
  return { x: percent(from), width: percent(to - from) };
};

const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;
