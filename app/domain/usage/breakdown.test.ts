import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { issueKey } from "../api-keys/issue.server.ts";
import { deleteKey } from "../api-keys/manage.server.ts";
import { recentlyUsed, usageBreakdown } from "./breakdown.server.ts";
import { callUsage } from "./call-usage.server.ts";
import { recordUsage } from "./record.server.ts";
import type { UsagePeriod } from "./series.ts";
import type { UsageRecord } from "./usage-record.ts";

let world: World;
let caller: Caller;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  caller = (await world.account()).caller;
});

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

const breakdownOf = async (period: UsagePeriod) => {
  const usage = await callUsage(world.ctx, caller, { period });
  return { usage, ...(await usageBreakdown(world.ctx, caller, { period })) };
};

describe("The breakdown of usage", () => {
  it.each(["hours", "days", "months"] as const)("adds up to the series of %s", async (period) => {
    const key = await issueKey(world.ctx, caller, { api_key_name: "Rate sync", user: "ours" });
    const byKey = { endpoint: "/api-routes-data", apiKeyId: key.id, apiKeyName: key.name };
    await record(
      caller,
      { at: "2026-11-20T09:29:00Z", ...byKey, durationMs: 30 },
      { at: "2026-11-20T08:00:00Z", ...byKey, status: 429, durationMs: 20 },
      { at: "2026-11-20T07:00:00Z", ...byKey, status: 403 },
      { at: "2026-11-19T00:00:00Z", durationMs: 1 },
      { at: "2026-11-18T10:00:00Z", status: 500 },
      // Outside the 48 hours, inside the 30 days.
      { at: "2026-11-18T09:59:59Z", endpoint: "/auth/refresh" },
      { at: "2025-11-30T23:59:59Z", endpoint: "/long-ago" },
    );
    const { usage, endpoints, keys, durationMs } = await breakdownOf(period);
    const older = period === "hours" ? [] : [{ endpoint: "/auth/refresh", requests: 1, errors: 0, rateLimited: 0 }];
    expect(endpoints).toEqual([
      { endpoint: "/api-routes-data", requests: 3, errors: 1, rateLimited: 1 },
      { endpoint: "/api-keys", requests: 2, errors: 1, rateLimited: 0 },
      ...older,
    ]);
    const bearer = { id: null, name: null, requests: 2 + older.length, errors: 1, rateLimited: 0 };
    const named = { id: key.id, name: "Rate sync", requests: 3, errors: 1, rateLimited: 1 };
    expect(keys).toHaveLength(2);
    expect(keys).toEqual(expect.arrayContaining([bearer, named]));
    expect(usage.totals.requests).toBe(endpoints.reduce((sum, { requests }) => sum + requests, 0));
    expect(durationMs.p95).toBe(30);
  });

  it("reports the durations within its range, not those of later requests", async () => {
    await record(
      caller,
      { at: "2026-11-18T23:59:59Z", durationMs: 10 },
      { at: "2026-11-19T00:00:00Z", durationMs: 900 },
    );
    const range = { from: new Date("2026-11-18T00:00:00Z"), to: new Date("2026-11-19T00:00:00Z") };
    const { durationMs } = await usageBreakdown(world.ctx, caller, { period: "days", ...range });
    expect(durationMs).toEqual({ p50: 10, p95: 10 });
  });

  it("gives a deleted key the name it had last", async () => {
    const key = await issueKey(world.ctx, caller, { api_key_name: "Old sync", user: "ours" });
    await record(caller, { at: "2026-11-20T08:00:00Z", apiKeyId: key.id, apiKeyName: "Old sync" });
    await deleteKey(world.ctx, caller, { id: key.id });
    expect((await breakdownOf("days")).keys).toEqual([
      { id: key.id, name: "Old sync", requests: 1, errors: 0, rateLimited: 0 },
    ]);
  });

  it("lists the endpoints and keys of this month and the three before it by name", async () => {
    await record(
      caller,
      { at: "2026-11-20T08:00:00Z", endpoint: "/b", apiKeyId: 71, apiKeyName: "Second" },
      { at: "2026-11-20T08:01:00Z", endpoint: "/b", apiKeyId: 72, apiKeyName: "First" },
      { at: "2026-08-01T00:00:00Z", endpoint: "/a" },
      { at: "2026-07-31T23:59:59Z", endpoint: "/gone", apiKeyId: 73, apiKeyName: "Gone" },
    );
    expect(await recentlyUsed(world.ctx, caller)).toEqual({
      endpoints: ["/a", "/b"],
      keys: [
        { id: 72, name: "First" },
        { id: 71, name: "Second" },
      ],
      routes: [],
    });
  });

  it("leaves out other accounts, and is empty without requests", async () => {
    const stranger = (await world.account()).caller;
    await record(stranger, { at: "2026-11-20T08:00:00Z", apiKeyId: 5, apiKeyName: "theirs" });
    expect(await breakdownOf("hours")).toMatchObject({ endpoints: [], keys: [], durationMs: { p50: null, p95: null } });
    expect(await breakdownOf("months")).toMatchObject({ endpoints: [], keys: [] });
  });
});
