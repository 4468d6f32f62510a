import type { ChartModel, Series } from "./chart-model.ts";
import { paintByClass } from "./paint.ts";
import { valueText } from "./value-texts.ts";

/**
 * The chart's legend, with the values of the selected point, or else of the newest or all together. It has the same size
 * for all of them, so that nothing moves.
 */
export const Readout = ({ model, selected }: { model: ChartModel; selected: number | null }) => {
  const { labels, labelHeader, series, states, atRest } = model;
  const shown = selected ?? (atRest === "newest" ? labels.length - 1 : null);
  const figureOf = ({ values }: Series) => (shown === null ? totalOf(values) : (values[shown] ?? null));
  return (
    <dl className="mb-3 grid grid-cols-2 gap-x-6 gap-y-2 text-[0.8125rem] leading-5 sm:flex sm:flex-wrap">
      <div className="min-w-28">
        <dt className="text-muted">{labelHeader}</dt>
        <dd className="text-ink tabular-nums">{shown === null ? "Total" : labels[shown]}</dd>
      </div>
      {series.map((one) => (
        <div key={one.label} className="min-w-24">
          <dt className="flex items-center gap-2 text-muted">
            <Swatch series={one} />
            {one.label}
          </dt>
          <dd className="font-semibold text-ink tabular-nums">{valueText(model, figureOf(one))}</dd>
        </div>
      ))}
      {states ? (
        <div className="min-w-24">
          <dt className="flex items-center gap-2 text-muted">
            <svg viewBox="0 0 10 10" className="size-2.5 shrink-0" aria-hidden="true">
              <path d="M0 10V7H3.3V4H6.6V0H10V10Z" fillOpacity="0.45" {...paintByClass("ink", "fill")} />
            </svg>
            {states.label}
          </dt>
          <dd className="font-semibold text-ink">{(shown === null ? null : states.values[shown]?.text) ?? "–"}</dd>
        </div>
      ) : null}
    </dl>
  );
};

const totalOf = (values: Series["values"]): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

const Swatch = ({ series: { mark, colour, isReference } }: { series: Series }) => (
  <svg viewBox="0 0 10 10" className="size-2.5 shrink-0" aria-hidden="true">
    {mark === "line" ? (
      <line
        x2="10"
        y1="5"
        y2="5"
        strokeWidth="2.5"
        strokeDasharray={isReference ? "4 2" : undefined}
        {...paintByClass(colour, "stroke")}
      />
    ) : (
      <rect width="10" height="10" rx="2.5" {...paintByClass(colour, "fill")} />
    )}
  </svg>
);
