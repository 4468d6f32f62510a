import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { getService, processFacts } from "../../context.server.ts";
import { failureOf } from "../../domain/failure.ts";
import { checkHealth } from "../../domain/health.server.ts";
import {
  type Component,
  type ComponentState,
  type ComponentStates,
  componentStates,
} from "../../domain/status/component-states.ts";
import { components } from "../../domain/status/enums.ts";
import { recentIncidents } from "../../domain/status/incidents.server.ts";
import { incidentRetentionDays } from "../../domain/status/policy.ts";
import { Alert, type AlertTone } from "../../portal/components/alert.tsx";
import { Badge, type BadgeTone } from "../../portal/components/badge.tsx";
import { Card } from "../../portal/components/card.tsx";
import { PageHeader } from "../../portal/components/page-header.tsx";
import { formatCount, formatInstant } from "../../portal/format.ts";

export const meta: MetaFunction = () => [
  { title: "Service status · Shipping Route Data Service" },
  { name: "description", content: "Whether the API, the portal, payments, e-mail and jobs work, and past incidents." },
];

/** Public. It also works while the database is unavailable, without the incidents. */
export const loader = async () => {
  const service = await getService();
  const [health, paymentsReachable, incidents] = await Promise.all([
    checkHealth(service.ctx, processFacts(service)),
    service.paymentsReachable(),
    recentIncidents(service.ctx).catch((error) => {
      if (failureOf(error).kind.startsWith("database_")) return null;
      throw error;
    }),
  ]);
  return {
    checkedAt: service.ctx.deviceClock.now().toISOString(),
    states: componentStates(health, paymentsReachable),
    incidents: incidents?.map(({ component, state, startedAt, endedAt }) => ({
      component,
      state,
      startedAt: startedAt.toISOString(),
      endedAt: endedAt && { at: endedAt.toISOString(), afterMs: endedAt.getTime() - startedAt.getTime() },
    })),
    testMode: service.ctx.settings.testMode,
  };
};

const Status = () => {
  const { checkedAt, states, incidents, testMode } = useLoaderData<typeof loader>();
  const { tone, title } = summaryOf(states);
  return (
    <div className="mx-auto grid max-w-3xl gap-6">
      <PageHeader title="Service status" description={`Checked ${formatInstant(checkedAt)}. Reload to check again.`} />
      <Alert tone={tone} title={title} />
      <Card title="Components" flush>
        <ul className="divide-y divide-line">
          {components.map((component) => (
            <li key={component} className="flex items-center justify-between gap-4 px-5 py-3">
              <span>
                <span className="block font-medium text-ink">{names[component]}</span>
                <span className="block text-muted text-sm">
                  {component === "payments" && testMode ? "Simulated: no card is charged" : descriptions[component]}
                </span>
              </span>
              <Badge tone={tones[states[component]]} dot>
                {words[states[component]]}
              </Badge>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Incidents" description={`Of the last ${incidentRetentionDays} days. All times are UTC.`} flush>
        {incidents === undefined ? (
          <p className="px-5 py-4 text-muted text-sm">Past incidents cannot be read at the moment.</p>
        ) : incidents.length === 0 ? (
          <p className="px-5 py-4 text-muted text-sm">No incidents in the last {incidentRetentionDays} days.</p>
        ) : (
          <ul className="divide-y divide-line">
            {incidents.map(({ component, state, startedAt, endedAt }) => (
              <li key={`${component} ${startedAt}`} className="flex flex-wrap justify-between gap-x-4 px-5 py-3">
                <span className="font-medium text-ink">
                  {names[component]}: {words[state].toLowerCase()}
                </span>
                <span className="text-muted text-sm leading-6">
                  {formatInstant(startedAt)} · {endedAt ? `resolved after ${lengthOf(endedAt.afterMs)}` : "ongoing"}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <p className="text-muted text-sm">
        For monitors:{" "}
        <a href="/hooks/health" className="link">
          /hooks/health
        </a>{" "}
        returns the state as JSON.
      </p>
    </div>
  );
};

export default Status;

const lengthOf = (milliseconds: number): string => {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  return minutes < 60 ? formatCount(minutes, "minute") : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

const names: Record<Component, string> = {
  api: "API",
  portal: "Portal",
  database: "Database",
  payments: "Payments",
  mail: "E-mail",
  jobs: "Scheduled jobs",
};

const descriptions: Record<Component, string> = {
  api: "Requests from your programs",
  portal: "This website",
  database: "Where routes, subscriptions and accounts are stored",
  payments: "Checkout and renewals",
  mail: "Receipts, reminders and alerts",
  jobs: "Renewals, data updates and webhook retries",
};

const words: Record<ComponentState, string> = {
  operational: "Operational",
  degraded: "Degraded",
  outage: "Outage",
  unknown: "Unknown",
};

const tones: Record<ComponentState, BadgeTone> = {
  operational: "success",
  degraded: "warning",
  outage: "danger",
  unknown: "neutral",
};

const summaryOf = (states: ComponentStates): { tone: AlertTone; title: string } => {
  const all = Object.values(states);
  if (all.includes("outage")) return { tone: "danger", title: "Some components are down" };
  if (all.includes("degraded")) return { tone: "warning", title: "Some components are degraded" };
  return { tone: "success", title: "All components are operational" };
};
