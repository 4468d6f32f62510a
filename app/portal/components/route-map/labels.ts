/** Places labels on the map so that they stay inside it and overlap neither the line nor each other. Sizes in pixels. */
import type { MapPoint, ProjectedRoute, ViewBox } from "./projection.ts";

/** Beside the point, centred above or below it, or above or below it and to one side. */
export type LabelSide = "right" | "left" | "above" | "below" | `${"above" | "below"} ${"right" | "left"}`;
export type LabelText = { at: MapPoint; name: string; code?: string | undefined; strong?: boolean };

/** What a phone shows: the map of a route is 4:3 there instead of 2:1. */
const onPhone = (route: ProjectedRoute): ProjectedRoute => {
  const { x, y, width, height } = route.viewBox;
  return { ...route, viewBox: { x, y: y - height / 4, width, height: height * 1.5 } };
};

/** The best side of its point for the label of each end. */
export const placeEnds = (route: ProjectedRoute, ends: readonly LabelText[]): LabelSide[] => {
  const taken: Box[][] = scales.map(() => []);
  return ends.map((end, i) => {
    const others = ends.filter((_, k) => k !== i).map((other) => other.at);
    const best = lowest(sides, (side) =>
      sum(
        scales.map((scale, s) =>
          cost(scale > 1 ? onPhone(route) : route, boxOf(route, end, side, scale), taken[s] ?? [], others),
        ),
      ),
    );
    scales.forEach((scale, s) => {
      taken[s]?.push(boxOf(route, end, best, scale));
    });
    return best;
  });
};

/** The zoom factors at which the names of stops are placed. Between them the map keeps those of the lower one. */
const stopZooms = [1, 2, 4, 8];
/** Names of stops are hidden on a phone. Otherwise marks are drawn up to this much larger than nominal. */
const stopScale = 1.3;

/** The side for each stop's label at each of the zoom factors 1, 2, 4 and 8; null where there is no room for it. */
export const placeStops = (
  route: ProjectedRoute,
  stops: readonly LabelText[],
  ends: readonly (LabelText & { side: LabelSide })[],
): (LabelSide | null)[][] => {
  const placed = stops.map((): (LabelSide | null)[] => []);
  for (const zoom of stopZooms) {
    const frame = { ...route, unit: route.unit / zoom };
    const taken = ends.map((end) => boxOf(frame, end, end.side, stopScale));
    for (const [i, stop] of stops.entries()) {
      const before = placed[i]?.at(-1) ?? null;
      // A name keeps its side while the map is zoomed, if it can.
      const tried = before ? [before, ...sides] : sides;
      const free = tried.find((side) => isFree(frame, boxOf(frame, stop, side, stopScale), taken)) ?? null;
      if (free) taken.push(boxOf(frame, stop, free, stopScale));
      placed[i]?.push(free);
    }
  }
  return placed;
};

const endZooms = [8, 4, 2, 1, 1 / 2, 1 / 4, 1 / 8, 1 / 16];

/** The lowest zoom factor at which the labels of both ends have room: 1 or less, unless the ports are very close. */
export const zoomForBoth = (route: ProjectedRoute, ends: readonly (LabelText & { side: LabelSide })[]): number => {
  const tooFar = endZooms.findIndex((zoom) => {
    const frame = { ...route, unit: route.unit / zoom };
    return scales.some((scale) => {
      const [start, end] = ends.map((label) => boxOf(frame, label, label.side, scale));
      return start && end && overlap(start, end);
    });
  });
  return endZooms.at(tooFar === -1 ? -1 : Math.max(0, tooFar - 1)) ?? 1;
};

/** How much larger than nominal the marks of maps of many ports are drawn at most: on desktop and on a phone. */
export const portScales = { wide: 1.3, narrow: 2.2 } as const;

type Choice = {
  scale: number;
  most: number;
  /** The first port is pointed at: it is named in any case, and in larger type. */
  isFirstPointedAt?: boolean;
};

/**
 * Names for as many ports as have room, the first ones first. A name stays within the view, and covers neither another
 * name nor the dot of another named port.
 */
export const placePorts = <Port extends { name: string; x: number; y: number }>(
  frame: { view: ViewBox; unit: number },
  ports: readonly Port[],
  { scale, most, isFirstPointedAt = false }: Choice,
): { port: Port; side: LabelSide }[] => {
  const inside: Frame = { viewBox: frame.view, unit: frame.unit, track: [] };
  const placed: { port: Port; side: LabelSide; box: Box }[] = [];
  for (const [i, port] of ports.entries()) {
    if (placed.length === most) break;
    const isPointedAt = isFirstPointedAt && i === 0;
    const label = { at: port, name: port.name, strong: isPointedAt };
    const isDotCovered = placed.some(({ box }) => contains(box, port.x / frame.unit, port.y / frame.unit, dotPx));
    if (isDotCovered) continue;
    const boxes = placed.map(({ box }) => box);
    const dots = placed.map((other) => other.port);
    const costOf = (one: LabelSide) => cost(inside, boxOf(inside, label, one, scale), boxes, dots);
    const best = lowest(sides, costOf);
    if (isPointedAt || costOf(best) === 0) placed.push({ port, side: best, box: boxOf(inside, label, best, scale) });
  }
  return placed.map(({ port, side }) => ({ port, side }));
};

