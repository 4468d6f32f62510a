/** The embedded scheduler: how it catches up, stands in for Inngest, and stops. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { inngestContact, jobRuns, jobStates, subscriptions } from "#drizzle/schema/index.ts";
import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import { subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { listSubscriptions } from "../subscriptions/list.server.ts";
import { allJobs } from "./registry.server.ts";
import { runWhatIsDue, startScheduler } from "./scheduler.server.ts";
import { noteCall, noteRegistration, standingOf } from "./standing.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  at("2026-11-20T09:30:00Z");
  await world.ctx.db.delete(jobRuns);
  await world.ctx.db.delete(jobStates);
  await world.ctx.db.delete(inngestContact);
  world.complaints.length = 0;
});

/** Sets the service's clock and the device clock. */
const at = (instant: string) => {
  world.clock.set(instant);
  world.deviceClock.set(instant);
};
const started = { at: new Date("2026-11-20T09:30:00Z"), really: new Date("2026-11-20T09:30:00Z") };
const running = new AbortController().signal;
const jobsRunSince = async (instant: string) =>
  (await world.ctx.db.select().from(jobStates))
    .filter(({ startedAt }) => startedAt >= new Date(instant))
    .map(({ job }) => job)
    .sort();
const allRanAt = (instant: string) =>
  world.ctx.db
    .insert(jobStates)
    .values(allJobs.map(({ id }) => ({ job: id, startedAt: new Date(instant), completedAt: new Date(instant) })));

const start = async (fallbackMinutes: number | null = null, signal = running) => {
  const scheduler = startScheduler(world.ctx, { signal, fallbackMinutes });
  await scheduler.stop();
};
const runDue = (fallbackMinutes: number | null) =>
  runWhatIsDue(world.ctx, started, { signal: running, fallbackMinutes });

const everyTenMinutes = ["announce-late-data", "evaluate-alerts", "expire-keys", "feed-demo", "mail-alerts"];
const everyMinute = ["dispatch-changes", "send-mail", "send-webhooks"];
const hourly = [
  ...everyTenMinutes,
  "charge-renewals",
  "close-expired-orders",
  "end-plans",
  "expire",
  "expire-quotes",
  "move-to-next-period",
  "remind",
  "remove-cards",
  "turn-periods",
];

describe("At startup the scheduler", () => {
  it.each([
    ["without Inngest", null],
    ["beside Inngest", 15],
    ["beside Inngest with the fallback off", 0],
  ])("%s runs the hourly jobs and sends mail", async (_, fallbackMinutes) => {
    await start(fallbackMinutes);
    expect(await jobsRunSince("2026-11-20T09:30:00Z")).toEqual([...hourly, ...everyMinute].sort());
  });

  it("runs a nightly job that was missed and one that was cut short", async () => {
    await allRanAt("2026-11-20T09:00:00Z");
    const set = (job: string, state: { startedAt: Date; completedAt: Date }) =>
      world.ctx.db.update(jobStates).set(state).where(eq(jobStates.job, job));
    const yesterday = new Date("2026-11-19T03:17:00Z");
    await set("recompute-popularity", { startedAt: yesterday, completedAt: yesterday });
    await set("delete-old-logs", { startedAt: new Date("2026-11-20T09:29:30Z"), completedAt: yesterday });
    await start();
    expect(await jobsRunSince("2026-11-20T09:30:00Z")).toEqual(
      [...hourly, ...everyMinute, "recompute-popularity", "delete-old-logs"].sort(),
    );
  });

  it("runs each job in only one of several processes", async () => {
    const { caller } = await world.account();
    await subscribe(world, caller);
    at("2026-12-17T10:00:00Z");
    await Promise.all([start(), start(), start()]);
    expect((await listSubscriptions(world.ctx, caller))[0]?.endDate).toBe("2027-01-20");
    expect(await world.ctx.db.$count(jobRuns, eq(jobRuns.job, "charge-renewals"))).toBe(1);
    expect(world.complaints).toEqual([]);
  });
});

