import { useId } from "react";
import type { Waypoint } from "#app/domain/catalogue/waypoint.ts";
import { placeEnds, placeStops } from "./labels.ts";
import { PortLabel, StopLabel } from "./map-label.tsx";
import { type LonLat, projectPoint, projectRoute } from "./projection.ts";
import { World } from "./world.tsx";

export type MapPort = { name: string; unlocode: string; lon: number; lat: number };
export type MapStop = { lon: number; lat: number; name?: string | null; kind?: Waypoint["kind"] };

type Props = {
  origin: MapPort;
  destination: MapPort;
  /** Waypoints in order. Named ones get a dot; canals, straits and capes also their name, if it fits. */
  waypoints?: readonly MapStop[];
  /** An approximate route, for visitors without access: dotted, without names. */
  indicative?: boolean;
  /** Other ways between the ports: thin and dashed, behind the route. */
  alternatives?: readonly (readonly LonLat[])[];
};

/** The route on a world map cropped to it. */
export const RouteMap = ({ origin, destination, waypoints = [], indicative = false, alternatives = [] }: Props) => {
  const titleId = useId();
  const points: LonLat[] = [origin, ...waypoints, destination].map(({ lon, lat }) => [lon, lat] as const);
  const ends = { from: points.slice(0, 1), to: points.slice(-1) };
  const route = projectRoute(
    points,
    alternatives.map((line) => [...ends.from, ...line, ...ends.to]),
  );
  const { viewBox, unit } = route;

  const endLabels = [
    { at: route.start, name: origin.name, code: origin.unlocode },
    { at: route.end, name: destination.name, code: destination.unlocode },
  ];
  const [originSide = "right", destinationSide = "right"] = placeEnds(route, endLabels);
  const stops = waypoints.flatMap((stop) =>
    stop.name && stop.kind
      ? [{ name: stop.name, kind: stop.kind, at: projectPoint(route.map, [stop.lon, stop.lat]) }]
      : [],
  );
  const landmarks = [...stops]
    .filter((stop) => stop.kind in landmarkRank)
    .sort((a, b) => (landmarkRank[a.kind] ?? 9) - (landmarkRank[b.kind] ?? 9));
  const landmarkSides = placeStops(route, landmarks, [
    ...endLabels.map((end, i) => ({ ...end, side: i === 0 ? originSide : destinationSide })),
  ]);
  const at = (point: { x: number; y: number }, turn = "") =>
    `translate(${point.x.toFixed(2)} ${point.y.toFixed(2)}) scale(${unit.toFixed(5)})${turn}`;

  return (
    <figure className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
      <div className="map">
        <svg
          viewBox={`${viewBox.x} ${viewBox.y} ${viewBox.width} ${viewBox.height}`}
          className="block aspect-[4/3] w-full sm:aspect-[2/1]"
          role="img"
          aria-labelledby={titleId}
        >
          <title id={titleId}>{describe(origin, destination, stops, indicative)}</title>
          <World map={route.map} />
          {route.alternatives.map((d) => (
            <path key={d} d={d} className="track-alternative" vectorEffect="non-scaling-stroke" />
          ))}
          <path d={route.d} className="track-halo" vectorEffect="non-scaling-stroke" />
          <path
            d={route.d}
            className="track"
            vectorEffect="non-scaling-stroke"
            strokeDasharray={indicative ? "1 7" : undefined}
          />
          <g transform={at(route.middle, ` rotate(${route.middle.degrees.toFixed(1)})`)}>
            <path d="M-5 -6.5L8 0L-5 6.5L-2 0Z" className="mark port-end" />
          </g>
          {stops.map((stop) => (
            <g key={`${stop.name} ${stop.at.x}`} transform={at(stop.at)}>
              <g className="small-mark">
                <circle r="3" className="stop">
                  <title>{stop.name}</title>
                </circle>
              </g>
            </g>
          ))}
          {landmarks.map((stop, i) => {
            const side = landmarkSides[i];
            if (!side) return null;
            return (
              <g key={`${stop.name} ${stop.at.x}`} transform={at(stop.at)}>
                <g className="mark">
                  <StopLabel side={side} name={stop.name} />
                </g>
              </g>
            );
          })}
          <g transform={at(route.start)}>
            <g className="mark">
              <circle r="6" className="port" />
              <PortLabel side={originSide} name={origin.name} code={origin.unlocode} />
            </g>
          </g>
          <g transform={at(route.end)}>
            <g className="mark">
              <circle r="7" className="port-end" />
              <PortLabel side={destinationSide} name={destination.name} code={destination.unlocode} />
            </g>
          </g>
        </svg>
      </div>
      <figcaption className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line px-4 py-2.5 text-muted text-xs">
        <Key shape={<circle cx="6" cy="6" r="4" className="fill-surface stroke-2 stroke-accent-fill" />}>Origin</Key>
        <Key shape={<circle cx="6" cy="6" r="5" className="fill-accent-fill" />}>Destination</Key>
        {route.alternatives.length > 0 ? (
          <Key shape={<path d="M0 6H12" className="stroke-[1.5] stroke-muted" strokeDasharray="3 1.5" />}>
            {route.alternatives.length === 1 ? "Alternative" : "Alternatives"}
          </Key>
        ) : null}
        <span className="sm:ml-auto">{indicative ? "Approximate way. " : ""}Schematic, not for navigation</span>
      </figcaption>
    </figure>
  );
};

/** Which names come first if there is not room for all. */
const landmarkRank: Partial<Record<Waypoint["kind"], number>> = { canal: 0, cape: 1, strait: 2 };

const Key = ({ shape, children }: { shape: React.ReactNode; children: React.ReactNode }) => (
  <span className="inline-flex items-center gap-1.5">
    <svg viewBox="0 0 12 12" className="size-3" aria-hidden="true">
      {shape}
    </svg>
    {children}
  </span>
);

const describe = (origin: MapPort, destination: MapPort, stops: readonly { name: string }[], indicative: boolean) => {
  const ends = `Map of the route from ${origin.name} to ${destination.name}`;
  if (indicative) return `${ends}, by its approximate way`;
  return stops.length > 0 ? `${ends}, passing ${stops.map((stop) => stop.name).join(", ")}` : ends;
};
