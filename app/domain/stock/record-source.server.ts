/** Entered records as import records, so that the importer stays the only writer of the catalogue. */

import type { Tx } from "../../platform/db.server.ts";
import { serviceLevelNames } from "../catalogue/enums.ts";
import type { CatalogueSource, TableName } from "../catalogue/import-records.ts";
import { hasEnded, type Period } from "../catalogue/period.ts";
import type { RecordKind } from "../catalogue/record-kinds.ts";
import type { CargoType } from "../catalogue/route.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { invalid, Refusal } from "../errors.ts";
import { portRecord } from "../imports/ports.ts";
import { currentRoute, planRoute } from "../imports/routes.server.ts";
import * as queries from "./queries.server.ts";
import { codeField, type RecordInput } from "./records.ts";

type World = { db: Tx; clock: Context["clock"] };
type Source = { code: string; source: CatalogueSource };

/**
 * @throws invalid for a code that another port has, days that another period has, and a route that contradicts its group
 */
export const sourceOf = <Kind extends RecordKind>(
  world: World,
  kind: Kind,
  input: RecordInput<Kind>,
): Promise<Source> => sources[kind](world, input);

const one = (code: string, table: TableName, values: unknown): Source => ({
  code,
  source: { [table]: { file: table, rows: [{ line: 1, values }] } },
});

const sources: { [Kind in RecordKind]: (world: World, input: RecordInput<Kind>) => Promise<Source> } = {
  region: async (_world, { record_code: code, name, geography }) => one(code, "regions", { code, name, geography }),

  carrier: async (_world, { record_code: code, name, cargo_types }) =>
    one(code, "carriers", { code, name, cargoTypes: cargo_types }),

  port: async ({ db }, input) => {
    const { record_code: code, alt_unlocodes: altUnlocodes } = input;
    for (const [field, codes] of [
      [codeField, [code]],
      ["alt_unlocodes", altUnlocodes],
    ] as const) {
      const other = await queries.otherPortWith(db, codes, code);
      if (other !== null) throw invalid(field, `The port ${other} already has this code. Choose another`);
    }
    return one(code, "ports", portRecord(code, input));
  },

  trade_lane: async (_world, input) =>
    one(input.record_code, "tradeLanes", {
      code: input.record_code,
      name: input.name,
      // A lane is listed with the region where it begins.
      regionCode: input.origin_region_code,
      originRegionCode: input.origin_region_code,
      destinationRegionCode: input.destination_region_code,
      haul: input.haul,
    }),

  route_group: async (_world, input) =>
    one(input.record_code, "routeGroups", {
      code: input.record_code,
      name: input.name,
      tradeLaneCode: input.trade_lane_code,
      cargoType: input.cargo_type,
    }),

  route: async ({ db, clock }, input) => {
    const code = input.record_code;
    const group = await queries.findRecord(db, "route_group", { code: input.route_group_code });
    const route = {
      code,
      name: input.name,
      cargo_type: group?.values.cargo_type as CargoType,
      carrier_code: input.carrier_code,
      carrier_name: "",
      trade_lane_code: group?.values.trade_lane_code ?? "",
      route_group_code: input.route_group_code,
      origin_unlocode: input.origin_unlocode,
      destination_unlocode: input.destination_unlocode,
      via_unlocodes: input.via_unlocodes,
      distance_nm: input.distance_nm,
      sailings_per_week: input.sailings_per_week,
      departure_weekdays: input.departure_weekdays,
      data_freshness: "daily" as const,
    };
    const [first, ...others] = serviceLevelNames.flatMap((level, index) => {
      const days = input[`${level}_days`];
      return days === null ? [] : [{ ...route, row: index + 1, service_level: level, transit_time_days: days }];
    });
    if (!first) throw new Error("The form lets a route without service levels pass");
    const { findings, record } = await planRoute({ db, now: clock.now() }, [first, ...others]);
    if (!record) {
      const fields = new Map(findings.map(({ column, message }) => [column, { path: column, message }]));
      throw new Refusal("invalid", "The route contradicts the catalogue", { fields: [...fields.values()] });
    }
    // The form leaves periods alone; a new route has none.
    const before = await currentRoute(db, code);
    return one(code, "routes", { ...record, periods: before?.periods ?? [] });
  },

  period: async ({ db, clock }, input) => {
    const { route_code, starts_on: startsOn, ends_on: endsOn } = input;
    const code = input.record_code || `${route_code}/${startsOn}`;
    const route = await currentRoute(db, route_code);
    if (!route) throw invalid("route_code", `There is no route ${route_code}. Correct the code, or add it first`);
    const overlap = await queries.overlappingPeriod(db, { routeCode: route_code, startsOn, endsOn, except: code });
    if (overlap) throw invalid("starts_on", overlapMessage(overlap, startsOn));
    const before = route.periods.find((period) => period.code === code);
    if (before) refuseLateChange(before, input, dayOf(clock.now()));
    const period = {
      code,
      name: input.name || `From ${startsOn}`,
      startsOn,
      endsOn,
      freshness: input.freshness,
      successorCode: before?.successorCode ?? null,
    };
    const periods = [
      // Active subscriptions continue with the period that begins when theirs ends.
      ...route.periods
        .filter((each) => each.code !== code)
        .map((each) =>
          each.endsOn === startsOn && each.successorCode === null ? { ...each, successorCode: code } : each,
        ),
      period,
    ];
    return one(code, "routes", { ...route, periods });
  },
};

/** Subscribers have read the data of the days that are over. */
const refuseLateChange = (
  before: Pick<Period, "startsOn" | "endsOn" | "freshness">,
  { ends_on: endsOn, freshness }: RecordInput<"period">,
  today: Day,
): void => {
  if (freshness !== before.freshness && hasEnded(before, today)) {
    throw invalid("freshness", "The freshness of a period that has ended cannot be changed");
  }
  if (endsOn !== before.endsOn && endsOn !== null && endsOn < today) {
    throw invalid("ends_on", `Enter ${today} or a later day`);
  }
};

const overlapMessage = ({ code, endsOn }: { code: string; endsOn: Day | null }, startsOn: Day): string =>
  endsOn === null
    ? `The period ${code} is still open. End it on ${startsOn} or earlier, then add this one`
    : `The period ${code} lasts until ${endsOn}. Begin on that day or later`;
