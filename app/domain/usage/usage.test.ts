import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, usageDays, usageHours, usageLogs } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { issueKey } from "../api-keys/issue.server.ts";
import { deleteKey, getKey } from "../api-keys/manage.server.ts";
import { dayOf } from "../dates.ts";
import type { Plan } from "../plans/plans.ts";
import { callUsage } from "./call-usage.server.ts";
import { logsCsv } from "./export.ts";
import { listLogs, logsForExport } from "./logs.server.ts";
import { planUsage } from "./plan-usage.server.ts";
import { completeUsage, recordUsage } from "./record.server.ts";
import { deleteExpiredLogs } from "./retention.server.ts";
import { accountStats } from "./stats.server.ts";
import type { UsageFilter } from "./usage-log.ts";
import type { UsageRecord } from "./usage-record.ts";

let world: World;
let caller: Caller;

const csvOf = async (filter: UsageFilter): Promise<string> => {
  let text = "";
  for await (const piece of logsCsv(await logsForExport(world.ctx, caller, filter))) text += piece;
  return text;
};

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  caller = (await world.account()).caller;
});

/** Records requests as the API does, with defaults for whatever is not given. */
const record = async (by: Caller, ...requests: (Partial<UsageRecord> & { at: string })[]) => {
  for (const { at, ...request } of requests) {
    await recordUsage(world.ctx, {
      accountId: by.account.id,
      occurredAt: new Date(at),
      method: "GET",
      endpoint: "/api-keys",
      status: 200,
      durationMs: 10,
      responseBytes: 100,
      requestCost: 1,
      apiKeyId: null,
      apiKeyName: null,
      routeId: null,
      requestId: randomUUID(),
      ...request,
    });
  }
};

const minutes = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.parse("2026-11-20T08:00:00Z") + (from + index) * 60_000).toISOString(),
  }));

