import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { seaNetwork } from "#app/domain/catalogue/sea-network.server.ts";
import { waypointsOf } from "#app/domain/catalogue/sea-network.ts";
import { routeMapView } from "#app/portal/route-map-view.ts";
import fc from "#app/testing/property-testing.ts";
import { boxOf, type LabelText, placePorts, portScales } from "./labels.ts";
import type { ViewBox } from "./projection.ts";
import { zoomed } from "./view.ts";

type Box = ReturnType<typeof boxOf>;
const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const overlaps = (boxes: Box[]) => boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => overlap(a, b)));
const isInside = (box: Box, { x, y, width, height }: ViewBox, unit: number) =>
  box.left >= x / unit && box.right <= (x + width) / unit && box.top >= y / unit && box.bottom <= (y + height) / unit;

describe("placePorts", () => {
  const frame = { view: { x: 0, y: 0, width: 960, height: 480 }, unit: 1 };
  const names = (ports: { name: string; x: number; y: number }[], most = 10, isFirstPointedAt = false) =>
    placePorts(frame, ports, { scale: 1, most, isFirstPointedAt }).map(({ port, side }) => `${port.name} ${side}`);

  it("names the first ports, and leaves out names that would cover others or their dots", () => {
    const crowd = Array.from({ length: 12 }, (_, i) => ({ name: `Port ${i}`, x: 480, y: 240 + i * 3 }));
    const shown = names(crowd);
    expect(shown[0]).toBe("Port 0 right");
    expect(shown.length).toBeLessThan(crowd.length);
    const apart = Array.from({ length: 12 }, (_, i) => ({ name: `Port ${i}`, x: 480, y: 20 + i * 30 }));
    expect(names(apart)).toHaveLength(10);
    expect(names(apart, 3)).toHaveLength(3);
  });

  it("keeps names inside the view", () => {
    expect(names([{ name: "At the edge", x: 950, y: 240 }])).toEqual(["At the edge left"]);
    expect(names([{ name: "In the middle of the edge", x: 480, y: 8 }])).toEqual(["In the middle of the edge below"]);
    expect(names([{ name: "Near the corner", x: 20, y: 8 }])).toEqual(["Near the corner below right"]);
    expect(
      names([
        { name: "Elsewhere", x: 100, y: 100 },
        { name: "Off the map", x: 1_200, y: 240 },
      ]),
    ).toEqual(["Elsewhere right"]);
  });

  it("names the port that is pointed at even without room for it, and no other", () => {
    const corner = [{ name: "In the corner", x: 0, y: 0 }];
    expect(names(corner, 10, true)).toHaveLength(1);
    expect(names(corner)).toHaveLength(0);
  });

  it("never lets two names overlap or leave the view, at any zoom, and gives the same names again", () => {
    const port = fc.record({
      name: fc.string({ minLength: 3, maxLength: 24 }),
      x: fc.double({ min: 0, max: 1000, noNaN: true }),
      y: fc.double({ min: 0, max: 480, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(port, { maxLength: 60 }),
        fc.constantFrom(...Object.values(portScales)),
        fc.integer({ min: 0, max: 6 }),
        (ports, scale, steps) => {
          let view: ViewBox = { x: 0, y: 0, width: 1000, height: 500 };
          for (let i = 0; i < steps; i++) view = zoomed(view, 1.6);
          const unit = view.width / 960;
          const place = () => placePorts({ view, unit }, ports, { scale, most: 14 });
          const placed = place();
          const boxes = placed.map(({ port: at, side }) => boxOf({ unit }, { at, name: at.name }, side, scale));
          expect(overlaps(boxes)).toEqual([]);
          expect(boxes.filter((box) => !isInside(box, view, unit))).toEqual([]);
          expect(place()).toEqual(placed);
        },
      ),
    );
  });
});

const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");

describe("The labels of a route", () => {
  /** On desktop, on a tablet and on a phone, which hides the names of stops. */
  const scales = [1, 1.3, 1.7, 2.2];
  const zooms = [1, 2, 4, 8];

  const demoRoutes = async () => {
    const network = await seaNetwork();
    type Port = { unlocode: string; name: string; lat: number; lon: number };
    const all = JSON.parse(read("app/domain/catalogue/reference-data/ports.json")) as Port[];
    const ports = new Map(all.map((port) => [port.unlocode, port]));
    const rows = read("drizzle/seed/data/routes.jsonl").trimEnd().split("\n");
    return (
      rows
        .map((line) => JSON.parse(line) as { code: string; pol: string; pod: string; path: number[] })
        // Every tenth, to be quick.
        .filter((_, i) => i % 10 === 0)
        .map(({ code, pol, pod, path }) => {
          const [origin, destination] = [ports.get(pol), ports.get(pod)];
          if (!origin || !destination) throw new Error(`No port ${pol} or ${pod}`);
          const waypoints = waypointsOf(network, { origin: pol, destination: pod, path }, new Set());
          return { code, view: routeMapView({ origin, destination, waypoints, indicative: false }) };
        })
    );
  };

  it("neither overlap nor leave the map, at any width and zoom, for the demo's routes", async () => {
    const faults: string[] = [];
    for (const { code, view } of await demoRoutes()) {
      for (const [step, zoom] of zooms.entries()) {
        const unit = view.viewBox.width / 960 / zoom;
        for (const scale of scales) {
          const { x, y, width, height } = view.viewBox;
          const shown = scale < 1.7 ? view.viewBox : { x, y: y - height / 4, width, height: height * 1.5 };
          const box = (label: LabelText, side: Parameters<typeof boxOf>[2]) => boxOf({ unit }, label, side, scale);
          const labelled = zoom < view.zoomForBoth ? [view.start] : [view.start, view.end];
          const ends = labelled.map((end) => box({ at: end, name: end.name, code: end.code }, end.side));
          const stops = view.stops.flatMap((stop) => {
            const side = stop.sides[step];
            return side && scale < 1.7 ? [box({ at: stop, name: stop.name }, side)] : [];
          });
          const boxes = [...ends, ...stops];
          if (overlaps(boxes).length > 0) faults.push(`${code}: overlap at ${scale} × ${zoom}`);
          if (boxes.some((one) => !isInside(one, shown, unit))) faults.push(`${code}: outside at ${scale} × ${zoom}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it("leave out the destination once the map is zoomed out too far for both", async () => {
    for (const { view } of await demoRoutes()) {
      const unit = view.viewBox.width / 960 / view.zoomForBoth;
      const ends = [view.start, view.end].map((end) =>
        boxOf({ unit }, { at: end, name: end.name, code: end.code }, end.side, 1),
      );
      expect(overlaps(ends)).toEqual([]);
    }
  });
});
