/** The test clock: it runs ahead of the system clock and only moves forward. */
import { setTimeout as sleep } from "node:timers/promises";
import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import { asLongWork } from "../../platform/time-budget.server.ts";
import type { Context } from "../context.ts";
import { millisecondsPerDay } from "../dates.ts";
import { conflict, invalid } from "../errors.ts";
import { nothingDone, runDueWork, sumOf, type WorkDone } from "../jobs/due-work.server.ts";
import * as queries from "./queries.server.ts";

/** The channel that notifies every process when the clock is moved. */
export const { clockChannel } = queries;

/** How far the test clock is ahead of the system clock, in milliseconds. */
export const readTestClock = async (ctx: Pick<Context, "db">): Promise<number> =>
  (await queries.findClock(ctx.db)).aheadMs;

/** Controls that exist in test mode only. */
export type TestModeControls = {
  /** Moves this process's clock to this many milliseconds ahead; never back. */
  moveClockTo(aheadMs: number): void;
  /** Resolves when the simulated payment provider has delivered all its webhooks. */
  idle(): Promise<void>;
  /** Aborted when the service stops. The move then ends, and resumes when the service starts again. */
  stopping: AbortSignal;
  /** Takes over a move that takes longer than its request waits. */
  inBackground(move: Promise<unknown>): void;
};

/** A move in progress: its start, its target and the current time. */
export type Moving = { from: Date; to: Date; at: Date };

/** The move in progress in any process; null when there is none. */
export const readMove = async (ctx: Pick<Context, "db" | "clock">): Promise<Moving | null> => {
  const { aheadMs, move } = await queries.findClock(ctx.db);
  if (!move) return null;
  const now = ctx.clock.now().getTime();
  return { from: new Date(now - aheadMs + move.fromMs), to: new Date(now - aheadMs + move.toMs), at: new Date(now) };
};

export type ClockMove = { to: Date } | { days: number };

/** The longest single move. */
export const longestMoveDays = 1_100;

/**
 * Moves the clock forward day by day and runs the work that is due on each day. Position and target are saved at every
 * step, so that an interrupted move resumes when a service starts on this database.
 *
 * @param timeoutMs how long to wait; after that the move continues in the background. Null waits until the end
 * @returns the time, the work done so far, and the rest of the move if it continues
 * @throws conflict for a move backwards, and while another move is in progress
 * @throws invalid for a move of more than `longestMoveDays`
 */
export const moveClock = async (
  ctx: Context,
  controls: TestModeControls,
  move: ClockMove,
  timeoutMs: number | null = null,
): Promise<{ now: Date; ran: WorkDone; moving: Moving | null }> => {
  const progress = { ran: nothingDone };
  const moved = exclusively(ctx, async () => {
    const { aheadMs } = await queries.findClock(ctx.db);
    controls.moveClockTo(aheadMs);
    await advance(ctx, controls, { fromMs: aheadMs, toMs: aheadMs + distanceOf(ctx, move) }, aheadMs, progress);
    return true;
  });
  const outcome = await (timeoutMs === null ? moved : orTimeout(moved, timeoutMs));
  if (outcome === null) throw conflict("The clock is already moving. GET /test-mode/clock shows its progress");
  if (outcome === "continues") controls.inBackground(moved.catch((error) => reportFailure(ctx, error)));
  return { now: ctx.clock.now(), ran: progress.ran, moving: outcome === true ? null : await readMove(ctx) };
};

/** @returns null while another move is in progress */
const exclusively = <Result>(ctx: Pick<Context, "db">, work: () => Promise<Result>): Promise<Result | null> =>
  asLongWork(() => withAdvisoryLock(ctx.db, "testClock", "leave", work));

const orTimeout = <Result>(work: Promise<Result>, timeoutMs: number): Promise<Result | "continues"> =>
  Promise.race([work, sleep(timeoutMs, "continues" as const, { ref: false })]);

/** Resumes a move that was interrupted, unless another process is running it. */
export const resumeMove = async (ctx: Context, controls: TestModeControls): Promise<void> => {
  // Taking the lock without this check could make a move requested at the same time fail.
  if ((await queries.findClock(ctx.db)).move === null) return;
  await exclusively(ctx, async () => {
    const { aheadMs, move } = await queries.findClock(ctx.db);
    if (!move) return;
    // The work of the last day may have been interrupted, so that day is run again first.
    await advance(ctx, controls, move, aheadMs, { ran: nothingDone });
  }).catch((error) => reportFailure(ctx, error));
};

const reportFailure = (ctx: Pick<Context, "log">, error: unknown) =>
  ctx.log.error("A move of the test clock failed", {}, error);

const distanceOf = (ctx: Pick<Context, "clock">, move: ClockMove): number => {
  const byMs = "days" in move ? move.days * millisecondsPerDay : move.to.getTime() - ctx.clock.now().getTime();
  if (byMs < 0) throw conflict(`The clock only moves forward; it is ${ctx.clock.now().toISOString()} now`);
  if (byMs > longestMoveDays * millisecondsPerDay) {
    throw invalid("days" in move ? "advance_days" : "now", `Must be at most ${longestMoveDays} days ahead`);
  }
  return byMs;
};

/** @param progress collects the work done, day by day */
const advance = async (
  ctx: Context,
  controls: TestModeControls,
  move: { fromMs: number; toMs: number },
  aheadMs: number,
  progress: { ran: WorkDone },
): Promise<void> => {
  let atMs = aheadMs;
  try {
    await queries.saveClock(ctx.db, { aheadMs: atMs, move });
    for (const [index, stepMs] of stepsOf(aheadMs, move).entries()) {
      const isOnTheWay = stepMs < move.toMs && index % 7 !== 6;
      if (controls.stopping.aborted) return;
      await withAdvisoryLock(ctx.db, "dueWork", "wait", async () => {
        atMs = stepMs;
        await queries.saveClock(ctx.db, { aheadMs: atMs, move });
        controls.moveClockTo(atMs);
        progress.ran = sumOf(progress.ran, await runDueWork(ctx, controls.stopping, { isOnTheWay }));
        await controls.idle();
      });
    }
    if (!controls.stopping.aborted) await queries.saveClock(ctx.db, { aheadMs: move.toMs, move: null });
  } catch (error) {
    // A failed move is not continued. If this cannot be saved either, it resumes at the next start.
    await queries.saveClock(ctx.db, { aheadMs: atMs, move: null }).catch(() => {});
    throw error;
  }
};

/** Every whole day of the move and its end; for a resumed move, also the position where it stopped. */
const stepsOf = (aheadMs: number, { fromMs, toMs }: { fromMs: number; toMs: number }): number[] => {
  const first = aheadMs > fromMs ? aheadMs : aheadMs + millisecondsPerDay;
  const steps: number[] = [];
  for (let step = first; step < toMs; step += millisecondsPerDay) steps.push(step);
  return [...steps, toMs];
};
