import type { LabelSide } from "./labels.ts";

/** Text anchor and baselines of a label with one or two lines, in pixels from its point. */
const layout = {
  right: { x: 12, anchor: "start", one: 4, two: [-2, 13] },
  left: { x: -12, anchor: "end", one: 4, two: [-2, 13] },
  above: { x: 0, anchor: "middle", one: -9, two: [-28, -13] },
  below: { x: 0, anchor: "middle", one: 18, two: [25, 40] },
} as const;

/** A port's name and code. */
export const PortLabel = ({ side, name, code }: { side: LabelSide; name: string; code: string }) => {
  const { x, anchor, two } = layout[side];
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

/** The name of a waypoint. */
export const StopLabel = ({ side, name }: { side: LabelSide; name: string }) => {
  const { x, anchor, one } = layout[side];
  return (
    <text x={x * 0.7} y={one} textAnchor={anchor} className="stop-name">
      {name}
    </text>
  );
};
