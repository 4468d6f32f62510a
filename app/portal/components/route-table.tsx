import { Link } from "@remix-run/react";
import { formatMoney, formatWord } from "../format.ts";
import type { RouteRow } from "../route-view.ts";
import { Badge } from "./badge.tsx";
import { Icon } from "./icon.tsx";
import { type Column, Table } from "./table.tsx";

/** Routes of the catalogue, one line each. */
export const RouteTable = ({ rows }: { rows: readonly RouteRow[] }) => (
  <Table caption="Routes" columns={columns} rows={rows} rowKey={(row) => row.id} />
);

const columns: Column<RouteRow>[] = [
  {
    key: "name",
    header: "Route",
    primary: true,
    cell: (row) => (
      <span className="grid gap-0.5">
        <Link
          to={`/routes/${row.id}`}
          prefetch="intent"
          className="font-semibold text-ink hover:text-accent hover:underline"
        >
          {row.name}
        </Link>
        <span className="flex items-center gap-1 font-mono font-normal text-muted text-xs">
          {row.origin.unlocode} <Icon name="arrow-right" className="size-3" /> {row.destination.unlocode}
        </span>
      </span>
    ),
  },
  { key: "carrier", header: "Carrier", cell: (row) => row.carrier },
  { key: "cargo", header: "Cargo", cell: (row) => formatWord(row.cargoType) },
  {
    key: "transit",
    header: "Transit",
    align: "end",
    cell: ({ transitDays: { min, max } }) => (min === max ? `${min} days` : `${min}–${max} days`),
  },
  {
    key: "price",
    header: "From, a month",
    align: "end",
    cell: (row) => (row.priceFromCents === null ? "Not on sale" : formatMoney(row.priceFromCents)),
  },
  {
    key: "access",
    header: "Access",
    align: "end",
    cell: (row) =>
      row.hasAccess ? (
        <Badge tone="success" dot>
          Subscribed
        </Badge>
      ) : (
        <Link
          to={`/routes/${row.id}`}
          className="font-medium text-accent underline-offset-3 hover:underline"
          aria-label={`View ${row.name}, ${row.carrier}`}
        >
          View
        </Link>
      ),
  },
];
