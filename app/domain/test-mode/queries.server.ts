import { sql } from "drizzle-orm";
import { testClock } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

/** How far the clock is ahead, and the start and target of the move in progress, in milliseconds ahead of the system clock. */
export type ClockRow = { aheadMs: number; move: { fromMs: number; toMs: number } | null };

export const findClock = async (db: Tx): Promise<ClockRow> => {
  const [row] = await db.select().from(testClock);
  const { aheadMs = 0, movingFromMs = null, movingToMs = null } = row ?? {};
  return {
    aheadMs,
    move: movingFromMs === null || movingToMs === null ? null : { fromMs: movingFromMs, toMs: movingToMs },
  };
};

/** Saves the clock and notifies every process on this database, in one transaction. */
export const saveClock = (db: Tx, { aheadMs, move }: ClockRow): Promise<void> =>
  db.transaction(async (tx) => {
    const set = { aheadMs, movingFromMs: move?.fromMs ?? null, movingToMs: move?.toMs ?? null };
    await tx.insert(testClock).values(set).onConflictDoUpdate({ target: testClock.id, set });
    await tx.execute(sql`select pg_notify(${clockChannel}, '')`);
  });

export const clockChannel = "test_clock";
