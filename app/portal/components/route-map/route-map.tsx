import { useId } from "react";
import type { RouteMapView } from "../../route-map-view.ts";
import { PortLabel, StopLabel } from "./map-label.tsx";
import { type MapFrame, MovableMap } from "./movable-map.tsx";
import { nominalWidthPx } from "./projection.ts";
import { World } from "./world.tsx";

type Props = {
  route: RouteMapView;
  /** Cannot be moved, for a map within a link. */
  still?: boolean;
};

/** The route on a world map cropped to it. */
export const RouteMap = ({ route, still = false }: Props) => {
  const titleId = useId();
  const drawing = ({ view, unit }: MapFrame) => {
    // Back at the first view, the factor may be a little less than 1.
    const zoom = route.viewBox.width / view.width + 0.001;
    const step = Math.min(3, Math.floor(Math.log2(zoom)));
    const at = (point: { x: number; y: number }, turn = "") =>
      `translate(${point.x} ${point.y}) scale(${unit.toFixed(5)})${turn}`;
    return (
      <svg
        viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
        className="block aspect-[4/3] w-full sm:aspect-[2/1]"
        role="img"
        aria-labelledby={titleId}
      >
        <title id={titleId}>{route.title}</title>
        <World map={route.map} />
        {route.alternatives.map((d) => (
          <path key={d} d={d} className="track-alternative" vectorEffect="non-scaling-stroke" />
        ))}
        <path d={route.d} className="track-halo" vectorEffect="non-scaling-stroke" />
        <path
          d={route.d}
          className="track"
          vectorEffect="non-scaling-stroke"
          strokeDasharray={route.indicative ? "1 7" : undefined}
        />
        <g transform={at(route.middle, ` rotate(${route.middle.degrees})`)}>
          <path d="M-5 -6.5L8 0L-5 6.5L-2 0Z" className="mark port-end" />
        </g>
        {route.stops.map((stop) => (
          <g key={`${stop.name} ${stop.x}`} transform={at(stop)}>
            <g className="small-mark">
              <circle r="3" className="stop">
                <title>{stop.name}</title>
              </circle>
            </g>
          </g>
        ))}
        {route.stops.map((stop) => {
          const side = stop.sides[step];
          return side ? (
            <g key={`${stop.name} ${stop.x}`} transform={at(stop)}>
              <g className="mark">
                <StopLabel side={side} name={stop.name} />
              </g>
            </g>
          ) : null;
        })}
        <g transform={at(route.start)}>
          <g className="mark">
            <circle r="6" className="port" />
            <PortLabel side={route.start.side} name={route.start.name} code={route.start.code} />
          </g>
        </g>
        <g transform={at(route.end)}>
          <g className="mark">
            <circle r="7" className="port-end" />
            {zoom < route.zoomForBoth ? null : (
              <PortLabel side={route.end.side} name={route.end.name} code={route.end.code} />
            )}
          </g>
        </g>
      </svg>
    );
  };

  return (
    <figure className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
      {still ? (
        <div className="map">{drawing({ view: route.viewBox, unit: route.viewBox.width / nominalWidthPx })}</div>
      ) : (
        <MovableMap home={route.viewBox}>{drawing}</MovableMap>
      )}
      <figcaption className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line px-4 py-2.5 text-muted text-xs">
        <Key shape={<circle cx="6" cy="6" r="4" className="fill-surface stroke-2 stroke-accent-fill" />}>Origin</Key>
        <Key shape={<circle cx="6" cy="6" r="5" className="fill-accent-fill" />}>Destination</Key>
        {route.alternatives.length > 0 ? (
          <Key shape={<path d="M0 6H12" className="stroke-[1.5] stroke-muted" strokeDasharray="3 1.5" />}>
            {route.alternatives.length === 1 ? "Alternative routing" : "Alternative routings"}
          </Key>
        ) : null}
        <span className="sm:ml-auto">
          {route.indicative ? "Approximate routing. " : ""}Schematic, not for navigation
        </span>
      </figcaption>
    </figure>
  );
};

const Key = ({ shape, children }: { shape: React.ReactNode; children: React.ReactNode }) => (
  <span className="inline-flex items-center gap-1.5">
    <svg viewBox="0 0 12 12" className="size-3" aria-hidden="true">
      {shape}
    </svg>
    {children}
  </span>
);
