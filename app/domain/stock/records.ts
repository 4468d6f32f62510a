/**
 * The catalogue records that operators keep: the fields of each kind as they are entered, and their validation. The console
 * and `npm run catalogue` share them.
 */
import { z } from "zod";
import { cargoTypes, freshnesses, hauls, serviceLevelNames } from "../catalogue/enums.ts";
import type { RecordKind } from "../catalogue/record-kinds.ts";
import type { CargoType } from "../catalogue/route.ts";
import {
  amount,
  cargoType,
  code,
  day,
  dayOrNone,
  departureWeekdays,
  freshness,
  name,
  sailings,
  unlocode,
  wholeNumber,
} from "../imports/cells.ts";

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

const lists = "Several with | between them.";

export const recordFields: Record<RecordKind, readonly RecordField[]> = {
  region: [
    { name: "name", label: "Name" },
    { name: "geography", label: "Continent", hint: "In small letters, such as asia or north_america." },
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
    { name: "base_price", label: "Base price", hint: "US dollars a month, such as 120.00.", onlyNew: true },
    { name: "valid_from", label: "Valid from", hint: "YYYY-MM-DD. The lane is on sale from then on.", onlyNew: true },
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
    { name: "sailings_per_week", label: "Sailings a week", hint: "0.5 is fortnightly, 0.25 monthly." },
    { name: "departure_weekdays", label: "Departure weekdays", hint: `MON, TUE, WED … ${lists}` },
  ],
  period: [
    { name: "route_code", label: "Route", refersTo: "route", onlyNew: true },
    { name: "name", label: "Name", hint: "Empty: after its first day.", isOptional: true },
    { name: "starts_on", label: "Starts on", hint: "YYYY-MM-DD." },
    { name: "ends_on", label: "Ends on", hint: "The first day after it. Empty: still open.", isOptional: true },
    { name: "freshness", label: "Freshness", options: freshnesses },
  ],
};

// ── Validation ──────────────────────────────────────────────────────────────────────────────────────

const listed = (text: string): string[] => text.split("|").flatMap((each) => each.trim() || []);

const cargoTypeList = z
  .string()
  .transform(listed)
  .refine(
    (types): types is CargoType[] =>
      types.length > 0 && types.every((type) => (cargoTypes as readonly string[]).includes(type)),
    `Not cargo types. Write some of ${cargoTypes.join(", ")}, with | between them`,
  );

const unlocodeList = z
  .string()
  .default("")
  .transform((text) => listed(text.toUpperCase()))
  .refine(
    (codes) => codes.every((each) => unlocode.safeParse(each).success),
    "Not UN/LOCODEs. Write five characters each, such as CNSGH, with | between them",
  );

const degrees = (most: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}(\.\d{1,6})?$/, "Not degrees. Write digits with a point, such as -33.86")
    .transform(Number)
    .refine((value) => Math.abs(value) <= most, `Between -${most} and ${most} degrees`);

const timezone = z
  .string()
  .refine(
    (zone) => /^[A-Z]/.test(zone) && isTimeZone(zone),
    "No such IANA time zone. Write a name such as Europe/Amsterdam or Asia/Shanghai",
  );

const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
/** Codes that CLDR names although ISO 3166-1 does not assign them. */
const notCountries = ["AC", "AN", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "XK", "ZZ"];

/** The English name by an ISO 3166-1 alpha-2 code. Null: no country has it. */
export const countryOf = (alpha2: string): string | null =>
  notCountries.includes(alpha2) ? null : (countryNames.of(alpha2) ?? null);

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `Choose one of ${words.join(", ")}`);

const transitDays = z.union([
  z.literal("").transform(() => null),
  wholeNumber("days", { from: 1, to: 300 }).transform((days): number | null => days),
]);

const price = amount.refine((cents) => cents > 0, "More than nothing");

export const lanePriceForm = z.object({ base_price: price, valid_from: day });

const currencyCode = z.string().regex(/^[A-Z]{3}$/, "Not a currency. Write three capitals, such as EUR");

export const exchangeRateForm = z
  .object({
    base: currencyCode,
    quote: currencyCode,
    as_of: day,
    rate: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,12})?$/, "Not a rate. Write digits with a point, such as 1.0931")
      .refine((text) => Number(text) !== 0, "More than 0"),
    source: name,
  })
  .refine(({ base, quote }) => base !== quote, { path: ["quote"], error: "Not the same currency" });

export const recordForms = {
  region: z.object({
    record_code: code,
    name,
    geography: z.string().regex(/^[a-z_]{2,40}$/, "Write a continent in small letters, such as asia or north_america"),
  }),
  port: z.object({
    record_code: unlocode.refine(
      (text) => countryOf(text.slice(0, 2)) !== null,
      "A UN/LOCODE begins with the country's ISO 3166 code, and no country has these two letters",
    ),
    name,
    region_code: code,
    lat: degrees(90),
    lon: degrees(180),
    timezone,
    cargo_types: cargoTypeList,
    tier: oneOf(["1", "2", "3"]).transform(Number),
    alt_unlocodes: unlocodeList,
    country: z.string().max(200, "At most 200 characters").default(""),
  }),
  carrier: z.object({ record_code: code, name, cargo_types: cargoTypeList }),
  trade_lane: z.object({
    record_code: code,
    name,
    origin_region_code: code,
    destination_region_code: code,
    haul: oneOf(hauls),
  }),
  route_group: z.object({ record_code: code, name, trade_lane_code: code, cargo_type: cargoType }),
  route: z
    .object({
      record_code: code,
      name,
      route_group_code: code,
      carrier_code: code,
      origin_unlocode: unlocode,
      destination_unlocode: unlocode,
      via_unlocodes: unlocodeList,
      distance_nm: wholeNumber("nautical miles", { from: 1, to: 30_000 }),
      express_days: transitDays.default(null),
      standard_days: transitDays.default(null),
      economy_days: transitDays.default(null),
      sailings_per_week: sailings,
      departure_weekdays: departureWeekdays,
    })
    .refine(({ origin_unlocode, destination_unlocode }) => origin_unlocode !== destination_unlocode, {
      path: ["destination_unlocode"],
      message: "The same port as the origin. Choose another",
    })
    .refine((route) => serviceLevelNames.some((level) => route[`${level}_days`] !== null), {
      path: ["standard_days"],
      message: "A route needs a service level. Write its transit days",
    }),
  period: z
    .object({
      record_code: z.union([z.literal(""), code]),
      route_code: code,
      name: z.string().max(200, "At most 200 characters").default(""),
      starts_on: day,
      ends_on: dayOrNone,
      freshness,
    })
    .refine(({ starts_on, ends_on }) => ends_on === null || ends_on > starts_on, {
      path: ["ends_on"],
      message: "Not after its first day. Write a later day, or nothing for a period that stays open",
    }),
} as const satisfies Record<RecordKind, z.ZodType<{ record_code: string }>>;

export type RecordInput<Kind extends RecordKind> = z.output<(typeof recordForms)[Kind]>;

/** A record's fields as text, as a form shows them. */
export type RecordValues = Readonly<Record<string, string>>;
