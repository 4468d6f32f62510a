import { formatCompact, formatNumber } from "../../format.ts";
import type { ChartModel } from "./chart-model.ts";

type Requests = { requests: number; errors: number; rateLimited: number };

/** API requests as stacked bars, by how they ended. */
export const requestSeries = (
  pieces: readonly Requests[],
): Pick<ChartModel, "series" | "atRest" | "format" | "formatAxis"> => ({
  series: [
    {
      label: "Successful",
      values: pieces.map(({ requests, errors, rateLimited }) => requests - errors - rateLimited),
      mark: "bar",
      colour: 1,
    },
    { label: "Rate-limited", values: pieces.map(({ rateLimited }) => rateLimited), mark: "bar", colour: 2 },
    { label: "Errors", values: pieces.map(({ errors }) => errors), mark: "bar", colour: 3 },
  ],
  atRest: "total",
  format: formatNumber,
  formatAxis: formatCompact,
});
