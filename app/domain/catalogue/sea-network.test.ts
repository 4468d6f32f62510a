import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { passagesAlong, seaNetworkOf, shortestSeaRoute, waypointsOf } from "./sea-network.ts";

const data = (file: string) => JSON.parse(readFileSync(new URL(`./sea-network-data/${file}`, import.meta.url), "utf8"));
const network = seaNetworkOf(data("sea_network.json"), data("port_approaches.json"));
const canals = ["Suez Canal", "Panama Canal"];

describe("The shortest sea route", () => {
  it.each([
    { from: "CNSHA", to: "NLRTM", excluded: [], known: 10_600, tolerance: 0.02 },
    { from: "CNSHA", to: "NLRTM", excluded: canals, known: 13_800, tolerance: 0.02 },
    { from: "USBOS", to: "USANC", excluded: [], known: 7312, tolerance: 0.02 },
    { from: "USNYC", to: "LKCMB", excluded: [], known: 8604, tolerance: 0.02 },
    { from: "SAJED", to: "ROCND", excluded: [], known: 1698, tolerance: 0.04 },
  ])("from $from to $to without $excluded is about $known miles", ({ from, to, excluded, known, tolerance }) => {
    const route = shortestSeaRoute(network, from, to, { excludedPassages: excluded });
    expect(Math.abs((route?.nauticalMiles ?? 0) / known - 1)).toBeLessThan(tolerance);
  });

  it("lists canals and straits in the order of passage", () => {
    expect(shortestSeaRoute(network, "CNSHA", "NLRTM")?.passages).toEqual([
      "Taiwan Strait",
      "Singapore Strait",
      "Strait of Malacca",
      "Bab-el-Mandeb",
      "Suez Canal",
      "Strait of Gibraltar",
      "Dover Strait",
    ]);
  });

  it("avoids excluded passages", () => {
    const route = shortestSeaRoute(network, "CNSHA", "NLRTM", { excludedPassages: canals });
    expect(route?.passages).not.toContain("Suez Canal");
  });

  it("has the same length in both directions", () => {
    const there = shortestSeaRoute(network, "USNYC", "LKCMB");
    const back = shortestSeaRoute(network, "LKCMB", "USNYC");
    expect(back?.nauticalMiles).toBe(there?.nauticalMiles);
  });

  it.each(["NLRTM", "USLAX", "AUHBA"])("leads from %s to every port", (origin) => {
    const ports = [...network.approaches.keys()].filter((port) => port !== origin);
    expect(ports.length).toBe(623);
    expect(ports.filter((port) => shortestSeaRoute(network, origin, port) === null)).toEqual([]);
  });

  it("is null for an unknown port", () => {
    expect(shortestSeaRoute(network, "CNSHA", "XXXXX")).toBeNull();
  });
});

describe("Waypoints", () => {
  const way = shortestSeaRoute(network, "CNSHA", "NLRTM");
  if (way === null) throw new Error("No route");
  const waypoints = waypointsOf(network, way, new Set(["gibraltar", "dover"]), 10_000);

  it("have distances from the origin, scaled to the route's distance", () => {
    const miles = waypoints.map(({ distanceNm }) => distanceNm);
    expect(miles).toEqual(miles.toSorted((a, b) => a - b));
    expect(miles[0]).toBeGreaterThan(0);
    expect(miles.at(-1)).toBeLessThan(10_000);
    expect(miles.at(-1)).toBeGreaterThan(9800);
  });

  it("have names only where requested", () => {
    expect(waypoints.map(({ name }) => name).filter((name) => name !== null)).toEqual([
      "Strait of Gibraltar",
      "Dover Strait",
    ]);
  });

  it("lead around land between two points, in either direction", () => {
    const there = shortestSeaRoute(network, "RULED", "SEGOT");
    const back = shortestSeaRoute(network, "SEGOT", "RULED");
    if (!there || !back) throw new Error("No route");
    const line = (route: typeof there) => waypointsOf(network, route, new Set()).map(({ lat, lon }) => `${lat} ${lon}`);
    expect(line(there).length).toBeGreaterThan(there.path.length);
    expect(line(back)).toEqual(line(there).toReversed());
  });

  it("are rejected for a path with a gap", () => {
    expect(() => passagesAlong(network, [347, 0])).toThrow(RangeError);
  });
});
