import { expect, it } from "vitest";
import { greatCircleNm } from "./great-circle.ts";

const rotterdam = { lat: 51.95, lon: 4.14 };

it.each([
  ["itself", rotterdam, 0],
  ["New York", { lat: 40.67, lon: -74.05 }, 3175],
  ["the antipodes", { lat: -51.95, lon: -175.86 }, 10807],
])("is the distance from Rotterdam to %s", (_, to, nauticalMiles) => {
  expect(greatCircleNm(rotterdam, to)).toBeCloseTo(nauticalMiles, -2);
});

it("crosses the date line the short way", () => {
  expect(greatCircleNm({ lat: 0, lon: 179 }, { lat: 0, lon: -179 })).toBeCloseTo(120, 0);
});
