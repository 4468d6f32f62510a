import { expect, it } from "vitest";
import { renewalVolumePercent } from "./renewal.ts";

it.each([
  [0, null, 0],
  [1, null, 0],
  [5, null, 5],
  [11, null, 10],
  [20, null, 10],
  [21, null, 10],
  [500, null, 10],
  [500, 40, 10],
])("A renewal among %i running routes (agreed: %s %%) takes %i %% off", (routes, agreed, percent) => {
  expect(renewalVolumePercent(routes, agreed)).toBe(percent);
});
