/** Test mode's clock, which runs ahead of the machine's and is only ever moved forward. */
import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import type { Context } from "../context.ts";
import { conflict, invalid } from "../errors.ts";
import { nothingDone, runDueWork, sumOf, type WorkDone } from "../jobs/due-work.server.ts";
import * as queries from "./queries.server.ts";

/** How far the test clock runs ahead of the machine's, in milliseconds. */
export const readTestClock = (ctx: Pick<Context, "db">): Promise<number> => queries.findAheadMs(ctx.db);

/** What only test mode has. */
export type TestModeControls = {
  /** Sets how far this process's clock runs ahead. */
  moveClockTo(aheadMs: number): void;
  /** Resolves when the simulated payment provider has nothing more to report. */
  idle(): Promise<void>;
};

export type ClockMove = { to: Date } | { days: number };

const dayMs = 86_400_000;
/** Of one move: three years, which take some minutes at most. */
export const longestMoveDays = 1_100;

/**
 * Moves the clock forward, day by day, and runs on each day what has become due by then. Where it has got to is written
 * down at each step, so that an interrupted move is not repeated.
 *
 * @returns the new time, and what was done on the way
 * @throws conflict backwards
 * @throws invalid further than three years at once
 */
export const moveClock = async (
  ctx: Context,
  controls: TestModeControls,
  move: ClockMove,
): Promise<{ now: Date; ran: WorkDone }> => {
  const outcome = await withAdvisoryLock(ctx.db, "dueWork", "wait", async () => {
    const aheadMs = await readTestClock(ctx);
    const byMs = "days" in move ? move.days * dayMs : move.to.getTime() - ctx.clock.now().getTime();
    if (byMs < 0) throw conflict(`The clock only moves forward; it is ${ctx.clock.now().toISOString()} now`);
    if (byMs > longestMoveDays * dayMs) {
      throw invalid("days" in move ? "advance_days" : "now", `At most ${longestMoveDays} days ahead at once`);
    }
    let ran = nothingDone;
    for (const offsetMs of stepsTo(byMs)) {
      await queries.setAheadMs(ctx.db, aheadMs + offsetMs);
      controls.moveClockTo(aheadMs + offsetMs);
      ran = sumOf(ran, await runDueWork(ctx));
      await controls.idle();
    }
    return ran;
  });
  return { now: ctx.clock.now(), ran: outcome ?? nothingDone };
};

/** Every whole day on the way, and the end of it. */
const stepsTo = (byMs: number): number[] => {
  const wholeDays = Math.ceil(byMs / dayMs) - 1;
  return [...Array.from({ length: Math.max(0, wholeDays) }, (_, index) => (index + 1) * dayMs), byMs];
};