describe("Every minute the scheduler", () => {
  beforeEach(() => allRanAt("2026-11-20T09:30:00Z"));

  it("runs the jobs that are due", async () => {
    at("2026-11-20T09:40:00Z");
    await runDue(null);
    expect(await jobsRunSince("2026-11-20T09:40:00Z")).toEqual(
      [...everyTenMinutes, "remove-cards", ...everyMinute].sort(),
    );
    at("2026-11-21T00:07:30Z");
    await runDue(null);
    expect(await jobsRunSince("2026-11-21T00:07:30Z")).toEqual([...hourly, ...everyMinute, "aggregate-usage"].sort());
  });

  it("retries a failed job after five minutes", async () => {
    await world.ctx.db.execute("alter table payment_methods rename to payment_methods_away");
    at("2026-11-20T09:40:00Z");
    await runDue(null).finally(() =>
      world.ctx.db.execute("alter table payment_methods_away rename to payment_methods"),
    );
    expect(world.complaints).toHaveLength(1);
    at("2026-11-20T09:44:59Z");
    await runDue(null);
    expect(await jobsRunSince("2026-11-20T09:44:59Z")).toEqual(everyMinute);
    at("2026-11-20T09:45:00Z");
    await runDue(null);
    expect(await jobsRunSince("2026-11-20T09:45:00Z")).toEqual([
      "dispatch-changes",
      "remove-cards",
      "send-mail",
      "send-webhooks",
    ]);
  });

  it.each([
    ["completed", "2026-11-20T11:30:00Z"],
    ["began", null],
  ])("runs a job that %s in the future, by a clock that was ahead", async (_, completedAt) => {
    await world.ctx.db
      .update(jobStates)
      .set({
        startedAt: new Date("2026-11-20T11:30:00Z"),
        completedAt: completedAt === null ? null : new Date(completedAt),
      })
      .where(eq(jobStates.job, "send-mail"));
    at("2026-11-20T09:31:00Z");
    await runDue(null);
    const [state] = await world.ctx.db.select().from(jobStates).where(eq(jobStates.job, "send-mail"));
    expect(state).toMatchObject({
      startedAt: new Date("2026-11-20T09:31:00Z"),
      completedAt: new Date("2026-11-20T09:31:00Z"),
    });
  });

  it("skips jobs whose lock another process holds, and runs them once the lock is free", async () => {
    at("2026-11-20T09:40:00Z");
    await withAdvisoryLock(world.ctx.db, "dueWork", "wait", () => runDue(null));
    expect(await jobsRunSince("2026-11-20T09:40:00Z")).toEqual(everyMinute);
    at("2026-11-20T09:41:00Z");
    await runDue(null);
    expect(await jobsRunSince("2026-11-20T09:41:00Z")).toEqual(
      [...everyTenMinutes, "remove-cards", ...everyMinute].sort(),
    );
  });

  it("leaves jobs to Inngest while it calls, and runs a job that Inngest has missed by the fallback time", async () => {
    at("2026-11-20T09:54:59Z");
    await noteCall(world.ctx);
    await runDue(15);
    expect(await jobsRunSince("2026-11-20T09:54:59Z")).toEqual(everyMinute);
    at("2026-11-20T09:55:00Z");
    await runDue(15);
    expect(await jobsRunSince("2026-11-20T09:55:00Z")).toEqual([...everyTenMinutes, "remove-cards"]);
  });

  it("keeps the schedule while Inngest is silent, unless the fallback is off", async () => {
    at("2026-11-20T09:50:00Z");
    await runDue(0);
    expect(await jobsRunSince("2026-11-20T09:50:00Z")).toEqual([]);
    await runDue(15);
    expect(await jobsRunSince("2026-11-20T09:50:00Z")).toEqual(
      [...everyTenMinutes, "remove-cards", ...everyMinute].sort(),
    );
    at("2026-11-20T09:51:00Z");
    await runDue(15);
    expect(await jobsRunSince("2026-11-20T09:51:00Z")).toEqual(everyMinute);
  });
});

