/** The history of the status page: when a component was not operational. In real time, whatever the test clock says. */
import type { Context } from "../context.ts";
import { millisecondsPerDay } from "../dates.ts";
import { type Component, type ComponentStates, type IncidentState, incidentChanges } from "./component-states.ts";
import { incidentRetentionDays } from "./policy.ts";
import * as queries from "./queries.server.ts";

export type Incident = { component: Component; state: IncidentState; startedAt: Date; endedAt: Date | null };

type Recorder = Pick<Context, "db" | "deviceClock">;

const oldestKept = ({ deviceClock }: Pick<Context, "deviceClock">) =>
  new Date(deviceClock.now().getTime() - incidentRetentionDays * millisecondsPerDay);

const mostShown = 50;

/** Public. Those of the last `incidentRetentionDays`, newest first. */
export const recentIncidents = async (ctx: Recorder): Promise<Incident[]> =>
  (await queries.findSince(ctx.db, oldestKept(ctx), mostShown)).map(({ component, state, startedAt, endedAt }) => ({
    component,
    state,
    startedAt,
    endedAt,
  }));

/** Ends the incidents of components whose state has changed, and begins new ones. */
export const recordStates = (ctx: Recorder, states: ComponentStates): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.deviceClock.now();
    const { ended, begun } = incidentChanges(await queries.findOpen(tx), states);
    if (ended.length > 0) await queries.end(tx, ended, now);
    if (begun.length > 0)
      await queries.insert(
        tx,
        begun.map((incident) => ({ ...incident, startedAt: now })),
      );
  });

/** Records incidents that are over: those during which nothing could be written. */
export const recordPast = async (ctx: Pick<Context, "db">, incidents: Incident[]): Promise<void> => {
  if (incidents.length > 0) await queries.insert(ctx.db, incidents);
};

/** @returns how many were deleted */
export const deleteOldIncidents = (ctx: Recorder): Promise<number> =>
  queries.deleteEndedBefore(ctx.db, oldestKept(ctx));
