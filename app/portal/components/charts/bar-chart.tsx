import { ChartFrame, type ChartProps, fillOf } from "./chart-frame.tsx";

/** One bar for each label. Several series are stacked, the first at the bottom. Values must not be negative. */
export const BarChart = (props: ChartProps) => {
  const { labels, series } = props;
  const valueAt = (s: number, i: number) => series[s]?.values[i] ?? 0;
  const below = (s: number, i: number) => series.slice(0, s).reduce((sum, one) => sum + (one.values[i] ?? 0), 0);
  const slot = 100 / Math.max(1, labels.length);
  const maxValue = Math.max(0, ...labels.map((_, i) => below(series.length, i)));
  return (
    <ChartFrame {...props} maxValue={maxValue}>
      {(y) =>
        labels.map((label, i) =>
          series.map((one, s) => {
            const [from, value] = [below(s, i), valueAt(s, i)];
            if (value <= 0) return null;
            return (
              <rect
                key={`${label} ${one.label}`}
                x={`${(i + 0.18) * slot}%`}
                width={`${slot * 0.64}%`}
                y={y(from + value)}
                height={Math.max(1.5, y(from) - y(from + value))}
                rx="1.5"
                className={fillOf(one.colour)}
              />
            );
          }),
        )
      }
    </ChartFrame>
  );
};
