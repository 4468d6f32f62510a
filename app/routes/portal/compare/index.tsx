import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { cargoTypes } from "#app/domain/catalogue/enums.ts";
import { equipmentName, usualEquipmentType } from "#app/domain/catalogue/equipment.ts";
import { nearbyPairs } from "#app/domain/catalogue/nearby.server.ts";
import { compareRoutes } from "#app/domain/comparison/compare.server.ts";
import { type ComparisonOrder, comparisonOrders, inOrder, publicOrders } from "#app/domain/comparison/compare.ts";
import { groupBy } from "#app/domain/group-by.ts";
import { buyerOf } from "#app/domain/subscriptions/price.server.ts";
import { type ComparedRow, comparedRow } from "#app/portal/comparison-view.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { PortTime } from "#app/portal/components/call-time.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { Icon } from "#app/portal/components/icon.tsx";
import { NearbyPairs } from "#app/portal/components/nearby-pairs.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PortField } from "#app/portal/components/port-field.tsx";
import { Price, priceLabel } from "#app/portal/components/price.tsx";
import { RateCell } from "#app/portal/components/rate-cell.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Small } from "#app/portal/components/small.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { Term } from "#app/portal/components/term.tsx";
import { enteredPort } from "#app/portal/entered-ports.server.ts";
import {
  formatChange,
  formatDayRange,
  formatDays,
  formatNumber,
  formatSailings,
  formatWord,
} from "#app/portal/format.ts";
import { portLabel } from "#app/portal/port-label.ts";
import { nonEmptyParams } from "#app/portal/search-params.server.ts";
import { visit } from "#app/portal/session.server.ts";
import { comparisonChoice } from "./request.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.name ? `${data.name}, compared` : "Compare routes"} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const values = nonEmptyParams(new URL(args.request.url).searchParams);
  const { equipment_type, sort } = comparisonChoice.parse(values);
  const entered = {
    origin: values.origin ?? "",
    destination: values.destination ?? "",
    equipmentType: equipment_type ?? usualEquipmentType,
    signedIn: caller !== null,
  };
  const nothing = {
    ...entered,
    sort,
    orders: ordersFor(caller !== null),
    name: null,
    codes: null,
    nearby: [],
    cargoes: null,
    equipmentTypes: [],
  };
  if (entered.origin === "" && entered.destination === "") return { ...nothing, fields: [] };
  const [from, to] = await Promise.all([
    enteredPort(ctx, "origin", entered.origin),
    enteredPort(ctx, "destination", entered.destination),
  ]);
  if (!from.port || !to.port) return { ...nothing, fields: [...from.fields, ...to.fields] };
  const [origin, destination] = [from.port.unlocode, to.port.unlocode];
  const [found, buyer, nearby] = await Promise.all([
    compareRoutes(ctx, caller, { origin, destination, rankedEquipmentType: equipment_type }),
    buyerOf(ctx, caller?.account ?? null),
    nearbyPairs(ctx, { origin, destination }, nearbyShown),
  ]);
  const orders = ordersFor(found.some(({ data }) => data !== null));
  const order = orders.includes(sort) ? sort : orders[0];
  const routes = inOrder(found, order, equipment_type);
  const rows = routes.map((route) => comparedRow(route, buyer, equipment_type));
  const first = routes[0]?.route;
  const equipmentTypes = routes.flatMap(({ data }) => data?.rates.map((rate) => rate.equipmentType) ?? []);
  return {
    ...entered,
    origin: portLabel(from.port),
    destination: portLabel(to.port),
    codes: { origin, destination },
    orders,
    sort: order,
    name: first ? `${first.origin.name} – ${first.destination.name}` : null,
    nearby,
    cargoes: [...groupBy(rows, ({ cargoType }) => cargoType)]
      .map(([cargoType, rows]) => ({ cargoType, rows }))
      .toSorted((a, b) => cargoTypes.indexOf(a.cargoType) - cargoTypes.indexOf(b.cargoType)),
    equipmentTypes: [...new Set(equipmentTypes)].filter((code) => code !== "").toSorted(),
    fields: [],
  };
};

