import { describe, expect, it } from "vitest";
import { readDemoCatalogue } from "#drizzle/seed/catalogue-files.ts";
import { type CatalogueSource, checkCatalogue, checkReferences, checkReports } from "./import-records.ts";

const demo = (): CatalogueSource =>
  readDemoCatalogue({ today: "2026-11-20", routeCodes: ["C-CNSHA-NLRTM-PEL9"] }).source;
const nothingKnown = {
  regions: new Set<string>(),
  ports: new Set<string>(),
  carriers: new Set<string>(),
  tradeLanes: new Set<string>(),
  routeGroups: new Set<string>(),
};
const routesWith = (changes: object) => {
  const [row] = demo().routes?.rows ?? [];
  return { file: "routes.csv", rows: [{ line: 7, values: { ...(row?.values as object), ...changes } }] };
};

describe("Checking a catalogue", () => {
  it("accepts the demo catalogue", () => {
    const { catalogue, errors } = checkCatalogue(demo());
    expect(errors).toEqual([]);
    expect(checkReferences(catalogue, nothingKnown)).toEqual([]);
  });

  it.each([
    { changes: { distanceNm: "far" }, column: "distance_nm" },
    { changes: { originPort: "Shanghai" }, column: "origin_port" },
    { changes: { capacityAvailable: 2_000_000 }, column: "capacity_available" },
    {
      changes: { serviceLevels: [{ level: "express", speedKnots: 20, transitDays: 0 }] },
      column: "service_levels.0.transit_days",
    },
    { changes: { colour: "blue" }, column: "" },
  ])("reports file, line and column for $changes", ({ changes, column }) => {
    const { errors } = checkCatalogue({ routes: routesWith(changes) });
    expect(errors[0]).toMatchObject({ file: "routes.csv", line: 7, column });
  });

  it("rejects a rate of a service level that the route does not have", () => {
    const { errors } = checkCatalogue({
      routes: routesWith({ serviceLevels: [{ level: "express", speedKnots: 20, transitDays: 28 }] }),
    });
    expect(errors[0]).toMatchObject({ column: "base_rates.0.service_level" });
  });

  it.each([
    ["in another currency without an exchange rate", { currency: "EUR" }],
    ["in US dollars with one", { exchangeRate: { rate: "1.0931", asOf: "2026-11-13", source: "ECB" } }],
  ])("rejects a surcharge %s", (_, changes) => {
    const surcharge = {
      ...{ code: "DTHC", name: "Terminal handling", amountCents: 24_500, currency: "USD", basis: "per_container" },
      ...{ mandatory: true, validFrom: "2026-11-01", validTo: null },
    };
    const { errors } = checkCatalogue({
      routes: routesWith({ surcharges: [surcharge, { ...surcharge, ...changes }] }),
    });
    expect(errors).toMatchObject([{ line: 7, column: "surcharges.1.exchange_rate" }]);
  });

  it("rejects a duplicate code", () => {
    const region = { code: "EAS", name: "East Asia", geography: "asia" };
    const { errors } = checkCatalogue({
      regions: { file: "regions.json", rows: [1, 2].map((line) => ({ line, values: region })) },
    });
    expect(errors).toEqual([
      { file: "regions.json", line: 2, column: "code", message: "EAS stands in line 1 already" },
    ]);
  });

  it("rejects references to unknown codes", () => {
    const { catalogue } = checkCatalogue({ routes: routesWith({}) });
    expect(checkReferences(catalogue, nothingKnown).map(({ column }) => column)).toEqual([
      "route_group_code",
      "carrier_code",
      "origin_port",
      "destination_port",
    ]);
    const known = { ...nothingKnown, ports: new Set(["CNSHA", "NLRTM"]) };
    expect(checkReferences(catalogue, known).map(({ column }) => column)).toEqual(["route_group_code", "carrier_code"]);
  });
});

describe("Checking reports", () => {
  const periods = new Map([["R/2026-Q3", { id: 5, startsOn: "2026-07-01", endsOn: "2026-10-01" }]]);
  const check = (values: object) =>
    checkReports(
      {
        file: "reports.jsonl",
        rows: [
          {
            line: 3,
            values: {
              periodCode: "R/2026-Q3",
              type: "rate",
              observedAt: "2026-07-06T06:00:00Z",
              serviceLevel: "standard",
              ...values,
            },
          },
        ],
      },
      periods,
    );

  it("assigns a report to its period", () => {
    const rate = { baseRateCents: 4000, basis: "per_tonne", currency: "USD" };
    expect(check(rate).reports).toMatchObject([{ periodId: 5, baseRateCents: 4000 }]);
  });

  it("calculates the total of the surcharges in the rate's currency", () => {
    const surcharges = [
      { code: "BAF", amountCents: 620 },
      {
        code: "DTHC",
        amountCents: 245,
        currency: "EUR",
        exchangeRate: { rate: "1.1", asOf: "2026-07-01", source: "ECB" },
      },
    ];
    const rate = { baseRateCents: 4000, basis: "per_container", currency: "USD", equipmentType: "45G1" };
    expect(check({ ...rate, surcharges }).reports).toMatchObject([{ surchargesCents: 620 + 270 }]);
  });

  it.each([
    { values: { periodCode: "R/2020-Q1" }, column: "period_code" },
    { values: { observedAt: "2026-10-01T00:00:00Z" }, column: "observed_at" },
    { values: { observedAt: "2026-07-01T01:00:00+02:00" }, column: "observed_at" },
    { values: { availableCapacity: -1, capacityUnit: "TEU" }, column: "available_capacity" },
    { values: { availableCapacity: 5 }, column: "capacity_unit" },
    { values: { baseRateCents: 4000, currency: "USD" }, column: "basis" },
    { values: { baseRateCents: 4000, basis: "per_tonne" }, column: "currency" },
  ])("rejects $values", ({ values, column }) => {
    expect(check(values)).toMatchObject({ reports: [], errors: [{ file: "reports.jsonl", line: 3, column }] });
  });
});
