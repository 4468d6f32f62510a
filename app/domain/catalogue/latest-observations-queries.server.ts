import { and, asc, desc, eq, gte, inArray, isNotNull, sql } from "drizzle-orm";
import { periods, reports, routes, serviceLevels } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
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

const isOneOf = (periodIds: number[]) => sql`${periods.id} = any(${sql.param(periodIds)}::int[])`;

/** Newest first. */
export const ratesSince = (db: Tx, periodIds: number[], since: Date): Promise<ObservedRate[]> =>
  db
    .select({
      routeId: periods.routeId,
      serviceLevel: reports.serviceLevel,
      equipmentType: reports.equipmentType,
      basis: sql<RateBasis>`${reports.basis}`,
      currency: sql<string>`${reports.currency}`,
      observedAt: reports.observedAt,
      baseRateCents: sql<number>`${reports.baseRateCents}`,
      surcharges: reports.surcharges,
      surchargesCents: sql<number>`${reports.surchargesCents}`,
    })
    .from(reports)
    .innerJoin(periods, eq(periods.id, reports.periodId))
    .where(
      and(
        isOneOf(periodIds),
        eq(reports.type, "rate"),
        isNotNull(reports.baseRateCents),
        isNotNull(reports.surchargesCents),
        gte(reports.observedAt, since),
      ),
    )
    .orderBy(desc(reports.observedAt), desc(reports.id));

export const latestPerformance = (
  db: Tx,
  periodIds: number[],
  since: Date,
): Promise<{ routeId: number; onTimePercent: number }[]> =>
  db
    .selectDistinctOn([periods.routeId], {
      routeId: periods.routeId,
      onTimePercent: sql<number>`${reports.onTimePercent}`,
    })
    .from(reports)
    .innerJoin(periods, eq(periods.id, reports.periodId))
    .where(
      and(
        isOneOf(periodIds),
        eq(reports.type, "performance"),
        isNotNull(reports.onTimePercent),
        gte(reports.observedAt, since),
      ),
    )
    .orderBy(asc(periods.routeId), desc(reports.observedAt), desc(reports.id));

export type ObservedCapacity = {
  routeId: number;
  available: number;
  nominal: number;
  bookingStatus: BookingStatus;
  observedAt: Date;
};

export const capacities = (db: Tx, routeIds: number[]): Promise<ObservedCapacity[]> =>
  db
    .select({
      routeId: routes.id,
      available: routes.capacityAvailable,
      nominal: routes.capacityNominal,
      bookingStatus: routes.bookingStatus,
      observedAt: routes.capacityObservedAt,
    })
    .from(routes)
    .where(inArray(routes.id, routeIds));

export const transitTimes = (db: Tx, routeIds: number[]) =>
  db
    .select({
      routeId: serviceLevels.routeId,
      level: serviceLevels.level,
      transitDays: serviceLevels.transitDays,
    })
    .from(serviceLevels)
    .where(inArray(serviceLevels.routeId, routeIds))
    .orderBy(asc(serviceLevels.level));
