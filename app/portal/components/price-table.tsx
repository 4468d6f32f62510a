import { formatMoney } from "../format.ts";
import { Badge } from "./badge.tsx";

export type PriceRow = {
  /** The contract's word: `3_months`. */
  term: string;
  months: number;
  listCents: number;
  discountPercent: number;
  totalCents: number;
};

/** What each term costs. The lowest price a month is the best value. */
export const PriceTable = ({ rows, caption = "Price by term" }: { rows: readonly PriceRow[]; caption?: string }) => {
  const best = rows.reduce<PriceRow | null>((a, b) => (a && monthly(a) <= monthly(b) ? a : b), null);
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead className="bg-canvas text-[0.8125rem] text-muted">
        <tr>
          <th scope="col" className={`${cell} text-left font-medium`}>
            Term
          </th>
          <th scope="col" className={`${cell} text-right font-medium max-sm:hidden`}>
            List price
          </th>
          <th scope="col" className={`${cell} text-right font-medium max-sm:hidden`}>
            Discount
          </th>
          <th scope="col" className={`${cell} text-right font-medium`}>
            A month
          </th>
          <th scope="col" className={`${cell} text-right font-medium`}>
            Total
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-t border-line tabular-nums">
        {rows.map((row) => (
          <tr key={row.term} className={row === best ? "bg-accent-soft" : undefined}>
            <th scope="row" className={`${cell} text-left font-medium text-ink`}>
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="whitespace-nowrap">{row.months === 1 ? "1 month" : `${row.months} months`}</span>
                {row === best && rows.length > 1 ? <Badge tone="accent">Best value</Badge> : null}
              </span>
            </th>
            <td className={`${cell} text-right text-muted max-sm:hidden`}>{formatMoney(row.listCents)}</td>
            <td className={`${cell} text-right text-muted max-sm:hidden`}>
              {row.discountPercent > 0 ? `−${row.discountPercent}%` : "None"}
            </td>
            <td className={`${cell} text-right text-muted`}>{formatMoney(Math.round(monthly(row)))}</td>
            <td className={`${cell} text-right font-semibold text-ink`}>{formatMoney(row.totalCents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const cell = "px-3 py-2.5 first:pl-5 last:pr-5";
const monthly = (row: PriceRow) => row.totalCents / row.months;
