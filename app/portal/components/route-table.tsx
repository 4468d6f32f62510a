import { Link } from "@remix-run/react";
import { formatDayRange, formatMoney, formatNauticalMiles, formatSailings, formatWord } from "../format.ts";
import type { RouteRow } from "../route-view.ts";
import { Badge } from "./badge.tsx";
import { Icon } from "./icon.tsx";
import { type Column, Table } from "./table.tsx";

/** Catalogue routes, one per row. */
export const RouteTable = ({ rows }: { rows: readonly RouteRow[] }) => (
  <Table caption="Routes" narrow columns={columns} rows={rows} rowKey={(row) => row.id} />
);

const columns: Column<RouteRow>[] = [
  {
    key: "name",
    header: "Route",
    primary: true,
    cell: (row) => (
      <span className="grid justify-items-start gap-0.5">
        <Link
          to={`/routes/${row.id}`}
          prefetch="intent"
          className="font-semibold text-ink hover:text-accent hover:underline"
        >
          {row.name}
        </Link>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="flex items-center gap-1 font-mono font-normal text-muted text-xs">
            {row.origin.unlocode} <Icon name="arrow-right" className="size-3" /> {row.destination.unlocode}
          </span>
          {row.hasAccess ? (
            <Badge tone="success" dot>
              Subscribed
            </Badge>
          ) : null}
        </span>
        <span className="font-normal text-muted text-xs sm:hidden">
          {row.carrier}, {formatWord(row.cargoType)}
        </span>
      </span>
    ),
  },
  {
    key: "carrier",
    header: "Carrier",
    desktopOnly: true,
    cell: (row) => (
      <span className="grid gap-0.5">
        {row.carrier}
        <span className="text-muted text-xs">{formatWord(row.cargoType)}</span>
      </span>
    ),
  },
  {
    key: "transit",
    header: "Transit",
    align: "end",
    cell: (row) => (
      <span className="whitespace-nowrap">
        {formatDayRange(row.transitDays)}
        <span className="mt-0.5 block text-muted text-xs">{formatSailings(row.sailingsPerWeek)}</span>
      </span>
    ),
  },
  {
    key: "distance",
    header: "Distance",
    align: "end",
    desktopOnly: true,
    cell: (row) => <span className="whitespace-nowrap">{formatNauticalMiles(row.distanceNm)}</span>,
  },
  {
    key: "price",
    header: "From, a month",
    align: "end",
    cell: (row) => (row.priceFromCents === null ? "Not on sale" : <strong>{formatMoney(row.priceFromCents)}</strong>),
  },
];
