/** A route's observations over time, for charts. @spec What the service does (hierarchy) */
import type { Caller } from "../accounts/caller.ts";
import { closestRateKind, type RateKind } from "../catalogue/rate-kind.ts";
import type { Report, ReportFilter } from "../catalogue/report.ts";
import {
  type ListedPeriod,
  listReports,
  nominalCapacityOf,
  rateKindsIn,
  routePeriods,
} from "../catalogue/route-data.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { forbidden, notFound } from "../errors.ts";
import { accessOf, findEntitlement, openedBy } from "./entitlement.server.ts";

/** More than a decade of weekly reports, or the last half year of hourly ones. */
const longestSeries = 5_000;

export type RouteSeries = {
  /** The periods whose reports these are, newest first. */
  periods: ListedPeriod[];
  /** What can be chosen. */
  rateKinds: RateKind[];
  /** What was chosen. Null: there are no rates. */
  rateKind: RateKind | null;
  /** Of a sailing, today. */
  nominalCapacity: number;
  /** Oldest first, one at a time. */
  reports: Record<Report["type"], Report[]>;
};

export type SeriesChoice = { id: number; equipmentType?: string | undefined; serviceLevel?: string | undefined };

/**
 * Everything that the account may read of a route's past. Rates are those of one equipment type and service level, the
 * closest to the choice.
 *
 * @throws not_found
 * @param caller null for a visitor, who may read samples
 * @throws forbidden without an active subscription unless the route is a sample, and for a suspended account
 */
export const readRouteSeries = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller | null,
  { id, ...choice }: SeriesChoice,
): Promise<RouteSeries> => {
  const today = dayOf(ctx.clock.now());
  const entitlement = await findEntitlement(ctx, caller, id);
  if (!entitlement) throw notFound("Route");
  if (!accessOf(today, caller, entitlement).hasAccess) throw forbidden();
  const periods = (await routePeriods(ctx, id, openedBy(today, entitlement))).filter(({ opened }) => opened);
  const periodIds = periods.map((period) => period.id);
  const rateKinds = await rateKindsIn(ctx, periodIds);
  const rateKind = closestRateKind(rateKinds, choice);
  const series = async (type: Report["type"], filter: Partial<ReportFilter> = {}) =>
    oneAtATime((await listReports(ctx, { ...filter, periodIds, type }, { limit: longestSeries })).rows);
  const [nominalCapacity, rate, capacity, schedule, performance] = await Promise.all([
    nominalCapacityOf(ctx, id),
    rateKind
      ? series("rate", { equipmentTypes: [rateKind.equipmentType], serviceLevel: rateKind.serviceLevel })
      : Promise.resolve([]),
    series("capacity"),
    series("schedule"),
    series("performance"),
  ]);
  return { periods, rateKinds, rateKind, nominalCapacity, reports: { rate, capacity, schedule, performance } };
};

/** Oldest first. Periods that overlap may report the same: of reports of one instant, the last one counts. */
const oneAtATime = (newestFirst: readonly Report[]): Report[] =>
  newestFirst
    .filter(({ observedAt }, i) => observedAt.getTime() !== newestFirst[i - 1]?.observedAt.getTime())
    .toReversed();
