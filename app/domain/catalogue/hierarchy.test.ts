import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/world.ts";
import { monthlyPriceCents } from "../pricing/quote.ts";
import { getRegion, getRouteGroup, getTradeLane, listRegions } from "./hierarchy.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({
    routeCodes: ["C-CNSHA-NLRTM-PEL9", "C-CNNGB-GBFXT-MRG9", "C-CNNGB-GBFXT-SUN9", "B-AUPHE-CNTAO-GRN9"],
  });
});
afterAll(() => world.close());

const routesOf = (region: string) => world.routes.filter((route) => route.region.code === region);

it("lists regions with their figures, including those without routes", async () => {
  const regions = await listRegions(world.ctx);
  expect(regions.find(({ code }) => code === "EAS")).toMatchObject({ name: "East Asia", routes: 3, carriers: 3 });
  expect(regions.filter(({ routes }) => routes === 0).length).toBeGreaterThan(0);
  expect(regions.reduce((sum, { routes }) => sum + routes, 0)).toBe(4);
});

it("computes figures that agree with the routes", async () => {
  const { region } = await getRegion(world.ctx, { code: "EAS" });
  const routes = routesOf("EAS");
  const fastest = routes.map(({ transitDays }) => transitDays.min).sort((a, b) => a - b);
  expect(region).toMatchObject({
    medianTransitDays: fastest[1],
    sailingsPerWeek: routes.reduce((sum, { sailingsPerWeek }) => sum + sailingsPerWeek, 0),
    priceFromCents: Math.min(...routes.flatMap(({ periods }) => periods.map(monthlyPriceCents))),
  });
});

it("leads from a region through a lane to a group, with the names of its parents", async () => {
  const { tradeLanes } = await getRegion(world.ctx, { code: "EAS" });
  const lane = tradeLanes.find(({ code }) => code === "EAS-NEU");
  expect(lane).toMatchObject({ routes: 3, destinationRegion: { name: "North Europe" } });
  const { tradeLane, routeGroups } = await getTradeLane(world.ctx, { code: "EAS-NEU" });
  expect(tradeLane.region).toEqual({ id: expect.any(Number), code: "EAS", name: "East Asia" });
  const group = routeGroups.find(({ routes }) => routes > 0);
  expect(await getRouteGroup(world.ctx, { code: group?.code ?? "" })).toMatchObject({
    routes: 3,
    tradeLane: { code: "EAS-NEU" },
    region: { code: "EAS" },
  });
});

it("does not find an unknown code", async () => {
  for (const read of [getRegion, getTradeLane, getRouteGroup]) {
    await expect(read(world.ctx, { code: "NOWHERE" })).rejects.toMatchObject({ code: "not_found" });
  }
});
