/** One route on a map, as a page sends it: projected, and with its labels placed. */
import type { Waypoint } from "../domain/catalogue/waypoint.ts";
import { type LabelSide, placeEnds, placeStops, zoomForBoth } from "./components/route-map/labels.ts";
import {
  type LonLat,
  type MapName,
  type MapPoint,
  type ProjectedRoute,
  projectPoint,
  projectRoute,
  type ViewBox,
} from "./components/route-map/projection.ts";

export type RouteMapView = {
  /** What the map shows, for screen readers. */
  title: string;
  map: MapName;
  viewBox: ViewBox;
  /** The SVG path data of the route. */
  d: string;
  /** The SVG path data of each alternative that fits the map. */
  alternatives: string[];
  /** An approximate route, for visitors without access: dotted, without names. */
  indicative: boolean;
  start: EndView;
  end: EndView;
  /** Zoomed out further than this, the destination has no label, because it would cover that of the origin. */
  zoomForBoth: number;
  middle: ProjectedRoute["middle"];
  /** Named waypoints. `sides`: of the label of canals, straits and capes, see `placeStops`; empty: it has none. */
  stops: (MapPoint & { name: string; sides: (LabelSide | null)[] })[];
};

type EndView = MapPoint & { name: string; code: string; side: LabelSide };

type Port = { name: string; unlocode: string; lon: number; lat: number };
type Stop = { lon: number; lat: number; name?: string | null; kind?: Waypoint["kind"] };

type Route = {
  origin: Port;
  destination: Port;
  /** In order. Without names, the route is approximate. */
  waypoints: readonly Stop[];
  indicative: boolean;
  /** Other routings between the ports. */
  alternatives?: readonly (readonly LonLat[])[];
};

export const routeMapView = ({
  origin,
  destination,
  waypoints,
  indicative,
  alternatives = [],
}: Route): RouteMapView => {
  const points = [origin, ...waypoints, destination].map(({ lon, lat }): LonLat => [lon, lat]);
  const both = { from: points.slice(0, 1), to: points.slice(-1) };
  const route = projectRoute(
    points,
    alternatives.map((line) => [...both.from, ...line, ...both.to]),
  );
  const labels = [
    { at: route.start, name: origin.name, code: origin.unlocode },
    { at: route.end, name: destination.name, code: destination.unlocode },
  ] as const;
  const [startSide = "right", endSide = "right"] = placeEnds(route, labels);
  const stops = waypoints.flatMap(({ name, kind, lon, lat }) =>
    name && kind ? [{ name, kind, at: projectPoint(route.map, [lon, lat]) }] : [],
  );
  const landmarks = stops
    .filter(({ kind }) => kind in landmarkRank)
    .sort((a, b) => (landmarkRank[a.kind] ?? 9) - (landmarkRank[b.kind] ?? 9));
  const ends = [
    { ...labels[0], side: startSide },
    { ...labels[1], side: endSide },
  ];
  const sides = placeStops(route, landmarks, ends);
  return {
    title: titleOf(origin, destination, stops, indicative),
    map: route.map,
    viewBox: route.viewBox,
    d: route.d,
    alternatives: route.alternatives,
    indicative,
    start: { ...rounded(route.start), name: origin.name, code: origin.unlocode, side: startSide },
    end: { ...rounded(route.end), name: destination.name, code: destination.unlocode, side: endSide },
    zoomForBoth: zoomForBoth(route, ends),
    middle: { ...rounded(route.middle), degrees: Math.round(route.middle.degrees) },
    stops: stops.map((stop) => ({
      ...rounded(stop.at),
      name: stop.name,
      sides: sides[landmarks.indexOf(stop)] ?? [],
    })),
  };
};

/** To a hundredth of a map unit, a fifth of a nautical mile. */
const rounded = ({ x, y }: MapPoint): MapPoint => ({ x: Math.round(x * 100) / 100, y: Math.round(y * 100) / 100 });

/** Which names come first if there is not room for all. */
const landmarkRank: Partial<Record<Waypoint["kind"], number>> = { canal: 0, cape: 1, strait: 2 };

const titleOf = (origin: Port, destination: Port, stops: readonly { name: string }[], indicative: boolean) => {
  const ends = `Map of the route from ${origin.name} to ${destination.name}`;
  if (indicative) return `${ends}, approximate routing`;
  return stops.length > 0 ? `${ends}, passing ${stops.map((stop) => stop.name).join(", ")}` : ends;
};
