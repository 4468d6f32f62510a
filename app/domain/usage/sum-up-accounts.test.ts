import { and, eq, gte, lt } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { usageAccountDays, usageHours, usageSummed } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { seededRandom } from "../schedules/demo/seeded-random.ts";
import { firstUnsettledDay } from "./policy.ts";
import { recordUsage } from "./record.server.ts";
import type { SeriesPoint } from "./series.ts";
import { totalsByPeriod } from "./series-queries.server.ts";
import { sumUpAccounts } from "./sum-up-accounts.server.ts";

const now = "2026-11-20T09:30:00Z";
const accountIds = [1, 2];
const keyIds = [null, 7, 8];

let world: World;
beforeAll(async () => {
  world = await createWorld({ now });
});
afterAll(() => world.close());

const request = (accountId: number, at: string | Date, { status = 200, apiKeyId = null as number | null } = {}) =>
  recordUsage(world.ctx, {
    accountId,
    occurredAt: new Date(at),
    method: "GET",
    endpoint: "/api-routes-data",
    status,
    durationMs: 5,
    responseBytes: 10,
    requestCost: 1,
    apiKeyId,
    apiKeyName: null,
    routeId: null,
    requestId: crypto.randomUUID(),
  });

type Range = { period: "days" | "months"; from: Date; to: Date; apiKeyId?: number | undefined };

/** A plain sum over the hours. */
const expected = async (accountId: number, { period, from, to, apiKeyId }: Range) => {
  const hours = await world.ctx.db
    .select()
    .from(usageHours)
    .where(
      and(
        eq(usageHours.accountId, accountId),
        gte(usageHours.hour, from),
        lt(usageHours.hour, to),
        apiKeyId === undefined ? undefined : eq(usageHours.apiKeyId, apiKeyId),
      ),
    );
  const points = new Map<string, number[]>();
  for (const { hour, requests, errors, rateLimited } of hours) {
    const start = hour.toISOString().slice(0, period === "days" ? 10 : 7);
    const sum = points.get(start) ?? [0, 0, 0];
    points.set(
      start,
      [requests, errors, rateLimited].map((count, index) => count + (sum[index] ?? 0)),
    );
  }
  return [...points].sort();
};

const found = async (accountId: number, { period, ...range }: Range) => {
  const unsettled = firstUnsettledDay(world.clock.now().toISOString().slice(0, 10));
  const points = await totalsByPeriod(world.ctx.db, accountId, period, { ...range, unsettled });
  const inWords = ({ startsAt, requests, errors, rateLimited }: SeriesPoint) => {
    const start = startsAt.toISOString();
    expect(start).toMatch(period === "days" ? /T00:00:00.000Z$/ : /-01T00:00:00.000Z$/);
    return [start.slice(0, period === "days" ? 10 : 7), [requests, errors, rateLimited]];
  };
  return points.map(inWords).sort();
};

const at = (text: string) => new Date(text);
const ends = [
  "2026-08-01T00:00:00Z",
  "2026-09-30T22:00:00Z",
  "2026-10-01T00:00:00Z",
  "2026-11-18T00:00:00Z",
  "2026-11-18T05:00:00Z",
  "2026-11-18T17:20:00Z",
  "2026-11-19T00:00:00Z",
  "2026-11-19T11:00:00Z",
  "2026-11-20T00:00:00Z",
  "2026-11-20T10:00:00Z",
  "2026-12-01T00:00:00Z",
].map(at);

const ranges: Range[] = ends.flatMap((from) =>
  ends
    .filter((to) => to > from)
    .flatMap((to) =>
      (["days", "months"] as const).flatMap((period) =>
        [undefined, 0, 7].map((apiKeyId) => ({ period, from, to, apiKeyId })),
      ),
    ),
);

/** Of each account and range. */
const expectAllRangesToAddUp = async () => {
  let added = 0;
  for (const accountId of accountIds) {
    for (const range of ranges) {
      const points = await found(accountId, range);
      expect(points, JSON.stringify({ accountId, ...range })).toEqual(await expected(accountId, range));
      added += points.length;
    }
  }
  expect(added).toBeGreaterThan(1_000);
};

const summedBefore = async () => (await world.ctx.db.select().from(usageSummed))[0]?.before ?? null;

