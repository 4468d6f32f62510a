/**
 * The catalogue records that operators keep: the fields of each kind as they are entered, and their validation. The console
 * and `npm run catalogue` share them.
 */
import { z } from "zod";
import { cargoTypes, freshnesses, hauls, serviceLevelNames } from "../catalogue/enums.ts";
import type { RecordKind } from "../catalogue/record-kinds.ts";
import { carrierFields } from "../imports/carriers.ts";
import {
  code,
  codeOrNone,
  day,
  departureWeekdays,
  distanceNm,
  name,
  portCode,
  sailings,
  transitDaysOrNone,
  unlocode,
  unlocodeList,
} from "../imports/cells.ts";
import { endsAfterStart, endsTooEarly, periodFields } from "../imports/periods.ts";
import { portFields } from "../imports/ports.ts";
import { routeGroupFields } from "../imports/route-groups.ts";
import { lanePriceFields, tradeLaneFields } from "../imports/trade-lanes.ts";

export type RecordField = {
  name: string;
  label: string;
  hint?: string;
  isOptional?: true;
  /** Asked for when the record is created, and not changed later with it. */
  onlyNew?: true;
  options?: readonly string[];
  /** The kind of record whose code it holds. */
  refersTo?: RecordKind;
};

/** The field that identifies a record. It never changes. */
export const codeField = "record_code";

const lists = "Put | between several.";

export const recordFields: Record<RecordKind, readonly RecordField[]> = {
  region: [
    { name: "name", label: "Name" },
    { name: "geography", label: "Continent", hint: "In lower case, such as asia or north_america." },
  ],
  port: [
    { name: "name", label: "Name" },
    { name: "region_code", label: "Region", refersTo: "region" },
    { name: "lat", label: "Latitude", hint: "In degrees, south negative." },
    { name: "lon", label: "Longitude", hint: "In degrees, west negative." },
    { name: "timezone", label: "Time zone", hint: "An IANA name, such as Europe/Amsterdam." },
    { name: "cargo_types", label: "Cargo types", hint: `${cargoTypes.join(", ")}. ${lists}` },
    { name: "tier", label: "Tier", options: ["1", "2", "3"], hint: "1 is a hub, 3 a feeder port." },
    { name: "alt_unlocodes", label: "Other UN/LOCODEs", hint: lists, isOptional: true },
    { name: "country", label: "Country", hint: "Empty: the English name by ISO 3166.", isOptional: true },
  ],
  carrier: [
    { name: "name", label: "Name" },
    { name: "cargo_types", label: "Cargo types", hint: `${cargoTypes.join(", ")}. ${lists}` },
  ],
  trade_lane: [
    { name: "name", label: "Name" },
    { name: "origin_region_code", label: "Origin region", refersTo: "region" },
    { name: "destination_region_code", label: "Destination region", refersTo: "region" },
    { name: "haul", label: "Haul", options: hauls },
    { name: "base_price", label: "Base price", hint: "US dollars per month, such as 120.00.", onlyNew: true },
    { name: "valid_from", label: "Valid from", hint: "YYYY-MM-DD. The first day on sale.", onlyNew: true },
  ],
  route_group: [
    { name: "name", label: "Name" },
    { name: "trade_lane_code", label: "Trade lane", refersTo: "trade_lane" },
    { name: "cargo_type", label: "Cargo type", options: cargoTypes },
  ],
  route: [
    { name: "name", label: "Name" },
    { name: "route_group_code", label: "Route group", refersTo: "route_group" },
    { name: "carrier_code", label: "Carrier", refersTo: "carrier" },
    { name: "origin_unlocode", label: "Origin port", refersTo: "port" },
    { name: "destination_unlocode", label: "Destination port", refersTo: "port" },
    {
      name: "via_unlocodes",
      label: "Ports of call",
      hint: `UN/LOCODEs in order. ${lists} Empty: none, or as they are.`,
      isOptional: true,
    },
    { name: "distance_nm", label: "Distance", hint: "Nautical miles." },
    ...serviceLevelNames.map((level) => ({
      name: `${level}_days`,
      label: `Transit days, ${level}`,
      hint: "Empty: not offered.",
      isOptional: true as const,
    })),
    { name: "sailings_per_week", label: "Sailings per week", hint: "0.5 is one every two weeks, 0.25 one every four." },
    { name: "departure_weekdays", label: "Departure weekdays", hint: `MON, TUE, WED … ${lists}` },
  ],
  period: [
    { name: "route_code", label: "Route", refersTo: "route", onlyNew: true },
    { name: "name", label: "Name", hint: "Empty: named after its first day.", isOptional: true },
    { name: "starts_on", label: "Starts on", hint: "YYYY-MM-DD." },
    { name: "ends_on", label: "Ends on", hint: "The first day after it. Empty: still open.", isOptional: true },
    { name: "freshness", label: "Freshness", options: freshnesses },
  ],
};

