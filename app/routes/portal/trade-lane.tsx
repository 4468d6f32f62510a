import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { benchmarksOfLane } from "../../domain/benchmarks/read.server.ts";
import { trafficOf } from "../../domain/catalogue/geometry.server.ts";
import { getTradeLane } from "../../domain/catalogue/hierarchy.server.ts";
import { buyerOf } from "../../domain/subscriptions/price.server.ts";
import { chosenBenchmark } from "../../portal/benchmark-view.ts";
import { ButtonLink } from "../../portal/components/button.tsx";
import { Card } from "../../portal/components/card.tsx";
import { CatalogueFigures } from "../../portal/components/catalogue-figures.tsx";
import { CatalogueNodes } from "../../portal/components/catalogue-nodes.tsx";
import { MarketCard } from "../../portal/components/market-card.tsx";
import { MarketChart } from "../../portal/components/market-chart.tsx";
import { PageHeader } from "../../portal/components/page-header.tsx";
import { TrafficMap } from "../../portal/components/route-map/traffic-map.tsx";
import { orErrorResponse } from "../../portal/error-response.server.ts";
import { figuresView } from "../../portal/figures-view.ts";
import { formatCount, formatWord } from "../../portal/format.ts";
import { codeOf } from "../../portal/params.ts";
import { visit } from "../../portal/session.server.ts";
import { trafficView } from "../../portal/traffic-view.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? data.tradeLane.name : "Trade lane"} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const code = codeOf(args.params.code);
  const buying = buyerOf(ctx, caller?.account ?? null);
  const apartRouteIds = buying.then(({ runningRouteIds }) => runningRouteIds);
  const [{ tradeLane, routeGroups }, buyer, traffic, benchmarks] = await Promise.all([
    orErrorResponse(getTradeLane(ctx, { code, apartRouteIds })),
    buying,
    trafficOf(ctx, { trade_lane: [code] }),
    benchmarksOfLane(ctx, caller, { tradeLane: code }),
  ]);
  return {
    tradeLane: figuresView(tradeLane, buyer),
    routeGroups: routeGroups.map((group) => figuresView(group, buyer)),
    traffic: trafficView(traffic),
    market: chosenBenchmark(benchmarks, new URL(args.request.url).searchParams.get("market")),
    signedIn: caller !== null,
  };
};

const TradeLane = () => {
  const { tradeLane, routeGroups, traffic, market, signedIn } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Regions", to: "/regions" },
          { label: tradeLane.region.name, to: `/regions/${tradeLane.region.code}` },
        ]}
        title={tradeLane.name}
        description={
          tradeLane.region.code === tradeLane.destinationRegion.code
            ? `Within ${tradeLane.region.name}.`
            : `${formatWord(tradeLane.haul)} from ${tradeLane.region.name} to ${tradeLane.destinationRegion.name}.`
        }
        actions={
          <ButtonLink to={`/routes?trade_lane=${tradeLane.code}`} icon="search">
            Search these routes
          </ButtonLink>
        }
      />
      <CatalogueFigures figures={tradeLane} signedIn={signedIn} />
      {market ? <MarketCard market={market} chart={<MarketChart market={market} />} /> : null}
      {tradeLane.routes > 0 ? (
        <TrafficMap
          traffic={traffic}
          title={`${formatCount(tradeLane.routes, "route")} on this trade lane`}
          portLink={(unlocode) => `/routes?trade_lane=${tradeLane.code}&port=${unlocode}`}
        />
      ) : null}
      <Card title="Route groups" flush>
        <CatalogueNodes
          caption="Route groups"
          header="Route group"
          under="/route-groups"
          signedIn={signedIn}
          nodes={routeGroups.map((group) => ({ ...group, note: formatWord(group.cargoType) }))}
        />
      </Card>
    </div>
  );
};

export default TradeLane;
