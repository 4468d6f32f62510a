import { expect, test } from "vitest";
import { utilizationPercent } from "./utilization.ts";

test("Utilization is in percent, and 100 without a capacity report", () => {
  expect(utilizationPercent(1200, 270)).toBe(77.5);
  expect(utilizationPercent(1200, 1200)).toBe(0);
  expect(utilizationPercent(1200, 0)).toBe(100);
  expect(utilizationPercent(0, 0)).toBe(100);
});
