/** What the catalogue has, as far as a file speaks of it. */
import type { ImportedRoute, KnownPeriod } from "../catalogue/import-records.ts";
import type { CargoType } from "../catalogue/route.ts";

export type KnownPort = { unlocode: string; name: string; lat: number; lon: number };

export type KnownCatalogue = {
  /** By every code of theirs. */
  ports: ReadonlyMap<string, KnownPort>;
  carriers: ReadonlyMap<string, { name: string; cargoTypes: CargoType[] }>;
  routeGroups: ReadonlyMap<string, { tradeLaneCode: string; cargoType: CargoType }>;
  /** Of the file's routes, those that there are; with their present record. */
  routes: ReadonlyMap<string, ImportedRoute>;
};

/** Of one route, by its code. */
export type KnownPeriods = ReadonlyMap<string, (KnownPeriod & { code: string })[]>;
