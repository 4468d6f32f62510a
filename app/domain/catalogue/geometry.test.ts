import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { alternativesOf, approximateGeometry, trafficOf } from "./geometry.server.ts";

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

  it("includes the sea routes by other canals, compared with its own distance", async () => {
    const alternatives = await alternativesOf(world.ctx, idOf("C-CNSHA-NLRTM-PEL9"));
    expect(alternatives.map(({ via }) => via)).toEqual(["Panama Canal", "Cape of Good Hope"]);
    for (const { extraNauticalMiles, extraDays } of alternatives) {
      expect(extraNauticalMiles).toBeGreaterThan(2500);
      expect(extraDays).toBeGreaterThan(7);
    }
  });

  it("is empty for a route without canals, and for one that does not exist", async () => {
    expect(await alternativesOf(world.ctx, idOf("B-AUPHE-CNTAO-GRN9"))).toEqual([]);
    expect(await alternativesOf(world.ctx, 999_999)).toEqual([]);
    expect(await approximateGeometry(world.ctx, 999_999)).toEqual([]);
  });
});

describe("the traffic of a search", () => {
  it("is that of the last commit, also after a new path alone", async () => {
    const { ctx } = world;
    const search = { origin: "CNSHA", destination: "NLRTM" };
    const before = await trafficOf(ctx, search);
    expect(await trafficOf(ctx, search)).toBe(before);
    const id = idOf("C-CNSHA-NLRTM-PEL9");
    await ctx.db
      .update(routes)
      .set({ waypoints: [], version: sql`${routes.version} + 1` })
      .where(eq(routes.id, id));
    const after = await trafficOf(ctx, search);
    expect(after.ports).toEqual(before.ports);
    expect(after.legs.length).toBeLessThan(before.legs.length);
  });
});
