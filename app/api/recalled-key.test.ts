/**
 * A request may recall its key from an earlier one, see `RecalledKey`. Whatever has changed since counts for it all the same. The
 * changes are written as another process would write them: nothing in this one hears of them.
 */
import { and, eq, ne, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  accounts,
  apiKeys,
  periods,
  routes,
  subscriptions,
  tradeLanes,
  usageDays,
  usageLogs,
  webhookMessages,
} from "#drizzle/schema/index.ts";
import type { Caller, SessionProof } from "../domain/accounts/caller.ts";
import { issueKey } from "../domain/api-keys/issue.server.ts";
import { feedDemo } from "../domain/catalogue/demo-feed.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { createEndpoint } from "../domain/webhooks/manage.server.ts";
import { registry } from "../platform/metrics/metrics.ts";
import { reportSecurityEvents } from "../platform/security-events.ts";
import { call } from "../testing/api-client.ts";
import { serveApi } from "../testing/api-server.ts";
import { subscribe } from "../testing/purchases.ts";
import { countStatements } from "../testing/statement-count.ts";
import { createWorld, type World } from "../testing/world.ts";

type Own = { caller: Caller<SessionProof>; accountId: number; keyId: number; secret: string; routeId: number };

let world: World;
let own: Own;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  world.ctx.rateLimiter = memoryRateLimiter();
  const { caller, account } = await world.account();
  const { routeId } = await subscribe(world, caller);
  const { id, secret } = await issueKey(world.ctx, caller, { api_key_name: "Recalled", user: "me" });
  own = { caller, accountId: account.id, keyId: id, secret, routeId };
});

const read = ({ secret = own.secret, user = "me", ipAddress = "198.51.100.1", headers = {}, limit = 1 } = {}) =>
  call(world, "GET", `/api-routes-data?id=${own.routeId}&limit=${limit}`, {
    key: { secret, user },
    ipAddress,
    headers,
  });

const setKey = (set: Partial<typeof apiKeys.$inferInsert>) =>
  world.ctx.db.update(apiKeys).set(set).where(eq(apiKeys.id, own.keyId));
const setAccount = (set: Partial<typeof accounts.$inferInsert>) =>
  world.ctx.db.update(accounts).set(set).where(eq(accounts.id, own.accountId));
const setSubscription = (set: Partial<typeof subscriptions.$inferInsert>) =>
  world.ctx.db.update(subscriptions).set(set).where(eq(subscriptions.accountId, own.accountId));
const setRoute = (set: Partial<typeof routes.$inferInsert>) =>
  world.ctx.db.update(routes).set(set).where(eq(routes.id, own.routeId));

const logged = async () => {
  const rows = await world.ctx.db
    .select({ status: usageLogs.status })
    .from(usageLogs)
    .where(eq(usageLogs.accountId, own.accountId))
    .orderBy(usageLogs.id);
  return rows.map(({ status }) => status);
};
const counted = async () => {
  const [row] = await world.ctx.db
    .select({ requests: sql`sum(${usageDays.requests})`.mapWith(Number) })
    .from(usageDays)
    .where(eq(usageDays.accountId, own.accountId));
  return row?.requests;
};

it("The second request takes one statement, which checks the key and writes the record", async () => {
  expect((await read()).status).toBe(200);
  const { statements, roundTrips } = await countStatements(world.ctx.db, async () => {
    expect((await read()).status).toBe(200);
  });
  expect({ statements, roundTrips }).toEqual({ statements: 1, roundTrips: 1 });
  expect(await logged()).toEqual([200, 200]);
});

