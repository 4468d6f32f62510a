// biome-ignore-all lint/a11y/useSemanticElements: a scrolling region, not a group of form fields
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
import type { ChartModel } from "./chart-model.ts";
import { valueText } from "./value-texts.ts";

/** The values of a chart as a table, closed at first. */
export const ChartTable = ({ model }: { model: ChartModel }) => {
  const { title, labels, labelHeader, series, states } = model;
  const headers = [...series.map(({ label }) => label), ...(states ? [states.label] : [])];
  return (
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
              {headers.map((header) => (
                <th key={header} scope="col" className="px-3 py-2 text-right font-medium">
                  {header}
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
                  <td key={one.label} className="px-3 py-1.5 text-right tabular-nums">
                    {valueText(model, one.values[i] ?? null)}
                  </td>
                ))}
                {states ? <td className="px-3 py-1.5 text-right">{states.values[i]?.text ?? "–"}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
};
