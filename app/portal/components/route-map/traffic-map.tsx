import { Link, useNavigate } from "@remix-run/react";
import { type MouseEvent, type PointerEvent, useMemo, useState } from "react";
import { formatCount } from "../../format.ts";
import type { TrafficPort, TrafficView } from "../../traffic-view.ts";
import { placePorts, portScales } from "./labels.ts";
import { StopLabel } from "./map-label.tsx";
import { type MapFrame, MovableMap } from "./movable-map.tsx";
import { fineness } from "./projection.ts";
import { World } from "./world.tsx";

type Props = {
  traffic: TrafficView;
  /** Which routes it shows: "all 2,327 routes". */
  title: string;
  /** The link of a port. */
  portLink: (unlocode: string) => string;
};

type Port = TrafficPort;

/** The busiest first. */
const readPorts = (text: string): Port[] =>
  (JSON.parse(text) as [string, string, number, number, number][])
    .map(([unlocode, name, routes, x, y]) => ({ unlocode, name, routes, x, y }))
    .sort((a, b) => b.routes - a.routes || (a.name < b.name ? -1 : 1));

/** Many routes on one map, with larger dots and lines for more routes. The list below it has the same data for everyone. */
export const TrafficMap = ({ traffic, title, portLink }: Props) => {
  const ports = useMemo(() => readPorts(traffic.ports), [traffic.ports]);
  return (
    <figure className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
      <Drawing traffic={traffic} ports={ports} portLink={portLink} />
      <figcaption className="flex flex-wrap justify-between gap-x-5 gap-y-1 border-line border-t px-4 py-2.5 text-muted text-xs">
        <span>
          Map of {title}, {formatCount(traffic.portCount, "port")}.
          {ports.length > 2 ? " Larger dots handle more routes." : null}
        </span>
        <span>Approximate routings. Schematic, not for navigation</span>
      </figcaption>
      <Ports ports={ports} portCount={traffic.portCount} portLink={portLink} />
    </figure>
  );
};

type DrawingProps = Omit<Props, "title"> & { ports: readonly Port[] };

const Drawing = ({ traffic, ports, portLink }: DrawingProps) => (
  <MovableMap home={traffic.viewBox}>
    {(frame) => <View traffic={traffic} ports={ports} portLink={portLink} frame={frame} />}
  </MovableMap>
);

