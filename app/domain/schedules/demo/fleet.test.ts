import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { CargoType } from "../../catalogue/route.ts";
import { vesselOf } from "./fleet.ts";

type Carrier = { code: string; name: string; cargo_types: CargoType[] };
const file = new URL("../../../../drizzle/seed/data/carriers.json", import.meta.url);
const carriers: Carrier[] = JSON.parse(readFileSync(file, "utf8"));

it("No two vessels of the demo's carriers share a name or an IMO number, and none has a real ship's", () => {
  const vessels = carriers.flatMap((carrier) =>
    carrier.cargo_types.flatMap((type) => Array.from({ length: 252 }, (_, i) => vesselOf(carrier, type, i))),
  );
  expect(new Set(vessels.map(({ name }) => name)).size).toBe(vessels.length);
  expect(new Set(vessels.map(({ imo }) => imo)).size).toBe(vessels.length);
  expect(vessels.every(({ imo }) => imo.startsWith("0"))).toBe(true);
});
