/** A chart of a route's page as a file: `rates.csv` has its numbers with the API's names and units, `rates.svg` the drawing. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { summariesOf } from "#app/domain/catalogue/browse.server.ts";
import type { RouteSummary } from "#app/domain/catalogue/browse.ts";
import type { Context } from "#app/domain/context.ts";
import { csv } from "#app/domain/csv.ts";
import { chartSvg } from "#app/portal/components/charts/chart-svg.server.tsx";
import { csvResponse, fileName, fileResponse, orNoFile } from "#app/portal/download.server.ts";
import { formatDay } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { chartCsv } from "#app/portal/route-charts/csv.ts";
import { type ChartName, chartModel, chartNames, ratesInWords } from "#app/portal/route-charts/models.ts";
import { readCharts } from "#app/portal/route-charts/read-charts.server.ts";
import type { RouteChartsView } from "#app/portal/route-charts/route-charts-view.ts";
import { visitOfReader } from "#app/portal/session.server.ts";

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const id = idOf(args.params.route_id);
  const [, asked, kind] = /^([\w-]+)\.(csv|svg)$/.exec(args.params.file ?? "") ?? [];
  const name = chartNames.find((one) => one === asked);
  if (!name) throw new Response("No such chart", { status: 404 });
  const { ctx, caller } = await visitOfReader(args, id, `/routes/${id}`);
  const charts = await orNoFile(readCharts({ ctx, caller }, id, new URL(args.request.url).searchParams));
  const [route] = await summariesOf(ctx, [id]);
  if (!route) throw new Response("No such route", { status: 404 });
  const file = (extension: string) => fileName(`${route.code}_${name}`, extension);
  if (kind === "csv") return csvResponse(csv(...chartCsv(name, charts)), file("csv"));
  const drawn = svgOf(name, charts, { route, ctx });
  if (!drawn) throw new Response("Not enough data for this chart yet", { status: 404 });
  return fileResponse(drawn, { name: file("svg"), type: "image/svg+xml" });
};

const svgOf = (
  name: ChartName,
  charts: RouteChartsView,
  { route, ctx }: { route: RouteSummary; ctx: Pick<Context, "clock" | "settings"> },
): string | null => {
  const model = chartModel(name, charts);
  if (!model) return null;
  const of = name === "rates" && charts.rates ? `. ${ratesInWords(charts.rates)}` : "";
  return chartSvg(model, {
    subtitle: `${route.name}, ${route.carrier.name}${of}`,
    notes: [
      ...(model.baseline === "zoomed" ? ["The vertical axis does not start at zero."] : []),
      `Last observation ${model.labels.at(-1)}. Drawn ${formatDay(ctx.clock.now())}.`,
      `Source: Shipping Route Data Service, ${ctx.settings.appUrl}/routes/${route.id}`,
    ],
  });
};
