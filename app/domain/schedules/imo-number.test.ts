import { expect, it } from "vitest";
import { isImoNumber } from "./imo-number.ts";

it.each([
  ["9074729", true],
  ["9321483", true],
  ["9074728", false],
  ["907472", false],
  ["90747290", false],
  ["IMO9074729", false],
])("%s is an IMO number: %s", (text, expected) => {
  expect(isImoNumber(text)).toBe(expected);
});
