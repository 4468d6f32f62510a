import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { jobRuns } from "#drizzle/schema/index.ts";
import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { type Job, nextRunOf } from "./job.ts";
import { allJobs } from "./registry.server.ts";
import { runJob, runJobNow } from "./run.server.ts";
import { deleteOldRuns, jobHistories, listJobRuns } from "./runs.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  await world.ctx.db.delete(jobRuns);
  world.complaints.length = 0;
});

const job = (of: Partial<Job>): Job => ({
  id: "count-ships",
  cron: "5 * * * *",
  does: "Counts ships",
  lock: "dueWork",
  quiet: false,
  run: async () => ({ ships: 3 }),
  ...of,
});
/** The signal of a service that is not stopping. */
const running = new AbortController().signal;
const runs = () => world.ctx.db.select().from(jobRuns).orderBy(desc(jobRuns.id));

describe("A run of a job", () => {
  it("is recorded with its times and counts", async () => {
    const slowJob = job({
      run: async () => {
        expect(await runs()).toMatchObject([{ endedAt: null, outcome: null }]);
        world.clock.set("2026-11-20T09:31:00Z");
        return { ships: 3 };
      },
    });
    expect(await runJob(world.ctx, slowJob, running)).toEqual({ ships: 3 });
    expect(await runs()).toEqual([
      {
        id: expect.any(Number),
        job: "count-ships",
        startedAt: new Date("2026-11-20T09:30:00Z"),
        endedAt: new Date("2026-11-20T09:31:00Z"),
        outcome: { ships: 3 },
        interrupted: false,
        error: null,
      },
    ]);
  });

  it("that fails is recorded without personal data, and the error reaches the caller", async () => {
    const cause = new Error("no berth for demo@example.com\nparams: secret");
    const run = () => Promise.reject(new Error("Failed query: select … params: secret", { cause }));
    await expect(runJob(world.ctx, job({ run }), running)).rejects.toThrow("Failed query");
    expect(await runs()).toMatchObject([{ error: "no berth for …", outcome: null, endedAt: expect.any(Date) }]);
  });

  it("of a quiet job is recorded only when it did something or failed", async () => {
    const quiet = job({ quiet: true });
    await runJob(world.ctx, { ...quiet, run: async () => ({ sent: 0, failed: 0 }) }, running);
    expect(await runs()).toEqual([]);
    await runJob(world.ctx, { ...quiet, run: async () => ({ sent: 0, failed: 2 }) }, running);
    await runJob(world.ctx, { ...quiet, run: () => Promise.reject(new Error("away")) }, running).catch(() => {});
    expect((await runs()).map(({ outcome, error }) => [outcome, error])).toEqual([
      [null, "away"],
      [{ sent: 0, failed: 2 }, null],
    ]);
  });
});

describe("runJobNow", () => {
  it("reports the outcome, a failure, or that the job is still running", async () => {
    expect(await runJobNow(world.ctx, job({}), running)).toEqual({ state: "done", outcome: { ships: 3 } });
    expect(await runJobNow(world.ctx, job({ run: () => Promise.reject(new Error("away")) }), running)).toEqual({
      state: "failed",
    });
    expect(world.complaints).toEqual(["A scheduled job failed: Error: away"]);
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const slow = job({ lock: null, run: () => finished.then(() => ({ ships: 1 })) });
    expect(await runJobNow(world.ctx, slow, running, 1)).toEqual({ state: "under_way" });
    finish();
    await expect.poll(async () => (await runs())[0]?.outcome).toEqual({ ships: 1 });
  });

  it("does not run the job while another run holds its lock", async () => {
    const outcome = await withAdvisoryLock(world.ctx.db, "dueWork", "wait", () =>
      runJobNow(world.ctx, job({}), running),
    );
    expect(outcome).toEqual({ state: "taken" });
    expect(await runs()).toEqual([]);
  });
});

describe("Operators", () => {
  it("see the last run of each job, its failures within a week, and its next run", async () => {
    const operator = await world.operator();
    await runJob(world.ctx, job({ run: () => Promise.reject(new Error("away")) }), running).catch(() => {});
    world.clock.set("2026-11-20T09:40:00Z");
    await runJob(world.ctx, job({}), running);
    const states = await jobHistories(world.ctx, operator);
    expect(states.get("count-ships")).toMatchObject({
      lastRun: { outcome: { ships: 3 }, startedAt: world.clock.now() },
      recentFailures: 1,
    });
    expect(nextRunOf(job({}), world.clock.now())).toEqual(new Date("2026-11-20T10:05:00Z"));
    expect(allJobs.filter((each) => nextRunOf(each, world.clock.now()) === null)).toEqual([]);
  });

  it("list runs newest first, and filter by job or by failure", async () => {
    const operator = await world.operator();
    for (let ships = 0; ships < 3; ships++) await runJob(world.ctx, job({ run: async () => ({ ships }) }), running);
    await runJob(world.ctx, job({ id: "other", run: () => Promise.reject(new Error("away")) }), running).catch(
      () => {},
    );
    const first = await listJobRuns(world.ctx, operator, { job: "count-ships" }, { limit: 2 });
    expect(first.rows.map(({ outcome }) => outcome?.ships)).toEqual([2, 1]);
    const cursor = first.nextCursor ?? "";
    const second = await listJobRuns(world.ctx, operator, { job: "count-ships" }, { limit: 2, cursor });
    expect(second.rows.map(({ outcome }) => outcome?.ships)).toEqual([0]);
    expect((await listJobRuns(world.ctx, operator, { failed: true }, { limit: 9 })).rows).toMatchObject([
      { job: "other" },
    ]);
  });

  it("no longer see runs after 30 days", async () => {
    await runJob(world.ctx, job({}), running);
    world.clock.set("2026-12-20T09:30:00Z");
    expect(await deleteOldRuns(world.ctx)).toBe(0);
    world.clock.set("2026-12-20T09:30:01Z");
    expect(await deleteOldRuns(world.ctx)).toBe(1);
    expect(await world.ctx.db.$count(jobRuns, eq(jobRuns.job, "count-ships"))).toBe(0);
  });
});
