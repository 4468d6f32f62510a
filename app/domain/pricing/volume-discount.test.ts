import { expect, it } from "vitest";
import { renewalVolumeDiscount } from "./volume-discount.ts";

it.each([
  [0, 0],
  [1, 0],
  [5, 5],
  [11, 10],
  [20, 10],
  [21, 10],
  [500, 10],
])("A renewal with %i running routes gets a discount of %i percent", (routes, percent) => {
  expect(renewalVolumeDiscount(routes).percent).toBe(percent);
});
