type Props = { values: readonly number[] /** One sentence for screen readers. */; label: string };

const [width, height, margin] = [96, 28, 3];

/** A line without axes, for a table cell. Its range is that of the values. */
export const Sparkline = ({ values, label }: Props) => {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const x = (i: number) => margin + (i / Math.max(1, values.length - 1)) * (width - 2 * margin);
  const y = (value: number) => margin + (1 - (value - min) / (max - min || 1)) * (height - 2 * margin);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="inline-block h-7 w-24" role="img" aria-label={label}>
      <path
        d={values.map((value, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join("")}
        className="stroke-chart-1"
        fill="none"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
};
