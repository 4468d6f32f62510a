import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/world.ts";
import { aggregateServiceDays, serviceDays } from "./aggregate-days.server.ts";
import { recordUsage } from "./record.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ now: "2026-11-20T09:30:00Z" });
});
afterAll(() => world.close());

const request = (accountId: number, at: string, status = 200) =>
  recordUsage(world.ctx, {
    accountId,
    occurredAt: new Date(at),
    method: "GET",
    endpoint: "/api-routes-data",
    status,
    durationMs: 5,
    responseBytes: 10,
    requestCost: 1,
    apiKeyId: null,
    apiKeyName: null,
    routeId: null,
    requestId: crypto.randomUUID(),
  });

it("Daily totals over all accounts are the same before and after the days are aggregated", async () => {
  await request(1, "2026-11-18T23:59:59.9Z");
  await request(2, "2026-11-18T10:00:00Z", 404);
  await request(2, "2026-11-18T10:00:00Z", 429);
  await request(1, "2026-11-20T08:00:00Z");
  const expected = [
    { day: "2026-11-17", accounts: 0, requests: 0, errors: 0, rateLimited: 0 },
    { day: "2026-11-18", accounts: 2, requests: 3, errors: 1, rateLimited: 1 },
    { day: "2026-11-19", accounts: 0, requests: 0, errors: 0, rateLimited: 0 },
    { day: "2026-11-20", accounts: 1, requests: 1, errors: 0, rateLimited: 0 },
  ];
  const days = () => serviceDays(world.ctx, { from: "2026-11-17" });
  expect(await days()).toEqual(expected);
  expect(await aggregateServiceDays(world.ctx)).toBe(2);
  expect(await aggregateServiceDays(world.ctx)).toBe(0);
  expect(await days()).toEqual(expected);

  await request(1, "2026-11-20T09:00:00Z");
  world.clock.set("2026-11-21T00:07:00Z");
  expect((await days()).map(({ requests }) => requests)).toEqual([0, 3, 0, 2, 0]);
  expect(await aggregateServiceDays(world.ctx)).toBe(1);
  expect((await days()).map(({ requests }) => requests)).toEqual([0, 3, 0, 2, 0]);
});
