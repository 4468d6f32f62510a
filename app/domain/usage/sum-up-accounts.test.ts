import { and, eq, gte, lt } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { usageAccountDays, usageAccountMonths, usageHours, usageLogs, usageSummed } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { issueKey } from "../api-keys/issue.server.ts";
import { getKey } from "../api-keys/manage.server.ts";
import { dayOf } from "../dates.ts";
import { seededRandom } from "../schedules/demo/seeded-random.ts";
import { searchLogs } from "./log-queries.server.ts";
import { firstUnsettledDay } from "./policy.ts";
import { recordUsage } from "./record.server.ts";
import type { SeriesPoint } from "./series.ts";
import { totalsByPeriod } from "./series-queries.server.ts";
import { sumUpAccounts } from "./sum-up-accounts.server.ts";
import type { UsageFilter } from "./usage-log.ts";
import { totalsWithin } from "./used-queries.server.ts";

const now = "2026-11-20T09:30:00Z";
const accountIds = [1, 2];
const keyIds = [null, 7, 8];
const endpoints = ["/api-routes-data", "/api-keys", "/auth/refresh"];

let world: World;
beforeAll(async () => {
  world = await createWorld({ now });
});
afterAll(() => world.close());

type Details = { status?: number; apiKeyId?: number | null; endpoint?: string | undefined; routeId?: number | null };

const request = (accountId: number, at: string | Date, details: Details = {}) =>
  recordUsage(world.ctx, {
    accountId,
    occurredAt: new Date(at),
    method: "GET",
    durationMs: 5,
    responseBytes: 10,
    requestCost: 1,
    apiKeyName: null,
    requestId: crypto.randomUUID(),
    status: 200,
    apiKeyId: null,
    routeId: null,
    ...details,
    endpoint: details.endpoint ?? "/api-routes-data",
  });

const firstUnsettled = () => firstUnsettledDay(dayOf(world.clock.now()));

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
  const filter = { ...range, unsettled: firstUnsettled() };
  const points = await totalsByPeriod(world.ctx.db, accountId, period, filter);
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

const parts = (totals: { requests: number; errors: number; rateLimited: number }) => [
  totals.requests,
  totals.errors,
  totals.rateLimited,
];

/** The totals by endpoint, key and route, and those of a route by month, and the same from a plain sum over the log. */
const breakdowns = async (
  accountId: number,
  logs: (typeof usageLogs.$inferSelect)[],
  within: { from: Date; to: Date; apiKeyId?: number; routeId?: number },
) => {
  const { db } = world.ctx;
  const filter = { ...within, unsettled: firstUnsettled() };
  const totals = await totalsWithin(db, accountId, filter);
  const months = await totalsByPeriod(db, accountId, "months", { routeId: world.routes[0]?.id, ...filter });
  const found = [
    ...totals.endpoints.map(({ endpoint, ...rest }) => [endpoint, parts(rest)]),
    ...totals.keys.map(({ id, ...rest }) => [`key ${id}`, parts(rest)]),
    ...totals.routes.map(({ id, ...rest }) => [`route ${id}`, parts(rest)]),
    ...months.map(({ startsAt, ...rest }) => [startsAt.toISOString(), parts(rest)]),
  ];

  const { apiKeyId, routeId, from, to } = within;
  const sums = new Map<string, number[]>();
  for (const log of logs) {
    if (log.occurredAt < from || log.occurredAt >= to) continue;
    if (apiKeyId !== undefined && log.apiKeyId !== apiKeyId) continue;
    const isOfRoute = log.routeId === (routeId ?? log.routeId);
    const isInMonths = log.routeId === (routeId ?? world.routes[0]?.id) && areWholeDays(within);
    const of = isOfRoute ? [log.endpoint, `key ${log.apiKeyId}`] : [];
    if (isOfRoute && log.routeId !== null) of.push(`route ${log.routeId}`);
    if (isInMonths) of.push(`${log.occurredAt.toISOString().slice(0, 7)}-01T00:00:00.000Z`);
    for (const name of of) {
      const [requests = 0, errors = 0, limited = 0] = sums.get(name) ?? [];
      const isLimited = log.status === 429;
      const isError = log.status >= 400 && !isLimited;
      sums.set(name, [requests + 1, errors + Number(isError), limited + Number(isLimited)]);
    }
  }
  const isChecked = ([name]: unknown[]) => areWholeDays(within) || !String(name).endsWith("T00:00:00.000Z");
  return { found: found.filter(isChecked).sort(), expected: [...sums].sort() };
};

