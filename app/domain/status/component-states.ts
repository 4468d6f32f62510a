/** What the health check says about each component that customers know. */
import type { Health } from "../health.server.ts";
import type { components, incidentStates } from "./enums.ts";

export type Component = (typeof components)[number];
export type IncidentState = (typeof incidentStates)[number];

/** `unknown`: it cannot be checked while the database is unavailable. */
export type ComponentState = "operational" | IncidentState | "unknown";
export type ComponentStates = Record<Component, ComponentState>;

/** @param paymentsReachable whether the last calls to the payment provider were answered */
export const componentStates = (health: Health, paymentsReachable: boolean): ComponentStates => {
  const database = databaseState(health.status);
  return {
    api: database,
    portal: database,
    database,
    payments: paymentsReachable ? "operational" : "outage",
    mail: health.mail_delayed === null ? "unknown" : health.mail_delayed === 0 ? "operational" : "degraded",
    jobs: jobsState(health),
  };
};

const databaseState = (status: Health["status"]): ComponentState => {
  if (status === "ok" || status === "degraded") return "operational";
  return status === "database_away" ? "outage" : "degraded";
};

/** Without a scheduler in this process, another one runs the jobs. */
const jobsState = ({ scheduler, scheduled_work }: Health): ComponentState => {
  if (scheduled_work === null) return scheduler === "none" ? "operational" : "unknown";
  return scheduled_work.status === "ok" ? "operational" : "degraded";
};

export type OpenIncident = { id: number; component: Component; state: IncidentState };

/** Which incidents have ended and which have begun, compared with the open ones. */
export const incidentChanges = (
  open: readonly OpenIncident[],
  states: ComponentStates,
): { ended: number[]; begun: { component: Component; state: IncidentState }[] } => {
  const known = (Object.entries(states) as [Component, ComponentState][]).filter(([, state]) => state !== "unknown");
  const before = new Map(open.map((incident) => [incident.component, incident]));
  const changed = known.filter(([component, state]) => (before.get(component)?.state ?? "operational") !== state);
  return {
    ended: changed.flatMap(([component]) => before.get(component)?.id ?? []),
    begun: changed.flatMap(([component, state]) => (isIncident(state) ? { component, state } : [])),
  };
};

export const isIncident = (state: ComponentState): state is IncidentState => state === "degraded" || state === "outage";