const nearbyShown = 6;

/** Orders by subscribers' figures need a route that can be read. */
const ordersFor = (hasData: boolean): readonly [ComparisonOrder, ...ComparisonOrder[]] =>
  hasData ? comparisonOrders : publicOrders;

const orderLabels = {
  all_in: "Lowest all-in rate",
  transit: "Shortest transit time",
  departures: "Most departures",
  on_time: "Best on-time performance",
  space: "Most space available",
  trend: "Largest rate decrease in 4 weeks",
} satisfies Record<ComparisonOrder, string>;

const Compare = () => {
  const { name, cargoes, codes, nearby, equipmentType, sort, signedIn } = useLoaderData<typeof loader>();
  const search = new URLSearchParams({ ...codes, equipment_type: equipmentType, sort });
  return (
    <div className="grid gap-6">
      <PageHeader
        title={name ?? "Compare routes"}
        description="All carriers between two ports side by side. You see the data of routes you subscribe to, and public facts of the others."
        actions={
          name ? (
            <ButtonLink to={`/compare.csv?${search}`} reloadDocument prefetch="none" icon="download">
              CSV
            </ButtonLink>
          ) : null
        }
      />
      <Filter />
      {cargoes?.map(({ cargoType, rows }) => (
        <Card
          key={cargoType}
          title={cargoType === "container" ? `Container, ${equipmentName(equipmentType)}` : formatWord(cargoType)}
          footer={<Market rows={rows} />}
          flush
        >
          <Table
            caption={`${formatWord(cargoType)} routes`}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columnsFor(signedIn)}
          />
        </Card>
      ))}
      {cargoes?.length === 0 ? (
        <Card>
          <EmptyState
            icon="route"
            title="No routes between these ports"
            action={<ButtonLink to="/routes">Browse all routes</ButtonLink>}
          >
            Routes are directional. Swap the ports, or try nearby ones.
          </EmptyState>
        </Card>
      ) : null}
      {nearby.length > 0 ? (
        <Card title="Nearby ports">
          <NearbyPairs pairs={nearby} />
        </Card>
      ) : null}
    </div>
  );
};

export default Compare;

const Filter = () => {
  const { origin, destination, equipmentType, equipmentTypes, orders, sort, fields } = useLoaderData<typeof loader>();
  return (
    <Form
      method="get"
      role="search"
      aria-label="Ports"
      key={`${origin} ${destination} ${equipmentType} ${sort}`}
      className="grid grid-cols-2 items-start gap-4 sm:grid-cols-[repeat(auto-fit,minmax(0,12rem))]"
    >
      <PortField name="origin" label="From port" defaultValue={origin} error={errorOf(fields, "origin")} required />
      <PortField
        name="destination"
        label="To port"
        defaultValue={destination}
        error={errorOf(fields, "destination")}
        required
      />
      {equipmentTypes.length > 0 ? (
        <SelectField
          name="equipment_type"
          label="Container type"
          defaultValue={equipmentType}
          options={equipmentTypes.map((code) => ({ value: code, label: equipmentName(code) }))}
        />
      ) : null}
      <SelectField
        name="sort"
        label="Sort by"
        defaultValue={sort}
        options={orders.map((value) => ({ value, label: orderLabels[value] }))}
      />
      <div className="col-span-2 sm:col-span-1 sm:mt-6.5">
        <Button variant="primary" icon="search">
          Compare
        </Button>
      </div>
    </Form>
  );
};

/** The benchmark of the lane, once below the table: all routes between two ports are on the same lane. */
const Market = ({ rows }: { rows: readonly ComparedRow[] }) => {
  const lane = rows[0]?.tradeLane;
  const market = rows.find(({ rate }) => rate?.market)?.rate?.market;
  if (!lane) return null;
  return (
    <>
      {market ? "Compared with the median rate of " : "Market rates: "}
      <Link to={`/trade-lanes/${lane.code}#market`} className="link">
        {lane.name}
      </Link>
      {market?.weeks4 == null ? "." : `, which changed by ${formatChange(market.weeks4 / 100)} in 4 weeks.`}
    </>
  );
};

