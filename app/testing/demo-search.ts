/** The search index of the demo catalogue, made of its files without a database. */
import { readFileSync } from "node:fs";
import type { IndexedRoute } from "../domain/catalogue/search-columns.ts";
import { searchIndexOf } from "../domain/catalogue/search-index.ts";
import type { Directory } from "../domain/catalogue/search-vocabulary.ts";

const json = <Content>(file: string): Content =>
  JSON.parse(readFileSync(new URL(`../../drizzle/seed/data/${file}`, import.meta.url), "utf8")) as Content;
const referenceData = "../../../app/domain/catalogue/reference-data";

type RouteLine = {
  code: string;
  group: string;
  ct: IndexedRoute["cargoType"];
  carrier: string;
  pol: string;
  pod: string;
  nm: number;
  freq: number;
  service: { transit_days: number }[];
};
type Port = Omit<Directory["ports"][number], "id" | "regionId" | "isRetired"> & { regionCode: string };

export const demoSearch = () => {
  const regions = withIds(json<{ code: string; name: string; geography: string }[]>(`${referenceData}/regions.json`));
  const lanes = withIds(json<{ code: string; name: string; region: string }[]>("trade_lanes.json"));
  const groups = withIds(json<{ code: string; name: string; trade_lane: string }[]>("route_groups.json"));
  const carriers = withIds(json<{ code: string; name: string }[]>("carriers.json"));
  const ports = withIds(json<Port[]>(`${referenceData}/ports.json`));
  const idOf = (records: readonly { id: number; code?: string; unlocode?: string }[]) => {
    const ids = new Map(records.map((record) => [record.code ?? record.unlocode, record.id]));
    return (code: string) => ids.get(code) ?? 0;
  };
  const [region, lane, group, carrier, port] = [idOf(regions), idOf(lanes), idOf(groups), idOf(carriers), idOf(ports)];
  const directory: Directory = {
    regions,
    lanes: lanes.map((each) => ({ ...each, regionId: region(each.region) })),
    groups: groups.map((each) => ({ ...each, laneId: lane(each.trade_lane) })),
    carriers,
    ports: ports.map((each) => ({ ...each, regionId: region(each.regionCode) })),
  };
  const nameOf = (code: string) => ports.find(({ unlocode }) => unlocode === code)?.name;
  const lines = readFileSync(new URL("../../drizzle/seed/data/routes.jsonl", import.meta.url), "utf8").trimEnd();
  const routes = withIds(lines.split("\n").map((line) => JSON.parse(line) as RouteLine)).map(
    (line): IndexedRoute => ({
      id: line.id,
      code: line.code,
      name: `${nameOf(line.pol)} – ${nameOf(line.pod)}`,
      groupId: group(line.group),
      carrierId: carrier(line.carrier),
      cargoType: line.ct,
      originId: port(line.pol),
      destinationId: port(line.pod),
      distanceNm: line.nm,
      sailingsPerWeek: line.freq,
      isSample: false,
      levels: 0b111,
      transitDays: Math.min(...line.service.map(({ transit_days }) => transit_days)),
      freshnesses: 0b001,
      monthlyCents: 10_000,
    }),
  );
  return { directory, routes, index: searchIndexOf(directory, routes) };
};

const withIds = <Row extends object>(rows: readonly Row[]) =>
  rows.map((row, index) => ({ ...row, id: index + 1, isRetired: false }));