describe("The next request sees", () => {
  it.each<[string, () => Promise<unknown>, number, number]>([
    ["a key that is deactivated", () => setKey({ status: "inactive" }), 401, 200],
    ["a key that is deleted", () => world.ctx.db.delete(apiKeys).where(eq(apiKeys.id, own.keyId)), 401, 200],
    ["a key that has expired", () => setKey({ expiresAt: new Date("2026-11-20T09:00:00Z") }), 401, 200],
    ["a key for other addresses", () => setKey({ allowedAddresses: ["203.0.113.0/24"] }), 403, 200],
    ["a key with another user", () => setKey({ user: "somebody else" }), 401, 200],
    ["an account that is suspended", () => setAccount({ standing: "suspended" }), 403, 200],
    ["an account that is closed", () => setAccount({ closedAt: world.ctx.clock.now() }), 401, 200],
  ])("%s", async (_, change, status, before) => {
    expect((await read()).status).toBe(before);
    expect((await read()).status).toBe(before);
    await change();
    expect((await read()).status).toBe(status);
    // And so does the one after that.
    expect((await read()).status).toBe(status);
  });

  it("a cancelled subscription, and its end", async () => {
    const reason = async () => {
      const { status, body } = await read();
      return body.access?.reason ?? status;
    };
    expect([await reason(), await reason()]).toEqual(["active", "active"]);
    await setSubscription({ cancelledAt: world.ctx.clock.now() });
    expect(await reason()).toBe("cancelled");
    world.clock.set("2027-02-01T09:30:00Z");
    expect(await reason()).toBe(403);
  });

  const ownSubscription = async () => {
    const [found] = await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.accountId, own.accountId));
    if (!found) throw new Error("There is no subscription");
    return found;
  };
  const otherPeriodId = async () => {
    const { periodId } = await ownSubscription();
    const ofRoute = and(eq(periods.routeId, own.routeId), ne(periods.id, periodId));
    const [found] = await world.ctx.db.select({ id: periods.id }).from(periods).where(ofRoute);
    if (!found) throw new Error("The route has one period");
    return found.id;
  };
  const giveSubscriptionAway = async () => setSubscription({ accountId: (await world.account()).account.id });
  const addSubscription = async (to: Partial<typeof subscriptions.$inferInsert>) => {
    const { id: _, ...subscription } = await ownSubscription();
    await world.ctx.db.insert(subscriptions).values({ ...subscription, ...to });
  };

  it.each<[string, () => Promise<unknown>]>([
    ["a subscription that is extended", () => setSubscription({ endDate: "2027-06-01" })],
    ["a subscription to another period", async () => setSubscription({ periodId: await otherPeriodId() })],
    ["a second subscription", async () => addSubscription({ periodId: await otherPeriodId() })],
    ["a subscription that another account has now", giveSubscriptionAway],
  ])("%s", async (_, change) => {
    const { secret } = await issueKey(world.ctx, own.caller, { api_key_name: "Not recalled", user: "me" });
    const seenWith = async (secret: string) => {
      const { status, body, headers } = await read({ secret });
      return { status, access: body.access, tag: headers.ETag };
    };
    const before = await seenWith(own.secret);
    expect(await seenWith(own.secret)).toEqual(before);
    await change();
    const after = await seenWith(own.secret);
    expect(after).not.toEqual(before);
    expect(after).toEqual(await seenWith(secret));
  });

  it("a first subscription", async () => {
    const { caller, account } = await world.account();
    const { secret } = await issueKey(world.ctx, caller, { api_key_name: "Recalled", user: "me" });
    expect([(await read({ secret })).status, (await read({ secret })).status]).toEqual([403, 403]);
    await addSubscription({ accountId: account.id });
    expect((await read({ secret })).status).toBe(200);
  });

  it("the day on which a subscription ends, though nothing was written", async () => {
    await world.ctx.db.update(periods).set({ freshness: "weekly" });
    await setSubscription({ endDate: "2026-11-21", cancelledAt: world.ctx.clock.now() });
    world.clock.set("2026-11-20T23:59:59Z");
    // Over HTTP, where requests with the same target share their query.
    const server = await serveApi(world);
    try {
      const statusOf = async () => {
        const headers = { "X-API-Key": own.secret, "X-Username": "me" };
        return (await fetch(`${server.url}/api-routes-data?id=${own.routeId}`, { headers })).status;
      };
      const statuses = [await statusOf(), await statusOf()];
      world.clock.set("2026-11-21T00:00:00Z");
      const { statements } = await countStatements(world.ctx.db, async () => {
        statuses.push(await statusOf());
      });
      expect(statuses).toEqual([200, 200, 403]);
      // The key was recalled: only the record was written.
      expect(statements).toBe(1);
    } finally {
      await server.close();
    }
  });

  it("its own query, not that of the last request", async () => {
    const tags: unknown[] = [];
    for (const limit of [1, 2, 1, 2]) tags.push((await read({ limit })).headers.ETag);
    expect(tags[1]).not.toBe(tags[0]);
    expect(tags.slice(2)).toEqual(tags.slice(0, 2));
  });

  it("a key that is active again", async () => {
    expect((await read()).status).toBe(200);
    await setKey({ status: "inactive" });
    expect((await read()).status).toBe(401);
    await setKey({ status: "active" });
    expect((await read()).status).toBe(200);
  });

  it("a new version of the route", async () => {
    const before = await read();
    await setRoute({ distanceNm: 4_321, version: 99, updatedAt: world.ctx.clock.now() });
    const after = await read();
    expect([before.body.distance_nm === 4_321, after.body.distance_nm]).toEqual([false, 4_321]);
    expect(after.headers.ETag).not.toBe(before.headers.ETag);
    const unchanged = await read({ headers: { "If-None-Match": String(after.headers.ETag) } });
    expect(unchanged.status).toBe(304);
  });

  it("data that has become late, because of time or because its trade lane promises more", async () => {
    await world.ctx.db.update(periods).set({ freshness: "real_time" });
    await feedDemo(world.ctx);
    const tagAt = async (time: string) => {
      world.clock.set(time);
      return (await read()).headers.ETag;
    };
    const fresh = await tagAt("2026-11-20T09:31:00Z");
    expect(await tagAt("2026-11-20T10:30:00Z")).toBe(fresh);
    const late = await tagAt("2026-11-20T10:30:01Z");
    expect(late).not.toBe(fresh);
    expect(await tagAt("2026-11-20T09:50:00Z")).toBe(fresh);
    await world.ctx.db.update(tradeLanes).set({ realTimeMinutes: 10 });
    expect(await tagAt("2026-11-20T09:50:00Z")).toBe(late);
    await world.ctx.db.update(tradeLanes).set({ realTimeMinutes: null });
  });

  it("another plan, and keeps its record as long as that says", async () => {
    expect((await read()).headers["X-RateLimit-Limit"]).toBe("1000");
    await read();
    await setAccount({ plan: "enterprise" });
    expect(Number((await read()).headers["X-RateLimit-Limit"])).toBeGreaterThan(1_000);
    await read();
    const plans = await world.ctx.db
      .select({ plan: usageLogs.plan })
      .from(usageLogs)
      .where(eq(usageLogs.accountId, own.accountId))
      .orderBy(usageLogs.id);
    expect(plans.map(({ plan }) => plan)).toEqual(["free", "free", "enterprise", "enterprise"]);
  });
});

