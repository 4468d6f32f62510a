import type { ChosenBenchmark } from "../benchmark-view.ts";
import { formatCompactMoney, formatDay, formatMoney, formatNumber } from "../format.ts";
import { Chart } from "./charts/chart.tsx";
import { timeAxis } from "./charts/time-axis.ts";

/** The rates of a lane by week; for those who do not subscribe to it, the index. */
export const MarketChart = ({ market }: { market: ChosenBenchmark }) =>
  market.access === "free" ? <IndexChart market={market} /> : <RateChart market={market} />;

const axisOf = ({ weeks }: ChosenBenchmark) => ({
  labelHeader: "Week of",
  ...timeAxis(
    weeks.map(({ week }) => week),
    { periods: [], lateUntil: null },
  ),
  atRest: "newest" as const,
});

const IndexChart = ({ market }: { market: ChosenBenchmark }) => (
  <Chart
    model={{
      ...axisOf(market),
      title: "Index of the median rate",
      description: `Index of the median rate on the trade lane by week, with the week of ${formatDay(market.weeks[0].week)} as 100`,
      series: [{ label: "Index", mark: "line", colour: 1, values: market.weeks.map(({ index }) => index) }],
      baseline: "zoomed",
      format: formatNumber,
    }}
  />
);

const RateChart = ({ market }: { market: ChosenBenchmark }) => (
  <Chart
    model={{
      ...axisOf(market),
      title: "Rates on the trade lane",
      description: `Low, median and high all-in rates on the trade lane by week, ${market.cargo}`,
      series: [
        { label: "Median", mark: "line", colour: 1, values: market.weeks.map(({ medianCents }) => medianCents) },
        { label: "High", mark: "line", colour: 3, values: market.weeks.map(({ highCents }) => highCents) },
        { label: "Low", mark: "line", colour: 2, values: market.weeks.map(({ lowCents }) => lowCents) },
      ],
      baseline: "zoomed",
      format: (cents) => formatMoney(cents),
      formatAxis: (cents) => formatCompactMoney(cents),
    }}
  />
);
