import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { equipmentName, usualEquipmentType } from "#app/domain/catalogue/equipment.ts";
import { routesAgainstMarket } from "#app/domain/comparison/compare.server.ts";
import { type RateView, rateView } from "#app/portal/comparison-view.ts";
import { Button, ButtonLink, Link } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { RateCell } from "#app/portal/components/rate-cell.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Small } from "#app/portal/components/small.tsx";
import { Stat, Stats } from "#app/portal/components/stat.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { Term } from "#app/portal/components/term.tsx";
import { formatChange, formatDay, formatMoney, formatNumber, formatWord } from "#app/portal/format.ts";
import { visitOfMember } from "#app/portal/session.server.ts";

export const meta: MetaFunction = () => [
  { title: "Your routes compared with the market · Shipping Route Data Service" },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const all = await routesAgainstMarket(ctx, caller);
  const codes = [...new Set(all.map(({ rate }) => rate.equipmentType))].filter((code) => code !== "").toSorted();
  const asked = new URL(args.request.url).searchParams.get("equipment_type");
  const equipmentType =
    codes.find((code) => code === asked) ?? codes.find((code) => code === usualEquipmentType) ?? codes[0];
  const rows = all
    .filter(({ rate }) => rate.equipmentType === "" || rate.equipmentType === equipmentType)
    .map(({ route, rate }) => ({
      id: route.id,
      name: route.name,
      carrier: route.carrier,
      cargoType: route.cargoType,
      tradeLane: route.tradeLane,
      rate: rateView(rate),
    }));
  return { rows, equipmentTypes: codes, equipmentType: equipmentType ?? null };
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

const MarketPage = () => {
  const { rows } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Subscriptions", to: "/subscriptions" }]}
        title="Your routes compared with the market"
        description={
          <>
            The latest <Term name="All-in rate">all-in rate</Term> of each route you subscribe to, compared with the
            median of its trade lane.
          </>
        }
        actions={
          rows.length > 0 ? (
            <ButtonLink to="/market.csv" reloadDocument prefetch="none" icon="download">
              CSV
            </ButtonLink>
          ) : null
        }
      />
      {rows.length > 0 ? (
        <>
          <Figures />
          <Equipment />
          <Card
            footer="Median, low and high are averages of several routes on the trade lane in the last complete week."
            flush
          >
            <Table
              caption="Your routes compared with the market"
              rows={rows}
              rowKey={({ id, rate }) => `${id} ${rate.equipmentType} ${rate.serviceLevel}`}
              columns={columns}
            />
          </Card>
        </>
      ) : (
        <Card>
          <EmptyState
            icon="chart"
            title="No rates to compare yet"
            action={<ButtonLink to="/routes">Browse routes</ButtonLink>}
          >
            Subscribe to a route to compare its rates with its trade lane.
          </EmptyState>
        </Card>
      )}
    </div>
  );
};

export default MarketPage;

const Figures = () => {
  const { rows } = useLoaderData<typeof loader>();
  const compared = rows.filter(({ rate }) => rate.againstMedianPercent !== null);
  const above = compared.filter(({ rate }) => (rate.againstMedianPercent ?? 0) > 0).length;
  const rising = rows.filter(({ rate }) => (rate.change4WeeksPercent ?? 0) > 0).length;
  return (
    <Stats>
      <Stat label="Rates compared" value={formatNumber(compared.length)} note={`of ${formatNumber(rows.length)}`} />
      <Stat label="Above the median" value={formatNumber(above)} />
      <Stat label="At or below the median" value={formatNumber(compared.length - above)} />
      <Stat label="Risen in 4 weeks" value={formatNumber(rising)} />
    </Stats>
  );
};

const Equipment = () => {
  const { equipmentTypes, equipmentType } = useLoaderData<typeof loader>();
  if (equipmentTypes.length < 2) return null;
  return (
    <Form method="get" className="flex items-end gap-3" key={equipmentType}>
      <div className="w-56">
        <SelectField
          name="equipment_type"
          label="Container type"
          defaultValue={equipmentType ?? ""}
          options={equipmentTypes.map((code) => ({ value: code, label: equipmentName(code) }))}
        />
      </div>
      <Button>Show</Button>
    </Form>
  );
};

const change = (percent: number | null | undefined): string => (percent == null ? "–" : formatChange(percent / 100));

const columns: Column<Row>[] = [
  {
    key: "route",
    header: "Route",
    primary: true,
    cell: (row) => (
      <>
        <Link
          to={`/routes/${row.id}`}
          prefetch="intent"
          className="font-semibold text-ink hover:text-accent hover:underline"
        >
          {row.name}
        </Link>
        <Small>
          {row.carrier}, {row.rate.equipmentType ? equipmentName(row.rate.equipmentType) : formatWord(row.cargoType)}
        </Small>
      </>
    ),
  },
  { key: "rate", header: "All-in rate", align: "end", cell: ({ rate }) => <RateCell rate={rate} /> },
  { key: "trend", header: "Change in 4 weeks", align: "end", cell: ({ rate }) => change(rate.change4WeeksPercent) },
  {
    key: "against",
    header: "Compared with median",
    align: "end",
    cell: ({ rate }) => <strong className="font-semibold text-ink">{change(rate.againstMedianPercent)}</strong>,
  },
  {
    key: "market",
    header: "Market median",
    align: "end",
    cell: ({ rate, tradeLane }) => <Lane rate={rate} lane={tradeLane} />,
  },
  { key: "lane", header: "Trade lane, 4 weeks", align: "end", cell: ({ rate }) => change(rate.market?.weeks4) },
];

const Lane = ({ rate, lane }: { rate: RateView; lane: Row["tradeLane"] }) => (
  <span className="inline-grid justify-items-end">
    {rate.market ? (
      <>
        {formatMoney(rate.market.medianCents)}
        <Small>
          {formatMoney(rate.market.lowCents)} to {formatMoney(rate.market.highCents)}, week of{" "}
          {formatDay(rate.market.week)}
        </Small>
      </>
    ) : (
      "Too few routes"
    )}
    <Link to={`/trade-lanes/${lane.code}#market`} className="link text-xs">
      {lane.name}
    </Link>
  </span>
);
