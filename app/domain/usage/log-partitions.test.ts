import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { eq, sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, usageLogs, usagePlanChanges } from "#drizzle/schema/index.ts";
import { cloneDatabase } from "../../testing/database.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { changePlan } from "../operations/change-account.server.ts";
import { type Plan, plans } from "../plans/plans.ts";
import { partitionsFrom } from "./log-partition.ts";
import { createLogPartitions } from "./log-partitions.server.ts";
import { listLogs } from "./logs.server.ts";
import { moveLogsOfChangedPlans } from "./plan-change.server.ts";
import { recordUsage } from "./record.server.ts";
import { insertRecords } from "./record-queries.server.ts";
import { deleteExpiredLogs, dropExpiredPartitions } from "./retention.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(() => world.clock.set("2026-11-20T09:30:00Z"));

const on = async (plan: Plan): Promise<Caller> => {
  const { caller } = await world.account();
  await world.ctx.db.update(accounts).set({ plan }).where(eq(accounts.id, caller.account.id));
  return caller;
};

const requestOf = ({ account }: Caller, at: string) => ({
  accountId: account.id,
  occurredAt: new Date(at),
  method: "GET" as const,
  endpoint: "/api-keys",
  status: 200,
  durationMs: 10,
  responseBytes: 100,
  requestCost: 1,
  apiKeyId: null,
  apiKeyName: null,
  routeId: null,
  requestId: at,
});

const record = async (caller: Caller, ...times: string[]) => {
  for (const at of times) await recordUsage(world.ctx, requestOf(caller, at));
};

