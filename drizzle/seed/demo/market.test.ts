import { describe, expect, it } from "vitest";
import { checkReports } from "#app/domain/catalogue/import-records.ts";
import { surchargesTotalCents } from "#app/domain/catalogue/rate-report.ts";
import { mandatorySurchargesCents } from "#app/domain/catalogue/surcharges.ts";
import { isoInstant } from "#app/domain/dates.ts";
import { sailingsFrom, timetableOf } from "#app/domain/schedules/demo/timetable.ts";
import { demoCalendarOf, quarterAt } from "./calendar.ts";
import { type DemoRoute, demoRouteRecord, laneBasePriceCents } from "./market.ts";
import { demoReportCount, demoReports } from "./reports.ts";

const calendar = demoCalendarOf("2026-11-20");

const shanghai = {
  unlocode: "CNSHA",
  name: "Shanghai",
  countryCode: "CN",
  regionCode: "EAS",
  lat: 31.36,
  lon: 121.61,
  tier: 1,
};
const rotterdam = {
  unlocode: "NLRTM",
  name: "Rotterdam",
  countryCode: "NL",
  regionCode: "NEU",
  lat: 51.95,
  lon: 4.05,
  tier: 1,
};

const demoRoute = (changes: Partial<DemoRoute> = {}): DemoRoute => ({
  code: "C-CNSHA-NLRTM-PEL9",
  lane: { code: "EAS-NEU", haul: "head_haul" },
  routeGroupCode: "EAS-NEU-C-CN",
  carrier: { code: "PEL9", name: "Pelorin Lines (demo)" },
  cargoType: "container",
  origin: shanghai,
  destination: rotterdam,
  distanceNm: 10_537,
  passages: ["Strait of Malacca", "Bab-el-Mandeb", "Suez Canal"],
  waypoints: [],
  transhipments: 1,
  intermediateCalls: 0,
  sailingsPerWeek: 1,
  serviceLevels: [
    { level: "express", speedKnots: 20, transitDays: 28 },
    { level: "standard", speedKnots: 16, transitDays: 34 },
    { level: "economy", speedKnots: 13, transitDays: 40 },
  ],
  base: 4609.957763121179,
  ...changes,
});

const variants: Partial<DemoRoute>[] = [
  {},
  { code: "C-A", sailingsPerWeek: 2, lane: { code: "NEU-EAS", haul: "back_haul" } },
  { code: "B-A", cargoType: "bulk", sailingsPerWeek: 0.5, base: 6.94 },
  { code: "R-A", cargoType: "ro_ro", sailingsPerWeek: 0.5, base: 1081, passages: ["Panama Canal"] },
  { code: "K-A", cargoType: "break_bulk", sailingsPerWeek: 0.25, base: 65.62, passages: [] },
];

describe("A demo route", () => {
  const record = demoRouteRecord(demoRoute(), calendar);

  it("is deterministic for each day", () => {
    expect(demoRouteRecord(demoRoute(), demoCalendarOf("2026-11-20"))).toEqual(record);
    expect(demoReports(demoRoute(), demoCalendarOf("2026-11-20"))).toEqual(demoReports(demoRoute(), calendar));
  });

  it("has the usual equipment at the usual ratios, rounded to five dollars, and proportional levels", () => {
    const dollars = (level: string) =>
      Object.fromEntries(
        record.baseRates
          .filter((rate) => rate.serviceLevel === level)
          .map((rate) => [rate.equipmentType, rate.amountCents / 100]),
      );
    expect(dollars("standard")).toEqual({ "22G1": 2535, "42G1": 4520, "45G1": 4610, "45R1": 8760 });
    expect(dollars("economy")).toEqual({ "22G1": 2155, "42G1": 3840, "45G1": 3920, "45R1": 7445 });
    expect(dollars("express")["45G1"]).toBe(5300);
  });

  it("has canal surcharges only for the canals it passes", () => {
    const codes = record.surcharges.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(["BAF", "OTHC", "DTHC", "ISPS", "DOC", "SCS", "WRS", "LSS", "PSS"]));
    expect(codes).not.toContain("PCS");
    const byPanama = demoRouteRecord(demoRoute({ passages: ["Panama Canal"] }), calendar).surcharges;
    expect(byPanama.map(({ code }) => code)).toContain("PCS");
    expect(byPanama.map(({ code }) => code)).not.toContain("SCS");
  });

  it.each(variants)("states rates, surcharges and capacity in its cargo type's unit: %o", (changes) => {
    const { cargoType } = demoRoute(changes);
    const { baseRates, capacityAvailable, capacityNominal, bookingStatus } = demoRouteRecord(
      demoRoute(changes),
      calendar,
    );
    const basis = {
      container: "per_container",
      bulk: "per_tonne",
      ro_ro: "per_lane_metre",
      break_bulk: "per_freight_tonne",
    };
    expect(new Set(baseRates.map((rate) => rate.basis))).toEqual(new Set([basis[cargoType]]));
    expect(bookingStatus === "full" || bookingStatus === "closed").toBe(capacityAvailable === 0);
    expect(capacityAvailable <= capacityNominal * 0.15).toBe(bookingStatus !== "open");
  });

  it("has one open period at the end of a chain of successors", () => {
    const { periods } = record;
    expect(periods.filter(({ endsOn }) => endsOn === null)).toHaveLength(1);
    expect(periods.map(({ successorCode }) => successorCode)).toEqual([
      ...periods.slice(1).map(({ code }) => code),
      null,
    ]);
    expect(periods.slice(0, -1).map(({ endsOn }) => endsOn)).toEqual(periods.slice(1).map(({ startsOn }) => startsOn));
    expect(periods[3]?.code).toBe("C-CNSHA-NLRTM-PEL9/2026-Q3");
  });
});

