import { formatNumber } from "../format.ts";

type Props = {
  label: string;
  value: number;
  max: number;
  /** Hides the text above the bar. Screen readers still get the label. */
  bare?: boolean;
  /** Unit of the value: "requests". */
  unit?: string;
  /** Keeps the colour, for values that are not a limit being used up. */
  calm?: boolean;
};

/** How much of a limit is used: amber from 80 %, red from 95 %. */
export const ProgressBar = ({ label, value, max, bare = false, unit = "", calm = false }: Props) => {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  const text = `${formatNumber(value)} of ${formatNumber(max)}${unit ? ` ${unit}` : ""}`;
  const fill = calm ? "fill-chart-1" : share >= 0.95 ? "fill-chart-3" : share >= 0.8 ? "fill-chart-2" : "fill-chart-1";
  return (
    <div className="grid gap-1.5">
      {bare ? null : (
        <div className="flex justify-between gap-4 text-sm">
          <span className="font-medium text-ink">{label}</span>
          <span className="text-muted tabular-nums">{text}</span>
        </div>
      )}
      <svg
        className="h-2 w-full"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={text}
      >
        <rect width="100%" height="8" rx="4" className="fill-sunken" />
        {share > 0 ? (
          <rect width={`${Math.max(1.5, share * 100).toFixed(1)}%`} height="8" rx="4" className={fill} />
        ) : null}
      </svg>
    </div>
  );
};