/** A series of a route is made for whole days only. */
const areWholeDays = ({ from, to }: { from: Date; to: Date }) =>
  [from, to].every((end) => end.getTime() % 86_400_000 === 0);

const expectBreakdownsToAddUp = async () => {
  for (const accountId of accountIds) {
    const logs = await world.ctx.db.select().from(usageLogs).where(eq(usageLogs.accountId, accountId));
    for (const { from, to } of ranges.filter(({ period, apiKeyId }) => period === "days" && apiKeyId === undefined)) {
      for (const only of [{}, { apiKeyId: 7 }, { routeId: world.routes[1]?.id ?? 0 }]) {
        const { found, expected } = await breakdowns(accountId, logs, { from, to, ...only });
        expect(found, JSON.stringify({ accountId, from, to, ...only })).toEqual(expected);
      }
    }
  }
};

/** The filtered log is searched only as far as the totals say that there is something to find. */
const expectFiltersToFindAll = async () => {
  const routeIds = world.routes.slice(0, 3).map(({ id }) => id);
  const filters: UsageFilter[] = [undefined, ...endpoints, "/rare", "/never"].flatMap((endpoint) =>
    [undefined, 7, 9].flatMap((apiKeyId) =>
      [undefined, ...routeIds].map((routeId) => ({ endpoint, apiKeyId, routeId })),
    ),
  );
  for (const accountId of accountIds) {
    const logs = await world.ctx.db.select().from(usageLogs).where(eq(usageLogs.accountId, accountId));
    for (const filter of filters) {
      const page = { limit: 10_000, after: null, unsettled: firstUnsettled() };
      const found = await searchLogs(world.ctx.db, accountId, filter, page);
      const wanted = logs.filter(
        (log) =>
          log.endpoint === (filter.endpoint ?? log.endpoint) &&
          log.apiKeyId === (filter.apiKeyId ?? log.apiKeyId) &&
          log.routeId === (filter.routeId ?? log.routeId),
      );
      const ids = (list: { id: number }[]) => list.map(({ id }) => id).sort((a, b) => a - b);
      expect(ids(found), JSON.stringify({ accountId, ...filter })).toEqual(ids(wanted));
    }
  }
};

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

const summedBefore = async (period: "days" | "months" = "days") => {
  const [row] = await world.ctx.db.select().from(usageSummed).where(eq(usageSummed.period, period));
  return row?.before ?? null;
};

