import { equipmentName } from "#app/domain/catalogue/equipment.ts";
import { addDays } from "#app/domain/dates.ts";
import {
  formatBasis,
  formatDay,
  formatDays,
  formatInstant,
  formatMoney,
  formatNauticalMiles,
  formatNumber,
  formatShortDay,
  formatWord,
} from "../format.ts";
import type { RouteDataView } from "../route-data-view.ts";
import { ButtonLink, Link } from "./button.tsx";
import { CallTime } from "./call-time.tsx";
import { Card } from "./card.tsx";
import { DataAsOf } from "./data-as-of.tsx";
import { Small } from "./small.tsx";
import { Stat, Stats } from "./stat.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { Table } from "./table.tsx";
import { Term, TermOrCode } from "./term.tsx";
import { Vessels, vesselHeading } from "./vessels.tsx";

type Props = { data: RouteDataView; routeId: number };

/** All the route data that a subscription gives access to. */
export const RouteData = ({ data, routeId }: Props) => (
  <>
    <Figures data={data} />
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Schedule data={data} routeId={routeId} />
      <div className="grid min-w-0 gap-6">
        <TransitTimes data={data} />
        <Waypoints data={data} />
      </div>
    </div>
    <Sailings data={data} />
    <Rates data={data} />
    {data.knownOn === null ? <History routeId={routeId} /> : null}
    <Periods data={data} routeId={routeId} />
  </>
);

type Section = { id: string; label: string };

/** The sections of the page for this route, in page order. */
export const sectionsOf = ({ sailings, knownOn }: RouteDataView): Section[] => [
  { id: "schedule", label: "Schedule" },
  { id: "transit", label: "Transit times" },
  { id: "waypoints", label: "Waypoints" },
  ...(sailings.length > 0 ? [{ id: "ships", label: "Vessels" }] : []),
  { id: "rates", label: "Rates" },
  { id: "surcharges", label: "Surcharges" },
  ...(knownOn === null ? [{ id: "history", label: "Charts" }] : []),
  { id: "periods", label: "Periods and reports" },
];

const History = ({ routeId }: { routeId: number }) => (
  <Card
    id="history"
    title="Charts"
    description="Rates by container type with surcharges, space available, punctuality and transit times over the years."
    actions={
      <ButtonLink to={`/routes/${routeId}/charts`} icon="chart">
        View charts
      </ButtonLink>
    }
  />
);

const Figures = ({ data }: { data: RouteDataView }) => {
  const [fastest] = data.levels;
  const cheapest = data.rates.toSorted((a, b) => a.allInCents - b.allInCents)[0];
  return (
    <Stats>
      <Stat
        label="Next departure"
        value={data.departures[0] ? formatShortDay(data.departures[0].departsOn) : "None"}
        note={data.departures[1] ? `then ${formatShortDay(data.departures[1].departsOn)}` : undefined}
      />
      <Stat
        label="Fastest transit"
        value={fastest ? formatDays(fastest.transitDays) : "–"}
        note={fastest && formatWord(fastest.level)}
      />
      <Stat
        label={<Term name="All-in rate">Lowest all-in rate</Term>}
        value={cheapest ? formatMoney(cheapest.allInCents) : "–"}
        note={
          cheapest &&
          [
            cheapest.equipmentType && equipmentName(cheapest.equipmentType),
            formatBasis(cheapest.basis),
            formatWord(cheapest.serviceLevel).toLowerCase(),
          ]
            .filter(Boolean)
            .join(", ")
        }
      />
      <Stat
        label="Space available per sailing"
        value={formatNumber(data.capacity.available)}
        note={
          <>
            of {formatNumber(data.capacity.nominal)}{" "}
            {data.capacity.unit === "TEU" ? <Term name="TEU" /> : formatWord(data.capacity.unit)}
          </>
        }
      />
      <Stat
        label="Booking status"
        value={<StatusBadge status={data.capacity.status} />}
        note={`observed ${formatInstant(data.capacity.observedAt)}`}
      />
    </Stats>
  );
};

const Schedule = ({ data, routeId }: { data: RouteDataView; routeId: number }) => (
  <Card
    id="schedule"
    title="Schedule"
    description="Next departures, local date at the port of origin, with arrival by service level"
    actions={<ScheduleLinks routeId={routeId} />}
    flush
  >
    <Table
      caption="Next departures"
      narrow
      rows={data.departures}
      rowKey={(row) => row.id}
      columns={[
        {
          key: "departs",
          header: "Departure",
          primary: true,
          cell: (row) => <span className="whitespace-nowrap">{formatDay(row.departsOn)}</span>,
        },
        ...data.levels.map(({ level, transitDays }) => ({
          key: level,
          header: `${formatWord(level)}, ${formatDays(transitDays)}`,
          align: "end" as const,
          cell: (row: RouteDataView["departures"][number]) =>
            formatShortDay(row.arrivals.find((arrival) => arrival.level === level)?.on ?? row.departsOn),
        })),
      ]}
    />
  </Card>
);

