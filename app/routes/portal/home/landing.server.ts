import { browse } from "#app/domain/catalogue/browse.server.ts";
import { approximateGeometry } from "#app/domain/catalogue/geometry.server.ts";
import { listRegions } from "#app/domain/catalogue/hierarchy.server.ts";
import { sampleRoutes } from "#app/domain/catalogue/sample-routes.server.ts";
import type { Context } from "#app/domain/context.ts";
import { terms } from "#app/domain/pricing/discounts.ts";
import { visitor } from "#app/domain/pricing/own-price.ts";
import { termDiscountPercent } from "#app/domain/pricing/policy.ts";
import { priceFromView } from "#app/portal/price-view.ts";
import { routeMapView } from "#app/portal/route-map-view.ts";

export type LandingData = Awaited<ReturnType<typeof landingData>>;

const shown = { origin: "CNSHA", destination: "NLRTM" };

/** What the home page shows to visitors. */
export const landingData = async (ctx: Context) => {
  const [featured, samples, regions] = await Promise.all([
    browse(ctx, shown, { limit: 1 }),
    sampleRoutes(ctx),
    listRegions(ctx, { apartRouteIds: visitor.runningRouteIds }),
  ]);
  const sum = (of: (region: (typeof regions)[number]) => number) => regions.reduce((total, one) => total + of(one), 0);
  const route = featured.rows[0] ?? null;
  return {
    route: route && {
      id: route.id,
      name: route.name,
      map: routeMapView({ ...route, waypoints: await approximateGeometry(ctx, route.id), indicative: true }),
    },
    samples: samples.map(({ id, name, cargoType, carrier }) => ({ id, name, cargoType, carrier: carrier.name })),
    counts: { routes: sum(({ routes }) => routes), tradeLanes: sum(({ tradeLanes }) => tradeLanes) },
    regions: regions
      .filter(({ routes }) => routes > 0)
      .map(({ code, name, routes, cheapest }) => ({ code, name, routes, priceFrom: priceFromView(visitor, cheapest) })),
    priceFrom: priceFromView(
      visitor,
      regions.flatMap(({ cheapest }) => cheapest),
    ),
    terms: terms.map((term) => ({ term, discountPercent: termDiscountPercent[term] })),
    appUrl: ctx.settings.appUrl,
  };
};