describe("The reports of a demo route", () => {
  it.each(variants)("match the predicted count and belong to their periods: %o", (changes) => {
    const route = demoRoute(changes);
    const reports = demoReports(route, calendar);
    expect(reports).toHaveLength(demoReportCount(route, calendar));
    for (const { observedAt, periodCode } of reports) {
      expect(periodCode).toBe(`${route.code}/${quarterAt(calendar, observedAt.slice(0, 10))?.code}`);
    }
  });

  it.each(variants)("are valid, as the import does not check them: %o", (changes) => {
    const route = demoRoute(changes);
    const { periods } = demoRouteRecord(route, calendar);
    const known = new Map(periods.map(({ code, ...period }, id) => [code, { id, ...period }]));
    const reports = demoReports(route, calendar);
    const rows = reports.map((values, i) => ({ line: i + 1, values }));
    const checked = checkReports({ file: "generated reports", rows }, known);
    expect(checked.errors).toEqual([]);
    expect(checked.reports).toHaveLength(reports.length);
  });

  it.each(variants)("end at the current rate and its surcharges: %o", (changes) => {
    const route = demoRoute(changes);
    const { baseRates, surcharges } = demoRouteRecord(route, calendar);
    const rates = demoReports(route, calendar).filter(({ type }) => type === "rate");
    const equipment = route.cargoType === "container" ? ["22G1", "45G1", "45R1"] : [""];
    for (const each of equipment) {
      const present = baseRates.find(
        ({ serviceLevel, equipmentType }) => serviceLevel === "standard" && equipmentType === each,
      );
      const newest = rates.findLast(({ equipmentType }) => equipmentType === each);
      expect(newest).toMatchObject({ baseRateCents: present?.amountCents, basis: present?.basis, currency: "USD" });
      expect(present && surchargesTotalCents(newest?.surcharges ?? [], "USD")).toBe(
        present && mandatorySurchargesCents(surcharges, present, "2026-11-20"),
      );
    }
    expect(new Set(rates.map(({ equipmentType }) => equipmentType))).toEqual(new Set(equipment));
  });

  it("show rates that vary by less than a factor of two", () => {
    const rates = demoReports(demoRoute(), calendar)
      .filter(({ equipmentType }) => equipmentType === "45G1")
      .flatMap(({ baseRateCents }) => baseRateCents ?? []);
    expect(new Set(rates).size).toBeGreaterThan(20);
    expect(Math.max(...rates) / Math.min(...rates)).toBeLessThan(2);
  });

  it.each(variants)("name only sailings of the timetable: %o", (changes) => {
    const route = demoRoute(changes);
    const published: (string | undefined)[][] = [];
    for (const { etd, vessel, voyage } of sailingsFrom(timetableOf(route), "2025-10-20")) {
      if (etd > new Date("2027-02-01")) break;
      published.push(vessel ? [isoInstant(etd), vessel.name, voyage] : [isoInstant(etd), undefined, undefined]);
    }
    for (const { etd, vessel, voyage } of demoReports(route, calendar)) {
      if (etd !== undefined) expect(published).toContainEqual([etd, vessel, voyage]);
    }
  });

  it("agree in departure, arrival and transit days", () => {
    for (const { etd, eta, transitDays } of demoReports(demoRoute(), calendar)) {
      if (!etd || !eta || !transitDays) continue;
      expect((Date.parse(eta) - Date.parse(etd)) / 86_400_000).toBeCloseTo(transitDays, 1);
    }
  });

  it("name voyages by year, week and heading", () => {
    const westbound = demoReports(demoRoute(), calendar).flatMap(({ voyage }) => voyage ?? []);
    expect(westbound.every((voyage) => /^2[567]\d\dW$/.test(voyage))).toBe(true);
  });
});

describe("The base price of a trade lane", () => {
  it.each([
    { lane: { haul: "head_haul", sameRegion: true, sameGeography: true, medianDistanceNm: 600 }, cents: 1900 },
    { lane: { haul: "head_haul", sameRegion: false, sameGeography: false, medianDistanceNm: 10_900 }, cents: 8900 },
    { lane: { haul: "back_haul", sameRegion: false, sameGeography: false, medianDistanceNm: 10_900 }, cents: 6400 },
    { lane: { haul: "head_haul", sameRegion: false, sameGeography: false, medianDistanceNm: 20_000 }, cents: 9900 },
  ] as const)("is $cents for $lane", ({ lane, cents }) => {
    expect(laneBasePriceCents(lane)).toBe(cents);
  });
});
