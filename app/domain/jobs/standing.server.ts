/** Whether scheduled work is done in time, for monitors and operators; and whether Inngest still calls. */
import type { Context } from "../context.ts";
import { isOverdue } from "./job.ts";
import * as queries from "./queries.server.ts";
import { allJobs } from "./registry.server.ts";

/**
 * - `overdue`: jobs have missed a scheduled time by more than 30 minutes.
 * - `inngest_silent`: Inngest has not called for 15 minutes; it calls every minute when all is well.
 * - `inngest_unregistered`: the last registration at Inngest failed; a changed schedule may not have arrived there.
 */
export type Standing = {
  status: "ok" | "overdue" | "inngest_silent" | "inngest_unregistered";
  overdueJobs: string[];
  /** Null without Inngest. */
  inngest: { lastCallAt: Date | null; registeredAt: Date | null; registrationError: string | null } | null;
};

const overdueMs = 30 * 60_000;
const silentMs = 15 * 60_000;

/** @param started when this process did, by the service's clock and really */
export const standingOf = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock">,
  { usesInngest, started }: { usesInngest: boolean; started: { at: Date; really: Date } },
): Promise<Standing> => {
  const [states, contact] = await Promise.all([
    queries.findStates(ctx.db),
    usesInngest ? queries.findContact(ctx.db) : null,
  ]);
  const now = ctx.clock.now();
  const stateOf = new Map(states.map((state) => [state.job, state]));
  const overdueJobs = allJobs
    .filter((job) => isOverdue(job, stateOf.get(job.id), { now, since: started.at, lateMs: overdueMs }))
    .map(({ id }) => id);
  const { calledAt = null, registeredAt = null, registrationError = null } = contact ?? {};
  const isSilent =
    usesInngest && ctx.deviceClock.now().getTime() - latest(calledAt, started.really).getTime() >= silentMs;
  return {
    status: statusOf(overdueJobs.length > 0, isSilent, registrationError !== null),
    overdueJobs,
    inngest: usesInngest ? { lastCallAt: calledAt, registeredAt, registrationError } : null,
  };
};

const statusOf = (isOverdue: boolean, isSilent: boolean, isUnregistered: boolean): Standing["status"] => {
  if (isOverdue) return "overdue";
  if (isSilent) return "inngest_silent";
  return isUnregistered ? "inngest_unregistered" : "ok";
};

const latest = (a: Date | null, b: Date): Date => (a !== null && a > b ? a : b);

/** When Inngest called last, or when this process started if that is later. In real time. */
export const silentSince = async (ctx: Pick<Context, "db">, startedAt: Date): Promise<Date> =>
  latest((await queries.findContact(ctx.db))?.calledAt ?? null, startedAt);

/** Inngest has called. */
export const noteCall = async (ctx: Pick<Context, "db" | "deviceClock">): Promise<void> => {
  await queries.noteContact(ctx.db, { calledAt: ctx.deviceClock.now() });
};

/** What came of a registration at Inngest. @param error null: it succeeded */
export const noteRegistration = async (
  ctx: Pick<Context, "db" | "deviceClock">,
  error: string | null,
): Promise<void> => {
  await queries.noteContact(
    ctx.db,
    error === null ? { registeredAt: ctx.deviceClock.now(), registrationError: null } : { registrationError: error },
  );
};
