/** The part of the catalogue that a file refers to. */
import type { ImportedRoute } from "../catalogue/import-records.ts";
import type { CargoType } from "../catalogue/route.ts";

export type KnownPort = { unlocode: string; name: string; lat: number; lon: number };

export type KnownCatalogue = {
  /** By every code of each port. */
  ports: ReadonlyMap<string, KnownPort>;
  carriers: ReadonlyMap<string, { name: string; cargoTypes: CargoType[] }>;
  routeGroups: ReadonlyMap<string, { tradeLaneCode: string; cargoType: CargoType }>;
  /** The file's routes that exist, with their current records. */
  routes: ReadonlyMap<string, ImportedRoute>;
};
