/** Ports: one line per port, identified by its UN/LOCODE. */
import { z } from "zod";
import type { ImportedPort } from "../catalogue/import-records.ts";
import {
  because,
  cargoTypeList,
  code,
  countryCodeOrNone,
  countryOf,
  degrees,
  name,
  portCode,
  portTier,
  textOrNone,
  timezone,
  unlocodeList,
} from "./cells.ts";
import type { ImportFormat } from "./kind.ts";
import { parsedRow } from "./parse-cells.ts";

/** What operators say of a port, in a file or a form. */
export const portFields = {
  name,
  region_code: code,
  lat: degrees(90),
  lon: degrees(180),
  timezone,
  cargo_types: cargoTypeList,
  tier: portTier,
  alt_unlocodes: unlocodeList,
  country: textOrNone,
};

const portLine = z
  .object({ unlocode: portCode, ...portFields, country_code: countryCodeOrNone })
  .refine(({ unlocode, country_code }) => countryOf(country_code) === null || unlocode.startsWith(country_code), {
    ...because("contradiction", "Differs from the country in the UN/LOCODE. Correct one of them"),
    path: ["country_code"],
  })
  .refine(({ unlocode, alt_unlocodes }) => !alt_unlocodes.includes(unlocode), {
    ...because("duplicate", "This is the port's main code. Remove it from the alternative codes"),
    path: ["alt_unlocodes"],
  });

/** The country and its code follow from the UN/LOCODE. */
export const portRecord = (unlocode: string, port: z.output<z.ZodObject<typeof portFields>>): ImportedPort => {
  const countryCode = unlocode.slice(0, 2);
  return {
    unlocode,
    altUnlocodes: port.alt_unlocodes,
    name: port.name,
    countryCode,
    country: port.country || (countryOf(countryCode) ?? countryCode),
    regionCode: port.region_code,
    lat: port.lat,
    lon: port.lon,
    tier: port.tier,
    cargoTypes: port.cargo_types,
    timezone: port.timezone,
  };
};

export const ports = {
  syntax: "csv",
  columns: {
    required: ["unlocode", "name", "region_code", "lat", "lon", "timezone", "cargo_types", "tier"],
    optional: ["alt_unlocodes", "country_code", "country"],
  },
  template: "ports.csv",
  about: "One line per port. Its region must exist. Empty cells in optional columns change nothing.",
  staging: {
    unlocode: "text",
    // Null: as it is, or none.
    alt_unlocodes: "text[]",
    name: "text",
    country_code: "text",
    // Null: as it is, or the name by ISO 3166.
    country: "text",
    iso_country: "text",
    region_code: "text",
    lat: "float8",
    lon: "float8",
    tier: "smallint",
    cargo_types: "cargo_type[]",
    timezone: "text",
  },
  parseRow(values, note) {
    const line = parsedRow(portLine, values, note);
    if (!line) return null;
    const country_code = line.unlocode.slice(0, 2);
    return {
      ...line,
      country_code,
      country: line.country || null,
      iso_country: countryOf(country_code),
      alt_unlocodes: line.alt_unlocodes.length > 0 ? line.alt_unlocodes : null,
    };
  },
} as const satisfies ImportFormat;
