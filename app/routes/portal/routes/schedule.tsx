import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { summariesOf } from "#app/domain/catalogue/browse.server.ts";
import { longestWindowDays } from "#app/domain/schedules/policy.ts";
import { readRouteSchedule } from "#app/domain/subscriptions/schedules.server.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { CallTime, PortTime } from "#app/portal/components/call-time.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PrintButton } from "#app/portal/components/print-button.tsx";
import { Small } from "#app/portal/components/small.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { Term } from "#app/portal/components/term.tsx";
import { Vessels, vesselHeading } from "#app/portal/components/vessels.tsx";
import { cutOffNames } from "#app/portal/cut-off-names.ts";
import { refusalAsResponse } from "#app/portal/error-response.server.ts";
import { idOf } from "#app/portal/params.ts";
import { type SailingView, sailingView } from "#app/portal/sailing-view.ts";
import { visitOfReader } from "#app/portal/session.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `${data.route.name}, schedule` : "Schedule"} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const id = idOf(args.params.route_id);
  const { ctx, caller } = await visitOfReader(args, id);
  const sailings = await refusalAsResponse(readRouteSchedule(ctx, caller, { id }), ["not_found", "forbidden"]);
  const [route] = await summariesOf(ctx, [id]);
  if (!route) throw new Response("No such route", { status: 404 });
  return {
    route: {
      id,
      name: route.name,
      carrier: route.carrier.name,
      routeGroup: route.routeGroup,
      origin: route.origin.name,
      destination: route.destination.name,
    },
    sailings: sailings.map(sailingView),
  };
};

const SchedulePage = () => {
  const { route, sailings } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Regions", to: "/regions" },
          { label: route.routeGroup.name, to: `/route-groups/${route.routeGroup.code}` },
          { label: route.name, to: `/routes/${route.id}` },
        ]}
        title="Schedule"
        description={`${route.name}, ${route.carrier}. Departures in the next ${longestWindowDays} days.`}
        actions={
          <span className="no-print flex flex-wrap gap-2">
            <PrintButton />
            <ButtonLink to={`/routes/${route.id}/schedule.csv`} reloadDocument prefetch="none" icon="download">
              CSV
            </ButtonLink>
          </span>
        }
      />
      <Card
        flush
        footer={
          <>
            Local times at each port<span className="max-sm:hidden">, with UTC below</span>. <Term name="ETD" />,{" "}
            <Term name="ETA" /> and <Term name="Cut-off">cut-offs</Term> are estimates of the carrier and may change.
          </>
        }
      >
        {sailings.length > 0 ? (
          <Table caption="Schedule" rows={sailings} rowKey={(sailing) => sailing.id} columns={columns} />
        ) : (
          <EmptyState icon="calendar" title="No departures published">
            The carrier has not published departures for the next {longestWindowDays} days.
          </EmptyState>
        )}
      </Card>
    </div>
  );
};

export default SchedulePage;

const columns: Column<SailingView>[] = [
  {
    key: "vessel",
    header: "Vessel",
    heading: vesselHeading,
    primary: true,
    cell: (sailing) => <Vessels sailing={sailing} />,
  },
  {
    key: "voyage",
    header: "Service, voyage",
    desktopOnly: true,
    cell: ({ serviceCode, voyage }) => `${serviceCode}, ${voyage}`,
  },
  { key: "terminals", header: "Terminals", cell: ({ legs }) => <Terminals legs={legs} /> },
  {
    key: "cutOffs",
    header: "Cut-offs",
    heading: <Term name="Cut-off">Cut-offs</Term>,
    cell: ({ cutOffs }) => <CutOffs cutOffs={cutOffs} />,
  },
  { key: "etd", header: "ETD", heading: <Term name="ETD" />, align: "end", cell: ({ etd }) => <CallTime at={etd} /> },
  { key: "eta", header: "ETA", heading: <Term name="ETA" />, align: "end", cell: ({ eta }) => <CallTime at={eta} /> },
];

const Terminals = ({ legs }: Pick<SailingView, "legs">) => (
  <span className="grid gap-1">
    {legs.map(({ sequence, from, to }) => (
      <span key={sequence}>
        {sequence === 1 ? <Place place={from} /> : null}
        <Place place={to} transhipment={sequence < legs.length} />
      </span>
    ))}
  </span>
);

const Place = ({ place, transhipment = false }: { place: SailingView["from"]; transhipment?: boolean }) => (
  <span className="block">
    {place.port}
    {transhipment ? " (transhipment port)" : ""}
    <Small>
      {place.terminal}
      {place.terminalCode ? ` (${place.terminalCode})` : ""}
    </Small>
  </span>
);

const CutOffs = ({ cutOffs }: Pick<SailingView, "cutOffs">) =>
  cutOffs.length === 0 ? (
    <>–</>
  ) : (
    <span className="grid gap-1">
      {cutOffs.map(({ kind, at }) => (
        <span key={kind} className="whitespace-nowrap">
          <PortTime at={at} />
          <Small>{cutOffNames[kind]}</Small>
        </span>
      ))}
    </span>
  );