// ── Validation ──────────────────────────────────────────────────────────────────────────────────────

export const lanePriceForm = z.object(lanePriceFields);

export const exchangeRateFields: readonly RecordField[] = [
  { name: "base", label: "Currency", hint: "ISO 4217, such as EUR." },
  { name: "quote", label: "Converts to", hint: "Base rates are in USD." },
  { name: "rate", label: "Rate", hint: "The value of one unit of the currency, such as 1.0931." },
  { name: "as_of", label: "As of", hint: "YYYY-MM-DD. The rate applies until the next one." },
  { name: "source", label: "Source", hint: "The publisher of the rate, such as ECB." },
];

const currencyCode = z.string().regex(/^[A-Z]{3}$/, "Enter a currency code of three capital letters, such as EUR");

export const exchangeRateForm = z
  .object({
    base: currencyCode,
    quote: currencyCode,
    as_of: day,
    rate: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,12})?$/, "Enter a rate with a decimal point, such as 1.0931")
      .refine((text) => Number(text) !== 0, "Must be more than 0"),
    source: name,
  })
  .refine(({ base, quote }) => base !== quote, { path: ["quote"], error: "Enter a different currency" });

export const recordForms = {
  region: z.object({
    record_code: code,
    name,
    geography: z.string().regex(/^[a-z_]{2,40}$/, "Enter a continent in lower case, such as asia or north_america"),
  }),
  port: z.object({ record_code: portCode, ...portFields }),
  carrier: z.object({ record_code: code, ...carrierFields }),
  trade_lane: z.object({ record_code: code, ...tradeLaneFields }),
  route_group: z.object({ record_code: code, ...routeGroupFields }),
  route: z
    .object({
      record_code: code,
      name,
      route_group_code: code,
      carrier_code: code,
      origin_unlocode: unlocode,
      destination_unlocode: unlocode,
      via_unlocodes: unlocodeList,
      distance_nm: distanceNm,
      express_days: transitDaysOrNone,
      standard_days: transitDaysOrNone,
      economy_days: transitDaysOrNone,
      sailings_per_week: sailings,
      departure_weekdays: departureWeekdays,
    })
    .refine(({ origin_unlocode, destination_unlocode }) => origin_unlocode !== destination_unlocode, {
      path: ["destination_unlocode"],
      message: "Choose a port other than the origin",
    })
    .refine((route) => serviceLevelNames.some((level) => route[`${level}_days`] !== null), {
      path: ["standard_days"],
      message: "A route needs at least one service level. Enter its transit days",
    }),
  period: z.object({ record_code: codeOrNone, ...periodFields }).refine(endsAfterStart, endsTooEarly),
} as const satisfies Record<RecordKind, z.ZodType<{ record_code: string }>>;

export type RecordInput<Kind extends RecordKind> = z.output<(typeof recordForms)[Kind]>;

/** A record's fields as text, as a form shows them. */
export type RecordValues = Readonly<Record<string, string>>;
