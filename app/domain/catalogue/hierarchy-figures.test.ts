import { expect, it } from "vitest";
import { figuresOf } from "./hierarchy-figures.ts";
import type { IndexedRoute } from "./search-columns.ts";
import type { Directory } from "./search-vocabulary.ts";

const lane = (id: number, isRetired = false) => ({ id, regionId: 1, isRetired });
const group = (id: number, laneId: number, isRetired = false) => ({ id, laneId, isRetired });
const route = (id: number, groupId: number, values: Partial<IndexedRoute> = {}): [number, IndexedRoute] => [
  id,
  { id, groupId, carrierId: 1, transitDays: 10, sailingsPerWeek: 0.1, monthlyCents: 1_000, ...values } as IndexedRoute,
];

const directory = {
  lanes: [lane(1), lane(2), lane(3, true)],
  groups: [group(1, 1), group(2, 1, true), group(3, 3)],
} as Directory;
const routes = new Map([
  route(1, 1),
  route(2, 1, { carrierId: 2, transitDays: 13, monthlyCents: 900 }),
  route(3, 1, { transitDays: null, monthlyCents: null }),
  route(4, 1, { monthlyCents: 900 }),
  route(5, 2, { monthlyCents: 1 }),
  route(6, 3, { monthlyCents: 2 }),
]);

it("counts what is not retired below a node", () => {
  expect(figuresOf({ directory, routes }, "region")(1)).toEqual({
    routes: 4,
    // One has no groups.
    tradeLanes: 2,
    routeGroups: 1,
    carriers: 2,
    medianTransitDays: 10,
    sailingsPerWeek: 0.4,
    priceFromCents: 900,
    cheapest: [{ routeId: 2, monthlyCents: 900 }],
  });
});

it("has figures of retired nodes themselves", () => {
  expect(figuresOf({ directory, routes }, "tradeLane")(3)).toMatchObject({ routes: 1, priceFromCents: 2 });
  expect(figuresOf({ directory, routes }, "routeGroup")(2)).toMatchObject({ routes: 1, priceFromCents: 1 });
});

it("takes the middle of two for the median", () => {
  const two = new Map([route(1, 1), route(2, 1, { transitDays: 13 })]);
  expect(figuresOf({ directory, routes: two }, "routeGroup")(1).medianTransitDays).toBe(11.5);
});

it("names the cheapest of the routes apart, and of the others", () => {
  const cheapest = (apart: number[]) => figuresOf({ directory, routes }, "tradeLane", apart)(1).cheapest;
  expect(cheapest([1, 3])).toEqual([
    { routeId: 2, monthlyCents: 900 },
    { routeId: 1, monthlyCents: 1_000 },
  ]);
  expect(cheapest([1, 2, 4])).toEqual([{ routeId: 2, monthlyCents: 900 }]);
});

it("has nothing for a node without routes", () => {
  expect(figuresOf({ directory, routes }, "tradeLane")(2)).toEqual({
    routes: 0,
    tradeLanes: 1,
    routeGroups: 0,
    carriers: 0,
    medianTransitDays: null,
    sailingsPerWeek: 0,
    priceFromCents: null,
    cheapest: [],
  });
});
