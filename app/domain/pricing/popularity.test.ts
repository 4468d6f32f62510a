import { expect, it } from "vitest";
import { popularityPercentOf } from "./popularity.ts";

it.each([
  [0, 80],
  [1, 94],
  [2, 102],
  [3, 108],
  [7, 122],
  [15, 136],
  [30, 149],
  [31, 150],
  [10_000, 150],
])("A route with %i subscriptions in 90 days has a price factor of %i percent", (subscriptions, percent) => {
  expect(popularityPercentOf(subscriptions)).toBe(percent);
});
