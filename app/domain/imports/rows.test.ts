import { describe, expect, it } from "vitest";
import { carriers } from "./carriers.ts";
import type { Finding } from "./finding.ts";
import type { ImportFormat, Note } from "./kind.ts";
import { periods } from "./periods.ts";
import { ports } from "./ports.ts";
import { rates } from "./rates.ts";
import { routeGroups } from "./route-groups.ts";
import { routes } from "./routes.ts";
import { schedules } from "./schedules.ts";
import { tradeLanes } from "./trade-lanes.ts";

/** A right row of each kind. */
const right = {
  ports: {
    unlocode: "FIPOR",
    name: "Pori",
    region_code: "NEU",
    lat: "61.59",
    lon: "21.48",
    timezone: "Europe/Helsinki",
    cargo_types: "bulk|break_bulk",
    tier: "3",
  },
  carriers: { code: "ABCD", name: "Example Line", cargo_types: "container" },
  tradeLanes: {
    code: "NEU-NEU",
    name: "Within North Europe",
    origin_region_code: "NEU",
    destination_region_code: "NEU",
    haul: "head_haul",
    base_price: "120.00",
    valid_from: "2027-01-01",
    currency: "USD",
  },
  routeGroups: { code: "NEU-B", name: "Bulk", trade_lane_code: "NEU-NEU", cargo_type: "bulk" },
  routes: {
    code: "C-CNSHA-NLRTM-ABCD",
    name: "Shanghai – Rotterdam",
    cargo_type: "container",
    carrier_code: "ABCD",
    trade_lane_code: "EAS-NEU",
    route_group_code: "EAS-NEU-C-CN",
    origin_unlocode: "CNSHA",
    destination_unlocode: "NLRTM",
    via_unlocodes: "SGSIN",
    distance_nm: "10537",
    service_level: "standard",
    transit_time_days: "32",
    sailings_per_week: "1",
    departure_weekdays: "FRI",
    data_freshness: "daily",
  },
  rates: {
    route_code: "C-CNSHA-NLRTM-ABCD",
    service_level: "standard",
    valid_from: "2026-11-01",
    valid_to: "2026-11-30",
    equipment_type: "45G1",
    charge_type: "base",
    charge_code: "BAS",
    amount: "4310.50",
    currency: "USD",
    basis: "per_container",
  },
  schedules: {
    route_code: "C-CNSHA-NLRTM-ABCD",
    service_code: "EX1",
    voyage: "001W",
    leg: "1",
    load_unlocode: "CNSHA",
    discharge_unlocode: "NLRTM",
    etd: "2026-12-04T20:00:00+08:00",
    eta: "2027-01-05T06:00:00+01:00",
    vessel_imo: "9074729",
    cargo_cut_off: "2026-12-03T18:00:00+08:00",
  },
  periods: { route_code: "C-CNSHA-NLRTM-ABCD", starts_on: "2026-07-01", ends_on: "2026-10-01", freshness: "daily" },
} as const;

const formats = { ports, carriers, tradeLanes, routeGroups, routes, rates, schedules, periods } as const;
type Kind = keyof typeof formats;

type Noted = Pick<Finding, "column" | "code" | "message">;

const read = (kind: Kind, changes: Record<string, unknown> = {}) => {
  const errors: Noted[] = [];
  const warnings: Noted[] = [];
  const addTo =
    (list: Noted[]): Note["error"] =>
    (column, code, message) =>
      list.push({ column, code, message });
  const format: ImportFormat = formats[kind];
  const row = format.parseRow(
    { ...right[kind], ...changes },
    { error: addTo(errors), warning: addTo(warnings) },
    { now: new Date("2026-11-20T09:30:00Z"), findExchangeRate: () => undefined },
  );
  return { row, errors, warnings };
};

describe("A right row", () => {
  it.each(Object.keys(formats) as Kind[])("of %s has exactly the columns of its staging table", (kind) => {
    const { row, errors, warnings } = read(kind);
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(Object.keys(row ?? {}).sort()).toEqual(Object.keys(formats[kind].staging).sort());
  });
});

