import type { ReactNode } from "react";

type Props = {
  label: ReactNode;
  value: ReactNode;
  /** A line below the value: "of 5,000 this hour". */
  note?: ReactNode;
  /** A sparkline or a bar, below the rest. */
  chart?: ReactNode;
};

/** One figure. Place several in a `Stats`. */
export const Stat = ({ label, value, note, chart }: Props) => (
  <div className="flex min-w-0 flex-col bg-surface px-5 py-4 forced-colors:outline max-lg:last:odd:col-span-2">
    <dt className="text-muted text-sm">{label}</dt>
    <dd className="mt-1 flex flex-1 flex-col">
      <span className="font-semibold text-2xl text-ink leading-8 tracking-tight tabular-nums">{value}</span>
      {note ? <span className="mt-0.5 text-[0.8125rem] text-muted leading-5">{note}</span> : null}
      {chart ? <span className="mt-auto block pt-3">{chart}</span> : null}
    </dd>
  </div>
);

/** A strip of figures, two columns on a phone. */
export const Stats = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line shadow-card lg:grid-flow-col lg:grid-cols-none lg:auto-cols-fr">
    {children}
  </dl>
);
