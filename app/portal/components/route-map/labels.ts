/** Places labels on the map so that they stay inside it and overlap neither the line nor each other. Sizes in pixels. */
import type { MapPoint, ProjectedRoute } from "./projection.ts";

export type LabelSide = "right" | "left" | "above" | "below";
export type LabelText = { at: MapPoint; name: string; code?: string | undefined };

/** The best side of its point for the label of each end. */
export const placeEnds = (route: ProjectedRoute, ends: readonly LabelText[]): LabelSide[] => {
  const taken: Box[][] = scales.map(() => []);
  return ends.map((end, i) => {
    const others = ends.filter((_, k) => k !== i).map((other) => other.at);
    const best = lowest(sides, (side) =>
      sum(scales.map((scale, s) => cost(route, boxOf(route, end, side, scale), taken[s] ?? [], others))),
    );
    scales.forEach((scale, s) => {
      taken[s]?.push(boxOf(route, end, best, scale));
    });
    return best;
  });
};

/** The side for each stop's label, or null if there is no free space for it. */
export const placeStops = (
  route: ProjectedRoute,
  stops: readonly LabelText[],
  ends: readonly (LabelText & { side: LabelSide })[],
): (LabelSide | null)[] => {
  const taken = ends.map((end) => boxOf(route, end, end.side, 1));
  return stops.map((stop) => {
    const free = sides.find((side) => cost(route, boxOf(route, stop, side, 1), taken, []) === 0);
    if (!free) return null;
    taken.push(boxOf(route, stop, free, 1));
    return free;
  });
};

type Box = { left: number; top: number; right: number; bottom: number };

const sides: readonly LabelSide[] = ["right", "left", "above", "below"];
/** Scale of the marks on desktop and on a phone (see `.mark` in app/styles.css). */
const scales: readonly number[] = [1, 2.2];

const boxOf = (route: ProjectedRoute, label: LabelText, side: LabelSide, scale: number): Box => {
  const isEnd = label.code !== undefined;
  const width = Math.max(label.name.length * (isEnd ? 7.8 : 6.3), (label.code?.length ?? 0) * 7);
  const height = isEnd ? 34 : 16;
  const gap = isEnd ? 12 : 8;
  const left = { right: gap, left: -gap - width, above: -width / 2, below: -width / 2 }[side];
  const top = { right: -height / 2, left: -height / 2, above: -gap - height, below: gap }[side];
  const [x, y] = [label.at.x / route.unit, label.at.y / route.unit];
  return {
    left: x + left * scale,
    top: y + top * scale,
    right: x + (left + width) * scale,
    bottom: y + (top + height) * scale,
  };
};

const cost = (route: ProjectedRoute, box: Box, taken: readonly Box[], others: readonly MapPoint[]): number => {
  const { viewBox, unit } = route;
  const edge = 6;
  const overflow =
    Math.max(0, viewBox.x / unit + edge - box.left) +
    Math.max(0, box.right - (viewBox.x + viewBox.width) / unit + edge) +
    Math.max(0, viewBox.y / unit + edge - box.top) +
    Math.max(0, box.bottom - (viewBox.y + viewBox.height) / unit + edge);
  const crossed = route.track.filter((point, i) => {
    const before = route.track[i - 1];
    return before !== undefined && touches(box, before, point, unit);
  }).length;
  const covered = taken.filter((other) => overlap(box, other)).length;
  const hidden = others.filter((point) => contains(box, point.x / unit, point.y / unit, 10)).length;
  return overflow * 20 + crossed * 30 + (covered + hidden) * 600;
};

/** Whether a segment of the line crosses the box, sampled every few pixels. */
const touches = (box: Box, from: MapPoint, to: MapPoint, unit: number): boolean => {
  const [dx, dy] = [(to.x - from.x) / unit, (to.y - from.y) / unit];
  const steps = Math.min(60, Math.max(1, Math.ceil(Math.hypot(dx, dy) / 5)));
  return Array.from({ length: steps + 1 }, (_, i) => i / steps).some((share) =>
    contains(box, from.x / unit + dx * share, from.y / unit + dy * share, 3),
  );
};

const contains = (box: Box, x: number, y: number, margin: number) =>
  x > box.left - margin && x < box.right + margin && y > box.top - margin && y < box.bottom + margin;

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const lowest = (candidates: readonly LabelSide[], costOf: (side: LabelSide) => number): LabelSide =>
  candidates.reduce((best, side) => (costOf(side) < costOf(best) ? side : best), "right");
