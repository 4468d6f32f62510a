/** Test mode's clock, which runs ahead of the machine's and is only ever moved forward. */
import { setTimeout as sleep } from "node:timers/promises";
import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import { asLongWork } from "../../platform/time-budget.server.ts";
import type { Context } from "../context.ts";
import { conflict, invalid } from "../errors.ts";
import { nothingDone, runDueWork, sumOf, type WorkDone } from "../jobs/due-work.server.ts";
import * as queries from "./queries.server.ts";

/** The channel on which every process hears that the clock was moved. */
export const { clockChannel } = queries;

/** How far the test clock runs ahead of the machine's, in milliseconds. */
export const readTestClock = async (ctx: Pick<Context, "db">): Promise<number> =>
  (await queries.findClock(ctx.db)).aheadMs;

/** What only test mode has. */
export type TestModeControls = {
  /** Sets how far this process's clock runs ahead, unless it is further ahead already. */
  moveClockTo(aheadMs: number): void;
  /** Resolves when the simulated payment provider has nothing more to report. */
  idle(): Promise<void>;
  /** Aborted when the service stops: a move then ends, and goes on when the service starts again. */
  stopping: AbortSignal;
  /** Is given a move whose request does not wait for it any longer. */
  inBackground(move: Promise<unknown>): void;
};

/** A move under way: where the clock was, where it goes, and what time it is now. */
export type Moving = { from: Date; to: Date; at: Date };

/** The move under way, in whichever process; null: there is none. */
export const readMove = async (ctx: Pick<Context, "db" | "clock">): Promise<Moving | null> => {
  const { aheadMs, move } = await queries.findClock(ctx.db);
  if (!move) return null;
  const now = ctx.clock.now().getTime();
  return { from: new Date(now - aheadMs + move.fromMs), to: new Date(now - aheadMs + move.toMs), at: new Date(now) };
};

export type ClockMove = { to: Date } | { days: number };

const dayMs = 86_400_000;
/** Of one move: three years. */
export const longestMoveDays = 1_100;

/**
 * Moves the clock forward, day by day, and runs on each day what has become due by then. Where the clock is and where it
 * goes is saved at each step: a move that is interrupted is resumed when a service starts on this database.
 *
 * @param patienceMs how long to wait for the end; after that, the move goes on in the background. Null: to the end
 * @returns the time, what was done on the way, and the rest of the move if there is one
 * @throws conflict backwards, and while another move is under way
 * @throws invalid further than three years at once
 */
export const moveClock = async (
  ctx: Context,
  controls: TestModeControls,
  move: ClockMove,
  patienceMs: number | null = null,
): Promise<{ now: Date; ran: WorkDone; moving: Moving | null }> => {
  const journey = { ran: nothingDone };
  const travelling = alone(ctx, async () => {
    const { aheadMs } = await queries.findClock(ctx.db);
    controls.moveClockTo(aheadMs);
    await travel(ctx, controls, { fromMs: aheadMs, toMs: aheadMs + distanceOf(ctx, move) }, aheadMs, journey);
    return true;
  });
  const isOver = await (patienceMs === null ? travelling : orGone(travelling, patienceMs));
  if (isOver === null) throw conflict("The clock is being moved already; GET /test-mode/clock shows how far it is");
  if (isOver === "goes on") controls.inBackground(travelling.catch((error) => reportFailure(ctx, error)));
  return { now: ctx.clock.now(), ran: journey.ran, moving: isOver === true ? null : await readMove(ctx) };
};

/** Null: another move is under way. */
const alone = <Result>(ctx: Pick<Context, "db">, work: () => Promise<Result>): Promise<Result | null> =>
  asLongWork(() => withAdvisoryLock(ctx.db, "testClock", "leave", work));

const orGone = <Result>(work: Promise<Result>, patienceMs: number): Promise<Result | "goes on"> =>
  Promise.race([work, sleep(patienceMs, "goes on" as const, { ref: false })]);

/** Continues a move that ended with its process, unless another process is at it. */
export const resumeMove = async (ctx: Context, controls: TestModeControls): Promise<void> => {
  // Without a look first, the lock would refuse somebody who moves the clock at this moment.
  if ((await queries.findClock(ctx.db)).move === null) return;
  await alone(ctx, async () => {
    const { aheadMs, move } = await queries.findClock(ctx.db);
    if (!move) return;
    // The work of the day where it stopped may have been interrupted: that day comes first.
    await travel(ctx, controls, move, aheadMs, { ran: nothingDone });
  }).catch((error) => reportFailure(ctx, error));
};

const reportFailure = (ctx: Pick<Context, "log">, error: unknown) =>
  ctx.log.error("A move of the test clock failed", {}, error);

const distanceOf = (ctx: Pick<Context, "clock">, move: ClockMove): number => {
  const byMs = "days" in move ? move.days * dayMs : move.to.getTime() - ctx.clock.now().getTime();
  if (byMs < 0) throw conflict(`The clock only moves forward; it is ${ctx.clock.now().toISOString()} now`);
  if (byMs > longestMoveDays * dayMs) {
    throw invalid("days" in move ? "advance_days" : "now", `At most ${longestMoveDays} days ahead at once`);
  }
  return byMs;
};

/** @param journey is told what was done, day by day */
const travel = async (
  ctx: Context,
  controls: TestModeControls,
  move: { fromMs: number; toMs: number },
  aheadMs: number,
  journey: { ran: WorkDone },
): Promise<void> => {
  let atMs = aheadMs;
  try {
    await queries.saveClock(ctx.db, { aheadMs: atMs, move });
    for (const stepMs of stepsOf(aheadMs, move)) {
      if (controls.stopping.aborted) return;
      await withAdvisoryLock(ctx.db, "dueWork", "wait", async () => {
        atMs = stepMs;
        await queries.saveClock(ctx.db, { aheadMs: atMs, move });
        controls.moveClockTo(atMs);
        journey.ran = sumOf(journey.ran, await runDueWork(ctx, controls.stopping));
        await controls.idle();
      });
    }
    if (!controls.stopping.aborted) await queries.saveClock(ctx.db, { aheadMs: move.toMs, move: null });
  } catch (error) {
    // A move that fails is over. If not even this can be saved, it is resumed at the next start.
    await queries.saveClock(ctx.db, { aheadMs: atMs, move: null }).catch(() => {});
    throw error;
  }
};

/** Every whole day on the way, and the end of it; for a move that is resumed, also where it stopped. */
const stepsOf = (aheadMs: number, { fromMs, toMs }: { fromMs: number; toMs: number }): number[] => {
  const first = aheadMs > fromMs ? aheadMs : aheadMs + dayMs;
  const steps: number[] = [];
  for (let step = first; step < toMs; step += dayMs) steps.push(step);
  return [...steps, toMs];
};
