import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { summariesOf } from "#app/domain/catalogue/browse.server.ts";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { chartSectionsOf, RouteCharts } from "#app/portal/components/route-charts.tsx";
import { SectionLinks } from "#app/portal/components/section-links.tsx";
import { refusalAsResponse } from "#app/portal/error-response.server.ts";
import { idOf } from "#app/portal/params.ts";
import { readCharts } from "#app/portal/route-charts/read-charts.server.ts";
import { visitOfReader } from "#app/portal/session.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `${data.route.name}, charts` : "Charts"} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const id = idOf(args.params.route_id);
  const { ctx, caller } = await visitOfReader(args, id);
  const search = new URL(args.request.url).searchParams;
  const [charts, [route]] = await Promise.all([
    refusalAsResponse(readCharts({ ctx, caller }, id, search), ["not_found", "forbidden"]),
    summariesOf(ctx, [id]),
  ]);
  if (!route) throw new Response("No such route", { status: 404 });
  const { name, carrier, routeGroup } = route;
  return { route: { id, name, carrier: carrier.name, routeGroup }, charts };
};

/** Its own page, so that the route's page stays light. */
const ChartsPage = () => {
  const { route, charts } = useLoaderData<typeof loader>();
  const sections = chartSectionsOf(charts);
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Regions", to: "/regions" },
          { label: route.routeGroup.name, to: `/route-groups/${route.routeGroup.code}` },
          { label: route.name, to: `/routes/${route.id}` },
        ]}
        title="Charts"
        description={`${route.name}, ${route.carrier}. Rates, space available, punctuality and transit times.`}
      />
      {sections.length > 0 ? (
        <>
          <SectionLinks sections={sections} />
          <RouteCharts charts={charts} routeId={route.id} />
        </>
      ) : (
        <EmptyState icon="chart" title="Not enough data for charts yet">
          A chart needs at least two observations.
        </EmptyState>
      )}
    </div>
  );
};

export default ChartsPage;
