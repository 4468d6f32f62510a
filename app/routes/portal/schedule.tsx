import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { longestWindowDays } from "../../domain/schedules/policy.ts";
import { subscribedSailings } from "../../domain/subscriptions/schedules.server.ts";
import { ButtonLink } from "../../portal/components/button.tsx";
import { CallTime } from "../../portal/components/call-time.tsx";
import { Card } from "../../portal/components/card.tsx";
import { EmptyState } from "../../portal/components/empty-state.tsx";
import { PageHeader } from "../../portal/components/page-header.tsx";
import { Pagination } from "../../portal/components/pagination.tsx";
import { type Column, Table } from "../../portal/components/table.tsx";
import { Term } from "../../portal/components/term.tsx";
import { Vessels, vesselHeading } from "../../portal/components/vessels.tsx";
import { refusalAsResponse } from "../../portal/error-response.server.ts";
import { orFirstPage } from "../../portal/first-page.server.ts";
import { sailingView } from "../../portal/sailing-view.ts";
import { visitOfMember } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Departures · Shipping Route Data Service" }];

const pageSize = 25;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const cursor = new URL(args.request.url).searchParams.get("cursor") || undefined;
  const departure_from = { instant: ctx.clock.now() };
  const { rows, nextCursor } = await refusalAsResponse(
    orFirstPage((page) => subscribedSailings(ctx, caller, { departure_from, ...page }), { limit: pageSize, cursor }),
    ["forbidden"],
  );
  return { rows: rows.map((sailing) => ({ route: sailing.route, ...sailingView(sailing) })), nextCursor };
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

const Departures = () => {
  const { rows, nextCursor } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Departures"
        description={`Sailings in the next ${longestWindowDays} days on the routes you subscribe to.`}
      />
      <Card
        flush
        footer={
          <>
            Local times at each port<span className="max-sm:hidden">, with UTC below</span>. <Term name="ETD" /> and{" "}
            <Term name="ETA" /> are estimates of the carriers and may change.
          </>
        }
      >
        {rows.length > 0 ? (
          <Table caption="Departures" rows={rows} rowKey={({ id }) => id} columns={columns} />
        ) : (
          <EmptyState
            icon="calendar"
            title="No departures yet"
            action={<ButtonLink to="/routes">Find a route</ButtonLink>}
          >
            You see the published sailings of the routes you subscribe to here.
          </EmptyState>
        )}
      </Card>
      <Pagination nextCursor={nextCursor} />
    </div>
  );
};

export default Departures;

const columns: Column<Row>[] = [
  {
    key: "route",
    header: "Route",
    primary: true,
    cell: ({ route }) => (
      <Link
        to={`/routes/${route.id}/schedule`}
        prefetch="intent"
        className="font-semibold hover:text-accent hover:underline"
      >
        {route.name}
      </Link>
    ),
  },
  { key: "carrier", header: "Carrier", cell: ({ route }) => route.carrier.name },
  { key: "vessel", header: "Vessel", heading: vesselHeading, cell: (sailing) => <Vessels sailing={sailing} /> },
  {
    key: "voyage",
    header: "Service, voyage",
    desktopOnly: true,
    cell: ({ serviceCode, voyage }) => `${serviceCode}, ${voyage}`,
  },
  {
    key: "via",
    header: "Transhipment ports",
    heading: <Term name="Transhipment port">Transhipment ports</Term>,
    cell: ({ via }) => (via.length > 0 ? via.join(", ") : "Direct"),
  },
  { key: "etd", header: "ETD", heading: <Term name="ETD" />, align: "end", cell: ({ etd }) => <CallTime at={etd} /> },
  { key: "eta", header: "ETA", heading: <Term name="ETA" />, align: "end", cell: ({ eta }) => <CallTime at={eta} /> },
];
