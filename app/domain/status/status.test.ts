import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../platform/db.server.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Health, ProcessFacts } from "../health.server.ts";
import { type ComponentStates, componentStates, incidentChanges } from "./component-states.ts";
import { deleteOldIncidents, recentIncidents } from "./incidents.server.ts";
import { statusMonitor } from "./monitor.server.ts";

const health: Health = {
  status: "ok",
  now: "2026-11-20T09:30:00Z",
  version: "1.2.3",
  test_mode: true,
  payments: "simulated",
  scheduler: "embedded",
  scheduled_work: { status: "ok", overdue: [], last_call_at: null, last_registered_at: null },
  rate_limit_store: "memory",
  rate_limit_failures: 0,
  mail_delayed: 0,
};
const late = { ...health.scheduled_work, status: "overdue" } as Health["scheduled_work"];
const operational: ComponentStates = {
  api: "operational",
  portal: "operational",
  database: "operational",
  payments: "operational",
  mail: "operational",
  jobs: "operational",
};

describe("Component states", () => {
  it.each<[string, Partial<Health>, boolean, Partial<ComponentStates>]>([
    ["all operational", {}, true, {}],
    ["payments down while the provider does not answer", {}, false, { payments: "outage" }],
    ["e-mail degraded while mail is delayed", { mail_delayed: 2 }, true, { mail: "degraded" }],
    ["jobs degraded while one is overdue", { status: "degraded", scheduled_work: late }, true, { jobs: "degraded" }],
    ["jobs of another process operational", { scheduler: "none", scheduled_work: null }, true, {}],
    [
      "API and portal down with the database, and what it knows unknown",
      { status: "database_away", scheduled_work: null, mail_delayed: null },
      true,
      { api: "outage", portal: "outage", database: "outage", mail: "unknown", jobs: "unknown" },
    ],
    [
      "degraded while the database cannot be written",
      { status: "database_read_only", scheduled_work: null, mail_delayed: null },
      true,
      { api: "degraded", portal: "degraded", database: "degraded", mail: "unknown", jobs: "unknown" },
    ],
  ])("are %s", (_case, found, paymentsReachable, expected) => {
    expect(componentStates({ ...health, ...found }, paymentsReachable)).toEqual({ ...operational, ...expected });
  });
});

describe("Changes of incidents", () => {
  const mailDegraded = { id: 7, component: "mail", state: "degraded" } as const;

  it("begin with a state that is not operational, and end with the next state", () => {
    expect(incidentChanges([], { ...operational, mail: "degraded" })).toEqual({
      ended: [],
      begun: [{ component: "mail", state: "degraded" }],
    });
    expect(incidentChanges([mailDegraded], { ...operational, mail: "outage" })).toEqual({
      ended: [7],
      begun: [{ component: "mail", state: "outage" }],
    });
    expect(incidentChanges([mailDegraded], operational)).toEqual({ ended: [7], begun: [] });
  });

  it("are none while the state stays, or is unknown", () => {
    expect(incidentChanges([mailDegraded], { ...operational, mail: "degraded" })).toEqual({ ended: [], begun: [] });
    expect(incidentChanges([mailDegraded], { ...operational, mail: "unknown" })).toEqual({ ended: [], begun: [] });
  });
});

describe("The status monitor", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ now: "2026-11-20T09:30:00Z" });
  });
  afterAll(() => world.close());

  const facts: ProcessFacts = {
    version: "1.2.3",
    scheduler: "none",
    started: { at: new Date("2026-11-20T09:30:00Z"), really: new Date("2026-11-20T09:30:00Z") },
    rateLimitStore: "memory",
    rateLimitFailures: 0,
  };

  it("records an incident once, ends it, and keeps it for 90 days", async () => {
    const monitor = statusMonitor(world.ctx);
    for (const [minute, paymentsReachable] of [
      ["09:31", true],
      ["09:32", false],
      ["09:33", false],
      ["09:40", true],
    ] as const) {
      world.deviceClock.set(`2026-11-20T${minute}:00Z`);
      await monitor.check({ facts, paymentsReachable });
    }
    const incident = {
      component: "payments",
      state: "outage",
      startedAt: new Date("2026-11-20T09:32:00Z"),
      endedAt: new Date("2026-11-20T09:40:00Z"),
    };
    expect(await recentIncidents(world.ctx)).toEqual([incident]);
    world.deviceClock.set("2027-02-18T09:39:00Z");
    expect(await deleteOldIncidents(world.ctx)).toBe(0);
    world.deviceClock.set("2027-02-18T09:41:00Z");
    expect(await recentIncidents(world.ctx)).toEqual([]);
    expect(await deleteOldIncidents(world.ctx)).toBe(1);
  });

  it("records an outage of the database when it is back", async () => {
    const away = openDatabase("postgres://nobody@127.0.0.1:1/nothing");
    const ctx = { ...world.ctx, db: away.db };
    const monitor = statusMonitor(ctx);
    world.deviceClock.set("2027-03-01T10:00:00Z");
    await monitor.check({ facts, paymentsReachable: true });
    world.deviceClock.set("2027-03-01T10:05:00Z");
    ctx.db = world.ctx.db;
    await monitor.check({ facts, paymentsReachable: true });
    await away.close();
    const times = { startedAt: new Date("2027-03-01T10:00:00Z"), endedAt: new Date("2027-03-01T10:05:00Z") };
    const found = (await recentIncidents(world.ctx)).sort((a, b) => a.component.localeCompare(b.component));
    expect(found).toEqual(["api", "database", "portal"].map((component) => ({ component, state: "outage", ...times })));
  });
});
