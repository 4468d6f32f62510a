/** Reading benchmarks: free in part, in full with an active subscription to any route of the trade lane. */
import type { Caller } from "../accounts/caller.ts";
import { usualEquipmentType } from "../catalogue/equipment.ts";
import { type CargoType, rateBasis } from "../catalogue/route.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import { subscribedRouteIds } from "../subscriptions/entitlement.server.ts";
import { addWeeks, weekOf } from "./benchmark.ts";
import { type LaneBenchmark, shownBenchmark } from "./lane-benchmark.ts";
import { shownWeeks } from "./policy.ts";
import * as queries from "./queries.server.ts";

type World = Pick<Context, "db" | "clock">;

export type BenchmarkFilter = {
  tradeLane: string;
  cargoType?: CargoType | undefined;
  /** ISO 6346. Leaves out cargo other than containers. */
  equipmentType?: string | undefined;
};

/**
 * The benchmarks of a trade lane, one for each kind of cargo and container with enough routes. None if there is no such
 * lane.
 *
 * @param caller null for a visitor
 */
export const benchmarksOfLane = async (
  ctx: World,
  caller: Caller | null,
  { tradeLane, cargoType, equipmentType }: BenchmarkFilter,
): Promise<LaneBenchmark[]> => {
  const lane = await queries.findLane(ctx.db, tradeLane);
  if (!lane) return [];
  const found = await benchmarksOfLanes(ctx, caller, [lane.id]);
  return found.filter(
    (one) =>
      (cargoType === undefined || one.cargoType === cargoType) &&
      (equipmentType === undefined || one.equipmentType === equipmentType),
  );
};

/** The benchmarks of several trade lanes, by lane and cargo type. @param caller null for a visitor */
export const benchmarksOfLanes = async (
  ctx: World,
  caller: Caller | null,
  tradeLaneIds: number[],
): Promise<LaneBenchmark[]> => {
  if (tradeLaneIds.length === 0) return [];
  const current = weekOf(dayOf(ctx.clock.now()));
  const [lanes, series, subscribed] = await Promise.all([
    queries.findLanes(ctx.db, tradeLaneIds),
    queries.listBenchmarks(ctx.db, { tradeLaneIds, from: addWeeks(current, -2 * shownWeeks) }),
    subscribedRouteIds(ctx, caller).then((routeIds) => queries.lanesOfRoutes(ctx.db, routeIds)),
  ]);
  const laneById = new Map(lanes.map((lane) => [lane.id, lane]));
  return series.flatMap(({ tradeLaneId, cargoType, equipmentType, weeks }) => {
    const tradeLane = laneById.get(tradeLaneId);
    if (!tradeLane) return [];
    const access = subscribed.has(tradeLane.id) ? "full" : "free";
    const shown = shownBenchmark(weeks, access, current);
    if (!shown) return [];
    return { tradeLane, cargoType, equipmentType, basis: rateBasis[cargoType], access, ...shown };
  });
};

/** One benchmark per trade lane: of the usual container, or else of its first cargo. */
export const usualBenchmarks = (benchmarks: readonly LaneBenchmark[]): LaneBenchmark[] =>
  [...groupBy(benchmarks, ({ tradeLane }) => tradeLane.id).values()].flatMap(
    (ofLane) => ofLane.find(({ equipmentType }) => equipmentType === usualEquipmentType) ?? ofLane[0] ?? [],
  );
