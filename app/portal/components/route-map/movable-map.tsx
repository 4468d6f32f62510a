/** A map that can be zoomed and moved once scripts run. Without them it is a still picture. */
import {
  type KeyboardEvent,
  type ReactNode,
  type PointerEvent as ReactPointerEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { Icon, type IconName } from "../icon.tsx";
import { type MapPoint, nominalWidthPx, type ViewBox } from "./projection.ts";
import { canZoom, moved, pinched, zoomed } from "./view.ts";

/** `unit`: map units per pixel when the map is shown at its nominal width. */
export type MapFrame = { view: ViewBox; unit: number };

type Props = {
  /** The part of the map that is shown at first, and after a reset. */
  home: ViewBox;
  /** The `svg`, with `viewBox` set to the view. */
  children: (frame: MapFrame) => ReactNode;
};

export const MovableMap = ({ home, children }: Props) => {
  const [view, setView] = useState(home);
  const [shownHome, setShownHome] = useState(home);
  if (!isSame(home, shownHome)) {
    setShownHome(home);
    setView(home);
  }
  const isMoved = !isSame(view, home);
  const container = useRef<HTMLElement>(null);
  const { isDragging, ...drag } = useDrag(setView);
  useWheelZoom(container, setView);
  return (
    <section
      ref={container}
      aria-label="Map. Arrow keys move it, plus and minus zoom."
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keys that move the map
      tabIndex={0}
      className={`map relative focus-visible:-outline-offset-2 ${isMoved ? "touch-none" : "touch-pan-y"} ${isDragging ? "cursor-grabbing" : ""}`}
      onKeyDown={(event) => {
        const next = viewAfterKey(event, view, home);
        if (!next) return;
        event.preventDefault();
        setView(next);
      }}
      {...drag}
    >
      {children({ view, unit: view.width / nominalWidthPx })}
      <Controls view={view} isMoved={isMoved} onView={setView} home={home} />
    </section>
  );
};

const isSame = (a: ViewBox, b: ViewBox) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

const zoomStep = 1.6;
const moveStep = 0.2;

const viewAfterKey = (event: KeyboardEvent, view: ViewBox, home: ViewBox): ViewBox | null => {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  switch (event.key) {
    case "ArrowLeft":
      return moved(view, -moveStep, 0);
    case "ArrowRight":
      return moved(view, moveStep, 0);
    case "ArrowUp":
      return moved(view, 0, -moveStep);
    case "ArrowDown":
      return moved(view, 0, moveStep);
    case "+":
    case "=":
      return zoomed(view, zoomStep);
    case "-":
      return zoomed(view, 1 / zoomStep);
    case "0":
      return home;
    default:
      return null;
  }
};

/** From pixels of the screen to map units, at the current view. */
const toMapOf = (element: HTMLElement): ((at: MapPoint) => MapPoint) | null => {
  const onScreen = element.querySelector("svg")?.getScreenCTM()?.inverse();
  return onScreen
    ? (at) => {
        const { x, y } = new DOMPoint(at.x, at.y).matrixTransform(onScreen);
        return { x, y };
      }
    : null;
};

type SetView = (change: (view: ViewBox) => ViewBox) => void;

/** The wheel zooms with Ctrl or ⌘ only, so that it still scrolls the page. Touchpads report a pinch as that. */
const useWheelZoom = (container: React.RefObject<HTMLElement>, setView: SetView) => {
  useEffect(() => {
    const element = container.current;
    const onWheel = (event: WheelEvent) => {
      if (!element || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      const around = toMapOf(element)?.({ x: event.clientX, y: event.clientY });
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 16;
      setView((view) => zoomed(view, Math.exp(-pixels / 300), around));
    };
    // React's own listener is passive and could not keep the browser from zooming the page.
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [container, setView]);
};

/** A pointer that has moved less than this is a click. */
const dragThresholdPx = 4;

/** Dragging with a mouse or finger, and pinching with two fingers. The click that ends a drag is not passed on. */
const useDrag = (setView: SetView) => {
  const pointers = useRef(new Map<number, MapPoint>());
  const wasDragged = useRef(false);
  const [isDragging, setIsDragging] = useState(false);
  const end = ({ pointerId }: ReactPointerEvent) => {
    pointers.current.delete(pointerId);
    if (pointers.current.size === 0) setIsDragging(false);
  };
  return {
    isDragging,
    onPointerDown: (event: ReactPointerEvent) => {
      if (event.button !== 0 || isControl(event.target)) return;
      if (pointers.current.size === 0) wasDragged.current = false;
      pointers.current.set(event.pointerId, pointOf(event));
    },
    onPointerMove: (event: ReactPointerEvent<HTMLElement>) => {
      const from = pointers.current.get(event.pointerId);
      const to = pointOf(event);
      if (!from || pointers.current.size > 2) return;
      if (!wasDragged.current && Math.hypot(to.x - from.x, to.y - from.y) < dragThresholdPx) return;
      if (!wasDragged.current) event.currentTarget.setPointerCapture(event.pointerId);
      wasDragged.current = true;
      setIsDragging(true);
      const toMap = toMapOf(event.currentTarget);
      const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      pointers.current.set(event.pointerId, to);
      if (toMap)
        setView((view) =>
          other ? pinched(view, [from, other], [to, other], toMap) : dragged(view, toMap(from), toMap(to)),
        );
    },
    onPointerUp: end,
    onPointerCancel: end,
    onClickCapture: (event: React.MouseEvent) => {
      if (!wasDragged.current) return;
      wasDragged.current = false;
      event.stopPropagation();
    },
  };
};

const dragged = (view: ViewBox, from: MapPoint, to: MapPoint): ViewBox =>
  moved(view, (from.x - to.x) / view.width, (from.y - to.y) / view.height);

const pointOf = ({ clientX, clientY }: ReactPointerEvent): MapPoint => ({ x: clientX, y: clientY });
const isControl = (target: EventTarget) => target instanceof Element && target.closest("button") !== null;

type ControlsProps = { view: ViewBox; home: ViewBox; isMoved: boolean; onView: (view: ViewBox) => void };

/** Shown once they work. */
const Controls = ({ view, home, isMoved, onView }: ControlsProps) => {
  const [isReady, setIsReady] = useState(false);
  useEffect(() => setIsReady(true), []);
  if (!isReady) return null;
  return (
    <div className="no-print absolute bottom-2 left-2 flex divide-x divide-line overflow-hidden rounded-lg border border-line-strong bg-surface shadow-card sm:top-3 sm:right-3 sm:bottom-auto sm:left-auto sm:flex-col sm:divide-x-0 sm:divide-y">
      <Control label="Zoom in" icon="plus" off={!canZoom(view, "in")} onPress={() => onView(zoomed(view, zoomStep))} />
      <Control
        label="Zoom out"
        icon="minus"
        off={!canZoom(view, "out")}
        onPress={() => onView(zoomed(view, 1 / zoomStep))}
      />
      <Control label="Reset the map" icon="refresh" off={!isMoved} onPress={() => onView(home)} />
    </div>
  );
};

type ControlProps = { label: string; icon: IconName; off: boolean; onPress: () => void };

/** Stays focusable while it is off, so that a keyboard does not lose its place. */
const Control = ({ label, icon, off, onPress }: ControlProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    aria-disabled={off || undefined}
    onClick={off ? undefined : onPress}
    className="grid size-9 place-items-center text-ink hover:bg-sunken focus-visible:-outline-offset-2 aria-disabled:text-faint aria-disabled:hover:bg-surface"
  >
    <Icon name={icon} className="size-4.5" />
  </button>
);
