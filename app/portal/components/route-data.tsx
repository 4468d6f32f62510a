import { Link } from "@remix-run/react";
import { equipmentName } from "#app/domain/catalogue/equipment.ts";
import {
  formatBasis,
  formatCompactMoney,
  formatDay,
  formatDays,
  formatInstant,
  formatMoney,
  formatMonth,
  formatNauticalMiles,
  formatNumber,
  formatShare,
  formatShortDay,
  formatWord,
} from "../format.ts";
import type { RouteDataView } from "../route-data-view.ts";
import { CallTime } from "./call-time.tsx";
import { Card } from "./card.tsx";
import { LineChart } from "./charts/line-chart.tsx";
import { DataAsOf } from "./data-as-of.tsx";
import { Small } from "./small.tsx";
import { Stat, Stats } from "./stat.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { Table } from "./table.tsx";
import { Tabs } from "./tabs.tsx";
import { Vessels } from "./vessels.tsx";

/** All the route data that a subscription gives access to. */
export const RouteData = ({ data, routeId }: { data: RouteDataView; routeId: number }) => (
  <>
    <Figures data={data} />
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Schedule data={data} routeId={routeId} />
      <div className="grid min-w-0 gap-6">
        <TransitTimes data={data} />
        <Way data={data} />
      </div>
    </div>
    <Sailings data={data} />
    <Rates data={data} />
    <History data={data} />
    <Periods data={data} routeId={routeId} />
  </>
);

type Section = { id: string; label: string };

/** The sections of the page for this route, in page order. */
export const sectionsOf = ({ sailings, rateHistory, series }: RouteDataView): Section[] => [
  { id: "schedule", label: "Schedule" },
  { id: "transit", label: "Transit times" },
  { id: "waypoints", label: "Waypoints" },
  ...(sailings.length > 0 ? [{ id: "ships", label: "Vessels" }] : []),
  { id: "rates", label: "Rates" },
  { id: "surcharges", label: "Surcharges" },
  ...(rateHistory && rateHistory.base.length > 1 ? [{ id: "rate-history", label: "Rate history" }] : []),
  ...(series.capacity.length > 1 ? [{ id: "capacity", label: "Capacity" }] : []),
  ...(series.onTime.length > 1 ? [{ id: "performance", label: "Performance" }] : []),
  { id: "periods", label: "Periods and files" },
];

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
        label="All-in from"
        value={cheapest ? formatMoney(cheapest.allInCents) : "–"}
        note={
          cheapest &&
          [cheapest.equipmentType, formatBasis(cheapest.basis), formatWord(cheapest.serviceLevel).toLowerCase()]
            .filter(Boolean)
            .join(", ")
        }
      />
      <Stat
        label="Free per sailing"
        value={formatNumber(data.capacity.available)}
        note={`of ${formatNumber(data.capacity.nominal)} ${formatWord(data.capacity.unit)}`}
      />
      <Stat
        label="Booking"
        value={<StatusBadge status={data.capacity.status} />}
        note={`seen ${formatInstant(data.capacity.observedAt)}`}
      />
    </Stats>
  );
};