const TransitTimes = ({ data: { levels, transhipmentPorts } }: { data: RouteDataView }) => {
  const longest = Math.max(1, ...levels.map(({ transitDays }) => transitDays));
  return (
    <Card
      id="transit"
      title="Transit times"
      description={`Port to port, by service level${
        transhipmentPorts.length > 0 ? `, with transhipment at ${transhipmentPorts.join(", ")}` : ""
      }`}
    >
      <ul className="grid gap-3 text-sm">
        {levels.map(({ level, transitDays, speedKnots }) => (
          <li key={level} className="grid gap-1">
            <span className="flex justify-between gap-4">
              <span className="font-medium text-ink">{formatWord(level)}</span>
              <span className="text-muted tabular-nums">
                <strong className="text-ink">{formatDays(transitDays)}</strong> at {speedKnots} knots
              </span>
            </span>
            <svg className="h-2 w-full" aria-hidden="true">
              <rect width="100%" height="8" rx="4" className="fill-sunken" />
              <rect
                width={`${((transitDays / longest) * 100).toFixed(1)}%`}
                height="8"
                rx="4"
                className="fill-chart-1"
              />
            </svg>
          </li>
        ))}
      </ul>
    </Card>
  );
};

const ScheduleLinks = ({ routeId }: { routeId: number }) => (
  <span className="flex gap-4 text-sm">
    <Link to={`/routes/${routeId}/schedule`} prefetch="intent" className="link inline-flex min-h-6 items-center">
      Full schedule
    </Link>
    <a href={`/routes/${routeId}/schedule.csv`} download className="link inline-flex min-h-6 items-center">
      CSV
    </a>
  </span>
);

const Sailings = ({ data: { sailings, capacity } }: { data: RouteDataView }) =>
  sailings.length === 0 ? null : (
    <Card
      id="ships"
      title="Vessels"
      description={
        <>
          Local times at each port<span className="max-sm:hidden">, with UTC below</span>
        </>
      }
      flush
    >
      <Table
        caption="Vessels"
        first={{ rows: 3, noun: "vessels" }}
        rows={sailings}
        rowKey={(row) => row.id}
        columns={[
          {
            key: "vessel",
            header: "Vessel",
            heading: vesselHeading,
            primary: true,
            cell: (row) => <Vessels sailing={row} />,
          },
          {
            key: "voyage",
            header: "Service, voyage",
            desktopOnly: true,
            cell: (row) => `${row.serviceCode}, ${row.voyage}`,
          },
          {
            key: "etd",
            header: "ETD",
            heading: <Term name="ETD" />,
            align: "end",
            cell: (row) => <CallTime at={row.etd} />,
          },
          {
            key: "eta",
            header: "ETA",
            heading: <Term name="ETA" />,
            align: "end",
            cell: (row) => <CallTime at={row.eta} />,
          },
          {
            key: "available",
            header: `Space available, ${formatWord(capacity.unit)}`,
            align: "end",
            cell: (row) => (
              <span>
                {row.capacity.available === null ? "–" : formatNumber(row.capacity.available)}
                <Small phone>{row.capacity.booking && formatWord(row.capacity.booking)}</Small>
              </span>
            ),
          },
          {
            key: "booking",
            header: "Booking status",
            align: "end",
            desktopOnly: true,
            cell: (row) => (row.capacity.booking ? <StatusBadge status={row.capacity.booking} /> : "–"),
          },
        ]}
      />
    </Card>
  );

const Periods = ({ data: { periods }, routeId }: { data: RouteDataView; routeId: number }) => (
  <Card id="periods" title="Periods and reports" description="Single observations to read and download" flush>
    <Table
      caption="Periods"
      narrow
      rows={periods}
      rowKey={(period) => period.id}
      columns={[
        {
          key: "name",
          header: "Period",
          primary: true,
          cell: (period) => (
            <>
              {period.opened ? (
                <Link
                  to={`/routes/${routeId}/periods/${period.id}`}
                  prefetch="intent"
                  className="font-semibold text-ink hover:text-accent hover:underline"
                >
                  {period.name}
                </Link>
              ) : (
                period.name
              )}
              <Small phone>
                {formatWord(period.freshness)}, {daysOf(period)}
              </Small>
            </>
          ),
        },
        {
          key: "days",
          header: "Days",
          desktopOnly: true,
          cell: daysOf,
        },
        { key: "freshness", header: "Data", desktopOnly: true, cell: ({ freshness }) => formatWord(freshness) },
        { key: "as-of", header: "As of", cell: (period) => <DataAsOf {...period} /> },
        {
          key: "files",
          header: "Download",
          align: "end",
          cell: (period) =>
            period.opened ? (
              <span className="inline-flex gap-4">
                {["csv", "json"].map((kind) => (
                  <a
                    key={kind}
                    href={`/routes/${routeId}/periods/${period.id}/reports.${kind}`}
                    download
                    className="link inline-flex min-h-6 items-center"
                    aria-label={`${period.name}: reports as ${kind.toUpperCase()}`}
                  >
                    {kind.toUpperCase()}
                  </a>
                ))}
              </span>
            ) : (
              <span className="text-muted">Not in your subscription</span>
            ),
        },
      ]}
    />
  </Card>
);

