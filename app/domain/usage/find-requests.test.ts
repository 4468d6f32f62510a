import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, outboxMessages } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { setQuotaAlertsByMail } from "../accounts/quota-alerts.server.ts";
import { usageBreakdown } from "./breakdown.server.ts";
import { callUsage } from "./call-usage.server.ts";
import { getLoggedRequest, listLogs } from "./logs.server.ts";
import { busyHours } from "./plan-usage.server.ts";
import { recordUsage } from "./record.server.ts";
import { newRequestId } from "./request-id.ts";
import type { UsageRecord } from "./usage-record.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const at = (time: string) => new Date(`2026-11-${time}Z`);

const recordOf = (accountId: number, more: Partial<UsageRecord> = {}): UsageRecord => {
  const occurredAt = more.occurredAt ?? world.clock.now();
  return {
    ...{ accountId, occurredAt, method: "GET", endpoint: "/api-routes-data", status: 200, durationMs: 5 },
    ...{ responseBytes: 10, requestCost: 1, apiKeyId: null, apiKeyName: null, routeId: null },
    requestId: newRequestId(occurredAt),
    ...more,
  };
};
const write = async (records: UsageRecord[]) => {
  for (const record of records) await recordUsage(world.ctx, record);
};

describe("A logged request", () => {
  it("is found by the id in the response's header", async () => {
    const { caller, token } = await world.account();
    const { headers } = await call(world, "GET", "/api-keys", { token });
    const requestId = headers["X-Request-Id"] ?? "";
    expect(await getLoggedRequest(world.ctx, caller, { requestId })).toMatchObject({
      ...{ requestId, endpoint: "/api-keys", status: 200, hourRequests: 1 },
    });
    const body = (await call(world, "GET", `/api-usage-logs?request_id=${requestId}`, { token })).body;
    expect(body).toMatchObject({ usage_logs: [{ request_id: requestId }] });
  });

  it("is not found by another account", async () => {
    const [{ account }, other] = [await world.account(), await world.account()];
    const record = recordOf(account.id);
    await write([record]);
    await expect(getLoggedRequest(world.ctx, other.caller, record)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is found by an id from before ids contained the time", async () => {
    const { account, caller } = await world.account();
    const record = recordOf(account.id, { requestId: randomUUID() });
    await write([record]);
    expect(await getLoggedRequest(world.ctx, caller, record)).toMatchObject({ requestId: record.requestId });
  });
});

it("filters the log by class of status", async () => {
  const { account, caller } = await world.account();
  await write([200, 201, 304, 403, 429, 500].map((status) => recordOf(account.id, { status })));
  const found = async (statusClass: "2xx" | "3xx" | "4xx" | "5xx") =>
    (await listLogs(world.ctx, caller, { statusClass }, { limit: 10 })).rows.map(({ status }) => status).sort();
  expect(await found("2xx")).toEqual([200, 201]);
  expect(await found("3xx")).toEqual([304]);
  expect(await found("4xx")).toEqual([403, 429]);
  expect(await found("5xx")).toEqual([500]);
});

it("counts requests by route and by key, over any days and hours", async () => {
  const { account, caller } = await world.account();
  const [first, second] = world.routes;
  if (!first || !second) throw new Error("The world has too few routes");
  const [a, b] = [
    { apiKeyId: 901, apiKeyName: "A", routeId: first.id },
    { apiKeyId: 902, apiKeyName: "B", routeId: second.id },
  ];
  await write([
    recordOf(account.id, { ...a, occurredAt: at("17T10:00:00") }),
    recordOf(account.id, { ...a, occurredAt: at("18T10:00:00"), status: 403 }),
    recordOf(account.id, { ...a, routeId: second.id, occurredAt: at("18T11:00:00") }),
    recordOf(account.id, { ...b, occurredAt: at("19T10:00:00") }),
    recordOf(account.id, { occurredAt: at("19T11:00:00"), endpoint: "/api-keys" }),
  ]);
  const asked = async (request: Parameters<typeof callUsage>[2]) => {
    const usage = await callUsage(world.ctx, caller, request);
    const { routes, keys, endpoints } = await usageBreakdown(world.ctx, caller, request);
    return {
      total: usage.totals.requests,
      routes: Object.fromEntries(routes.map(({ id, requests }) => [id, requests])),
      keys: Object.fromEntries(keys.map(({ name, requests }) => [name, requests])),
      endpoints: endpoints.length,
    };
  };
  const days = { period: "days", from: at("17T00:00:00"), to: at("20T00:00:00") } as const;
  expect(await asked(days)).toEqual({
    ...{ total: 5, endpoints: 2 },
    routes: { [first.id]: 2, [second.id]: 2 },
    keys: { A: 3, B: 1, null: 1 },
  });
  expect(await asked({ ...days, apiKeyId: 901 })).toEqual({
    ...{ total: 3, endpoints: 1, keys: { A: 3 } },
    routes: { [first.id]: 2, [second.id]: 1 },
  });
  for (const period of ["days", "hours", "months"] as const) {
    expect(await asked({ ...days, period, routeId: second.id })).toMatchObject({
      ...{ total: 2, endpoints: 1, keys: { A: 1, B: 1 } },
      routes: { [second.id]: 2 },
    });
  }
  const someHours = { period: "hours", from: at("18T10:30:00"), to: at("19T10:30:00") } as const;
  expect(await asked({ ...someHours, routeId: second.id })).toMatchObject({ total: 2, routes: { [second.id]: 2 } });
  expect(await asked({ ...someHours, routeId: first.id })).toMatchObject({ total: 1, routes: { [first.id]: 1 } });
});

describe("The hourly quota", () => {
  const limited = async () => {
    const holder = await world.account();
    const limit = { plan: "enterprise", customHourlyLimit: 5 } as const;
    await world.ctx.db.update(accounts).set(limit).where(eq(accounts.id, holder.account.id));
    const account = { ...holder.account, ...limit };
    return { token: holder.token, caller: { ...holder.caller, account } };
  };
  const ask = async (token: string, times: number) => {
    for (let i = 0; i < times; i += 1) await call(world, "GET", "/api-keys", { token });
  };
  const subjects = async (accountId: number) =>
    (
      await world.ctx.db
        .select({ subject: outboxMessages.subject })
        .from(outboxMessages)
        .where(eq(outboxMessages.accountId, accountId))
        .orderBy(outboxMessages.id)
    ).map(({ subject }) => subject);

  it("causes a mail at 80% and at 100%, once an hour, for those who want it", async () => {
    const { caller, token } = await limited();
    await setQuotaAlertsByMail(world.ctx, caller, { byMail: true });
    await ask(token, 8);
    expect(await subjects(caller.account.id)).toEqual([
      "You have used 80% of this hour's API requests",
      "You have used all API requests of this hour",
    ]);
  });

  it("causes no mail unless it is wanted", async () => {
    const { caller, token } = await limited();
    await ask(token, 8);
    expect(await subjects(caller.account.id)).toEqual([]);
  });

  it("lists the hours that came close to the limit", async () => {
    const { caller } = await limited();
    const hourly = (time: string, times: number) =>
      Array.from({ length: times }, () => recordOf(caller.account.id, { occurredAt: at(time) }));
    await write([...hourly("18T10:05:00", 3), ...hourly("18T11:05:00", 4), ...hourly("19T12:05:00", 6)]);
    expect(await busyHours(world.ctx, caller)).toEqual([
      { hour: at("19T12:00:00"), requests: 6, percent: 100 },
      { hour: at("18T11:00:00"), requests: 4, percent: 80 },
    ]);
  });
});