describe("A wrong cell", () => {
  it.each<[kind: Kind, column: string, value: unknown, code: string, message: RegExp]>([
    ["ports", "unlocode", "FIPORI", "malformed", /five characters/],
    ["ports", "unlocode", "XXPOR", "unknown_code", /ISO 3166/],
    ["ports", "name", "", "missing", /Enter a name/],
    ["ports", "name", "=HYPERLINK(1)", "formula", /would run this text as a formula/],
    ["ports", "name", "@home", "formula", /would run this text as a formula/],
    ["ports", "name", "-Pori", "formula", /would run this text as a formula/],
    ["ports", "country", "+Finland", "formula", /would run this text as a formula/],
    ["ports", "name", "x".repeat(201), "too_long", /At most 200/],
    ["ports", "lat", "91", "out_of_range", /Between -90 and 90/],
    ["ports", "lon", "21,48", "malformed", /with a decimal point/],
    ["ports", "timezone", "Europe/Pori", "unknown_code", /IANA/],
    ["ports", "cargo_types", "bulk|gold", "not_allowed", /Unknown cargo type/],
    ["ports", "tier", "4", "not_allowed", /Enter a tier: 1, 2, 3/],
    ["ports", "alt_unlocodes", "FIPORI", "malformed", /UN\/LOCODEs of five characters/],
    ["ports", "alt_unlocodes", "FIPOR", "duplicate", /main code/],
    ["ports", "country_code", "SE", "contradiction", /Differs from the country/],
    ["ports", "country_code", "XX", "unknown_code", /ISO 3166/],
    ["carriers", "code", "abcd", "malformed", /Enter a code/],
    ["carriers", "code", "=ABCD", "formula", /would run this text as a formula/],
    ["carriers", "cargo_types", "", "missing", /Enter one or more of container/],
    ["tradeLanes", "haul", "side_haul", "not_allowed", /Enter a haul: head_haul/],
    ["tradeLanes", "base_price", "-120", "negative", /0 or more/],
    ["tradeLanes", "base_price", "0", "out_of_range", /Must be more than 0/],
    ["tradeLanes", "base_price", "100000.01", "out_of_range", /Must be at most 100000.00/],
    ["tradeLanes", "base_price", "120.005", "over_precise", /has 2 decimals/],
    ["tradeLanes", "base_price", "1,200.00", "malformed", /Enter an amount/],
    ["tradeLanes", "valid_from", "1.1.2027", "malformed", /YYYY-MM-DD/],
    ["tradeLanes", "currency", "EUR", "wrong_currency", /must be in USD/],
    ["tradeLanes", "currency", "XXY", "wrong_currency", /ISO 4217/],
    ["routeGroups", "cargo_type", "boxes", "not_allowed", /Enter a cargo type: container/],
    ["routes", "distance_nm", "10.5k", "malformed", /digits only/],
    ["routes", "distance_nm", "30001", "out_of_range", /Must be at most 30,000/],
    ["routes", "transit_time_days", "0", "out_of_range", /^Must be at least 1 day$/],
    ["routes", "transit_time_days", "121", "out_of_range", /Must be at most 120/],
    ["routes", "departure_weekdays", "Friday", "not_allowed", /Enter weekdays: MON/],
    ["routes", "sailings_per_week", "0", "out_of_range", /Must be more than 0/],
    ["routes", "status", "retired", "not_allowed", /Only active/],
    ["rates", "amount", "4310.005", "over_precise", /has 2 decimals/],
    ["rates", "amount", "-1", "negative", /0 or more/],
    ["rates", "valid_to", "2026-10-31", "contradiction", /Before valid_from/],
    ["rates", "charge_type", "basic", "not_allowed", /Enter base or surcharge/],
    ["rates", "charge_code", "BAF", "contradiction", /has the code BAS/],
    ["rates", "service_level", "slow", "not_allowed", /Enter a service level: express/],
    ["schedules", "etd", "2026-12-04T20:00:00", "not_offset", /no UTC offset/],
    ["schedules", "etd", "4 December", "malformed", /Enter a time/],
    ["schedules", "eta", "2026-12-04T20:00:00+08:00", "contradiction", /must be after the departure/],
    ["schedules", "cargo_cut_off", "2026-12-05T00:00:00+08:00", "contradiction", /must not be after the departure/],
    ["schedules", "discharge_unlocode", "CNSHA", "same_port", /same port/],
    ["schedules", "vessel_imo", "9074728", "malformed", /check digit/],
    ["schedules", "status", "late", "not_allowed", /Enter a status: scheduled/],
    ["schedules", "vessel", "=1+1", "formula", /would run this text as a formula/],
    ["periods", "ends_on", "2026-07-01", "contradiction", /Must be after the first day/],
    ["periods", "starts_on", undefined, "missing", /./],
    ["periods", "freshness", "hourly", "not_allowed", /Enter a freshness: real_time/],
    ["periods", "name", 7, "malformed", /./],
  ])("of %s, %s %j, is %s", (kind, column, value, code, message) => {
    const { row, errors } = read(kind, { [column]: value });
    expect(row).toBeNull();
    expect(errors).toEqual([{ column, code, message: expect.stringMatching(message) }]);
  });

  it("may be the highest price of a month", () => {
    expect(read("tradeLanes", { base_price: "100000.00" }).row).toMatchObject({ base_price_cents: 10_000_000 });
  });

  it("may be a negative number where numbers are", () => {
    expect(read("ports", { lat: "-33.86", lon: "-0.5" }).row).toMatchObject({ lat: -33.86, lon: -0.5 });
  });
});

describe("A row", () => {
  it.each([
    ["faster than 24 knots", "18", /24.4 knots/],
    ["slower than 5 knots", "100", /4.4 knots/],
  ])("with a route %s has a warning", (_, transit_time_days, message) => {
    const { row, warnings } = read("routes", { transit_time_days });
    expect(row).not.toBeNull();
    expect(warnings).toEqual([
      { column: "transit_time_days", code: "unlikely_speed", message: expect.stringMatching(message) },
    ]);
  });

  it("has every error at once", () => {
    const { errors } = read("ports", { unlocode: "F", lat: "far", tier: "" });
    expect(errors.map(({ column, code }) => [column, code])).toEqual([
      ["unlocode", "malformed"],
      ["lat", "malformed"],
      ["tier", "missing"],
    ]);
  });
});
