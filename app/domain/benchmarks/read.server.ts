/** Reading benchmarks: free in part, in full with an active subscription to any route of the trade lane. */
import type { Caller } from "../accounts/caller.ts";
import type { Named } from "../catalogue/browse.ts";
import { usualEquipmentType } from "../catalogue/equipment.ts";
import { type CargoType, rateBasis } from "../catalogue/route.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { subscribedLaneIds } from "../subscriptions/entitlement.server.ts";
import { addWeeks, changePercent, weekOf } from "./benchmark.ts";
import { type LaneBenchmark, lastShownWeek, type Market, shownBenchmark } from "./lane-benchmark.ts";
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
  const current = currentWeek(ctx);
  const [lane, series, subscribed] = await Promise.all([
    queries.findLane(ctx.db, tradeLane),
    queries.listBenchmarks(ctx.db, { tradeLane, from: addWeeks(current, -2 * shownWeeks) }),
    subscribedLaneIds(ctx, caller),
  ]);
  const wanted = series.filter(
    (one) =>
      (cargoType === undefined || one.cargoType === cargoType) &&
      (equipmentType === undefined || one.equipmentType === equipmentType),
  );
  return shownOf(wanted, lane ? [lane] : [], subscribed, current);
};

/**
 * One benchmark for each trade lane of a region, by the lane's name: of the usual container, or else of its first cargo.
 *
 * @param caller null for a visitor
 */
export const usualBenchmarks = async (
  ctx: World,
  caller: Caller | null,
  { region }: { region: string },
): Promise<LaneBenchmark[]> => {
  const current = currentWeek(ctx);
  const [lanes, series, subscribed] = await Promise.all([
    queries.findLanesOfRegion(ctx.db, region),
    queries.listUsualBenchmarks(ctx.db, {
      region,
      equipmentType: usualEquipmentType,
      from: addWeeks(current, -2 * shownWeeks),
      // Everybody sees these.
      among: {
        first: addWeeks(lastShownWeek(current, "full"), 1 - shownWeeks),
        last: lastShownWeek(current, "free"),
      },
    }),
    subscribedLaneIds(ctx, caller),
  ]);
  const benchmarkOf = new Map(shownOf(series, lanes, subscribed, current).map((one) => [one.tradeLane.id, one]));
  return lanes.flatMap(({ id }) => benchmarkOf.get(id) ?? []);
};

const currentWeek = ({ clock }: World): Day => weekOf(dayOf(clock.now()));

const shownOf = (
  series: readonly queries.BenchmarkSeries[],
  lanes: readonly Named[],
  subscribed: ReadonlySet<number>,
  current: Day,
): LaneBenchmark[] =>
  series.flatMap(({ tradeLaneId, cargoType, equipmentType, weeks }) => {
    const tradeLane = lanes.find(({ id }) => id === tradeLaneId);
    if (!tradeLane) return [];
    const access = subscribed.has(tradeLane.id) ? "full" : "free";
    const shown = shownBenchmark(weeks, access, current);
    if (!shown) return [];
    return { tradeLane, cargoType, equipmentType, basis: rateBasis[cargoType], access, ...shown };
  });

/** The newest week of each benchmark of these trade lanes. Only of lanes with an active subscription to one of their routes. */
export const markets = async (ctx: World, caller: Caller | null, tradeLaneIds: number[]): Promise<Market[]> => {
  if (tradeLaneIds.length === 0) return [];
  const until = lastShownWeek(currentWeek(ctx), "full");
  const [latest, subscribed] = await Promise.all([
    queries.latestBenchmarks(ctx.db, { tradeLaneIds, from: addWeeks(until, 1 - shownWeeks), until }),
    subscribedLaneIds(ctx, caller),
  ]);
  return latest
    .filter(({ tradeLaneId }) => subscribed.has(tradeLaneId))
    .map(({ before4, before13, before52, ...newest }) => ({
      ...newest,
      weeks4: changePercent(before4, newest.medianCents),
      weeks13: changePercent(before13, newest.medianCents),
      weeks52: changePercent(before52, newest.medianCents),
    }));
};
