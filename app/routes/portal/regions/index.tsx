import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { trafficOf } from "#app/domain/catalogue/geometry.server.ts";
import { listRegions } from "#app/domain/catalogue/hierarchy.server.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CatalogueNodes } from "#app/portal/components/catalogue-nodes.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { TrafficMap } from "#app/portal/components/route-map/traffic-map.tsx";
import { formatCount } from "#app/portal/format.ts";
import { visit } from "#app/portal/session.server.ts";
import { trafficView } from "#app/portal/traffic-view.ts";

export const meta: MetaFunction = () => [{ title: "Regions · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx } = await visit(args);
  const [regions, traffic] = await Promise.all([listRegions(ctx), trafficOf(ctx, {})]);
  return { regions: regions.filter(({ routes }) => routes > 0), traffic: trafficView(traffic) };
};

const Regions = () => {
  const { regions, traffic } = useLoaderData<typeof loader>();
  const routes = regions.reduce((sum, region) => sum + region.routes, 0);
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Regions"
        description="Where routes begin. From a region one goes on to its trade lanes, their route groups, and the routes."
        actions={
          <ButtonLink to="/routes" icon="search">
            Search all routes
          </ButtonLink>
        }
      />
      <TrafficMap
        traffic={traffic}
        title={`all ${formatCount(routes, "route")}`}
        portLink={(unlocode) => `/routes?port=${unlocode}`}
      />
      <Card flush>
        <CatalogueNodes
          caption="Regions"
          header="Region"
          under="/regions"
          nodes={regions.map((region) => ({ ...region, note: formatCount(region.tradeLanes, "trade lane") }))}
        />
      </Card>
    </div>
  );
};

export default Regions;
