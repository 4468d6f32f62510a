import { expect, it } from "vitest";
import { queryInWords } from "./search-labels.ts";

it("A query in words names each filter once, with its values", () => {
  expect(queryInWords("origin=CNSHA&q=cold+chain&carrier=ALD&carrier=PEL&cargo_type=ro_ro&sort=transit")).toBe(
    "From: CNSHA, Search: “cold chain”, Carrier: ALD or PEL, Cargo type: Ro-Ro, Sort by: Transit time",
  );
});