describe("Totals of accounts that are summed up", () => {
  beforeAll(async () => {
    expect(await sumUpAccounts(world.ctx)).toEqual({ days: 0, months: 0 });
    const chance = seededRandom("usage");
    const first = Date.parse("2026-08-20T00:00:00Z");
    for (let index = 0; index < 1_500; index++) {
      const occurredAt = new Date(first + chance() * (Date.parse(now) - first));
      const apiKeyId = keyIds[Math.floor(chance() * keyIds.length)] ?? null;
      const status = [200, 304, 404, 429][Math.floor(chance() * 4)] ?? 200;
      const endpoint = endpoints[Math.floor(chance() * endpoints.length)];
      const routeId = chance() < 0.5 ? null : (world.routes[Math.floor(chance() * world.routes.length)]?.id ?? null);
      await request(chance() < 0.7 ? 1 : 2, occurredAt, { status, apiKeyId, endpoint, routeId });
    }
    await request(1, "2026-09-14T10:00:00Z", { endpoint: "/rare", apiKeyId: 9 });
    await request(2, now, { endpoint: "/rare" });
    for (const edge of ["2026-11-17T23:59:59.999Z", "2026-11-18T00:00:00Z", "2026-11-18T23:59:59.999Z"]) {
      await request(1, edge);
      await request(2, edge, { apiKeyId: 7 });
    }
    await world.ctx.db.execute("analyze");
  }, 60_000);

  beforeEach(async () => {
    world.clock.set(now);
    await world.ctx.db.delete(usageAccountDays);
    await world.ctx.db.delete(usageAccountMonths);
    await world.ctx.db.delete(usageSummed);
  });

  it("are the same for every range before a day is summed up, and after each", async () => {
    await expectAllRangesToAddUp();
    await expectBreakdownsToAddUp();
    await expectFiltersToFindAll();
    world.clock.set("2026-08-24T09:30:00Z");
    expect(await sumUpAccounts(world.ctx)).toEqual({ days: 3, months: 1 });
    expect([await summedBefore(), await summedBefore("months")]).toEqual(["2026-08-23", "2026-08-23"]);
    world.clock.set(now);
    await expectAllRangesToAddUp();
    await expectBreakdownsToAddUp();
    await expectFiltersToFindAll();
    // 20 August to 18 November.
    expect(await sumUpAccounts(world.ctx)).toEqual({ days: 91 - 3, months: 4 });
    expect(await sumUpAccounts(world.ctx)).toEqual({ days: 0, months: 0 });
    expect([await summedBefore(), await summedBefore("months")]).toEqual(["2026-11-19", "2026-11-19"]);
    await expectAllRangesToAddUp();
    await expectBreakdownsToAddUp();
    await expectFiltersToFindAll();
  });

  it("are read from the totals of days and months", async () => {
    await sumUpAccounts(world.ctx);
    const day = { period: "days" as const, from: at("2026-11-18T00:00:00Z"), to: at("2026-11-20T00:00:00Z") };
    await world.ctx.db.update(usageAccountDays).set({ requests: 1_000 }).where(eq(usageAccountDays.accountId, 2));
    const points = await found(2, day);
    expect(points.map(([start]) => start)).toEqual(["2026-11-18", "2026-11-19"]);
    expect(points[0]?.[1]?.[0]).toBeGreaterThanOrEqual(1_000);
    expect(points[1]).toEqual((await expected(2, day))[1]);

    const requestsWithin = async (from: string, to: string) => {
      const range = { from: at(from), to: at(to), unsettled: firstUnsettled() };
      const { endpoints } = await totalsWithin(world.ctx.db, 2, range);
      return endpoints.map(({ requests }) => requests);
    };
    const days = await requestsWithin("2026-11-19T00:00:00Z", "2026-11-21T00:00:00Z");
    await world.ctx.db.update(usageAccountMonths).set({ requests: 1_000 }).where(eq(usageAccountMonths.accountId, 2));
    const october = await requestsWithin("2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z");
    expect(october.map((requests) => requests % 1_000)).toEqual([0, 0, 0]);
    const november = await requestsWithin("2026-11-01T00:00:00Z", "2026-11-21T00:00:00Z");
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
    expect(sum(november) % 1_000).toBe(sum(days));
    // It ends within the days that are summed up with November.
    const weeks = await requestsWithin("2026-11-01T00:00:00Z", "2026-11-15T00:00:00Z");
    expect(sum(weeks)).toBeLessThan(1_000);
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
    const { days } = await stopped;
    expect(days).toBeLessThan(91);
    await expectAllRangesToAddUp();
    expect(await sumUpAccounts(world.ctx)).toEqual({ days: 91 - days, months: 4 });
    await expectAllRangesToAddUp();
    await expectBreakdownsToAddUp();
    await expectFiltersToFindAll();
  });

  it("may be summed up twice at the same time", async () => {
    await Promise.all([sumUpAccounts(world.ctx), sumUpAccounts(world.ctx)]);
    expect([await summedBefore(), await summedBefore("months")]).toEqual(["2026-11-19", "2026-11-19"]);
    world.clock.set("2026-11-22T00:22:00Z");
    await Promise.all([sumUpAccounts(world.ctx), sumUpAccounts(world.ctx)]);
    expect([await summedBefore(), await summedBefore("months")]).toEqual(["2026-11-21", "2026-11-21"]);
    await expectAllRangesToAddUp();
    await expectBreakdownsToAddUp();
    await expectFiltersToFindAll();
  });

  it("are right again after a run by a clock that was ahead", async () => {
    world.clock.set("2026-12-10T00:00:00Z");
    await sumUpAccounts(world.ctx);
    expect(await summedBefore()).toBe("2026-12-09");
    world.clock.set(now);
    await request(1, "2026-11-20T09:31:00Z");
    await request(2, "2026-11-20T09:31:00Z", { endpoint: "/rare" });
    await expectAllRangesToAddUp();
    await expectBreakdownsToAddUp();
    await expectFiltersToFindAll();
    // October again, and November up to the 18th.
    expect(await sumUpAccounts(world.ctx)).toEqual({ days: 31, months: 2 });
    expect([await summedBefore(), await summedBefore("months")]).toEqual(["2026-11-19", "2026-11-19"]);
    await expectBreakdownsToAddUp();
    await expectFiltersToFindAll();

    world.clock.set("2026-11-22T00:22:00Z");
    expect(await sumUpAccounts(world.ctx)).toEqual({ days: 2, months: 1 });
    await expectAllRangesToAddUp();
    world.clock.set("2026-12-02T00:22:00Z");
    expect(await sumUpAccounts(world.ctx)).toEqual({ days: 10, months: 1 });
    await expectBreakdownsToAddUp();
    await expectFiltersToFindAll();
  });

  it("include past requests that are written later, once their days are summed up again", async () => {
    await sumUpAccounts(world.ctx);
    await request(1, "2026-08-02T10:00:00Z", { apiKeyId: 7 });
    await request(2, "2026-11-18T10:00:00Z", { apiKeyId: 7 });
    // 2 August to 18 November.
    expect(await sumUpAccounts(world.ctx, { since: "2026-08-02" })).toEqual({ days: 109, months: 4 });
    expect(await sumUpAccounts(world.ctx, { since: "2026-11-19" })).toEqual({ days: 0, months: 0 });
    await expectAllRangesToAddUp();
    await expectBreakdownsToAddUp();
    await expectFiltersToFindAll();
  });

  it("go on after days without requests of any account", async () => {
    await sumUpAccounts(world.ctx);
    world.clock.set("2027-02-01T00:22:00Z");
    // 19 November to 30 January.
    // The rest of November, December, and January up to the 30th.
    expect(await sumUpAccounts(world.ctx)).toEqual({ days: 73, months: 3 });
    expect(await sumUpAccounts(world.ctx)).toEqual({ days: 0, months: 0 });
    await expectAllRangesToAddUp();
  });

  it("are part of the requests that keys are listed with", async () => {
    const { caller } = await world.account();
    const { id } = await issueKey(world.ctx, caller, { api_key_name: "Sync", user: "ours" });
    const listed = async () => (await getKey(world.ctx, caller, { id })).requests;
    const withKey = (at: string) => request(caller.account.id, at, { apiKeyId: id });
    for (const at of ["2026-09-30T23:59:59Z", "2026-11-18T23:59:59Z", "2026-11-19T00:00:00Z", now]) await withKey(at);
    expect(await listed()).toBe(4);
    await sumUpAccounts(world.ctx);
    expect(await listed()).toBe(4);
    world.clock.set("2026-12-10T00:00:00Z");
    await sumUpAccounts(world.ctx);
    expect(await listed()).toBe(4);
    world.clock.set(now);
    await withKey("2026-11-20T09:31:00Z");
    expect(await listed()).toBe(5);
    await sumUpAccounts(world.ctx);
    expect(await listed()).toBe(5);
  });
});
