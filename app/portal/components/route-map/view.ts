/** Zooming and moving the visible part of a map. Pure; sizes in map units. */
import { type MapPoint, type ViewBox, worldSize } from "./projection.ts";

/** The map is drawn to about four nautical miles, so a closer look shows nothing more. */
const closestWidth = 24;

/**
 * The view after zooming, with the point `around` in the same place on the screen.
 *
 * @param factor above 1 to see more detail
 */
export const zoomed = (view: ViewBox, factor: number, around: MapPoint = centreOf(view)): ViewBox => {
  const width = Math.min(widestFor(view), Math.max(closestWidth, view.width / factor));
  const scale = width / view.width;
  return within({
    x: around.x - (around.x - view.x) * scale,
    y: around.y - (around.y - view.y) * scale,
    width,
    height: view.height * scale,
  });
};

/** The view after moving by a share of its own size: 0.5 is half a map to the east or south. */
export const moved = (view: ViewBox, east: number, south: number): ViewBox =>
  within({ ...view, x: view.x + east * view.width, y: view.y + south * view.height });

/** Two fingers on the map, in pixels of the screen. */
type Pinch = readonly [MapPoint, MapPoint];

/** The view after two fingers have moved. @param toMap from the screen to the map */
export const pinched = (view: ViewBox, before: Pinch, after: Pinch, toMap: (at: MapPoint) => MapPoint): ViewBox => {
  const [from, to] = [toMap(middleOf(before)), toMap(middleOf(after))];
  const shifted = within({ ...view, x: view.x + from.x - to.x, y: view.y + from.y - to.y });
  return zoomed(shifted, spanOf(after) / Math.max(1, spanOf(before)), from);
};

/** Whether zooming in or out would change anything. */
export const canZoom = (view: ViewBox, direction: "in" | "out"): boolean =>
  direction === "in" ? view.width > closestWidth + 0.01 : view.width < widestFor(view) - 0.01;

/** The whole world, in the view's own proportions. */
const widestFor = ({ width, height }: ViewBox): number =>
  Math.min(worldSize.width, worldSize.height * (width / height));

const within = ({ x, y, width, height }: ViewBox): ViewBox => ({
  x: clamp(x, worldSize.width - width),
  y: clamp(y, worldSize.height - height),
  width,
  height,
});

const clamp = (value: number, max: number): number => Math.max(0, Math.min(Math.max(0, max), value));

const centreOf = ({ x, y, width, height }: ViewBox): MapPoint => ({ x: x + width / 2, y: y + height / 2 });
const middleOf = ([a, b]: Pinch): MapPoint => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const spanOf = ([a, b]: Pinch): number => Math.hypot(a.x - b.x, a.y - b.y);
