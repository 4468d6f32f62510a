import { describe, expect, it } from "vitest";
import type { Health } from "../health.server.ts";
import { type ComponentStates, componentStates, incidentChanges, isIncident } from "./component-states.ts";

const work: NonNullable<Health["scheduled_work"]> = {
  status: "ok",
  overdue: [],
  last_call_at: null,
  last_registered_at: null,
};
const health: Health = {
  status: "ok",
  now: "2026-11-20T09:30:00.000Z",
  version: "0.1.0",
  test_mode: false,
  payments: "stripe",
  scheduler: "embedded",
  scheduled_work: work,
  rate_limit_store: "memory",
  rate_limit_failures: 0,
  mail_delayed: 0,
};
const allWell: ComponentStates = {
  api: "operational",
  portal: "operational",
  database: "operational",
  payments: "operational",
  mail: "operational",
  jobs: "operational",
};

describe("The states of the components", () => {
  it("are operational while the health check finds nothing", () => {
    expect(componentStates(health, true)).toEqual(allWell);
  });

  it.each([
    ["degraded", "operational"],
    ["database_away", "outage"],
    ["database_busy", "degraded"],
  ] as const)("show a health of %s as %s for the database, the API and the portal", (status, state) => {
    expect(componentStates({ ...health, status }, true)).toMatchObject({
      database: state,
      api: state,
      portal: state,
    });
  });

  it("show payments as an outage while the provider does not answer", () => {
    expect(componentStates(health, false)).toEqual({ ...allWell, payments: "outage" });
  });

  it.each([
    [0, "operational"],
    [1, "degraded"],
    [250, "degraded"],
    [null, "unknown"],
  ] as const)("show mail with %s delayed messages as %s", (mail_delayed, mail) => {
    expect(componentStates({ ...health, mail_delayed }, true)).toEqual({ ...allWell, mail });
  });

  it.each<[Health["scheduler"], Health["scheduled_work"], ComponentStates["jobs"]]>([
    ["embedded", work, "operational"],
    ["embedded", { ...work, status: "overdue" }, "degraded"],
    ["none", { ...work, status: "overdue" }, "degraded"],
    ["none", null, "operational"],
    ["embedded", null, "unknown"],
    ["inngest", null, "unknown"],
  ])("with the scheduler %s and the work %o show jobs as %s", (scheduler, scheduled_work, jobs) => {
    expect(componentStates({ ...health, scheduler, scheduled_work }, true)).toEqual({ ...allWell, jobs });
  });
});

describe("The changes of incidents", () => {
  it("are none while everything works, and while an incident goes on", () => {
    expect(incidentChanges([], allWell)).toEqual({ ended: [], begun: [] });
    const open = [{ id: 7, component: "mail", state: "degraded" }] as const;
    expect(incidentChanges(open, { ...allWell, mail: "degraded" })).toEqual({ ended: [], begun: [] });
  });

  it("begin an incident, end it, and replace it when it gets worse", () => {
    expect(incidentChanges([], { ...allWell, payments: "outage" })).toEqual({
      ended: [],
      begun: [{ component: "payments", state: "outage" }],
    });
    const open = [{ id: 7, component: "payments", state: "degraded" }] as const;
    expect(incidentChanges(open, allWell)).toEqual({ ended: [7], begun: [] });
    expect(incidentChanges(open, { ...allWell, payments: "outage" })).toEqual({
      ended: [7],
      begun: [{ component: "payments", state: "outage" }],
    });
  });

  it("leave an incident open while its component cannot be checked", () => {
    const open = [{ id: 7, component: "mail", state: "degraded" }] as const;
    expect(incidentChanges(open, { ...allWell, mail: "unknown" })).toEqual({ ended: [], begun: [] });
  });
});

it.each([
  ["operational", false],
  ["unknown", false],
  ["degraded", true],
  ["outage", true],
] as const)("%s is an incident: %s", (state, expected) => {
  expect(isIncident(state)).toBe(expected);
});
