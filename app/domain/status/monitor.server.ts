/** Checks the components every minute and records their incidents. Not a job: it also runs while jobs cannot. */
import { asLongWork } from "../../platform/time-budget.server.ts";
import type { Context } from "../context.ts";
import { checkHealth, type ProcessFacts } from "../health.server.ts";
import { type Component, type ComponentStates, componentStates, isIncident } from "./component-states.ts";
import { recordPast, recordStates } from "./incidents.server.ts";
import { checkIntervalMs } from "./policy.ts";

type Watched = Pick<Context, "db" | "clock" | "deviceClock" | "settings" | "log">;

export type Observation = { facts: ProcessFacts; paymentsReachable: boolean };

export type StatusMonitor = {
  /** One check. While the database cannot be written, it only remembers what it has found. */
  check(observation: Observation): Promise<void>;
};

export const statusMonitor = (ctx: Watched): StatusMonitor => {
  /** Since when nothing can be written, and the states then. */
  let unsaved: { since: Date; states: ComponentStates } | null = null;
  return {
    check: async ({ facts, paymentsReachable }) => {
      const health = await checkHealth(ctx, facts);
      const states = componentStates(health, paymentsReachable);
      const now = ctx.deviceClock.now();
      if (isIncident(states.database)) {
        unsaved ??= { since: now, states };
        return;
      }
      if (unsaved) await recordPast(ctx, incidentsOf(unsaved, now));
      unsaved = null;
      await recordStates(ctx, states);
    },
  };
};

/** Of the database and what depends on it. The others are checked as soon as the database is back. */
const incidentsOf = ({ since, states }: { since: Date; states: ComponentStates }, endedAt: Date) =>
  (["api", "portal", "database"] as const satisfies Component[]).flatMap((component) => {
    const state = states[component];
    return isIncident(state) ? { component, state, startedAt: since, endedAt } : [];
  });

/**
 * @param observe null: not now, as while the test clock moves
 * @param signal aborted when the service stops
 * @returns resolves when no check is running; abort the signal first
 */
export const startStatusMonitor = (
  ctx: Watched,
  observe: () => Promise<Observation | null>,
  signal: AbortSignal,
): { stop(): Promise<void> } => {
  const monitor = statusMonitor(ctx);
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    if (signal.aborted) return;
    running = running
      .then(() =>
        asLongWork(async () => {
          const observation = await observe();
          if (observation) await monitor.check(observation);
        }),
      )
      .catch((error) => ctx.log.error("The status was not recorded", {}, error));
  }, checkIntervalMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};
