import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import { periodPrices, periods, priceOverrides, routeGroups, routes } from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { dayOf } from "../dates.ts";
import type { PeriodPrice } from "./price-history.ts";
import { overrideOn } from "./price-overrides-queries.server.ts";
import { basePrices, freshnessFactor, isOnSale, monthlyCentsAt } from "./search-queries.server.ts";

/**
 * A price that an operator has set does not change with its factors, so those are compared without one only. Two changes at
 * the same instant leave one row, with the later figures.
 */
export const recordPrices = async (db: Tx, now: Date): Promise<number> => {
  const today = dayOf(now);
  const prices = basePrices(today);
  const recorded = await db.execute(sql`
    insert into period_prices
      (period_id, valid_from, base_price_cents, freshness_percent, popularity_percent, override_kind, monthly_cents, reason)
    select current.period_id, ${now.toISOString()}::timestamptz, current.base_price_cents, current.freshness_percent,
      current.popularity_percent, current.override_kind, current.monthly_cents,
      (case
        when last.period_id is null then 'initial'
        when current.override_kind is not null then current.override_kind::text
        when last.override_kind is not null and current.freshness_percent = last.freshness_percent then 'release'
        when current.base_price_cents <> last.base_price_cents then 'base_price'
        when current.freshness_percent <> last.freshness_percent then 'freshness'
        else 'popularity'
      end)::price_change_reason
    from (
      select ${periods.id} as period_id, ${prices.basePriceCents} as base_price_cents,
        ${freshnessFactor} as freshness_percent, ${routes.popularityPercent} as popularity_percent,
        ${priceOverrides.kind} as override_kind, ${monthlyCentsAt(prices.basePriceCents)} as monthly_cents
      from ${periods}
      join ${routes} on ${routes.id} = ${periods.routeId}
      join ${routeGroups} on ${routeGroups.id} = ${routes.routeGroupId}
      join ${prices} on ${prices.tradeLaneId} = ${routeGroups.tradeLaneId}
      left join ${priceOverrides} on ${overrideOn(today)}
      where ${isOnSale(today)}
    ) current
    left join lateral (
      select * from period_prices
      where period_prices.period_id = current.period_id
      order by valid_from desc limit 1
    ) last on true
    where (current.override_kind, current.monthly_cents) is distinct from (last.override_kind, last.monthly_cents)
      or (current.override_kind is null
        and (current.base_price_cents, current.freshness_percent, current.popularity_percent)
          is distinct from (last.base_price_cents, last.freshness_percent, last.popularity_percent))
    on conflict (period_id, valid_from) do update set
      base_price_cents = excluded.base_price_cents, freshness_percent = excluded.freshness_percent,
      popularity_percent = excluded.popularity_percent, override_kind = excluded.override_kind,
      monthly_cents = excluded.monthly_cents
    returning id`);
  return recorded.length;
};

export const priceHistory = (db: Tx, routeId: number, limit: number): Promise<PeriodPrice[]> =>
  priceHistoryIn(db).execute({ routeId, limit });

const priceHistoryIn = perDatabase((db) => {
  const { id: _, ...columns } = getTableColumns(periodPrices);
  return db
    .select({ ...columns, periodName: periods.name })
    .from(periodPrices)
    .innerJoin(periods, eq(periods.id, periodPrices.periodId))
    .where(eq(periods.routeId, sql.placeholder("routeId")))
    .orderBy(desc(periodPrices.validFrom), desc(periodPrices.id))
    .limit(sql.placeholder("limit"))
    .prepare("price_history");
});
