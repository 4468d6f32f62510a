/** The nightly computation of all trade lanes' benchmarks. */
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { addWeeks, benchmarkOf, weekOf } from "./benchmark.ts";
import { recomputedWeeks } from "./policy.ts";
import * as queries from "./queries.server.ts";

/**
 * Computes the benchmarks of the last weeks again, and those of all weeks after a catalogue file was imported, because it
 * may change the past. A week counts once it is over. Idempotent: equal reports make equal benchmarks.
 *
 * @returns how many were written
 */
export const computeBenchmarks = async (ctx: Pick<Context, "db" | "clock">, signal?: AbortSignal): Promise<number> => {
  const now = ctx.clock.now();
  const range = { from: await firstWeek(ctx, now), before: weekOf(dayOf(now)) };
  let written = 0;
  // PostgreSQL writes one lane while the next one is read and computed.
  let writing: Promise<void> = Promise.resolve();
  for (const laneId of await queries.laneIds(ctx.db)) {
    if (signal?.aborted) break;
    const weeks = await queries.weeklyRates(ctx.db, laneId, range);
    const rows = weeks.flatMap(({ rates, ...kind }) => {
      const benchmark = benchmarkOf(rates);
      return benchmark ? { tradeLaneId: laneId, ...kind, ...benchmark, computedAt: now } : [];
    });
    await writing;
    writing = queries.replaceBenchmarks(ctx.db, laneId, range, rows);
    // Whoever waits for it gets the error.
    writing.catch(() => {});
    written += rows.length;
  }
  await writing;
  return written;
};

/** Null: all. After a pause it begins where the last run ended. */
const firstWeek = async ({ db }: Pick<Context, "db">, now: Date): Promise<Day | null> => {
  const last = await queries.lastComputed(db);
  if (!last || last.isOutdated) return null;
  const recent = addWeeks(weekOf(dayOf(now)), -recomputedWeeks);
  return [last.week, recent].toSorted()[0] ?? recent;
};
