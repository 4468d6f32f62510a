import type { LabelSide } from "./labels.ts";

/** Text anchor, and baselines of a label with one line and with two, in pixels from its point. */
const layoutOf = (side: LabelSide) => {
  const [vertical, across = side] = side.split(" ");
  const [one, first, second] =
    vertical === "above" ? [-9, -28, -13] : vertical === "below" ? [18, 25, 40] : [4, -2, 13];
  const anchor = across === "right" ? "start" : across === "left" ? "end" : "middle";
  return { x: side === "right" ? 12 : side === "left" ? -12 : 0, anchor, one, two: [first, second] } as const;
};

/** A port's name and code. */
export const PortLabel = ({ side, name, code }: { side: LabelSide; name: string; code: string }) => {
  const { x, anchor, two } = layoutOf(side);
  return (
    <>
      <text x={x} y={two[0]} textAnchor={anchor} className="port-name">
        {name}
      </text>
      <text x={x} y={two[1]} textAnchor={anchor} className="port-code">
        {code}
      </text>
    </>
  );
};

type StopLabelProps = { side: LabelSide; name: string; strong?: boolean };

/** The name of a waypoint, or of one port among many. */
export const StopLabel = ({ side, name, strong = false }: StopLabelProps) => {
  const { x, anchor, one } = layoutOf(side);
  return (
    <text x={x * 0.7} y={one} textAnchor={anchor} className={strong ? "port-name" : "stop-name"}>
      {name}
    </text>
  );
};
