import { Link } from "@remix-run/react";
import { formatNumber, formatShare } from "#app/portal/format.ts";

export type Bar = {
  key: string | number;
  label: string;
  value: number;
  /** Shown after the number: "3 errors". */
  note?: string | undefined;
  /** The label's link. */
  to?: string | undefined;
};

/** Parts of a whole as bars. Pass the largest first. */
export const BarList = ({ bars, total }: { bars: readonly Bar[]; total: number }) => (
  <ul className="grid gap-4">
    {bars.map((bar) => (
      <li key={bar.key} className="grid gap-1.5 text-sm">
        <div className="flex items-baseline justify-between gap-4">
          {bar.to ? (
            <Link to={bar.to} prefetch="intent" className="link min-w-0 break-all">
              {bar.label}
            </Link>
          ) : (
            <span className="min-w-0 break-all font-medium text-ink">{bar.label}</span>
          )}
          <span className="shrink-0 text-right text-muted tabular-nums">
            <span className="font-medium text-ink">{formatNumber(bar.value)}</span>{" "}
            {formatShare(total > 0 ? bar.value / total : 0)}
          </span>
        </div>
        <svg className="h-2 w-full" aria-hidden="true">
          <rect width="100%" height="8" rx="4" className="fill-sunken" />
          <rect
            width={`${Math.max(0.5, (bar.value / Math.max(1, total)) * 100).toFixed(1)}%`}
            height="8"
            rx="4"
            className="fill-chart-1"
          />
        </svg>
        {bar.note ? <span className="text-[0.8125rem] text-muted">{bar.note}</span> : null}
      </li>
    ))}
  </ul>
);