const Schedule = ({ data, routeId }: { data: RouteDataView; routeId: number }) => (
  <Card
    id="schedule"
    title="Schedule"
    description="Next departures by the clock of the origin port, with arrival by service level"
    actions={<ScheduleLinks routeId={routeId} />}
    flush
  >
    <Table
      caption="Next departures"
      narrow
      rows={data.departures}
      rowKey={(row) => row.id}
      columns={[
        { key: "departs", header: "Departs", primary: true, cell: (row) => formatDay(row.departsOn) },
        ...data.levels.map(({ level, transitDays }) => ({
          key: level,
          header: `${formatWord(level)}, ${transitDays} d`,
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
                <strong className="text-ink">{formatDays(transitDays)}</strong> at {speedKnots} kn
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
          Departure by the clock of the origin port, arrival by that of the destination
          <span className="max-sm:hidden">; UTC below</span>
        </>
      }
      flush
    >
      <Table
        caption="Vessels"
        narrow
        first={{ rows: 3, noun: "vessels" }}
        rows={sailings}
        rowKey={(row) => row.id}
        columns={[
          { key: "vessel", header: "Vessel", primary: true, cell: (row) => <Vessels sailing={row} /> },
          {
            key: "voyage",
            header: "Service, voyage",
            desktopOnly: true,
            cell: (row) => `${row.serviceCode}, ${row.voyage}`,
          },
          { key: "etd", header: "ETD", align: "end", cell: (row) => <CallTime at={row.etd} /> },
          { key: "eta", header: "ETA", align: "end", cell: (row) => <CallTime at={row.eta} /> },
          {
            key: "free",
            header: `Free, ${formatWord(capacity.unit)}`,
            align: "end",
            cell: (row) => (
              <>
                {row.capacity.available === null ? "–" : formatNumber(row.capacity.available)}
                <Small phone>{row.capacity.booking && formatWord(row.capacity.booking)}</Small>
              </>
            ),
          },
          {
            key: "booking",
            header: "Booking",
            align: "end",
            desktopOnly: true,
            cell: (row) => (row.capacity.booking ? <StatusBadge status={row.capacity.booking} /> : "–"),
          },
        ]}
      />
    </Card>
  );

const Periods = ({ data: { periods }, routeId }: { data: RouteDataView; routeId: number }) => (
  <Card id="periods" title="Periods and their reports" description="Single observations, to read and to download" flush>
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
  endsOn === null ? `since ${formatDay(startsOn)}` : `${formatDay(startsOn)} until ${formatDay(endsOn)}`;

const Way = ({ data }: { data: RouteDataView }) => (
  <Card
    id="waypoints"
    title="Waypoints"
    description={data.passages.length > 0 ? `By ${data.passages.join(", ")}` : "Open sea"}
    flush
  >
    <Table
      caption="Waypoints"
      narrow
      first={{ rows: 3, noun: "waypoints" }}
      rows={data.stops}
      rowKey={(row) => `${row.name} ${row.distanceNm}`}
      empty={<p className="px-5 py-4 text-muted text-sm">No named waypoints on this way.</p>}
      columns={[
        { key: "name", header: "Waypoint", primary: true, cell: (row) => row.name },
        { key: "kind", header: "Kind", desktopOnly: true, cell: (row) => formatWord(row.kind) },
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
      description="US dollars; all-in is the base rate with every mandatory surcharge of today"
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
            header: "Service",
            primary: true,
            cell: (row) => (
              <>
                {formatWord(row.serviceLevel)}
                {row.equipmentType ? ` · ${row.equipmentType}` : ""}
                <Small>
                  {row.equipmentType ? `${equipmentName(row.equipmentType)}, ` : ""}
                  {formatBasis(row.basis)}
                </Small>
              </>
            ),
          },
          { key: "base", header: "Base", align: "end", cell: (row) => formatMoney(row.amountCents) },
          {
            key: "surcharges",
            header: "Surcharges",
            align: "end",
            desktopOnly: true,
            cell: (row) => formatMoney(row.surchargesCents),
          },
          {
            key: "all-in",
            header: "All-in",
            align: "end",
            cell: (row) => <strong>{formatMoney(row.allInCents)}</strong>,
          },
        ]}
      />
    </Card>
    <Card id="surcharges" title="Surcharges" description="On top of the base rate" flush>
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
                {row.name} <span className="font-mono font-normal text-muted text-xs">{row.code}</span>
                <Small>
                  {row.mandatory ? "Always due" : "If it applies,"}{" "}
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

const RateHistory = ({ history }: { history: NonNullable<RouteDataView["rateHistory"]> }) => {
  const { equipmentTypes, equipmentType, base, allIn, basis, currency, serviceLevel } = history;
  const what = [
    formatWord(serviceLevel),
    equipmentType && equipmentName(equipmentType),
    `${currency} ${formatBasis(basis)}`,
  ]
    .filter(Boolean)
    .join(", ");
  return (
    <Card id="rate-history" title="Rate, weekly" description={what}>
      {equipmentTypes.length > 1 ? (
        <div className="-mt-2 mb-4">
          <Tabs
            label="Equipment"
            tabs={equipmentTypes.map((code) => ({
              label: equipmentName(code),
              to: `?equipment=${code}#rate-history`,
              current: code === equipmentType,
            }))}
          />
        </div>
      ) : null}
      <LineChart
        title="Weekly rate"
        description={`Base rate and all-in rate over the last thirteen months: ${what}`}
        labelHeader="Week of"
        labels={base.map(({ at }) => formatDay(at))}
        axisLabels={base.map(({ at }) => formatMonth(at))}
        series={[
          { label: "Base rate", values: base.map(({ value }) => value) },
          ...(allIn ? [{ label: "All-in", values: allIn.map(({ value }) => value), colour: 2 as const }] : []),
        ]}
        format={(cents) => formatMoney(cents, currency)}
        formatAxis={(cents) => formatCompactMoney(cents, currency)}
      />
    </Card>
  );
};

const History = ({ data: { rateHistory, series, capacity } }: { data: RouteDataView }) => (
  <div className="grid gap-6 lg:grid-cols-2 [&>:last-child:nth-child(odd)]:lg:col-span-2">
    {rateHistory && rateHistory.base.length > 1 ? <RateHistory history={rateHistory} /> : null}
    {series.capacity.length > 1 ? (
      <Card id="capacity" title="Free capacity, weekly" description={`${formatWord(capacity.unit)} per sailing`}>
        <LineChart
          title="Weekly free capacity"
          description="Capacity still available per sailing over the last thirteen months"
          labelHeader="Week of"
          labels={series.capacity.map(({ at }) => formatDay(at))}
          axisLabels={series.capacity.map(({ at }) => formatMonth(at))}
          series={[{ label: "Available", values: series.capacity.map(({ value }) => value) }]}
          format={(free) => `${formatNumber(free)} ${formatWord(capacity.unit)}`}
        />
      </Card>
    ) : null}
    {series.onTime.length > 1 ? (
      <Card id="performance" title="On-time performance, monthly" description="Share of sailings that arrived on time">
        <LineChart
          title="Monthly on-time performance"
          description="Share of sailings on time over the last thirteen months"
          labelHeader="Month"
          labels={series.onTime.map(({ at }) => formatMonth(at))}
          series={[{ label: "On time", values: series.onTime.map(({ value }) => value) }]}
          format={percent}
          formatAxis={percent}
        />
      </Card>
    ) : null}
  </div>
);

const percent = (value: number) => formatShare(Math.round(value) / 100);
