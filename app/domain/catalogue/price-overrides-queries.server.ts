import { and, desc, eq, gt, gte, inArray, isNull, lt, lte, or, type Placeholder, sql } from "drizzle-orm";
import { accounts, periods, priceOverrides, routes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import type { PriceOverride } from "./price-overrides.ts";
import type { Freshness } from "./route.ts";

/** Joins periods with the override that applies on a day. There is at most one. */
export const overrideOn = (today: Day | Placeholder) =>
  and(
    eq(priceOverrides.routeId, periods.routeId),
    eq(priceOverrides.freshness, periods.freshness),
    isNull(priceOverrides.endedAt),
    lte(priceOverrides.validFrom, today),
    or(isNull(priceOverrides.validTo), gt(priceOverrides.validTo, today)),
  );

/** A route's data of one freshness. */
export type PricedData = { routeId: number; freshness: Freshness };

const notEnded = ({ routeId, freshness }: PricedData) =>
  and(eq(priceOverrides.routeId, routeId), eq(priceOverrides.freshness, freshness), isNull(priceOverrides.endedAt));

/** Ends what would apply from a day on, and lets what began before it end on it. */
export const endOverridesFrom = async (tx: Tx, data: PricedData, day: Day, now: Date): Promise<void> => {
  await tx
    .update(priceOverrides)
    .set({ endedAt: now })
    .where(and(notEnded(data), gte(priceOverrides.validFrom, day)));
  await tx
    .update(priceOverrides)
    .set({ validTo: day })
    .where(
      and(
        notEnded(data),
        lt(priceOverrides.validFrom, day),
        or(isNull(priceOverrides.validTo), gt(priceOverrides.validTo, day)),
      ),
    );
};

export const insertOverride = (tx: Tx, row: typeof priceOverrides.$inferInsert) =>
  tx.insert(priceOverrides).values(row);

/** Ends what applies today or later. @returns how many there were */
export const releaseOverrides = async (tx: Tx, data: PricedData, today: Day, now: Date): Promise<number> => {
  const released = await tx
    .update(priceOverrides)
    .set({ endedAt: now })
    .where(and(notEnded(data), or(isNull(priceOverrides.validTo), gt(priceOverrides.validTo, today))))
    .returning({ id: priceOverrides.id });
  return released.length;
};

/** Route documents show prices and are cached by version. */
export const touchRoutes = (tx: Tx, routeIds: number[], now: Date) =>
  tx
    .update(routes)
    .set({ version: sql`${routes.version} + 1`, updatedAt: now })
    .where(inArray(routes.id, routeIds));

/** The latest first. */
export const findOverrides = (db: Tx, { routeId, freshness }: PricedData, limit: number): Promise<PriceOverride[]> =>
  db
    .select({
      id: priceOverrides.id,
      kind: priceOverrides.kind,
      monthlyCents: priceOverrides.monthlyCents,
      reason: priceOverrides.reason,
      validFrom: priceOverrides.validFrom,
      validTo: priceOverrides.validTo,
      endedAt: priceOverrides.endedAt,
      operator: accounts.username,
    })
    .from(priceOverrides)
    .leftJoin(accounts, eq(accounts.id, priceOverrides.operatorAccountId))
    .where(and(eq(priceOverrides.routeId, routeId), eq(priceOverrides.freshness, freshness)))
    .orderBy(desc(priceOverrides.id))
    .limit(limit);
