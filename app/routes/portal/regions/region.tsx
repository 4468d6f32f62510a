import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { usualBenchmarks } from "#app/domain/benchmarks/read.server.ts";
import { trafficOf } from "#app/domain/catalogue/geometry.server.ts";
import { getRegion } from "#app/domain/catalogue/hierarchy.server.ts";
import { buyerOf } from "#app/domain/subscriptions/price.server.ts";
import { laneMarketView } from "#app/portal/benchmark-view.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CatalogueFigures } from "#app/portal/components/catalogue-figures.tsx";
import { CatalogueNodes } from "#app/portal/components/catalogue-nodes.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { LaneMarkets } from "#app/portal/components/lane-markets.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { TrafficMap } from "#app/portal/components/route-map/traffic-map.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { figuresView } from "#app/portal/figures-view.ts";
import { formatCount, formatWord } from "#app/portal/format.ts";
import { codeOf } from "#app/portal/params.ts";
import { visit } from "#app/portal/session.server.ts";
import { trafficView } from "#app/portal/traffic-view.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `From ${data.region.name}` : "Region"} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const code = codeOf(args.params.code);
  const buying = buyerOf(ctx, caller?.account ?? null);
  const apartRouteIds = buying.then(({ runningRouteIds }) => runningRouteIds);
  const [{ region, tradeLanes }, buyer, traffic, benchmarks] = await Promise.all([
    orErrorResponse(getRegion(ctx, { code, apartRouteIds })),
    buying,
    trafficOf(ctx, { region: [code] }),
    usualBenchmarks(ctx, caller, { region: code }),
  ]);
  return {
    market: benchmarks.map(laneMarketView),
    region: figuresView(region, buyer),
    tradeLanes: tradeLanes.map((lane) => figuresView(lane, buyer)),
    traffic: trafficView(traffic),
    signedIn: caller !== null,
  };
};

const Region = () => {
  const { region, tradeLanes, market, traffic, signedIn } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Regions", to: "/regions" }]}
        title={`From ${region.name}`}
        description={`${formatCount(region.routes, "route")} on ${formatCount(region.tradeLanes, "trade lane")} from ${region.name}.`}
        actions={
          <ButtonLink to={`/routes?region=${region.code}`} icon="search">
            Search these routes
          </ButtonLink>
        }
      />
      <CatalogueFigures figures={region} signedIn={signedIn} />
      {region.routes > 0 ? (
        <TrafficMap
          traffic={traffic}
          title={`${formatCount(region.routes, "route")} from ${region.name}`}
          portLink={(unlocode) => `/routes?region=${region.code}&port=${unlocode}`}
        />
      ) : null}
      <Card title="Trade lanes" flush>
        {tradeLanes.length > 0 ? (
          <CatalogueNodes
            caption="Trade lanes"
            header="Trade lane"
            under="/trade-lanes"
            signedIn={signedIn}
            nodes={tradeLanes.map((lane) => ({
              ...lane,
              note:
                lane.destinationRegion.code === region.code
                  ? `within ${region.name}`
                  : `to ${lane.destinationRegion.name} · ${formatWord(lane.haul)}`,
            }))}
          />
        ) : (
          <EmptyState icon="route" title="No trade lanes from this region yet" />
        )}
      </Card>
      {market.length > 0 ? <LaneMarkets markets={market} /> : null}
    </div>
  );
};

export default Region;
