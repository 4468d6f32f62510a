type Props = {
  values: readonly number[];
  /** What it shows, for those who do not see it: "Requests, last 30 days". */
  label: string;
};

/** A trend without axes, beside its figure. */
export const Sparkline = ({ values, label }: Props) => {
  const top = Math.max(1, ...values);
  const at = (value: number, i: number) =>
    `${((i / Math.max(1, values.length - 1)) * 100).toFixed(1)} ${(30 - (value / top) * 28).toFixed(1)}`;
  const line = values.map((value, i) => `${i === 0 ? "M" : "L"}${at(value, i)}`).join("");
  return (
    <svg viewBox="0 0 100 32" preserveAspectRatio="none" className="h-8 w-full" role="img" aria-label={label}>
      {values.length > 1 ? <path d={`${line}L100 32L0 32Z`} className="fill-chart-1" fillOpacity="0.12" /> : null}
      <path
        d={line}
        className="stroke-chart-1"
        fill="none"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
};
