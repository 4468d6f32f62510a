import type { ChartModel } from "./chart-model.ts";

/** A value for people. Null: there is none. */
export const valueText = ({ format }: ChartModel, value: number | null): string =>
  value === null ? "–" : format(value);

/** What the chart says of one point: its label, the values of all series, its state. */
export const valueTexts = (model: ChartModel, i: number): string[] => [
  model.labels[i] ?? "",
  ...model.series.map(({ label, values }) => `${label}: ${valueText(model, values[i] ?? null)}`),
  ...(model.states ? [`${model.states.label}: ${model.states.values[i]?.text ?? "–"}`] : []),
];
