import { Link } from "@remix-run/react";
import { formatCount, formatMoney } from "../format.ts";
import { Card } from "./card.tsx";
import { type Column, Table } from "./table.tsx";

type Line = {
  id: number;
  routeId: number;
  routeName: string;
  routeCode: string;
  months: number;
  listCents: number;
  totalCents: number;
};

/** The lines of a quote with their sums. @param totalLabel says what the total includes */
export const QuoteLines = ({
  lines,
  listCents,
  totalCents,
  currency,
  totalLabel,
}: {
  lines: readonly Line[];
  listCents: number;
  totalCents: number;
  currency: string;
  totalLabel: string;
}) => (
  <Card title={formatCount(lines.length, "route")} flush>
    <Table
      caption="Routes of the quote"
      columns={columnsIn(currency)}
      rows={lines}
      rowKey={({ id }) => id}
      first={{ rows: 8, noun: "routes" }}
    />
    <dl className="grid gap-1.5 border-line border-t px-5 py-4 text-sm tabular-nums">
      <div className="flex justify-between gap-4 text-muted">
        <dt>List price</dt>
        <dd>{formatMoney(listCents, currency)}</dd>
      </div>
      <div className="flex items-baseline justify-between gap-4 font-semibold text-ink">
        <dt>{totalLabel}</dt>
        <dd className="text-xl">{formatMoney(totalCents, currency)}</dd>
      </div>
    </dl>
  </Card>
);

const columnsIn = (currency: string): Column<Line>[] => [
  {
    key: "route",
    header: "Route",
    primary: true,
    cell: ({ routeId, routeName, routeCode }) => (
      <span className="grid gap-0.5">
        <Link to={`/routes/${routeId}`} className="link">
          {routeName}
        </Link>
        <span className="font-mono font-normal text-muted text-xs">{routeCode}</span>
      </span>
    ),
  },
  { key: "term", header: "Term", cell: ({ months }) => formatCount(months, "month") },
  { key: "list", header: "List price", align: "end", cell: ({ listCents }) => formatMoney(listCents, currency) },
  { key: "total", header: "Total", align: "end", cell: ({ totalCents }) => formatMoney(totalCents, currency) },
];
