import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../platform/db.server.ts";

/** The requests of a subject in one window. */
export type WindowCount = { subject: string; windowSeconds: number; windowNumber: number; requests: number };

/**
 * Adds to the counts of these windows, each of which is given once. All processes lock the rows in the same order.
 *
 * @returns the new counts, without those of windows that are too old to be counted
 */
export const addRequests = (db: Tx, counts: readonly WindowCount[]): Promise<WindowCount[]> =>
  db.execute<WindowCount>(sql`
    insert into rate_limit_counters as counter (subject, window_seconds, slot, window_number, requests)
    select distinct on (subject, window_seconds, window_number % 2)
      subject, window_seconds, window_number % 2, window_number, requests
    from ${windowsOf(counts)}
    order by subject, window_seconds, window_number % 2, window_number desc
    on conflict (subject, window_seconds, slot) do update set
      requests = excluded.requests
        + case when counter.window_number = excluded.window_number then counter.requests else 0 end,
      window_number = excluded.window_number
    where counter.window_number <= excluded.window_number
    returning subject, window_seconds as "windowSeconds", window_number::float8 as "windowNumber", requests`);

/** Takes requests out of these windows; none falls below zero. */
export const removeRequests = async (db: Tx, counts: readonly WindowCount[]): Promise<void> => {
  await db.execute(sql`
    with removed as (
      select subject, window_seconds, counter.slot, given.requests
      from ${windowsOf(counts)} join rate_limit_counters counter using (subject, window_seconds, window_number)
      order by subject, window_seconds, slot for update of counter
    )
    update rate_limit_counters counter set requests = greatest(0, counter.requests - removed.requests)
    from removed
    where (counter.subject, counter.window_seconds, counter.slot) = (removed.subject, removed.window_seconds, removed.slot)`);
};

export const findRequests = (db: Tx, counts: readonly WindowCount[]): Promise<WindowCount[]> =>
  db.execute<WindowCount>(sql`
    select subject, window_seconds as "windowSeconds", window_number::float8 as "windowNumber", counter.requests
    from ${windowsOf(counts)} join rate_limit_counters counter using (subject, window_seconds, window_number)`);

/** @returns how many counts were deleted */
export const deleteEndedWindows = async (db: Tx, now: Date): Promise<number> => {
  const [row] = await db.execute<{ deleted: number }>(sql`
    with deleted as (
      delete from rate_limit_counters
      where (window_number + 2) * window_seconds < extract(epoch from ${now.toISOString()}::timestamptz)
      returning 1
    )
    select count(*)::integer as deleted from deleted`);
  return row?.deleted ?? 0;
};

const windowsOf = (counts: readonly WindowCount[]): SQL =>
  sql`unnest(${columnOf(counts, "subject")}::text[], ${columnOf(counts, "windowSeconds")}::smallint[],
    ${columnOf(counts, "windowNumber")}::bigint[], ${columnOf(counts, "requests")}::integer[])
    given (subject, window_seconds, window_number, requests)`;

const columnOf = (counts: readonly WindowCount[], column: keyof WindowCount) =>
  sql.param(counts.map((count) => count[column]));
