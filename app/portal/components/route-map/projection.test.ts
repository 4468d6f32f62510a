import { geoNaturalEarth1 } from "d3-geo";
import { describe, expect, it } from "vitest";
import { compactLine, type LonLat, mapCentres, projectPoint, projectRoute, worldSize } from "./projection.ts";

const shanghai: LonLat = [121.5, 31.2];
const rotterdam: LonLat = [4.1, 51.95];
const suez: LonLat = [32.5, 30];
const losAngeles: LonLat = [-118.2, 33.7];
const gdansk: LonLat = [18.7, 54.4];
const stockholm: LonLat = [18.1, 59.3];

describe("projectPoint", () => {
  it.each(["atlantic", "pacific"] as const)("matches the projection that drew the %s map", (map) => {
    const drawn = geoNaturalEarth1().rotate([-mapCentres[map], 0]).fitWidth(worldSize.width, { type: "Sphere" });
    for (const point of [shanghai, rotterdam, losAngeles, [-67.2, -56.3], [179.9, 10]] as LonLat[]) {
      const [x, y] = drawn([point[0], point[1]]) ?? [];
      const ours = projectPoint(map, point);
      expect(ours.x).toBeCloseTo(x ?? Number.NaN, 1);
      expect(ours.y).toBeCloseTo(y ?? Number.NaN, 1);
    }
  });
});

describe("projectRoute", () => {
  it("uses the map centred on Greenwich unless the route crosses the antimeridian", () => {
    expect(projectRoute([shanghai, suez, rotterdam]).rotated).toBe(false);
    expect(projectRoute([shanghai, [180, 47], losAngeles]).rotated).toBe(true);
  });

  it("draws one unbroken line on the map centred on the Pacific", () => {
    expect(projectRoute([shanghai, [180, 47], losAngeles]).d.match(/M/g)).toHaveLength(1);
  });

  it.each([
    ["a long route", [shanghai, suez, rotterdam]],
    ["a Pacific route", [shanghai, losAngeles]],
    ["a short hop", [gdansk, stockholm]],
    ["two ports at the same place", [gdansk, gdansk]],
    ["a route around the world", [rotterdam, [-80, 9], shanghai, suez, rotterdam]],
  ] as [string, LonLat[]][])("shows the whole of %s, within the bounds of the map", (_, points) => {
    const { viewBox, track, d } = projectRoute(points);
    expect(d).not.toContain("NaN");
    expect(viewBox.width / viewBox.height).toBeCloseTo(2, 1);
    expect(viewBox.x).toBeGreaterThanOrEqual(0);
    expect(viewBox.x + viewBox.width).toBeLessThanOrEqual(worldSize.width + 0.1);
    for (const point of track) {
      expect(point.x).toBeGreaterThanOrEqual(viewBox.x - 0.1);
      expect(point.x).toBeLessThanOrEqual(viewBox.x + viewBox.width + 0.1);
      expect(point.y).toBeGreaterThanOrEqual(viewBox.y - 0.1);
      expect(point.y).toBeLessThanOrEqual(viewBox.y + viewBox.height + 0.1);
    }
  });

  it("bends long legs towards the pole, along the great circle", () => {
    const { track } = projectRoute([
      [140, 35],
      [-125, 35],
    ]);
    expect(Math.min(...track.map((point) => point.y))).toBeLessThan(projectPoint("pacific", [-170, 40]).y);
  });

  it("shows alternatives whole, unless the edge of the route's map would cut them", () => {
    const byCape: LonLat[] = [shanghai, [105, -6], [18, -35], [-10, 45], rotterdam];
    const byPanama: LonLat[] = [shanghai, [180, 47], [-80, 9], rotterdam];
    const alone = projectRoute([shanghai, suez, rotterdam]);
    const { map, alternatives, viewBox } = projectRoute([shanghai, suez, rotterdam], [byCape, byPanama]);
    expect(map).toBe("atlantic");
    expect(alternatives).toHaveLength(1);
    expect(alternatives[0]?.match(/M/g)).toHaveLength(1);
    expect(viewBox.height).toBeGreaterThan(alone.viewBox.height);
    expect(viewBox.y + viewBox.height).toBeGreaterThan(projectPoint("atlantic", [18, -35]).y);
  });

  it("throws with fewer than two points", () => {
    expect(() => projectRoute([shanghai])).toThrow(RangeError);
  });
});

describe("compactLine", () => {
  it("is one line where the map's edge does not cut it, and otherwise two that reach the edges", () => {
    const across: LonLat[] = [
      [170, 0],
      [-170, 0],
    ];
    expect(compactLine("pacific", across).match(/M/g)).toHaveLength(1);
    const [east, west] = compactLine("atlantic", across).split("M").slice(1);
    // The equator spans the whole width, in tenths of a map unit.
    expect(east).toMatch(/^9722 /);
    const steps = [...(east?.split("l")[1]?.matchAll(/(-?\d+)[ -]\d+/g) ?? [])].map(([, dx]) => Number(dx));
    expect(9722 + steps.reduce((sum, dx) => sum + dx, 0)).toBe(10_000);
    expect(west).toMatch(/^0 /);
  });
});
