import { ChartFrame, type ChartProps, fillOf, strokeOf } from "./chart-frame.tsx";

/** One line for each series. The area below the first is tinted. Values must not be negative. */
export const LineChart = (props: ChartProps) => {
  const { labels, series } = props;
  const x = (i: number) => ((i + 0.5) / Math.max(1, labels.length)) * 100;
  const maxValue = Math.max(0, ...series.flatMap((one) => one.values));
  return (
    <ChartFrame {...props} maxValue={maxValue}>
      {(y) => (
        // The viewBox is 100 wide and stretched to the available width; heights stay in pixels.
        <svg width="100%" height="240" viewBox="0 0 100 240" preserveAspectRatio="none" aria-hidden="true">
          {series.map((one, s) => {
            const line = one.values.map(
              (value, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(2)} ${y(value).toFixed(1)}`,
            );
            const area = `${line.join("")}L${x(one.values.length - 1).toFixed(2)} ${y(0)}L${x(0).toFixed(2)} ${y(0)}Z`;
            return (
              <g key={one.label}>
                {s === 0 && one.values.length > 0 ? (
                  <path d={area} className={fillOf(one.colour)} fillOpacity="0.12" />
                ) : null}
                <path
                  d={line.join("")}
                  className={strokeOf(one.colour)}
                  fill="none"
                  strokeWidth="2"
                  strokeLinejoin="round"
                  strokeLinecap="round"
                  vectorEffect="non-scaling-stroke"
                />
              </g>
            );
          })}
        </svg>
      )}
    </ChartFrame>
  );
};
