import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { trafficOf } from "#app/domain/catalogue/geometry.server.ts";
import { listRegions } from "#app/domain/catalogue/hierarchy.server.ts";
import { buyerOf } from "#app/domain/subscriptions/price.server.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CatalogueNodes } from "#app/portal/components/catalogue-nodes.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { TrafficMap } from "#app/portal/components/route-map/traffic-map.tsx";
import { figuresView } from "#app/portal/figures-view.ts";
import { formatCount } from "#app/portal/format.ts";
import { visit } from "#app/portal/session.server.ts";
import { trafficView } from "#app/portal/traffic-view.ts";

export const meta: MetaFunction = () => [{ title: "Regions · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const buying = buyerOf(ctx, caller?.account ?? null);
  const apartRouteIds = buying.then(({ runningRouteIds }) => runningRouteIds);
  const [regions, buyer, traffic] = await Promise.all([
    listRegions(ctx, { apartRouteIds }),
    buying,
    trafficOf(ctx, {}),
  ]);
  return {
    regions: regions.filter(({ routes }) => routes > 0).map((region) => figuresView(region, buyer)),
    traffic: trafficView(traffic),
    signedIn: caller !== null,
  };
};

const Regions = () => {
  const { regions, traffic, signedIn } = useLoaderData<typeof loader>();
  const routes = regions.reduce((sum, region) => sum + region.routes, 0);
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Regions"
        description="Choose the region of origin to see its trade lanes, route groups and routes."
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
          signedIn={signedIn}
          nodes={regions.map((region) => ({ ...region, note: formatCount(region.tradeLanes, "trade lane") }))}
        />
      </Card>
    </div>
  );
};

export default Regions;