describe("The standing of scheduled work", () => {
  const standing = (usesInngest = true) => standingOf(world.ctx, { usesInngest, started });
  beforeEach(() => allRanAt("2026-11-20T09:30:00Z"));

  it("is overdue when a job is 30 minutes late, even if it has never run", async () => {
    await world.ctx.db.delete(jobStates).where(eq(jobStates.job, "expire"));
    at("2026-11-20T10:00:00Z");
    expect((await standing(false)).overdueJobs).toEqual([]);
    at("2026-11-20T10:10:00Z");
    expect(await standing(false)).toEqual({
      status: "overdue",
      overdueJobs: [
        "feed-demo",
        "announce-late-data",
        "expire-keys",
        "remove-cards",
        "evaluate-alerts",
        "mail-alerts",
        "dispatch-changes",
        "send-webhooks",
        "send-mail",
      ],
      inngest: null,
    });
    at("2026-11-20T11:00:00Z");
    expect((await standing(false)).overdueJobs).toEqual(expect.arrayContaining(["expire"]));
  });

  it("shows the last call and registration, and reports a failed registration and a silent Inngest", async () => {
    expect(await standing()).toEqual({
      status: "ok",
      overdueJobs: [],
      inngest: { lastCallAt: null, registeredAt: null, registrationError: null },
    });
    await noteRegistration(world.ctx, "401: Unauthorized");
    expect(await standing()).toMatchObject({
      status: "inngest_unregistered",
      inngest: { registeredAt: null, registrationError: "401: Unauthorized" },
    });
    await noteRegistration(world.ctx, null);
    await noteCall(world.ctx);
    at("2026-11-20T09:44:59Z");
    const contact = { lastCallAt: started.at, registeredAt: started.at, registrationError: null };
    expect(await standing()).toMatchObject({ status: "ok", inngest: contact });
    at("2026-11-20T09:45:00Z");
    expect(await standing()).toMatchObject({ status: "inngest_silent", inngest: contact });
  });
});

describe("When the service stops", () => {
  it("a job ends at its next safe point, is recorded as interrupted, and continues in its next run", async () => {
    const callers = [];
    for (let index = 0; index < 8; index++) {
      const { caller } = await world.account();
      await subscribe(world, caller);
      callers.push(caller);
    }
    at("2026-12-17T10:00:00Z");
    const shutdown = new AbortController();
    let charges = 0;
    const ctx = {
      ...world.ctx,
      payments: {
        ...world.ctx.payments,
        chargeOffSession: (...input: Parameters<typeof world.ctx.payments.chargeOffSession>) => {
          charges += 1;
          shutdown.abort();
          return world.ctx.payments.chargeOffSession(...input);
        },
      },
    };
    const scheduler = startScheduler(ctx, { signal: shutdown.signal, fallbackMinutes: null });
    await scheduler.stop();
    // Four charges run concurrently. They finish, and no other begins.
    expect(charges).toBeLessThanOrEqual(4);
    const runs = await world.ctx.db.select().from(jobRuns).where(eq(jobRuns.job, "charge-renewals"));
    expect(runs).toMatchObject([{ interrupted: true, error: null, outcome: { succeeded: charges } }]);
    expect(await world.ctx.db.$count(jobRuns, eq(jobRuns.job, "remind"))).toBe(0);

    await start();
    for (const caller of callers) {
      expect((await listSubscriptions(world.ctx, caller))[0]?.endDate).toBe("2027-01-20");
    }
    expect(await world.ctx.db.$count(subscriptions, eq(subscriptions.endDate, "2026-12-20"))).toBe(0);
    expect(world.complaints).toEqual([]);
  });

  it("the next run marks the open run of a dead process as interrupted", async () => {
    const startedAt = new Date("2026-11-20T09:05:00Z");
    await world.ctx.db.insert(jobRuns).values({ job: "charge-renewals", startedAt });
    await start();
    const runs = await world.ctx.db
      .select()
      .from(jobRuns)
      .where(eq(jobRuns.job, "charge-renewals"))
      .orderBy(jobRuns.id);
    expect(runs).toMatchObject([
      { startedAt, endedAt: new Date("2026-11-20T09:30:00Z"), interrupted: true, error: null },
      { endedAt: new Date("2026-11-20T09:30:00Z"), interrupted: false },
    ]);
  });
});
