import { and, asc, desc, eq, gte, isNotNull, sql } from "drizzle-orm";
import { periods, reports, routes, serviceLevels } from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { isOneOf } from "../../platform/is-one-of.server.ts";
import type { ReportedSurcharge } from "./reported-surcharge.ts";
import type { BookingStatus, RateBasis, ServiceLevelName } from "./route.ts";

/** An all-in rate: the base rate and the surcharges are known. */
export type ObservedRate = {
  routeId: number;
  serviceLevel: ServiceLevelName;
  /** Empty for cargo other than containers. */
  equipmentType: string;
  basis: RateBasis;
  currency: string;
  observedAt: Date;
  baseRateCents: number;
  /** Null: only their total is known. */
  surcharges: ReportedSurcharge[] | null;
  surchargesCents: number;
};

/**
 * The latest rate of each route, equipment type, service level and currency, newest first. `earlierAllInCents` is that of the newest
 * report that is 28 to 42 days older. Null: there is none.
 */
export const latestRatesSince = async (
  db: Tx,
  periodIds: number[],
  since: Date,
): Promise<(ObservedRate & { earlierAllInCents: number | null })[]> => {
  const rows = await latestRatesIn(db).execute({ periodIds, since: since.toISOString() });
  return rows.map(({ id: _, place: __, ...rate }) => rate);
};

const latestRatesIn = perDatabase((db) => {
  const series = sql`${periods.routeId}, ${reports.equipmentType}, ${reports.serviceLevel}, ${reports.currency}`;
  // In hours, as days depend on the time zone of the connection. 42 days are excluded.
  const earlier = sql`(partition by ${series} order by ${reports.observedAt} desc
    range between interval '672 hours' following and interval '1007:59:59.999999' following)`;
  const rates = db
    .select({
      id: reports.id,
      routeId: periods.routeId,
      serviceLevel: reports.serviceLevel,
      equipmentType: reports.equipmentType,
      basis: sql<RateBasis>`${reports.basis}`.as("known_basis"),
      currency: sql<string>`${reports.currency}`.as("known_currency"),
      observedAt: reports.observedAt,
      baseRateCents: sql<number>`${reports.baseRateCents}`.as("known_base_rate"),
      surcharges: reports.surcharges,
      surchargesCents: sql<number>`${reports.surchargesCents}`.as("known_surcharges"),
      earlierAllInCents: sql<number | null>`first_value(${reports.baseRateCents} + ${reports.surchargesCents})
        over ${earlier}`.as("earlier_all_in"),
      place:
        sql<number>`row_number() over (partition by ${series} order by ${reports.observedAt} desc, ${reports.id} desc)`.as(
          "place",
        ),
    })
    .from(reports)
    .innerJoin(periods, eq(periods.id, reports.periodId))
    .where(
      and(
        isOneOf(periods.id, sql.placeholder("periodIds")),
        eq(reports.type, "rate"),
        isNotNull(reports.baseRateCents),
        isNotNull(reports.surchargesCents),
        gte(reports.observedAt, sql.placeholder("since")),
      ),
    )
    .as("rates");
  return db
    .select()
    .from(rates)
    .where(eq(rates.place, 1))
    .orderBy(desc(rates.observedAt), desc(rates.id))
    .prepare("latest_rates");
});

export const latestPerformance = (
  db: Tx,
  periodIds: number[],
  since: Date,
): Promise<{ routeId: number; onTimePercent: number }[]> =>
  latestPerformanceIn(db).execute({ periodIds, since: since.toISOString() });

const latestPerformanceIn = perDatabase((db) =>
  db
    .selectDistinctOn([periods.routeId], {
      routeId: periods.routeId,
      onTimePercent: sql<number>`${reports.onTimePercent}`,
    })
    .from(reports)
    .innerJoin(periods, eq(periods.id, reports.periodId))
    .where(
      and(
        isOneOf(periods.id, sql.placeholder("periodIds")),
        eq(reports.type, "performance"),
        isNotNull(reports.onTimePercent),
        gte(reports.observedAt, sql.placeholder("since")),
      ),
    )
    .orderBy(asc(periods.routeId), desc(reports.observedAt), desc(reports.id))
    .prepare("latest_performance"),
);

export type ObservedCapacity = {
  routeId: number;
  available: number;
  nominal: number;
  bookingStatus: BookingStatus;
  observedAt: Date;
};

export const capacities = (db: Tx, routeIds: number[]): Promise<ObservedCapacity[]> =>
  capacitiesIn(db).execute({ routeIds });

const capacitiesIn = perDatabase((db) =>
  db
    .select({
      routeId: routes.id,
      available: routes.capacityAvailable,
      nominal: routes.capacityNominal,
      bookingStatus: routes.bookingStatus,
      observedAt: routes.capacityObservedAt,
    })
    .from(routes)
    .where(isOneOf(routes.id, sql.placeholder("routeIds")))
    .prepare("capacities"),
);

export const transitTimes = (db: Tx, routeIds: number[]) => transitTimesIn(db).execute({ routeIds });

const transitTimesIn = perDatabase((db) =>
  db
    .select({
      routeId: serviceLevels.routeId,
      level: serviceLevels.level,
      transitDays: serviceLevels.transitDays,
    })
    .from(serviceLevels)
    .where(isOneOf(serviceLevels.routeId, sql.placeholder("routeIds")))
    .orderBy(asc(serviceLevels.level))
    .prepare("transit_times"),
);
