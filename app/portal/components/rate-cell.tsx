import type { RateView } from "../comparison-view.ts";
import { formatBasis, formatDay, formatMoney } from "../format.ts";
import { Small } from "./small.tsx";
import { TermOrCode } from "./term.tsx";

/** An all-in rate in a table, with its components. */
export const RateCell = ({ rate }: { rate: RateView | null }) =>
  rate === null ? (
    <>
      –<Small>no recent rate</Small>
    </>
  ) : (
    <span className="inline-grid justify-items-end">
      <strong className="font-semibold text-ink">{formatMoney(rate.allInCents, rate.currency)}</strong>
      <Small>
        {formatBasis(rate.basis)}, {formatDay(rate.observedAt)}
      </Small>
      <details className="text-xs">
        <summary className="inline-flex min-h-6 items-center font-medium text-accent hover:underline">
          Breakdown
        </summary>
        <dl className="grid grid-cols-[auto_auto] gap-x-3 text-muted">
          {rate.parts.map(({ name, meaning, cents }) => (
            <div key={name} className="contents">
              <dt className="text-left">
                <TermOrCode code={name} meaning={meaning} />
              </dt>
              <dd className="text-right tabular-nums">{formatMoney(cents, rate.currency)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </span>
  );