describe("A request that has recalled what is no longer true", () => {
  it("is counted, logged and added to the totals once", async () => {
    await setKey({ hourlyLimit: 10 });
    const first = await read();
    await setRoute({ version: 99, updatedAt: world.ctx.clock.now() });
    const second = await read();
    expect([first, second].map(({ headers }) => headers["X-RateLimit-Remaining"])).toEqual(["9", "8"]);
    expect(await logged()).toEqual([200, 200]);
    expect(await counted()).toBe(2);
    await setKey({ hourlyLimit: null });
    const third = await read();
    const limit = Number(third.headers["X-RateLimit-Limit"]);
    expect(Number(third.headers["X-RateLimit-Remaining"])).toBe(limit - 3);
  });

  it("is not written to the account's log when its key is gone", async () => {
    await read();
    await world.ctx.db.delete(apiKeys).where(eq(apiKeys.id, own.keyId));
    expect((await read()).status).toBe(401);
    expect(await logged()).toEqual([200]);
    expect(await counted()).toBe(1);
  });

  it("leaves no newer data behind under the version that it had recalled", async () => {
    await world.ctx.db.update(periods).set({ freshness: "real_time" });
    await feedDemo(world.ctx);
    world.clock.set("2026-11-20T09:50:00Z");
    await read();
    // Its body is not kept yet, so it is read now.
    const isLate = async () => {
      const query = `/api-routes-data?id=${own.routeId}&limit=2`;
      const { body } = await call(world, "GET", query, { key: { secret: own.secret, user: "me" } });
      return body.periods[0].is_stale;
    };
    await world.ctx.db.update(tradeLanes).set({ realTimeMinutes: 10 });
    expect(await isLate()).toBe(true);
    await world.ctx.db.update(tradeLanes).set({ realTimeMinutes: null });
    expect(await isLate()).toBe(false);
  });

  it("does not hold up the others of its group", async () => {
    const others: Own[] = [];
    for (let index = 0; index < 5; index++) {
      const { caller, account } = await world.account();
      const { id, secret } = await issueKey(world.ctx, caller, { api_key_name: "Other", user: "me" });
      others.push({ ...own, accountId: account.id, keyId: id, secret });
    }
    const readAll = () => Promise.all([own, ...others].map(({ secret }) => read({ secret })));
    expect((await readAll()).map(({ status }) => status)).toEqual([200, 403, 403, 403, 403, 403]);
    await setKey({ status: "inactive" });
    expect((await readAll()).map(({ status }) => status)).toEqual([401, 403, 403, 403, 403, 403]);
  });

  it("keeps its place in the quota, so that the alert about 80 % is not lost", async () => {
    await setAccount({ plan: "enterprise", customHourlyLimit: 5 });
    const other = await issueKey(world.ctx, own.caller, { api_key_name: "Other", user: "me" });
    const webhook = { url: "http://127.0.0.1:4000/", event_types: ["quota.reached_80" as const], description: "" };
    await createEndpoint(world.ctx, own.caller, webhook);
    await read();
    for (let request = 0; request < 2; request++) await read({ secret: other.secret });
    // Only the first key is no longer as it was.
    await setKey({ name: "Renamed" });
    const both = await Promise.all([read(), read({ secret: other.secret })]);
    expect(both.map(({ headers }) => headers["X-RateLimit-Remaining"])).toEqual(["1", "0"]);
    expect((await read()).status).toBe(429);
    expect((await logged()).sort()).toEqual([200, 200, 200, 200, 200, 429]);
    const messages = await world.ctx.db
      .select({ type: webhookMessages.type })
      .from(webhookMessages)
      .where(eq(webhookMessages.accountId, own.accountId));
    expect(messages).toEqual([{ type: "quota.reached_80" }]);
  });

  it("is reported as a security event once", async () => {
    const names: unknown[] = [];
    reportSecurityEvents({ warn: (_, fields) => names.push(fields?.name) });
    await read();
    await setAccount({ standing: "suspended" });
    await read();
    expect(names).toEqual(["access.refused"]);
    await setKey({ status: "inactive" });
    await read();
    expect(names).toEqual(["access.refused", "credentials.refused"]);
    reportSecurityEvents(null);
  });

  it("is added to the metrics once when it is above a limit", async () => {
    const refusals = () =>
      registry
        .snapshot({ service: true })
        .filter(({ name }) => name.includes("refusals"))
        .flatMap(({ samples }) => samples)
        .reduce((sum, sample) => sum + ("value" in sample ? sample.value : 0), 0);
    await setKey({ hourlyLimit: 1 });
    await read();
    await setKey({ name: "Renamed" });
    const before = refusals();
    expect((await read()).status).toBe(429);
    expect(refusals()).toBe(before + 1);
  });

  it("says nothing about the account when it cannot be recorded", async () => {
    const before = await read();
    await world.ctx.db.delete(apiKeys).where(eq(apiKeys.id, own.keyId));
    await world.ctx.db.execute(sql`alter table usage_hours rename to usage_hours_away`);
    const failed = await read();
    await world.ctx.db.execute(sql`alter table usage_hours_away rename to usage_hours`);
    expect(failed.status).toBe(500);
    expect(failed.headers.ETag).toBeUndefined();
    expect(failed.headers["X-RateLimit-Limit"]).not.toBe(before.headers["X-RateLimit-Limit"]);
    expect((await read()).status).toBe(401);
  });
});

it("A record that checks no key does not wait for whoever locks the catalogue", async () => {
  const { token } = await world.account();
  let unlock = () => {};
  const unlocked = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  let locking: Promise<void> | undefined;
  await new Promise<void>((locked) => {
    locking = world.ctx.db.transaction(async (tx) => {
      await tx.execute(sql`lock table periods, reports, routes in access exclusive mode`);
      locked();
      await unlocked;
    });
  });
  expect((await call(world, "GET", "/api-keys", { token })).status).toBe(200);
  unlock();
  await locking;
});

it("A wrong username is refused, and the right one accepted afterwards", async () => {
  expect((await read()).status).toBe(200);
  expect((await read({ user: "you" })).status).toBe(401);
  expect((await read()).status).toBe(200);
});
