import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { trafficOf } from "#app/domain/catalogue/geometry.server.ts";
import { getRegion } from "#app/domain/catalogue/hierarchy.server.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CatalogueFigures } from "#app/portal/components/catalogue-figures.tsx";
import { CatalogueNodes } from "#app/portal/components/catalogue-nodes.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { TrafficMap } from "#app/portal/components/route-map/traffic-map.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formatCount, formatWord } from "#app/portal/format.ts";
import { codeOf } from "#app/portal/params.ts";
import { visit } from "#app/portal/session.server.ts";
import { trafficView } from "#app/portal/traffic-view.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `From ${data.region.name}` : "Region"} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx } = await visit(args);
  const code = codeOf(args.params.code);
  const [{ region, tradeLanes }, traffic] = await Promise.all([
    orErrorResponse(getRegion(ctx, { code })),
    trafficOf(ctx, { region: [code] }),
  ]);
  return { region, tradeLanes, traffic: trafficView(traffic) };
};

const Region = () => {
  const { region, tradeLanes, traffic } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Regions", to: "/regions" }]}
        title={`From ${region.name}`}
        description={`${formatCount(region.routes, "route")} on ${formatCount(region.tradeLanes, "trade lane")} that begin in ${region.name}.`}
        actions={
          <ButtonLink to={`/routes?region=${region.code}`} icon="search">
            Search these routes
          </ButtonLink>
        }
      />
      <CatalogueFigures figures={region} />
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
            nodes={tradeLanes.map((lane) => ({
              ...lane,
              note:
                lane.destinationRegion.code === region.code
                  ? `within ${region.name}`
                  : `to ${lane.destinationRegion.name} · ${formatWord(lane.haul)}`,
            }))}
          />
        ) : (
          <EmptyState icon="route" title="No trade lane begins here yet" />
        )}
      </Card>
    </div>
  );
};

export default Region;
