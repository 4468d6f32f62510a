/** Whether scheduled work runs on time and Inngest still calls. For monitoring and operators. */
import type { Context } from "../context.ts";
import { isOverdue } from "./job.ts";
import { inngestSilentMinutes, overdueMinutes } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { allJobs } from "./registry.server.ts";

/**
 * - `overdue`: a job has missed a scheduled time by at least `overdueMinutes`.
 * - `inngest_silent`: Inngest has not called for `inngestSilentMinutes`.
 * - `inngest_unregistered`: the last registration with Inngest failed, so it may not know about a changed schedule.
 */
export type Standing = {
  status: "ok" | "overdue" | "inngest_silent" | "inngest_unregistered";
  overdueJobs: string[];
  /** Null when Inngest is not used. */
  inngest: { lastCallAt: Date | null; registeredAt: Date | null; registrationError: string | null } | null;
};

const minuteMs = 60_000;

/** `started`: when this process started, `at` by the service's clock, `really` in real time. */
export type ProcessStart = { usesInngest: boolean; started: { at: Date; really: Date } };

export const standingOf = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock">,
  { usesInngest, started }: ProcessStart,
): Promise<Standing> => {
  const [states, contact] = await Promise.all([
    queries.findStates(ctx.db),
    usesInngest ? queries.findContact(ctx.db) : null,
  ]);
  const now = ctx.clock.now();
  const stateOf = new Map(states.map((state) => [state.job, state]));
  const overdueJobs = allJobs
    .filter((job) => isOverdue(job, stateOf.get(job.id), { now, since: started.at, lateMs: overdueMinutes * minuteMs }))
    .map(({ id }) => id);
  const { calledAt = null, registeredAt = null, registrationError = null } = contact ?? {};
  const isSilent =
    usesInngest &&
    ctx.deviceClock.now().getTime() - latest(calledAt, started.really).getTime() >= inngestSilentMinutes * minuteMs;
  return {
    status: statusOf(overdueJobs.length > 0, isSilent, registrationError !== null),
    overdueJobs,
    inngest: usesInngest ? { lastCallAt: calledAt, registeredAt, registrationError } : null,
  };
};

/** When the last complete run of each job began. Jobs without one are missing. */
export const lastSuccesses = async (ctx: Pick<Context, "db">): Promise<{ job: string; at: Date }[]> =>
  (await queries.findStates(ctx.db)).flatMap(({ job, completedAt }) => (completedAt ? [{ job, at: completedAt }] : []));

const statusOf = (isOverdue: boolean, isSilent: boolean, isUnregistered: boolean): Standing["status"] => {
  if (isOverdue) return "overdue";
  if (isSilent) return "inngest_silent";
  return isUnregistered ? "inngest_unregistered" : "ok";
};

const latest = (a: Date | null, b: Date): Date => (a !== null && a > b ? a : b);

/** When Inngest last called or this process started, whichever is later. In real time. */
export const silentSince = async (ctx: Pick<Context, "db">, startedAt: Date): Promise<Date> =>
  latest((await queries.findContact(ctx.db))?.calledAt ?? null, startedAt);

/** Records a call from Inngest. */
export const noteCall = async (ctx: Pick<Context, "db" | "deviceClock">): Promise<void> => {
  await queries.noteContact(ctx.db, { calledAt: ctx.deviceClock.now() });
};

/** Records the outcome of a registration with Inngest. @param error null: it succeeded */
export const noteRegistration = async (
  ctx: Pick<Context, "db" | "deviceClock">,
  error: string | null,
): Promise<void> => {
  await queries.noteContact(
    ctx.db,
    error === null ? { registeredAt: ctx.deviceClock.now(), registrationError: null } : { registrationError: error },
  );
};
