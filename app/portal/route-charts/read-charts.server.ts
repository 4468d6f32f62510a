import { readRouteSeries } from "../../domain/subscriptions/route-series.server.ts";
import type { Visit } from "../session.server.ts";
import { chartChoiceIn } from "./choice.ts";
import { type RouteChartsView, routeChartsView } from "./route-charts-view.ts";

/**
 * The charts of a route, as selected in the address.
 *
 * @throws as `readRouteSeries`
 */
export const readCharts = async (
  { ctx, caller }: Pick<Visit, "ctx" | "caller">,
  id: number,
  search: URLSearchParams,
): Promise<RouteChartsView> => {
  const { equipment, service, ...shown } = chartChoiceIn(search);
  const series = await readRouteSeries(ctx, caller, { id, equipmentType: equipment, serviceLevel: service });
  return routeChartsView(series, shown, ctx.clock.now());
};
