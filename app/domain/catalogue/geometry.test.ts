import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/world.ts";
import { approximateGeometry } from "./geometry.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const idOf = (code: string): number => {
  const route = world.routes.find((each) => each.code === code);
  if (!route) throw new Error(`No route ${code}`);
  return route.id;
};

describe("what everybody may see of a route's way", () => {
  it("is its line to a tenth of a degree, without names and miles", async () => {
    const points = await approximateGeometry(world.ctx, idOf("C-CNSHA-NLRTM-PEL9"));
    expect(points.length).toBeGreaterThan(20);
    for (const point of points) {
      expect(Object.keys(point).sort()).toEqual(["lat", "lon"]);
      expect(point.lat).toBe(Number(point.lat.toFixed(1)));
      expect(point.lon).toBe(Number(point.lon.toFixed(1)));
    }
  });

  it("is empty for a route that does not exist", async () => {
    expect(await approximateGeometry(world.ctx, 999_999)).toEqual([]);
  });
});