const dotPx = 4;

/** What a label must fit into. */
type Frame = Pick<ProjectedRoute, "viewBox" | "unit" | "track">;

type Box = { left: number; top: number; right: number; bottom: number };

const sides: readonly LabelSide[] = [
  "right",
  "left",
  "above",
  "below",
  "above right",
  "above left",
  "below right",
  "below left",
];
/** Scale of the marks on desktop and on a phone (see `.mark` in app/styles.css). */
const scales: readonly number[] = [1, 2.2];

/** The space that a label takes. The same measures as in `map-label.tsx`. */
export const boxOf = (route: Pick<Frame, "unit">, label: LabelText, side: LabelSide, scale: number): Box => {
  const isEnd = label.code !== undefined;
  const width = Math.max(label.name.length * (isEnd || label.strong ? 7.8 : 6.3), (label.code?.length ?? 0) * 7);
  const height = isEnd ? 34 : 16;
  const gap = isEnd ? 12 : 8;
  const [x, y] = [label.at.x / route.unit, label.at.y / route.unit];
  const left = {
    right: gap,
    left: -gap - width,
    above: -width / 2,
    below: -width / 2,
    "above right": 0,
    "above left": -width,
    "below right": 0,
    "below left": -width,
  }[side];
  const top = side.startsWith("above") ? -gap - height : side.startsWith("below") ? gap : -height / 2;
  return {
    left: x + left * scale,
    top: y + top * scale,
    right: x + (left + width) * scale,
    bottom: y + (top + height) * scale,
  };
};

const cost = (route: Frame, box: Box, taken: readonly Box[], others: readonly MapPoint[]): number => {
  const covered = taken.filter((other) => overlap(box, other)).length;
  const hidden = others.filter((point) => contains(box, point.x / route.unit, point.y / route.unit, 10)).length;
  const overflow = overflowOf(route, box);
  const isCut = overflow > edgePx;
  return overflow * 20 + (isCut ? 600 : 0) + crossingsOf(route, box) * 30 + (covered + hidden) * 600;
};

/** Whether a label fits there. The line, which takes longest, is checked last. */
const isFree = (route: Frame, box: Box, taken: readonly Box[]): boolean =>
  overflowOf(route, box) === 0 &&
  !taken.some((other) => overlap(box, other)) &&
  !route.track.some((_, i) => isCrossed(route, i, box));

const edgePx = 6;

const overflowOf = ({ viewBox, unit }: Frame, box: Box): number =>
  Math.max(0, viewBox.x / unit + edgePx - box.left) +
  Math.max(0, box.right - (viewBox.x + viewBox.width) / unit + edgePx) +
  Math.max(0, viewBox.y / unit + edgePx - box.top) +
  Math.max(0, box.bottom - (viewBox.y + viewBox.height) / unit + edgePx);

const crossingsOf = (route: Frame, box: Box): number => route.track.filter((_, i) => isCrossed(route, i, box)).length;

/** Keeps a label off the line by this much. */
const linePx = 3;

/** Whether the segment of the line that ends at this point crosses the box, sampled every few pixels. */
const isCrossed = ({ track, unit }: Frame, end: number, box: Box): boolean => {
  const [from, to] = [track[end - 1], track[end]];
  if (from === undefined || to === undefined) return false;
  const [x, y, toX, toY] = [from.x / unit, from.y / unit, to.x / unit, to.y / unit];
  // Most segments are far away. A line has hundreds, and a map tries dozens of boxes.
  const isBeside =
    Math.max(x, toX) <= box.left - linePx ||
    Math.min(x, toX) >= box.right + linePx ||
    Math.max(y, toY) <= box.top - linePx ||
    Math.min(y, toY) >= box.bottom + linePx;
  if (isBeside) return false;
  const [dx, dy] = [toX - x, toY - y];
  const steps = Math.min(60, Math.max(1, Math.ceil(Math.hypot(dx, dy) / 5)));
  for (let step = 0; step <= steps; step++) {
    if (contains(box, x + (dx * step) / steps, y + (dy * step) / steps, linePx)) return true;
  }
  return false;
};

const contains = (box: Box, x: number, y: number, margin: number) =>
  x > box.left - margin && x < box.right + margin && y > box.top - margin && y < box.bottom + margin;

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The first of those with the lowest cost. */
const lowest = (candidates: readonly LabelSide[], costOf: (side: LabelSide) => number): LabelSide => {
  const costs = candidates.map(costOf);
  return candidates[costs.indexOf(Math.min(...costs))] ?? "right";
};
