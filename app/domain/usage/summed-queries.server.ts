/** Totals of accounts, which are summed up once a day is over, and how far they are. */
import { eq, gte, min, type SQL, sql } from "drizzle-orm";
import { usageAccountDays, usageAccountMonths, usageDays, usageSummed } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { type Day, firstOfMonth } from "../dates.ts";
import type { SummedPeriod } from "./summed-columns.server.ts";

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
 * Adds the days from `from` until before `before`, all of one month, to the totals, and notes it, so that both are seen at once.
 *
 * @returns false if the days before `from` are not what is summed up, because of another run. Nothing was done then
 */
export const sumUp = (db: Tx, period: SummedPeriod, from: Day, before: Day): Promise<boolean> =>
  alone(db, async (tx) => {
    const summedBefore = await findSummedBefore(tx, period);
    if (summedBefore !== null && summedBefore !== from) return false;
    await tx.execute(addTotals[period](from, before));
    await note(tx, period, before);
    return true;
  });

/** Deletes the totals from a day or month on, so that they can be summed up again. Reads the whole table. */
export const deleteSummed = (db: Tx, period: SummedPeriod, from: Day): Promise<void> =>
  alone(db, async (tx) => {
    await (period === "days"
      ? tx.delete(usageAccountDays).where(gte(usageAccountDays.day, from))
      : tx.delete(usageAccountMonths).where(gte(usageAccountMonths.month, from)));
    await note(tx, period, from);
  });

/** Readers do not wait, but other runs do. There may be no row to lock. */
const alone = <Result>(db: Tx, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${usageSummed} in share row exclusive mode`);
    return work(tx);
  });

const note = (tx: Tx, period: SummedPeriod, before: Day) =>
  tx.insert(usageSummed).values({ period, before }).onConflictDoUpdate({ target: usageSummed.period, set: { before } });

/** From the totals that have an index by day. */
const addTotals: Record<SummedPeriod, (from: Day, before: Day) => SQL> = {
  days: (from, before) => sql`
    insert into ${usageAccountDays} (account_id, day, api_key_id, requests, errors, rate_limited)
    select account_id, day, api_key_id, sum(requests), sum(errors), sum(rate_limited)
    from ${usageDays} where day >= ${from} and day < ${before}
    group by 1, 2, 3
    on conflict (account_id, day, api_key_id) do update set
      requests = excluded.requests, errors = excluded.errors, rate_limited = excluded.rate_limited`,
  months: (from, before) => sql`
    insert into ${usageAccountMonths} as known (
      account_id, month, api_key_id, endpoint, route_id, requests, errors, rate_limited, last_at
    )
    select account_id, ${firstOfMonth(from)}::date, api_key_id, endpoint, route_id,
      sum(requests), sum(errors), sum(rate_limited), max(last_at)
    from ${usageDays} where day >= ${from} and day < ${before}
    group by 1, 3, 4, 5
    on conflict (account_id, month, api_key_id, endpoint, route_id) do update set
      requests = known.requests + excluded.requests, errors = known.errors + excluded.errors,
      rate_limited = known.rate_limited + excluded.rate_limited, last_at = excluded.last_at`,
};