const daysOf = ({ startsOn, endsOn }: RouteDataView["periods"][number]) =>
  endsOn === null ? `since ${formatDay(startsOn)}` : `${formatDay(startsOn)} – ${formatDay(addDays(endsOn, -1))}`;

const Waypoints = ({ data }: { data: RouteDataView }) => (
  <Card
    id="waypoints"
    title="Routing and waypoints"
    description={data.passages.length > 0 ? `Via ${data.passages.join(", ")}` : "No canals or straits"}
    flush
  >
    <Table
      caption="Waypoints"
      narrow
      first={{ rows: 3, noun: "waypoints" }}
      rows={data.stops}
      rowKey={(row) => `${row.name} ${row.distanceNm}`}
      empty={<p className="px-5 py-4 text-muted text-sm">No named waypoints on this route.</p>}
      columns={[
        { key: "name", header: "Waypoint", primary: true, cell: (row) => row.name },
        { key: "kind", header: "Type", desktopOnly: true, cell: (row) => formatWord(row.kind) },
        { key: "distance", header: "From origin", align: "end", cell: (row) => formatNauticalMiles(row.distanceNm) },
        { key: "days", header: "Passage", align: "end", cell: (row) => `day ${row.days.toFixed(1)}` },
      ]}
    />
  </Card>
);

const Rates = ({ data }: { data: RouteDataView }) => (
  <div className="grid items-start gap-6 lg:grid-cols-2">
    <Card
      id="rates"
      title="Rates"
      description={
        <>
          In US dollars. The all-in rate is the base rate plus the mandatory surcharges valid today.
          {data.rates.some(({ equipmentType }) => equipmentType) ? (
            <>
              {" "}
              Container types have their <Term name="ISO 6346" /> code.
            </>
          ) : null}
        </>
      }
      flush
    >
      <Table
        caption="Base rates"
        narrow
        rows={data.rates}
        rowKey={(row) => `${row.serviceLevel} ${row.equipmentType}`}
        columns={[
          {
            key: "what",
            header: "Service level",
            primary: true,
            cell: (row) => (
              <>
                {formatWord(row.serviceLevel)}
                <Small>
                  {row.equipmentType ? `${equipmentName(row.equipmentType)}, ` : ""}
                  {formatBasis(row.basis)}
                </Small>
              </>
            ),
          },
          {
            key: "base",
            header: "Base rate",
            heading: <Term name="Base rate" />,
            align: "end",
            cell: (row) => formatMoney(row.amountCents),
          },
          {
            key: "surcharges",
            header: "Surcharges",
            align: "end",
            desktopOnly: true,
            cell: (row) => formatMoney(row.surchargesCents),
          },
          {
            key: "all-in",
            header: "All-in rate",
            align: "end",
            cell: (row) => <strong>{formatMoney(row.allInCents)}</strong>,
          },
        ]}
      />
    </Card>
    <Card id="surcharges" title="Surcharges" description="Charged in addition to the base rate" flush>
      <Table
        caption="Surcharges"
        narrow
        first={{ rows: 7, noun: "surcharges" }}
        rows={data.surcharges}
        rowKey={(row) => `${row.code} ${row.validFrom}`}
        columns={[
          {
            key: "name",
            header: "Surcharge",
            primary: true,
            cell: (row) => (
              <>
                {row.name}{" "}
                <span className="font-mono font-normal text-muted text-xs">
                  <TermOrCode {...row} />
                </span>
                <Small>
                  {row.mandatory ? "Mandatory" : "If applicable"},{" "}
                  {row.validTo === null ? `from ${formatDay(row.validFrom)}` : `until ${formatDay(row.validTo)}`}
                </Small>
              </>
            ),
          },
          {
            key: "amount",
            header: "Amount",
            align: "end",
            cell: (row) => (
              <>
                {formatMoney(row.amountCents, row.currency)}
                <Small>{formatBasis(row.basis)}</Small>
                {row.converted ? <Converted {...row.converted} /> : null}
              </>
            ),
          },
        ]}
      />
    </Card>
  </div>
);

type ConvertedSurcharge = NonNullable<RouteDataView["surcharges"][number]["converted"]>;

const Converted = ({ amountCents, rate, source, asOf }: ConvertedSurcharge) => (
  <>
    <Small>
      {formatMoney(amountCents)} at {rate}
    </Small>
    <Small>
      {source}, {formatDay(asOf)}
    </Small>
  </>
);