describe("The request log", () => {
  it("is read newest first, page by page, while requests are added", async () => {
    await record(caller, ...minutes(25));
    const seen: string[] = [];
    let cursor: string | undefined;
    let page = 0;
    do {
      const { rows, nextCursor } = await listLogs(world.ctx, caller, {}, { limit: 10, cursor });
      seen.push(...rows.map(({ occurredAt }) => occurredAt.toISOString()));
      cursor = nextCursor ?? undefined;
      await record(caller, ...minutes(7, 100 + page++ * 7));
    } while (cursor);
    expect(seen).toEqual(
      minutes(25)
        .map(({ at }) => at)
        .reverse(),
    );
  });

  it("lists requests of the same millisecond once each", async () => {
    await record(caller, ...Array.from({ length: 7 }, () => ({ at: "2026-11-20T08:00:00.123Z" })));
    const ids: number[] = [];
    let cursor: string | undefined;
    do {
      const { rows, nextCursor } = await listLogs(world.ctx, caller, {}, { limit: 2, cursor });
      ids.push(...rows.map(({ id }) => id));
      cursor = nextCursor ?? undefined;
    } while (cursor);
    expect(new Set(ids).size).toBe(7);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  });

  it.each([
    [{ from: new Date("2026-11-20T08:02:00Z") }, [4, 3, 2]],
    [{ to: new Date("2026-11-20T08:02:00Z") }, [1, 0]],
    [{ from: new Date("2026-11-20T08:01:00Z"), to: new Date("2026-11-20T08:03:00Z") }, [2, 1]],
    [{ status: 404 }, [1]],
    [{ endpoint: "/api-routes-data" }, [3, 2]],
    [{ apiKeyId: 7 }, [4, 2]],
    [{ routeId: 12 }, [2]],
    [{ endpoint: "/api-routes-data", apiKeyId: 7 }, [2]],
    [{ endpoint: "/api-routes-data", status: 404 }, []],
  ])("is filtered by %o", async (filter, expected) => {
    await record(
      caller,
      { at: "2026-11-20T08:00:00Z" },
      { at: "2026-11-20T08:01:00Z", status: 404 },
      { at: "2026-11-20T08:02:00Z", endpoint: "/api-routes-data", apiKeyId: 7, routeId: 12 },
      { at: "2026-11-20T08:03:00Z", endpoint: "/api-routes-data", routeId: 13 },
      { at: "2026-11-20T08:04:00Z", apiKeyId: 7 },
    );
    const { rows } = await listLogs(world.ctx, caller, filter, { limit: 50 });
    expect(rows.map(({ occurredAt }) => occurredAt.getUTCMinutes())).toEqual(expected);
  });

  it("never shows requests of other accounts, whatever the filter", async () => {
    const stranger = (await world.account()).caller;
    await record(stranger, { at: "2026-11-20T08:00:00Z", apiKeyId: 91, routeId: 5 });
    for (const filter of [{}, { apiKeyId: 91 }, { routeId: 5 }, { status: 200 }]) {
      expect((await listLogs(world.ctx, caller, filter, { limit: 50 })).rows).toEqual([]);
    }
    expect((await callUsage(world.ctx, caller, { period: "days", apiKeyId: 91 })).totals.requests).toBe(0);
    expect((await accountStats(world.ctx, caller)).lastDays.requests).toBe(0);
  });

  it("rejects a range that ends before it begins", async () => {
    const from = new Date("2026-11-20T08:00:00Z");
    await expect(listLogs(world.ctx, caller, { from, to: from }, { limit: 5 })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  it("is exported with the same filters, safe from formula injection", async () => {
    await record(
      caller,
      { at: "2026-11-20T08:00:00Z", status: 403 },
      { at: "2026-11-20T08:01:00Z", requestId: "r-1", apiKeyId: 7, apiKeyName: "=cmd", durationMs: 12.5 },
    );
    const [log] = (await listLogs(world.ctx, caller, { status: 200 }, { limit: 1 })).rows;
    expect(await csvOf({ status: 200 })).toBe(
      "id,occurred_at,method,endpoint,status,duration_ms,response_bytes,request_cost,api_key_id,api_key_name,route_id,request_id\r\n" +
        `${log?.id},2026-11-20T08:01:00.000Z,GET,/api-keys,200,12.5,100,1,7,'=cmd,,r-1\r\n`,
    );
  });

  it("counts an answer that costs several requests as often in every total", async () => {
    await record(caller, { at: "2026-11-20T08:00:00Z", requestCost: 480 }, { at: "2026-11-20T08:01:00Z" });
    for (const period of ["hours", "days"] as const) {
      expect((await callUsage(world.ctx, caller, { period })).totals).toMatchObject({ requests: 481, errors: 0 });
    }
    expect((await accountStats(world.ctx, caller)).lastDays.requests).toBe(481);
  });

  it("is completed when a streamed response has ended", async () => {
    await record(caller, { at: "2026-11-20T08:00:00Z", requestId: "r-1", responseBytes: 0 });
    const of = { accountId: caller.account.id, occurredAt: new Date("2026-11-20T08:00:00Z"), requestId: "r-1" };
    await completeUsage(world.ctx, of, { durationMs: 90_000, responseBytes: 3_000_000_000 });
    const [log] = (await listLogs(world.ctx, caller, {}, { limit: 1 })).rows;
    expect(log).toMatchObject({ durationMs: 90_000, responseBytes: 2_147_483_647 });
  });

  it("is exported completely, each record once, however long it is", async () => {
    await record(
      caller,
      ...Array.from({ length: 2_101 }, (_, i) => ({ at: "2026-11-20T08:00:00Z", requestId: `r-${i}` })),
    );
    const lines = (await csvOf({})).trimEnd().split("\r\n").slice(1);
    expect(lines).toHaveLength(2_101);
    expect(new Set(lines.map((line) => line.split(",").at(-1))).size).toBe(2_101);
  });
});

describe("Usage over time", () => {
  beforeEach(() =>
    record(
      caller,
      { at: "2026-11-18T23:59:59.999Z", apiKeyId: 7 },
      { at: "2026-11-19T00:00:00Z", status: 500, apiKeyId: 7 },
      { at: "2026-11-19T23:10:00Z", status: 429 },
      { at: "2026-11-20T09:10:00Z", status: 404 },
      { at: "2026-11-20T09:20:00Z", apiKeyId: 7 },
      { at: "2026-09-30T23:59:00Z" },
    ),
  );

  const series = async (input: Parameters<typeof callUsage>[2]) => {
    const usage = await callUsage(world.ctx, caller, input);
    return usage.series.map(({ startsAt, requests, errors, rateLimited }) => [
      startsAt.toISOString().slice(0, 13),
      requests,
      errors,
      rateLimited,
    ]);
  };

  it("is reported by day", async () => {
    expect(await series({ period: "days", from: new Date("2026-11-17T12:00:00Z") })).toEqual([
      ["2026-11-17T00", 0, 0, 0],
      ["2026-11-18T00", 1, 0, 0],
      ["2026-11-19T00", 2, 1, 1],
      ["2026-11-20T00", 2, 1, 0],
    ]);
  });

  it("is reported by hour, across midnight", async () => {
    const hours = await series({ period: "hours" });
    expect(hours).toHaveLength(48);
    expect(hours.filter(([, requests]) => requests !== 0)).toEqual([
      ["2026-11-18T23", 1, 0, 0],
      ["2026-11-19T00", 1, 1, 0],
      ["2026-11-19T23", 1, 0, 1],
      ["2026-11-20T09", 2, 1, 0],
    ]);
  });

  it("is reported by month", async () => {
    expect(await series({ period: "months", from: new Date("2026-08-31") })).toEqual([
      ["2026-08-01T00", 0, 0, 0],
      ["2026-09-01T00", 1, 0, 0],
      ["2026-10-01T00", 0, 0, 0],
      ["2026-11-01T00", 5, 2, 1],
    ]);
  });

  it("is reported for one key, with totals", async () => {
    const usage = await callUsage(world.ctx, caller, { period: "days", apiKeyId: 7 });
    expect(usage).toMatchObject({ apiKeyId: 7, totals: { requests: 3, errors: 1, rateLimited: 0 } });
  });

  it("includes the quota without using it up", async () => {
    const subject = `account:${caller.account.id}`;
    await world.ctx.rateLimiter.take(subject, { hourly: 1000, burst: 20 }, world.clock.now());
    for (const _ of [1, 2]) {
      const { quota } = await callUsage(world.ctx, caller, { period: "days" });
      expect(quota).toEqual({ limit: 1000, remaining: 999, resetsAt: new Date("2026-11-20T10:00:00Z") });
    }
  });
});

describe("The account's statistics", () => {
  it("are zeros and nulls at first", async () => {
    expect(await accountStats(world.ctx, caller)).toMatchObject({
      subscriptions: { active: 0, expiring_soon: 0, expired: 0, cancelled: 0 },
      spend: { totalCents: 0, recentCents: 0, currency: "USD" },
      today: { requests: 0 },
      lastDays: { requests: 0, errors: 0 },
      durationMs: { p50: null, p95: null },
      topRoutes: [],
      topKeys: [],
    });
  });

  it("use measured durations of the last 30 days only", async () => {
    const durations = Array.from({ length: 100 }, (_, index) => 100 - index);
    await record(caller, ...durations.map((durationMs) => ({ at: "2026-11-19T08:00:00Z", durationMs })));
    await record(caller, { at: "2026-10-21T23:59:59Z", durationMs: 9_000 });
    await record(caller, { at: "2026-10-22T00:00:00Z", durationMs: 95 });
    const { durationMs, lastDays } = await accountStats(world.ctx, caller);
    expect(durationMs).toEqual({ p50: 51, p95: 95 });
    expect(lastDays.requests).toBe(101);
  });

  it("list the most used routes and keys, deleted keys under their last name", async () => {
    const [kept, deleted] = [
      await issueKey(world.ctx, caller, { api_key_name: "Kept", user: "me" }),
      await issueKey(world.ctx, caller, { api_key_name: "Gone", user: "me" }),
    ];
    const [first, second] = world.routes;
    if (!first || !second) throw new Error("Two routes are needed");
    const by = (key: { id: number; name: string }, routeId: number) => ({
      at: "2026-11-19T08:00:00Z",
      apiKeyId: key.id,
      apiKeyName: key.name,
      routeId,
    });
    await record(caller, by(kept, first.id), by(deleted, second.id), by(deleted, second.id), by(deleted, 999_999));
    await record(caller, { at: "2026-11-20T08:00:00Z" }, { at: "2026-11-20T08:00:00Z", status: 500 });
    await deleteKey(world.ctx, caller, { id: deleted.id });
    expect(await accountStats(world.ctx, caller)).toMatchObject({
      today: { requests: 2, errors: 1 },
      lastDays: { requests: 6, errors: 1 },
      topRoutes: [
        { id: second.id, name: second.name, requests: 2 },
        { id: first.id, code: first.code, requests: 1 },
      ],
      topKeys: [
        { id: deleted.id, name: "Gone", requests: 3 },
        { id: kept.id, name: "Kept", requests: 1 },
      ],
    });
  });
});

describe("Expired log records", () => {
  const on = async (plan: Plan): Promise<Caller> => {
    const { caller } = await world.account();
    await world.ctx.db.update(accounts).set({ plan }).where(eq(accounts.id, caller.account.id));
    return caller;
  };

  it("are deleted after the retention of the plan, while their totals stay", async () => {
    const { db } = world.ctx;
    const ages = ["2026-11-20T09:30:00Z", "2026-10-21T09:30:00Z", "2026-10-21T09:29:59Z", "2026-08-22T09:29:59Z"];
    const callers = [await on("free"), await on("professional"), await on("enterprise")];
    for (const one of callers) await record(one, ...ages.map((at) => ({ at })));
    const left = () =>
      Promise.all(callers.map(({ account }) => db.$count(usageLogs, eq(usageLogs.accountId, account.id))));

    expect(await left()).toEqual([4, 4, 4]);
    expect(await deleteExpiredLogs(world.ctx)).toBeGreaterThanOrEqual(3);
    expect(await left()).toEqual([2, 3, 4]);
    expect(await deleteExpiredLogs(world.ctx)).toBe(0);
    for (const { account } of callers) {
      expect(await db.$count(usageHours, eq(usageHours.accountId, account.id))).toBe(3);
    }
  });

  it("are all deleted, across several batches", async () => {
    const free = await on("free");
    await world.ctx.db.insert(usageLogs).values(
      Array.from({ length: 5_001 }, () => ({
        accountId: free.account.id,
        occurredAt: new Date("2026-09-01T00:00:00Z"),
        method: "GET",
        endpoint: "/api-keys",
        status: 200,
        durationMs: 1,
        responseBytes: 1,
        requestCost: 1,
        requestId: "r",
      })),
    );
    expect(await deleteExpiredLogs(world.ctx)).toBe(5_001);
  });
});

describe("The use of a plan", () => {
  it("is empty at first", async () => {
    expect(await planUsage(world.ctx, caller)).toMatchObject({
      quota: { limit: 1_000, remaining: 1_000 },
      keys: 0,
      oldestLogAt: null,
      busiestHour: null,
      rateLimited: 0,
    });
  });

  it("counts keys, and names the oldest log record and the busiest hour of the last 30 days over all keys", async () => {
    await issueKey(world.ctx, caller, { api_key_name: "Sync", user: "shipper" });
    const busy = { apiKeyId: 1, apiKeyName: "One" };
    await record(
      caller,
      { at: "2026-10-01T08:00:00Z" },
      ...minutes(3),
      ...minutes(2, 5).map((request) => ({ ...request, ...busy })),
      { at: "2026-11-19T08:00:00Z" },
      { at: "2026-11-19T08:00:01Z", status: 429 },
    );
    expect(await planUsage(world.ctx, caller)).toMatchObject({
      keys: 1,
      oldestLogAt: new Date("2026-10-01T08:00:00Z"),
      busiestHour: { hour: new Date("2026-11-20T08:00:00Z"), requests: 5 },
      rateLimited: 1,
    });
  });

  it("counts more than two billion requests of one hour and of one key", async () => {
    const key = await issueKey(world.ctx, caller, { api_key_name: "Sync", user: "shipper" });
    const { id: accountId } = caller.account;
    const counts = { accountId, requests: 2_000_000_000, errors: 0, rateLimited: 0 };
    const hour = new Date("2026-11-20T08:00:00Z");
    const dayBefore = new Date("2026-11-19T08:00:00Z");
    await world.ctx.db.insert(usageHours).values([
      { ...counts, hour, apiKeyId: 0 },
      { ...counts, hour, apiKeyId: key.id },
      { ...counts, hour: dayBefore, apiKeyId: key.id },
    ]);
    await world.ctx.db.insert(usageDays).values(
      [dayBefore, hour].map((lastAt) => ({
        ...counts,
        ...{ day: dayOf(lastAt), apiKeyId: key.id, endpoint: "/api-keys", routeId: 0, lastAt },
      })),
    );
    expect((await planUsage(world.ctx, caller)).busiestHour).toEqual({ hour, requests: 4_000_000_000 });
    expect(await getKey(world.ctx, caller, key)).toMatchObject({ requests: 4_000_000_000, lastUsedAt: hour });
  });
});
