import { formatDayRange, formatNauticalMiles, formatSailings, formatWord } from "../format.ts";
import type { RouteRow } from "../route-view.ts";
import { Badge } from "./badge.tsx";
import { Link } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { PriceCell, priceLabel } from "./price.tsx";
import { type Column, Table } from "./table.tsx";
import { Term } from "./term.tsx";
import { WatchButton } from "./watch-button.tsx";

/** Catalogue routes, one per row. */
export const RouteTable = ({ rows, signedIn, watches }: Props) => (
  <Table caption="Routes" narrow columns={columnsFor(signedIn, watches)} rows={rows} rowKey={(row) => row.id} />
);

type Props = {
  rows: readonly RouteRow[];
  signedIn: boolean;
  /** Watches by the route's id, for buttons that watch a route. Needs a `WatchForm` on the page. */
  watches?: Readonly<Record<number, number>> | undefined;
};

const columnsFor = (signedIn: boolean, watches: Props["watches"]): Column<RouteRow>[] => [
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
          {row.isSample ? (
            <Badge tone="accent">Sample</Badge>
          ) : row.hasAccess ? (
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
    header: "Transit time",
    heading: <Term name="Transit time" />,
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
    header: `${priceLabel(signedIn)} from, per month`,
    align: "end",
    cell: ({ priceFrom }) => <PriceCell price={priceFrom} />,
  },
  ...(watches
    ? [
        {
          key: "watch",
          header: "Watch",
          quietHeader: true,
          align: "end" as const,
          desktopOnly: true,
          cell: (row: RouteRow) => <WatchButton route={row} watchId={watches[row.id] ?? null} size="small" />,
        },
      ]
    : []),
];
