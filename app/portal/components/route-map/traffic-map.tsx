import { Link, useNavigate } from "@remix-run/react";
import { type MouseEvent, type PointerEvent, useMemo, useState } from "react";
import { formatCount } from "../../format.ts";
import type { TrafficPort, TrafficView } from "../../traffic-view.ts";
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

const readPorts = (text: string): Port[] =>
  (JSON.parse(text) as [string, string, number, number, number][]).map(([unlocode, name, routes, x, y]) => ({
    unlocode,
    name,
    routes,
    x,
    y,
  }));

/** Many routes on one map: the busier a port or line, the larger. The list below it has the same data for everyone. */
export const TrafficMap = ({ traffic, title, portLink }: Props) => {
  const ports = useMemo(() => readPorts(traffic.ports), [traffic.ports]);
  return (
    <figure className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
      <Drawing traffic={traffic} ports={ports} portLink={portLink} />
      <figcaption className="flex flex-wrap justify-between gap-x-5 gap-y-1 border-line border-t px-4 py-2.5 text-muted text-xs">
        <span>
          Map of {title}, {formatCount(ports.length, "port")}.{ports.length > 2 ? " The busier, the larger." : null}
        </span>
        <span>Approximate ways. Schematic, not for navigation</span>
      </figcaption>
      <Ports ports={ports} portLink={portLink} />
    </figure>
  );
};

const Drawing = ({
  traffic: { map, viewBox, unit, lines },
  ports,
  portLink,
}: Omit<Props, "title"> & { ports: readonly Port[] }) => {
  const navigate = useNavigate();
  const [pointedAt, setPointedAt] = useState<Port | null>(null);
  const busiest = ports[0]?.routes ?? 1;
  // One or two ports are always labelled.
  const shown = ports.length <= 2 ? ports : pointedAt ? [pointedAt] : [];
  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    if (event.pointerType === "mouse") setPointedAt(nearestPort(ports, event, unit));
  };
  // On touch the first tap labels a port, and the second follows its link.
  const onClick = (event: MouseEvent<SVGSVGElement>) => {
    const port = nearestPort(ports, event, unit);
    if (port && port.unlocode === pointedAt?.unlocode) navigate(portLink(port.unlocode), { preventScrollReset: true });
    else setPointedAt(port);
  };
  return (
    <div className="map">
      <svg
        viewBox={`${viewBox.x} ${viewBox.y} ${viewBox.width} ${viewBox.height}`}
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
        {shown.map((port) => (
          <g key={port.unlocode} transform={`translate(${port.x} ${port.y}) scale(${unit.toFixed(4)})`}>
            <g className="mark">
              <circle r="6" className="port-end" />
              <text
                y={(port.y - viewBox.y) / viewBox.height < 0.2 ? 22 : -12}
                x="0"
                textAnchor={anchorAt((port.x - viewBox.x) / viewBox.width)}
                className="port-name"
              >
                {port.name}
                {port === pointedAt ? `, ${formatCount(port.routes, "route")}` : null}
              </text>
            </g>
          </g>
        ))}
      </svg>
    </div>
  );
};

const anchorAt = (share: number) => (share > 0.8 ? "end" : share < 0.2 ? "start" : "middle");

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
const portsListed = 100;

const Ports = ({ ports, portLink }: { ports: readonly Port[]; portLink: Props["portLink"] }) => (
  <div className="border-line border-t px-4 py-3">
    <p className="font-medium text-[0.8125rem] text-muted">
      {ports.length > portsShown ? "Busiest ports" : "Ports, and how many routes each has"}
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
            The {portsListed} busiest of {ports.length}. The search finds the others by name.
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
