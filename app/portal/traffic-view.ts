/** Many routes on one map, as a page sends them: lines by how busy they are, and ports. */
import { chained } from "../domain/catalogue/legs.ts";
import type { Traffic } from "../domain/catalogue/ways.server.ts";
import {
  compactLine,
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
  /** The busiest first. */
  ports: { unlocode: string; name: string; routes: number; x: number; y: number }[];
};

const classes = 4;

export const trafficView = ({ ports, legs }: Traffic): TrafficView => {
  const map = mapFor(legs.map(({ from, to, routes }) => ({ points: [from, to], weight: routes })));
  const busiest = Math.max(1, ...legs.map(({ routes }) => routes));
  const busynessOf = (routes: number) =>
    Math.max(1, Math.ceil((classes * Math.log(1 + routes)) / Math.log(1 + busiest)));
  const points = legs.flatMap(({ from, to }) => [projectPoint(map, from), projectPoint(map, to)]);
  const viewBox = viewOf(points);
  return {
    map,
    viewBox,
    unit: viewBox.width / nominalWidthPx,
    lines: Array.from({ length: classes }, (_, i) => i + 1).flatMap((busyness) => {
      const d = chained(legs.filter(({ routes }) => busynessOf(routes) === busyness))
        .map((line) => compactLine(map, line))
        .join("");
      return d === "" ? [] : [{ busyness, d }];
    }),
    ports: ports.map(({ unlocode, name, routes, lat, lon }) => {
      const { x, y } = projectPoint(map, [lon, lat]);
      return { unlocode, name, routes, x: round(x), y: round(y) };
    }),
  };
};

const round = (value: number) => Math.round(value * 10) / 10;