/** Waits until so many statements wait for a lock. */
const untilWaiting = (statements: number) =>
  expect
    .poll(
      async () => {
        const [row] = await world.ctx.db.execute<{ waiting: number }>(sql`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        return row?.waiting;
      },
      { interval: 20 },
    )
    .toBe(statements);

/** The partitions with records of the account, oldest record first. */
const partitionsWith = async ({ account }: Caller): Promise<string[]> => {
  const rows = await world.ctx.db.execute<{ partition: string }>(sql`
    select tableoid::regclass::text as partition from usage_logs where account_id = ${account.id} order by occurred_at`);
  return [...rows].map(({ partition }) => partition);
};

const timesOf = async (caller: Caller): Promise<string[]> =>
  (await listLogs(world.ctx, caller, {}, { limit: 100 })).rows.map(({ requestId }) => requestId);

describe("The partitions of the request log", () => {
  it.each([
    ["usage_logs_free_2026_11_16", "2026-11-16", "2026-11-23"],
    ["usage_logs_free_2026_11_30", "2026-11-30", "2026-12-07"],
    ["usage_logs_professional_2026_11_23", "2026-11-23", "2026-11-30"],
    ["usage_logs_enterprise_2026_11_01", "2026-11-01", "2026-12-01"],
    ["usage_logs_enterprise_2027_01_01", "2027-01-01", "2027-02-01"],
  ])("include %s, from %s to %s, on 20 November 2026", (name, from, to) => {
    const partition = partitionsFrom("2026-11-20").find((each) => each.name === name);
    expect(partition).toMatchObject({ from, to });
  });

  it.each([
    ["2026-11-22", "2026-11-16"],
    ["2026-11-23", "2026-11-23"],
  ])("begin on a Monday: on %s with %s", (today, monday) => {
    expect(partitionsFrom(today)[0]).toMatchObject({ from: monday });
  });

  it("are created once, and take the records of their time from the default partition", async () => {
    const caller = await on("professional");
    await record(caller, "2027-03-01T00:00:00Z", "2027-03-07T23:59:59.999Z", "2027-03-08T00:00:00Z");
    expect(new Set(await partitionsWith(caller))).toEqual(new Set(["usage_logs_professional_default"]));
    world.clock.set("2027-03-03T12:00:00Z");

    expect(await createLogPartitions(world.ctx)).toBe(9);
    expect(await createLogPartitions(world.ctx)).toBe(0);

    expect(await partitionsWith(caller)).toEqual([
      "usage_logs_professional_2027_03_01",
      "usage_logs_professional_2027_03_01",
      "usage_logs_professional_2027_03_08",
    ]);
    await record(caller, "2027-03-09T00:00:00Z");
    expect((await partitionsWith(caller)).at(-1)).toBe("usage_logs_professional_2027_03_08");
    expect(await timesOf(caller)).toEqual([
      "2027-03-09T00:00:00Z",
      "2027-03-08T00:00:00Z",
      "2027-03-07T23:59:59.999Z",
      "2027-03-01T00:00:00Z",
    ]);
  });

  it("are created by one of the processes that try it at the same time", async () => {
    world.clock.set("2027-06-01T09:30:00Z");
    const created = await Promise.all(Array.from({ length: 4 }, () => createLogPartitions(world.ctx)));
    expect(created.reduce((sum, each) => sum + each)).toBe(partitionsFrom("2027-06-01").length);
    expect(await createLogPartitions(world.ctx)).toBe(0);
  });

  it.each([
    ["before", "2030-02-01T12:00:00Z", "2030-03-01T12:00:00Z", "usage_logs_free_default"],
    ["of", "2031-03-03T12:00:00Z", "2031-03-05T12:00:00Z", "usage_logs_free_2031_03_03"],
  ])("are created without failing records written meanwhile, one %s their time", async (_, before, now, partition) => {
    const caller = await on("free");
    world.clock.set(now);
    let commit = () => {};
    let earlier = Promise.resolve();
    await new Promise<void>((hasWritten) => {
      earlier = world.ctx.db.transaction(async (tx) => {
        await insertRecords(tx, [requestOf(caller, before)]);
        await new Promise<void>((resolve) => {
          commit = resolve;
          hasWritten();
        });
      });
    });

    const creating = createLogPartitions(world.ctx);
    await untilWaiting(1);
    const recording = record(caller, now);
    await untilWaiting(2);
    commit();

    await Promise.all([earlier, recording, creating]);
    expect(await timesOf(caller)).toEqual([now, before]);
    expect((await partitionsWith(caller))[0]).toBe(partition);
  });

  it("exist for every plan", async () => {
    for (const plan of plans) {
      const caller = await on(plan);
      await record(caller, "1999-12-31T00:00:00Z");
      expect(await partitionsWith(caller)).toEqual([`usage_logs_${plan}_default`]);
    }
  });
});

describe("Expired partitions", () => {
  it("are dropped once all their records are past the retention of the plan", async () => {
    world.clock.set("2028-01-03T12:00:00Z");
    await deleteExpiredLogs(world.ctx);
    await dropExpiredPartitions(world.ctx);
    await createLogPartitions(world.ctx);
    const callers = [await on("free"), await on("professional"), await on("enterprise")] as const;
    for (const caller of callers) await record(caller, "2028-01-03T12:00:00Z", "2028-01-09T23:00:00Z");
    const left = () => Promise.all(callers.map(async (caller) => (await timesOf(caller)).length));

    world.clock.set("2028-02-08T23:59:00Z");
    expect(await dropExpiredPartitions(world.ctx)).toBe(0);
    expect(await deleteExpiredLogs(world.ctx)).toBe(0);
    expect(await left()).toEqual([2, 2, 2]);

    world.clock.set("2028-02-09T00:00:00Z");
    expect(await dropExpiredPartitions(world.ctx)).toBe(1);
    expect(await left()).toEqual([0, 2, 2]);

    world.clock.set("2028-04-09T00:00:00Z");
    // The two empty partitions of the free plan that had been created ahead, and the first of the professional plan.
    expect(await dropExpiredPartitions(world.ctx)).toBe(3);
    expect(await left()).toEqual([0, 0, 2]);

    world.clock.set("2048-01-01T00:00:00Z");
    await dropExpiredPartitions(world.ctx);
    expect(await left()).toEqual([0, 0, 2]);
  });
});

describe("After a change of plan, log records", () => {
  const change = async (caller: Caller, plan: Plan) => {
    const operator = await world.operator();
    await changePlan(world.ctx, operator, { accountId: caller.account.id, plan, reason: "test" });
  };

  it("are kept as long as the new plan says", async () => {
    world.clock.set("2029-01-01T12:00:00Z");
    await createLogPartitions(world.ctx);
    const [upgraded, downgraded] = [await on("free"), await on("enterprise")];
    for (const caller of [upgraded, downgraded]) await record(caller, "2029-01-01T12:00:00Z", "2029-01-20T00:00:00Z");
    world.clock.set("2029-01-20T12:00:00Z");
    await change(upgraded, "professional");
    await change(downgraded, "free");

    expect(await moveLogsOfChangedPlans(world.ctx)).toBe(4);
    expect(await moveLogsOfChangedPlans(world.ctx)).toBe(0);

    world.clock.set("2029-02-10T00:00:00Z");
    await dropExpiredPartitions(world.ctx);
    await deleteExpiredLogs(world.ctx);
    expect(await timesOf(upgraded)).toEqual(["2029-01-20T00:00:00Z", "2029-01-01T12:00:00Z"]);
    expect(await timesOf(downgraded)).toEqual(["2029-01-20T00:00:00Z"]);
  });

  it("move until requests that were under way during the change are recorded", async () => {
    world.clock.set("2029-06-01T12:00:00Z");
    const caller = await on("free");
    await change(caller, "professional");
    const isNoted = async () =>
      (await world.ctx.db.$count(usagePlanChanges, eq(usagePlanChanges.accountId, caller.account.id))) === 1;

    await moveLogsOfChangedPlans(world.ctx);
    expect(await isNoted()).toBe(true);
    await world.ctx.db.insert(usageLogs).values({
      accountId: caller.account.id,
      occurredAt: new Date("2029-06-01T12:00:00Z"),
      method: "GET",
      endpoint: "/api-keys",
      status: 200,
      durationMs: 1,
      responseBytes: 1,
      requestId: "late",
      plan: "free",
    });
    world.clock.set("2029-06-01T13:00:00Z");
    expect(await moveLogsOfChangedPlans(world.ctx)).toBe(1);
    expect(await isNoted()).toBe(false);
  });
});

describe("The migration to partitions", () => {
  it("keeps the records and continues counting their ids", async () => {
    const folder = fileURLToPath(new URL("../../../drizzle/migrations/", import.meta.url));
    const statements = (name: string) => readFileSync(folder + name, "utf8").split("--> statement-breakpoint");
    const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
    const partition = files.findIndex((name) => name.endsWith("_partition_usage_logs.sql"));
    const database = await cloneDatabase();
    const client = postgres(database.url, { max: 1, onnotice: () => {} });
    try {
      await client.unsafe("drop schema public, history, as_of cascade; create schema public");
      for (const name of files.slice(0, partition)) {
        for (const statement of statements(name)) await client.unsafe(statement);
      }
      await client`insert into usage_logs (account_id, occurred_at, method, endpoint, status, duration_ms, response_bytes, request_id)
        select 1, '2026-11-01'::timestamptz + number * interval '1 minute', 'GET', '/api-keys', 200, 1, 1, number
        from generate_series(1, 3) number`;
      const before = await client`select * from usage_logs order by id`;
      for (const statement of statements(files[partition] as string)) await client.unsafe(statement);

      const after = await client`select * from usage_logs order by id`;
      expect(after).toEqual(before.map((row) => ({ ...row, plan: null })));
      await client`insert into usage_logs (account_id, occurred_at, method, endpoint, status, duration_ms, response_bytes, request_id, plan)
        values (1, '2026-11-02', 'GET', '/api-keys', 200, 1, 1, '4', 'free')`;
      expect(
        await client`select id::int, tableoid::regclass::text as partition from usage_logs order by id desc limit 1`,
      ).toEqual([{ id: 4, partition: "usage_logs_free_default" }]);
    } finally {
      await client.end();
      await database.drop();
    }
  });
});
