import { useId } from "react";
import { type LonLat, lineOn, projectPoint, worldView } from "./projection.ts";
import type { MapPort } from "./route-map.tsx";
import { World } from "./world.tsx";

export type RouteEnds = {
  key: string | number;
  origin: MapPort;
  destination: MapPort;
  /** Between them, in order. */
  via: readonly LonLat[];
};

type Props = {
  routes: readonly RouteEnds[];
  /** What the routes are: "Your subscribed routes", "Routes on this page". */
  title: string;
};

/** Many routes at once, by their approximate ways, on the whole world. The list beside it says the same. */
export const RoutesMap = ({ routes, title }: Props) => {
  const titleId = useId();
  const ports = new Map(routes.flatMap(({ origin, destination }) => [origin, destination]).map((p) => [p.unlocode, p]));
  return (
    <figure className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
      <div className="map">
        <svg
          viewBox={`${worldView.x} ${worldView.y} ${worldView.width} ${worldView.height}`}
          className="block w-full"
          role="img"
          aria-labelledby={titleId}
        >
          <title id={titleId}>{`World map: ${title}`}</title>
          <World map="atlantic" />
          {routes.map(({ key, origin, destination, via }) => (
            <path
              key={key}
              d={lineOn("atlantic", [[origin.lon, origin.lat], ...via, [destination.lon, destination.lat]])}
              className="track thin-track"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {[...ports.values()].map((port) => {
            const { x, y } = projectPoint("atlantic", [port.lon, port.lat]);
            return (
              <g key={port.unlocode} transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
                <g className="small-mark">
                  <circle r="3.2" className="port-end thin-port">
                    <title>{`${port.name} (${port.unlocode})`}</title>
                  </circle>
                </g>
              </g>
            );
          })}
        </svg>
      </div>
      <figcaption className="flex flex-wrap justify-between gap-x-5 gap-y-1 border-line border-t px-4 py-2.5 text-muted text-xs">
        <span>{title}</span>
        <span>Approximate ways. Schematic, not for navigation</span>
      </figcaption>
    </figure>
  );
};