describe("Totals of accounts that are summed up", () => {
  beforeAll(async () => {
    expect(await sumUpAccounts(world.ctx)).toBe(0);
    const chance = seededRandom("usage");
    const first = Date.parse("2026-08-20T00:00:00Z");
    for (let index = 0; index < 1_500; index++) {
      const occurredAt = new Date(first + chance() * (Date.parse(now) - first));
      const apiKeyId = keyIds[Math.floor(chance() * keyIds.length)] ?? null;
      const status = [200, 304, 404, 429][Math.floor(chance() * 4)] ?? 200;
      await request(chance() < 0.7 ? 1 : 2, occurredAt, { status, apiKeyId });
    }
    for (const edge of ["2026-11-17T23:59:59.999Z", "2026-11-18T00:00:00Z", "2026-11-18T23:59:59.999Z"]) {
      await request(1, edge);
      await request(2, edge, { apiKeyId: 7 });
    }
    await world.ctx.db.execute("analyze");
  }, 60_000);

  beforeEach(async () => {
    world.clock.set(now);
    await world.ctx.db.delete(usageAccountDays);
    await world.ctx.db.delete(usageSummed);
  });

  it("are the same for every range before a day is summed up, and after each", async () => {
    await expectAllRangesToAddUp();
    world.clock.set("2026-08-24T09:30:00Z");
    expect(await sumUpAccounts(world.ctx)).toBe(3);
    expect(await summedBefore()).toBe("2026-08-23");
    world.clock.set(now);
    await expectAllRangesToAddUp();
    // 20 August to 18 November.
    expect(await sumUpAccounts(world.ctx)).toBe(91 - 3);
    expect(await sumUpAccounts(world.ctx)).toBe(0);
    expect(await summedBefore()).toBe("2026-11-19");
    await expectAllRangesToAddUp();
  });

  it("are read from the daily totals", async () => {
    await sumUpAccounts(world.ctx);
    const day = { period: "days" as const, from: at("2026-11-18T00:00:00Z"), to: at("2026-11-20T00:00:00Z") };
    await world.ctx.db.update(usageAccountDays).set({ requests: 1_000 }).where(eq(usageAccountDays.accountId, 2));
    const points = await found(2, day);
    expect(points.map(([start]) => start)).toEqual(["2026-11-18", "2026-11-19"]);
    expect(points[0]?.[1]?.[0]).toBeGreaterThanOrEqual(1_000);
    expect(points[1]).toEqual((await expected(2, day))[1]);
  });

  it("include requests that are counted while days are summed up", async () => {
    let done = false;
    const summing = sumUpAccounts(world.ctx).finally(() => {
      done = true;
    });
    for (let round = 0; !done || round < 2; round++) {
      // As late as a request may be: it began at the end of the day before.
      await request(1, "2026-11-19T23:59:59Z", { apiKeyId: 7 });
      await request(1, world.clock.now());
      for (const period of ["days", "months"] as const) {
        const range = { period, from: at("2026-08-01T00:00:00Z"), to: at("2026-12-01T00:00:00Z") };
        expect(await found(1, range)).toEqual(await expected(1, range));
      }
    }
    await summing;
    await expectAllRangesToAddUp();
  });

  it("go on where an interrupted run stopped", async () => {
    const stop = new AbortController();
    const stopped = sumUpAccounts(world.ctx, { signal: stop.signal });
    while ((await summedBefore()) === null);
    stop.abort();
    const days = await stopped;
    expect(days).toBeLessThan(91);
    await expectAllRangesToAddUp();
    expect(await sumUpAccounts(world.ctx)).toBe(91 - days);
    await expectAllRangesToAddUp();
  });

  it("may be summed up twice at the same time", async () => {
    await Promise.all([sumUpAccounts(world.ctx), sumUpAccounts(world.ctx)]);
    expect(await summedBefore()).toBe("2026-11-19");
    await expectAllRangesToAddUp();
  });

  it("are right again after a run by a clock that was ahead", async () => {
    world.clock.set("2026-12-10T00:00:00Z");
    await sumUpAccounts(world.ctx);
    expect(await summedBefore()).toBe("2026-12-09");
    world.clock.set(now);
    await request(1, "2026-11-20T09:31:00Z");
    await expectAllRangesToAddUp();
    expect(await sumUpAccounts(world.ctx)).toBe(31);
    expect(await summedBefore()).toBe("2026-11-19");

    world.clock.set("2026-11-22T00:22:00Z");
    expect(await sumUpAccounts(world.ctx)).toBe(2);
    await expectAllRangesToAddUp();
  });

  it("include past requests that are written later, once their days are summed up again", async () => {
    await sumUpAccounts(world.ctx);
    await request(1, "2026-08-02T10:00:00Z", { apiKeyId: 7 });
    await request(2, "2026-11-18T10:00:00Z", { apiKeyId: 7 });
    // 2 August to 18 November.
    expect(await sumUpAccounts(world.ctx, { since: "2026-08-02" })).toBe(109);
    expect(await sumUpAccounts(world.ctx, { since: "2026-11-19" })).toBe(0);
    await expectAllRangesToAddUp();
  });

  it("go on after days without requests of any account", async () => {
    await sumUpAccounts(world.ctx);
    world.clock.set("2027-02-01T00:22:00Z");
    // 19 November to 30 January.
    expect(await sumUpAccounts(world.ctx)).toBe(73);
    expect(await sumUpAccounts(world.ctx)).toBe(0);
    await expectAllRangesToAddUp();
  });
});