const columnsFor = (signedIn: boolean): Column<ComparedRow>[] => [
  {
    key: "carrier",
    header: "Carrier",
    primary: true,
    cell: (row) => (
      <span className="grid justify-items-start gap-1">
        <Link
          to={`/routes/${row.id}`}
          prefetch="intent"
          className="font-semibold text-ink hover:text-accent hover:underline"
        >
          {row.carrier}
        </Link>
        {row.isSample ? (
          <Badge tone="accent">Sample</Badge>
        ) : row.isLocked ? null : (
          <Badge tone="success" dot>
            Subscribed
          </Badge>
        )}
      </span>
    ),
  },
  {
    key: "rate",
    header: "All-in rate",
    heading: <Term name="All-in rate" />,
    align: "end",
    cell: (row) => (row.isLocked ? <Locked row={row} signedIn={signedIn} /> : <RateCell rate={row.rate} />),
  },
  {
    key: "market",
    header: "Compared with median",
    align: "end",
    cell: ({ rate }) => (rate?.againstMedianPercent == null ? "–" : formatChange(rate.againstMedianPercent / 100)),
  },
  {
    key: "trend",
    header: "Change in 4 weeks",
    align: "end",
    cell: ({ rate }) => (rate?.change4WeeksPercent == null ? "–" : formatChange(rate.change4WeeksPercent / 100)),
  },
  {
    key: "transit",
    header: "Transit time",
    heading: <Term name="Transit time" />,
    align: "end",
    cell: ({ transit, transitDays }) => (
      <span className="inline-grid justify-items-end">
        {transit.length === 0 ? (
          <>
            {formatDayRange(transitDays)}
            <Small>indicative</Small>
          </>
        ) : (
          transit.map(({ level, transitDays }) => (
            <span key={level} className="whitespace-nowrap">
              {formatDays(transitDays)} <span className="text-muted text-xs">{formatWord(level).toLowerCase()}</span>
            </span>
          ))
        )}
      </span>
    ),
  },
  {
    key: "departures",
    header: "Departures",
    align: "end",
    cell: ({ sailingsPerWeek, nextDeparture }) => (
      <span className="inline-grid justify-items-end">
        {formatSailings(sailingsPerWeek)}
        {nextDeparture ? (
          <span className="text-muted text-xs">
            next <PortTime at={nextDeparture} />
          </span>
        ) : null}
      </span>
    ),
  },
  {
    key: "on_time",
    header: "On time",
    align: "end",
    cell: ({ onTimePercent }) => (onTimePercent === null ? "–" : `${formatNumber(onTimePercent)}%`),
  },
  {
    key: "space",
    header: "Space available",
    align: "end",
    cell: ({ space }) =>
      space === null ? (
        "–"
      ) : (
        <span className="inline-grid justify-items-end gap-1">
          <span className="whitespace-nowrap">
            {formatNumber(space.available)} {formatWord(space.unit)}
          </span>
          <StatusBadge status={space.bookingStatus} />
        </span>
      ),
  },
];

/** What a subscription adds, and its price. */
const Locked = ({ row, signedIn }: { row: ComparedRow; signedIn: boolean }) => (
  <span className="inline-grid justify-items-end gap-1 text-[0.8125rem]">
    <Link to={`/routes/${row.id}#subscribe`} className="link inline-flex items-center gap-1">
      <Icon name="lock" className="size-3.5" />
      {row.isSuspended ? "Account suspended" : row.wasSubscribed ? "Renew" : "Subscribe"}
    </Link>
    {row.priceFrom ? (
      <span className="text-muted">
        {priceLabel(signedIn).toLowerCase()} from <Price price={row.priceFrom} unit="per month" />
      </span>
    ) : null}
    <span className="max-w-56 text-balance text-muted text-xs">
      Adds rates by container type, transit times, next departure, punctuality and space available.
    </span>
  </span>
);
