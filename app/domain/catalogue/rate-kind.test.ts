import { expect, it } from "vitest";
import { closestRateKind, type RateKind } from "./rate-kind.ts";

const kind = (equipmentType: string, serviceLevel: RateKind["serviceLevel"]): RateKind => ({
  equipmentType,
  serviceLevel,
});
const kinds = [kind("22G1", "economy"), kind("22G1", "express"), kind("45G1", "express"), kind("45G1", "standard")];

it.each([
  [{}, kind("45G1", "standard")],
  [{ equipmentType: "22G1" }, kind("22G1", "economy")],
  [{ equipmentType: "22G1", serviceLevel: "express" }, kind("22G1", "express")],
  [{ equipmentType: "22G1", serviceLevel: "standard" }, kind("22G1", "economy")],
  [{ serviceLevel: "express" }, kind("45G1", "express")],
  [{ equipmentType: "L5G1", serviceLevel: "overnight" }, kind("45G1", "standard")],
])("finds the rates closest to %o", (choice, expected) => {
  expect(closestRateKind(kinds, choice)).toEqual(expected);
});

it("finds the rates of cargo without equipment types", () => {
  expect(closestRateKind([kind("", "standard")], { equipmentType: "45G1" })).toEqual(kind("", "standard"));
  expect(closestRateKind([], {})).toBeNull();
});
