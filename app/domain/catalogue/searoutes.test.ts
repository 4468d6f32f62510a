import { describe, expect, it } from "vitest";
import { seaNetwork } from "./sea-network.server.ts";
import { alternativesTo, comparisonSpeedKnots, type Searoute, searoutes } from "./searoutes.ts";

const network = await seaNetwork();

describe("searoutes", () => {
  it("list the shortest first, then those that avoid a canal", () => {
    const routes = searoutes(network, "CNSHA", "NLRTM");
    expect(routes.map(({ via, canals }) => [via, canals])).toEqual([
      ["Suez Canal", ["Suez Canal"]],
      ["Panama Canal", ["Panama Canal"]],
      ["Cape of Good Hope", []],
    ]);
    const miles = routes.map(({ nauticalMiles }) => nauticalMiles);
    expect(miles).toEqual(miles.toSorted((a, b) => a - b));
  });

  it.each([
    ["between ports with no canal on the way", "CNSHA", "USLAX"],
    ["between neighbours", "RULED", "NLRTM"],
  ])("are one route %s", (_, from, to) => {
    expect(searoutes(network, from, to)).toHaveLength(1);
  });

  it("carry waypoints with the miles from the origin, and names for straits, canals and capes only", () => {
    for (const { waypoints, nauticalMiles } of searoutes(network, "CNSHA", "NLRTM")) {
      const miles = waypoints.map(({ distanceNm }) => distanceNm);
      expect(miles).toEqual(miles.toSorted((a, b) => a - b));
      expect(miles.at(-1)).toBeLessThanOrEqual(nauticalMiles);
      for (const { name, kind } of waypoints)
        expect(name === null || ["strait", "canal", "cape"].includes(kind)).toBe(true);
    }
  });

  it("are none for a port that the network does not know", () => {
    expect(searoutes(network, "CNSHA", "XXXXX")).toEqual([]);
    expect(searoutes(network, "XXXXX", "CNSHA")).toEqual([]);
  });
});

describe("alternatives to a route", () => {
  const routes = searoutes(network, "CNSHA", "NLRTM");
  const by = (via: string, list: readonly Searoute[] = routes) => list.find((route) => route.via === via);

  it("are compared with the sea route by the same canals", () => {
    const alternatives = alternativesTo({ passages: ["Dover Strait", "Suez Canal"] }, routes);
    expect(alternatives.map(({ via }) => via)).toEqual(["Panama Canal", "Cape of Good Hope"]);
    const cape = alternatives.find(({ via }) => via === "Cape of Good Hope");
    const extra = (by("Cape of Good Hope")?.nauticalMiles ?? 0) - (by("Suez Canal")?.nauticalMiles ?? 0);
    expect(cape?.extraNauticalMiles).toBe(extra);
    expect(cape?.extraDays).toBeCloseTo(extra / comparisonSpeedKnots / 24, 1);
  });

  it("are shorter where the route goes round the Cape", () => {
    const suez = alternativesTo({ passages: ["Sunda Strait"] }, routes).find(({ via }) => via === "Suez Canal");
    expect(suez?.extraNauticalMiles).toBeLessThan(-3000);
    expect(suez?.extraDays).toBeLessThan(0);
  });

  it("are none between unknown ports, or if no sea route passes the same canals", () => {
    expect(alternativesTo({ passages: [] }, [])).toEqual([]);
    expect(alternativesTo({ passages: ["Suez Canal", "Panama Canal"] }, routes)).toEqual([]);
  });
});
