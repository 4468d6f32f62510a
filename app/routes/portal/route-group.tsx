import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { trafficOf } from "../../domain/catalogue/geometry.server.ts";
import { getRouteGroup } from "../../domain/catalogue/hierarchy.server.ts";
import { searchRoutes } from "../../domain/catalogue/search.server.ts";
import { buyerOf } from "../../domain/subscriptions/price.server.ts";
import { accessToRoutes } from "../../domain/subscriptions/route-access.server.ts";
import { ButtonLink } from "../../portal/components/button.tsx";
import { Card } from "../../portal/components/card.tsx";
import { CatalogueFigures } from "../../portal/components/catalogue-figures.tsx";
import { EmptyState } from "../../portal/components/empty-state.tsx";
import { PageHeader } from "../../portal/components/page-header.tsx";
import { Pagination } from "../../portal/components/pagination.tsx";
import { TrafficMap } from "../../portal/components/route-map/traffic-map.tsx";
import { RouteTable } from "../../portal/components/route-table.tsx";
import { orErrorResponse } from "../../portal/error-response.server.ts";
import { figuresView } from "../../portal/figures-view.ts";
import { orFirstPage } from "../../portal/first-page.server.ts";
import { formatCount, formatWord } from "../../portal/format.ts";
import { codeOf } from "../../portal/params.ts";
import { routeRow } from "../../portal/route-view.ts";
import { visit } from "../../portal/session.server.ts";
import { trafficView } from "../../portal/traffic-view.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? data.group.name : "Route group"} · Shipping Route Data Service` },
];

const pageSize = 50;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const code = codeOf(args.params.code);
  const cursor = new URL(args.request.url).searchParams.get("cursor") || undefined;
  const buying = buyerOf(ctx, caller?.account ?? null);
  const apartRouteIds = buying.then(({ runningRouteIds }) => runningRouteIds);
  const [group, buyer, page, traffic] = await Promise.all([
    orErrorResponse(getRouteGroup(ctx, { code, apartRouteIds })),
    buying,
    orFirstPage((request) => searchRoutes(ctx, { route_group: [code] }, request), { limit: pageSize, cursor }),
    trafficOf(ctx, { route_group: [code] }),
  ]);
  const ids = page.rows.map(({ id }) => id);
  const access = caller ? await accessToRoutes(ctx, caller, ids) : new Map();
  return {
    group: figuresView(group, buyer),
    signedIn: caller !== null,
    rows: page.rows.map((route) => routeRow(route, access.get(route.id)?.hasAccess ?? false, buyer)),
    nextCursor: page.nextCursor,
    traffic: trafficView(traffic),
  };
};

const RouteGroup = () => {
  const { group, signedIn, rows, nextCursor, traffic } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Regions", to: "/regions" },
          { label: group.region.name, to: `/regions/${group.region.code}` },
          { label: group.tradeLane.name, to: `/trade-lanes/${group.tradeLane.code}` },
        ]}
        title={group.name}
        description={`${formatWord(group.cargoType)} routes on ${group.tradeLane.name}.`}
        actions={
          <ButtonLink to={`/routes?route_group=${group.code}`} icon="search">
            Search these routes
          </ButtonLink>
        }
      />
      <CatalogueFigures figures={group} signedIn={signedIn} />
      {group.routes > 0 ? (
        <TrafficMap
          traffic={traffic}
          title={`${formatCount(group.routes, "route")} in this route group`}
          portLink={(unlocode) => `/routes?route_group=${group.code}&port=${unlocode}`}
        />
      ) : null}
      <Card title="Routes" flush>
        {rows.length > 0 ? (
          <RouteTable rows={rows} signedIn={signedIn} />
        ) : (
          <EmptyState icon="ship" title="No route yet" />
        )}
      </Card>
      <Pagination nextCursor={nextCursor} />
    </div>
  );
};

export default RouteGroup;
