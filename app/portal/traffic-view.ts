/** Many routes on one map, as a page sends them: lines by how busy they are, and ports. */

import type { Traffic } from "../domain/catalogue/geometry.server.ts";
import { chained, withoutLooseEnds } from "../domain/catalogue/legs.ts";
import {
  compactLine,
  type LonLat,
  type MapName,
  mapFor,
  nominalWidthPx,
  projectPoint,
  type ViewBox,
  viewOf,
} from "./components/route-map/projection.ts";

export type TrafficView = {
  map: MapName;
  viewBox: ViewBox;
  /** Map units per pixel when the map is shown at its nominal width. */
  unit: number;
  /** The quietest first, 1 to 4; each the `d` of a path, see `fineness`. */
  lines: { busyness: number; d: string }[];
  /** See `readPorts`. Sorted by code, which compresses best. As text, hundreds of ports weigh a third of what they would as values. */
  ports: string;
  /** Of all routes, those included that are not drawn. */
  portCount: number;
};

export type TrafficPort = { unlocode: string; name: string; routes: number; x: number; y: number };

const classes = 4;
/** With more legs than this, those that fewer than `leastRoutes` use are omitted: they hardly show, and weigh a lot. */
const legsDrawn = 800;
const leastRoutes = 8;
/** On a map of more ports than this, only the busiest are drawn, for the same reason. The search finds the others. */
const portsDrawn = 240;

/** Drawn once for the same traffic, which `trafficOf` keeps. */
export const trafficView = (traffic: Traffic): TrafficView => {
  const view = drawn.get(traffic) ?? draw(traffic);
  drawn.set(traffic, view);
  return view;
};
const drawn = new WeakMap<Traffic, TrafficView>();

const draw = ({ ports: all, legs }: Traffic): TrafficView => {
  const ports = all.slice(0, portsDrawn);
  const map = mapFor(legs.map(({ from, to, routes }) => ({ points: [from, to], weight: routes })));
  const busiest = Math.max(1, ...legs.map(({ routes }) => routes));
  const busynessOf = (routes: number) =>
    Math.max(1, Math.ceil((classes * Math.log(1 + routes)) / Math.log(1 + busiest)));
  const shown =
    legs.length > legsDrawn
      ? withoutLooseEnds(
          legs.filter(({ routes }) => routes >= leastRoutes),
          ports.map(({ lon, lat }): LonLat => [lon, lat]),
        )
      : legs;
  const points = legs.flatMap(({ from, to }) => [projectPoint(map, from), projectPoint(map, to)]);
  const viewBox = viewOf(points);
  return {
    map,
    viewBox,
    unit: viewBox.width / nominalWidthPx,
    lines: Array.from({ length: classes }, (_, i) => i + 1).flatMap((busyness) => {
      const d = chained(shown.filter(({ routes }) => busynessOf(routes) === busyness))
        .map((line) => compactLine(map, line))
        .join("");
      return d === "" ? [] : [{ busyness, d }];
    }),
    portCount: all.length,
    ports: JSON.stringify(
      ports.toSorted(byCode).map(({ unlocode, name, routes, lat, lon }) => {
        const { x, y } = projectPoint(map, [lon, lat]);
        return [unlocode, name, routes, round(x), round(y)];
      }),
    ),
  };
};

const byCode = (a: { unlocode: string }, b: { unlocode: string }) => (a.unlocode < b.unlocode ? -1 : 1);

const round = (value: number) => Math.round(value * 10) / 10;
