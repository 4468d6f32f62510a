import type { Change, ChangeSpan, Observation } from "../../../domain/catalogue/change-over.ts";
import { formatChange, formatDay } from "../../format.ts";

type Props = {
  /** What the newest value is: "All-in". */
  label: string;
  newest: Observation | null;
  changes: readonly Change[];
  /** Formats the newest value, and those that it is compared with. */
  format: (value: number) => string;
  /** Formats a change. Defaults to percent. */
  formatOf?: (change: Change) => string | null;
};

/** The newest value, and how it differs from those of four weeks, a quarter and a year before. */
export const Changes = ({ label, newest, changes, format, formatOf = inPercent }: Props) => (
  <dl className="mb-4 grid grid-cols-3 gap-x-4 gap-y-2 text-[0.8125rem] leading-5 sm:flex sm:flex-wrap sm:items-end sm:gap-x-6">
    {newest === null ? null : (
      <div className="max-sm:col-span-3 sm:pr-2">
        <dt className="text-muted">
          {label}, <time dateTime={newest.on}>{formatDay(newest.on)}</time>
        </dt>
        <dd className="font-semibold text-2xl text-ink leading-8 tracking-tight tabular-nums">
          {format(newest.value)}
        </dd>
      </div>
    )}
    {changes.map((change) => {
      const text = formatOf(change);
      return (
        <div key={change.span} className="sm:min-w-20">
          <dt className="text-muted">{spanNames[change.span]}</dt>
          <dd className="font-semibold text-ink tabular-nums">
            {text === null || change.from === null ? (
              <span className="font-normal text-muted">No data then</span>
            ) : (
              <span title={`${format(change.from.value)} on ${formatDay(change.from.on)}`}>
                <span aria-hidden="true">{arrowOf(change.difference)}</span>
                {text}
              </span>
            )}
          </dd>
        </div>
      );
    })}
  </dl>
);

const spanNames = { "4_weeks": "4 weeks", quarter: "Quarter", year: "Year" } as const satisfies Record<
  ChangeSpan,
  string
>;

export const inPercent = ({ percent }: Change): string | null =>
  percent === null ? null : formatChange(percent / 100);

const arrowOf = (difference: number | null): string => {
  if (difference === null || difference === 0) return "";
  return difference > 0 ? "↑ " : "↓ ";
};
