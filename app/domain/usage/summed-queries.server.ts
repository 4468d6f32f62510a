/** Totals of accounts that are summed up when their time is over, and how far they are. */
import { eq, min, type SQL, sql } from "drizzle-orm";
import { usageAccountDays, usageAccountMonths, usageDays, usageSummed } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";

export type SummedPeriod = (typeof usageSummed.$inferSelect)["period"];

/** Within a statement, the first day that is not summed up. */
export const firstNotSummed = (period: SummedPeriod): SQL =>
  sql`coalesce((select ${usageSummed.before} from ${usageSummed} where ${usageSummed.period} = ${sql.raw(`'${period}'`)}), '-infinity')`;

/** The first day that is not summed up. Null: none is. */
export const findSummedBefore = async (db: Tx, period: SummedPeriod): Promise<Day | null> => {
  const [row] = await db.select().from(usageSummed).where(eq(usageSummed.period, period));
  return row?.before ?? null;
};

/** Reads the whole table. */
export const firstUsedDay = async (db: Tx): Promise<Day | null> => {
  const [row] = await db.select({ day: min(usageDays.day) }).from(usageDays);
  return row?.day ?? null;
};

/**
 * Sums up the days of one day or month, and notes it, so that both are seen at once. Totals that are there already are
 * replaced.
 */
export const sumUp = (db: Tx, period: SummedPeriod, from: Day, before: Day): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.execute(insertTotals[period](from, before));
    await tx
      .insert(usageSummed)
      .values({ period, before })
      .onConflictDoUpdate({ target: usageSummed.period, set: { before } });
  });

/** From the totals that have an index by day. */
const insertTotals: Record<SummedPeriod, (from: Day, before: Day) => SQL> = {
  days: (from, before) => sql`
    insert into ${usageAccountDays} (account_id, day, api_key_id, requests, errors, rate_limited)
    select account_id, day, api_key_id, sum(requests), sum(errors), sum(rate_limited)
    from ${usageDays} where day >= ${from} and day < ${before}
    group by 1, 2, 3
    on conflict (account_id, day, api_key_id) do update set
      requests = excluded.requests, errors = excluded.errors, rate_limited = excluded.rate_limited`,
  months: (from, before) => sql`
    insert into ${usageAccountMonths} (
      account_id, month, api_key_id, endpoint, route_id, requests, errors, rate_limited, last_at
    )
    select account_id, ${from}::date, api_key_id, endpoint, route_id,
      sum(requests), sum(errors), sum(rate_limited), max(last_at)
    from ${usageDays} where day >= ${from} and day < ${before}
    group by 1, 3, 4, 5
    on conflict (account_id, month, api_key_id, endpoint, route_id) do update set
      requests = excluded.requests, errors = excluded.errors, rate_limited = excluded.rate_limited,
      last_at = excluded.last_at`,
};
