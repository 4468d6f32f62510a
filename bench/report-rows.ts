/** A file of reports for the import benchmark: for every route, rates, capacity and sailings, hour by hour. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { type CargoType, capacityUnit, rateBasis } from "../app/domain/catalogue/route.ts";

export type BenchRoute = { code: string; cargoType: CargoType; level: string; startsOn: string };

/** Written by every row, to distinguish these rows from those of the catalogue. */
export const externalIdPrefix = "bench-";

/** Writes `count` reports, all different, all observed in the routes' open periods before `now`. */
export const writeReports = async (
  file: string,
  routes: readonly BenchRoute[],
  { count, now }: { count: number; now: Date },
): Promise<void> => {
  const out = createWriteStream(file, { highWaterMark: 1024 * 1024 });
  let text = "";
  for (let i = 0; i < count; i++) {
    const route = routes[i % routes.length] as BenchRoute;
    text += `${JSON.stringify(reportOf(route, i, Math.floor(i / routes.length), now))}\n`;
    if (text.length < 512 * 1024) continue;
    if (!out.write(text)) await once(out, "drain");
    text = "";
  }
  out.end(text);
  await finished(out);
};

const reportOf = ({ code, cargoType, level, startsOn }: BenchRoute, i: number, turn: number, now: Date) => {
  // Every two minutes backwards, at a second that no report of the demo has.
  const observedAt = new Date(now.getTime() - turn * 120_000);
  observedAt.setUTCSeconds(17, 0);
  if (observedAt.toISOString() < startsOn) throw new Error(`The period of ${code} is too short for so many reports`);
  const base = { route_code: code, observed_at: observedAt.toISOString(), external_id: `${externalIdPrefix}${i}` };
  const day = observedAt.toISOString().slice(0, 10);
  if (turn % 4 === 1) {
    const data = { sailing_date: day, unit: capacityUnit[cargoType], nominal: 2400, booked: 1980 };
    return { ...base, report_type: "capacity", data: { ...data, available: 300 + (i % 100), booking_status: "open" } };
  }
  if (turn % 4 === 3) {
    const data = { vessel_name: `Vessel ${i % 500}`, voyage_reference: `${i % 1000}E`, transit_time_days: 30 };
    return { ...base, report_type: "schedule", data: { service_level: level, ...data } };
  }
  const surcharges = [
    { code: "BAF", amount: 620.5 },
    { code: "OTHC", amount: 245 },
  ];
  const equipment = cargoType === "container" ? { equipment_type: "45G1" } : {};
  const unit = { service_level: level, ...equipment, currency: "USD", basis: rateBasis[cargoType] };
  return { ...base, report_type: "rate", data: { ...unit, base_rate: 4000 + (i % 1000), surcharges } };
};