const View = ({
  traffic: { map, lines },
  ports,
  portLink,
  frame: { view, unit },
}: DrawingProps & { frame: MapFrame }) => {
  const navigate = useNavigate();
  const [pointedAt, setPointedAt] = useState<Port | null>(null);
  const busiest = ports[0]?.routes ?? 1;
  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    if (event.pointerType === "mouse") setPointedAt(nearestPort(ports, event, unit));
  };
  // On touch the first tap names a port, and the second follows its link.
  const onClick = (event: MouseEvent<SVGSVGElement>) => {
    const port = nearestPort(ports, event, unit);
    if (port && port.unlocode === pointedAt?.unlocode) navigate(portLink(port.unlocode), { preventScrollReset: true });
    else setPointedAt(port);
  };
  return (
    <svg
      viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
      className={`block w-full ${pointedAt ? "cursor-pointer" : ""}`}
      aria-hidden="true"
      onPointerMove={onPointerMove}
      onPointerLeave={() => setPointedAt(null)}
      onClick={onClick}
    >
      <World map={map} />
      {lines.map(({ busyness, d }) => (
        <path
          key={busyness}
          d={d}
          transform={`scale(${1 / fineness})`}
          className={`track traffic-${busyness}`}
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {dotsBySize(ports, busiest).map(({ size, d }) => (
        <path key={size} d={d} className={`dots dots-${size}`} vectorEffect="non-scaling-stroke" />
      ))}
      <Names ports={ports} pointedAt={pointedAt} view={view} unit={unit} />
      {pointedAt ? (
        <g transform={`translate(${pointedAt.x} ${pointedAt.y}) scale(${unit.toFixed(4)})`}>
          <circle r="6" className="mark port-end" />
        </g>
      ) : null}
    </svg>
  );
};

const mostNames = { wide: 14, narrow: 5 } as const;

type NamesProps = { ports: readonly Port[]; pointedAt: Port | null } & MapFrame;

/**
 * The port that is pointed at, and the busiest ports in view as far as there is room for their names. Marks are larger on
 * a phone, so it gets fewer.
 */
const Names = ({ ports, pointedAt, view, unit }: NamesProps) => {
  const others = ports.filter((port) => port !== pointedAt);
  const named = pointedAt
    ? [{ ...pointedAt, name: `${pointedAt.name}, ${formatCount(pointedAt.routes, "route")}` }, ...others]
    : others;
  return (["wide", "narrow"] as const).map((width) => (
    <g key={width} className={`names-${width}`}>
      {placePorts({ view, unit }, named, {
        scale: portScales[width],
        most: mostNames[width],
        isFirstPointedAt: pointedAt !== null,
      }).map(({ port, side }) => (
        <g key={port.unlocode} transform={`translate(${port.x} ${port.y}) scale(${unit.toFixed(4)})`}>
          <g className="mark">
            <StopLabel side={side} name={port.name} strong={port.unlocode === pointedAt?.unlocode} />
          </g>
        </g>
      ))}
    </g>
  ));
};

const sizes = 5;

/** Dots are zero-length lines with round caps, which take only a few characters each. */
const dotsBySize = (ports: readonly Port[], busiest: number) =>
  Array.from({ length: sizes }, (_, i) => i + 1).map((size) => ({
    size,
    d: ports
      .filter(({ routes }) => Math.max(1, Math.ceil(sizes * Math.sqrt(routes / busiest))) === size)
      .map(({ x, y }) => `M${x} ${y}h0`)
      .join(""),
  }));

const reachPx = 14;

const nearestPort = (
  ports: readonly Port[],
  { clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement> | MouseEvent<SVGSVGElement>,
  unit: number,
): Port | null => {
  const onScreen = currentTarget.getScreenCTM();
  if (!onScreen) return null;
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(onScreen.inverse());
  const distanceTo = (port: Port) => Math.hypot(port.x - x, port.y - y);
  const nearest = ports.reduce<Port | null>((a, b) => (a && distanceTo(a) <= distanceTo(b) ? a : b), null);
  const reach = Math.max(reachPx / onScreen.a, reachPx * unit);
  return nearest && distanceTo(nearest) <= reach ? nearest : null;
};

const portsShown = 8;
const portsListed = 60;

type PortsProps = { ports: readonly Port[]; portCount: number; portLink: Props["portLink"] };

const Ports = ({ ports, portCount, portLink }: PortsProps) => (
  <div className="border-line border-t px-4 py-3">
    <p className="font-medium text-[0.8125rem] text-muted">
      {ports.length > portsShown ? "Busiest ports" : "Ports and number of routes"}
    </p>
    <PortList ports={ports.slice(0, portsShown)} portLink={portLink} />
    {ports.length > portsShown ? (
      <details className="mt-2">
        <summary className="inline-flex min-h-6 items-center rounded font-medium text-[0.8125rem] text-accent">
          More ports
        </summary>
        <PortList
          ports={ports.slice(portsShown, portsListed).toSorted((a, b) => (a.name < b.name ? -1 : 1))}
          portLink={portLink}
        />
        {ports.length > portsListed ? (
          <p className="mt-1 text-[0.8125rem] text-muted">
            The {portsListed} busiest of {portCount} ports. Search to find the others.
          </p>
        ) : null}
      </details>
    ) : null}
  </div>
);

const PortList = ({ ports, portLink }: { ports: readonly Port[]; portLink: Props["portLink"] }) => (
  <ul className="port-list mt-1 text-sm">
    {ports.map(({ unlocode, name, routes }) => (
      <li key={unlocode}>
        <Link to={portLink(unlocode)} preventScrollReset discover="none">
          {name} <small>{routes}</small>
        </Link>
      </li>
    ))}
  </ul>
);
