/** The route's line, waypoints and ports as GeoJSON (RFC 7946). */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { routeDataDocument } from "#app/api/documents/catalogue.ts";
import { readRouteData } from "#app/domain/subscriptions/route-access.server.ts";
import { fileName, fileResponse, orNoFile } from "#app/portal/download.server.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfReader } from "#app/portal/session.server.ts";

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const id = idOf(args.params.route_id);
  const { ctx, caller } = await visitOfReader(args, id, `/routes/${id}`);
  const route = routeDataDocument(await orNoFile(readRouteData(ctx, caller, { id, limit: 1 })));
  const pointAt = ({ lon, lat }: { lon: number; lat: number }, properties: Record<string, unknown>) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [lon, lat] },
    properties,
  });
  const file = {
    type: "FeatureCollection",
    features: [
      {
        type: "Feature",
        geometry: route.geometry,
        properties: { code: route.code, name: route.name, distance_nm: route.distance_nm, note: "Not for navigation" },
      },
      pointAt(route.origin_port.location, { role: "origin", ...nameOf(route.origin_port) }),
      ...route.waypoints.map(({ location, ...waypoint }) => pointAt(location, { role: "waypoint", ...waypoint })),
      pointAt(route.destination_port.location, { role: "destination", ...nameOf(route.destination_port) }),
    ],
  };
  return fileResponse(`${JSON.stringify(file, null, 2)}\n`, {
    name: fileName(route.code, "geojson"),
    type: "application/geo+json",
  });
};

const nameOf = ({ unlocode, name }: { unlocode: string; name: string }) => ({ unlocode, name });
