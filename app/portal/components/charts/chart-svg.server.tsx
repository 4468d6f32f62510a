/** A chart as an SVG file that needs nothing else: attributes in place of style sheets, light colours, its title and source. */
import { renderToStaticMarkup } from "react-dom/server";
import type { ChartModel, Colour } from "./chart-model.ts";
import { type Geometry, geometryOf } from "./geometry.ts";
import { Marks } from "./marks.tsx";
import type { Paint } from "./paint.ts";

type Texts = {
  /** Under the title: the route, the equipment. */
  subtitle: string;
  /** At the bottom, one line each: where the data is from and of when. */
  notes: readonly string[];
};

const size = { width: 960, plotHeight: 340 };
const margin = { left: 84, right: 32, top: 128 };
const plotWidth = size.width - margin.left - margin.right;

export const chartSvg = (model: ChartModel, texts: Texts): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${renderToStaticMarkup(<ChartFile model={model} {...texts} />)}\n`;

/** The light theme's, of app/styles.css. */
const ink = "#0b1d2e";
const muted = "#43566a";
const lines = { grid: "#dbe3ea", axis: "#7b8c9d", late: "#ecc983" };
const colours: Record<Colour, string> = { 1: "#0b7f8a", 2: "#b4690e", 3: "#c0392b", ink };

const paintByAttribute: Paint = (colour, part) =>
  part === "fill" ? { fill: colours[colour] } : { stroke: colours[colour] };

const ChartFile = ({ model, subtitle, notes }: Texts & { model: ChartModel }) => {
  const geometry = geometryOf(model, size.plotHeight);
  const height = margin.top + geometry.height + 24 + notes.length * 18;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size.width}
      height={height}
      viewBox={`0 0 ${size.width} ${height}`}
      fontFamily="Inter, Arial, Helvetica, sans-serif"
      fontSize="13"
      fill={muted}
    >
      <title>{`${model.title}. ${subtitle}`}</title>
      <desc>{model.description}</desc>
      <rect width={size.width} height={height} fill="#ffffff" />
      <text x="24" y="38" fontSize="20" fontWeight="600" fill={ink}>
        {model.title}
      </text>
      <text x="24" y="62" fontSize="14">
        {subtitle}
      </text>
      <Legend model={model} />
      <text x="24" y={margin.top - 4} fontSize="12">
        {model.unit}
      </text>
      <g transform={`translate(${margin.left} ${margin.top})`}>
        <Axes model={model} geometry={geometry} />
        <Marks model={model} geometry={geometry} width={plotWidth} paint={paintByAttribute} />
      </g>
      {notes.map((note, i) => (
        <text key={note} x="24" y={margin.top + geometry.height + 30 + i * 18} fontSize="12">
          {note}
        </text>
      ))}
    </svg>
  );
};

const legendWidth = 150;

const Legend = ({ model: { series, states } }: { model: ChartModel }) => (
  <g>
    {[
      ...series.map((one) => ({ ...one, opacity: 1 })),
      ...(states
        ? [
            {
              label: `${states.label}: higher is tighter`,
              mark: "bar",
              colour: "ink",
              isReference: false,
              opacity: 0.45,
            } as const,
          ]
        : []),
    ].map(({ label, mark, colour, isReference, opacity }, i) => (
      <g key={label} transform={`translate(${24 + i * legendWidth} 86)`}>
        {mark === "line" ? (
          <line
            x2="14"
            y1="0"
            y2="0"
            strokeWidth="2.5"
            strokeDasharray={isReference ? "5 4" : undefined}
            {...paintByAttribute(colour, "stroke")}
          />
        ) : (
          <rect y="-6" width="12" height="12" rx="2.5" fillOpacity={opacity} {...paintByAttribute(colour, "fill")} />
        )}
        <text x="22" y="5">
          {label}
        </text>
      </g>
    ))}
  </g>
);

const Axes = ({ model, geometry }: { model: ChartModel; geometry: Geometry }) => {
  const { ticks, y, top, bottom, labelsAt, axisLabels } = geometry;
  const { format, formatAxis = format, late, spans = [] } = model;
  return (
    <>
      {late ? (
        <rect
          x={late.from * plotWidth}
          y={top}
          width={(late.to - late.from) * plotWidth}
          height={bottom - top}
          fill={lines.late}
          fillOpacity="0.35"
        >
          <title>{late.label}</title>
        </rect>
      ) : null}
      {ticks.map((tick) => (
        <g key={tick}>
          <line x2={plotWidth} y1={y(tick)} y2={y(tick)} stroke={tick === 0 ? lines.axis : lines.grid} />
          <text x="-10" y={y(tick) + 4} textAnchor="end">
            {formatAxis(tick)}
          </text>
        </g>
      ))}
      {spans.map(({ from, to, label }) => (
        <g key={label}>
          {from > 0 ? (
            <line
              x1={from * plotWidth}
              x2={from * plotWidth}
              y1="4"
              y2={bottom}
              stroke={lines.axis}
              strokeDasharray="1 3"
            />
          ) : null}
          {to - from < label.length / 130 ? null : (
            <text x={from * plotWidth + 6} y="15" fontSize="12">
              {label}
            </text>
          )}
        </g>
      ))}
      {axisLabels.map(({ position, text }) => (
        <text
          key={text}
          x={position * plotWidth}
          y={labelsAt}
          textAnchor={model.positions && position === 1 ? "end" : position === 0 ? "start" : "middle"}
        >
          {text}
        </text>
      ))}
    </>
  );
};
