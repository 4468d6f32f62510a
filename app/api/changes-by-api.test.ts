import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { accounts, routeChanges, routes } from "#drizzle/schema/index.ts";
import { issueKey } from "../domain/api-keys/issue.server.ts";
import { feedDemo } from "../domain/catalogue/demo-feed.server.ts";
import { lockCatalogue } from "../domain/catalogue/import.server.ts";
import { deleteOldChanges } from "../domain/changes/retention.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { call } from "../testing/api-client.ts";
import { periodOf, subscribe } from "../testing/purchases.ts";
import { createWorld, type World } from "../testing/world.ts";

const subscribed = "C-CNSHA-NLRTM-PEL9";
const foreign = "C-CNNGB-GBFXT-MRG9";

let world: World;
let key: { secret: string; user: string };
beforeEach(async () => {
  world = await createWorld({ routeCodes: [subscribed, foreign] });
  const { caller, account } = await world.account("forwarder");
  await subscribe(world, caller, { periodId: periodOf(world, subscribed) });
  const { secret } = await issueKey(world.ctx, caller, { api_key_name: "changes", user: "forwarder" });
  key = { secret, user: account.username };
  return () => world.close();
});

const get = (query = "", options: Parameters<typeof call>[3] = { key }) => {
  world.ctx.rateLimiter = memoryRateLimiter();
  return call(world, "GET", `/route-access/changes${query}`, options);
};
const idOf = (code: string) => world.routes.find((route) => route.code === code)?.id ?? 0;
/** Leaves one change of each of the two routes. */
const changeBoth = (distanceNm: number) =>
  world.ctx.db.transaction(async (tx) => {
    await lockCatalogue(tx, { now: world.clock.now(), source: "operator" });
    await tx.update(routes).set({ distanceNm });
  });
const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("The list of changes", () => {
  it("has the changes of subscribed routes, oldest first, by key and by token", async () => {
    await changeBoth(9_001);
    await changeBoth(9_002);
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(body.changes).toMatchObject([
      {
        type: "route_changed",
        source: "operator",
        route_id: idOf(subscribed),
        route_code: subscribed,
        fields: ["distance_nm"],
        after: { distance_nm: 9_001 },
      },
      { before: { distance_nm: 9_001 }, after: { distance_nm: 9_002 } },
    ]);
    expect(body.has_more).toBe(false);
    const { token } = await world.account("other");
    expect((await get("", { token })).body.changes).toEqual([]);
  });

  it("continues after a cursor, page by page, and after the last page", async () => {
    const seen: number[] = [];
    let since = "";
    for (let distanceNm = 9_001; distanceNm <= 9_005; distanceNm++) await changeBoth(distanceNm);
    for (let hasMore = true; hasMore; ) {
      const { body } = await get(`?limit=2${since}`);
      seen.push(...body.changes.map(({ after }: { after: { distance_nm: number } }) => after.distance_nm));
      since = `&since=${body.next_cursor}`;
      hasMore = body.has_more;
    }
    expect(seen).toEqual([9_001, 9_002, 9_003, 9_004, 9_005]);
    const { body: nothingNew } = await get(`?limit=2${since}`);
    expect(nothingNew).toMatchObject({ changes: [], has_more: false, next_cursor: expect.any(String) });
    await changeBoth(9_006);
    expect((await get(`?since=${nothingNew.next_cursor}`)).body.changes).toMatchObject([
      { after: { distance_nm: 9_006 } },
    ]);
  });

  it("moves the cursor past changes of other routes", async () => {
    await world.ctx.db.update(routes).set({ distanceNm: 9_001 }).where(eq(routes.code, foreign));
    const [other] = await world.ctx.db.select().from(routeChanges);
    const { body } = await get();
    expect(body.changes).toEqual([]);
    expect(body.next_cursor).toBe(cursorOf(["changes", other?.id]));
  });

  it("has the reports of opened periods only", async () => {
    const feed = async (at: string) => {
      world.clock.set(at);
      await feedDemo(world.ctx);
    };
    await feed("2026-11-21T10:00:00Z");
    const open = periodOf(world, subscribed);
    expect((await get(`?type=reports_added&route_id=${idOf(subscribed)}`)).body.changes).toContainEqual(
      expect.objectContaining({ period_id: open, report_type: "capacity", source: "feed" }),
    );
    // The same reports in a period of the same time that is not subscribed to.
    await world.ctx.db.execute(sql`
      with other as (
        insert into periods (code, route_id, name, starts_on, freshness)
        select code || '-other', route_id, name, starts_on - 1, freshness from periods where id = ${open} returning id
      )
      update route_changes set period_id = other.id from other where report_type is not null`);
    const { body } = await get(`?route_id=${idOf(subscribed)}`);
    expect(body.changes.map(({ type }: { type: string }) => type)).not.toContain("reports_added");
  });

  it("begins at a time", async () => {
    await changeBoth(9_001);
    world.clock.set("2026-11-22T09:30:00Z");
    await changeBoth(9_002);
    world.clock.set("2026-11-24T09:30:00Z");
    const distances = async (since: string) =>
      (await get(`?since=${since}`)).body.changes.map(
        ({ after }: { after: { distance_nm: number } }) => after.distance_nm,
      );
    expect(await distances("2026-11-20")).toEqual([9_001, 9_002]);
    expect(await distances("2026-11-22T09:30:00Z")).toEqual([9_002]);
    expect(await distances("2026-11-23")).toEqual([]);
  });

  it.each([
    ["a forged cursor", "since=abc", "Not a valid cursor or time"],
    ["a cursor of another list", `since=${cursorOf(["Shanghai", 7])}`, "Not a valid cursor or time"],
    ["a cursor of the future", `since=${cursorOf(["changes", 9_999])}`, "not valid here"],
    ["a time in the future", "since=2030-01-01", "Must not be in the future"],
  ])("rejects %s", async (_, query, message) => {
    const { status, body } = await get(`?${query}`);
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ path: "since", message: expect.stringContaining(message) }]);
  });

  it("returns 403 for a route without a subscription, and 404 for one that does not exist", async () => {
    expect((await get(`?route_id=${idOf(foreign)}`)).status).toBe(403);
    expect((await get("?route_id=2147483647")).status).toBe(404);
    await world.ctx.db.update(accounts).set({ standing: "suspended" });
    expect((await get()).status).toBe(403);
  });
});

describe("After changes have been deleted", () => {
  const deleteAllBut = async (distanceNm: number) => {
    await changeBoth(9_001);
    const { next_cursor: read } = (await get()).body;
    await changeBoth(9_002);
    await world.ctx.db.update(routeChanges).set({ occurredAt: new Date("2026-01-01T00:00:00Z") });
    await changeBoth(distanceNm);
    await deleteOldChanges(world.ctx);
    return read;
  };

  it("a cursor before them gets 410 with a cursor to continue from", async () => {
    const read = await deleteAllBut(9_003);
    const { status, body } = await get(`?since=${read}`);
    expect(status).toBe(410);
    expect(body.message).toContain("Read the data of your routes again");
    // Everything until now is in the data that is read now.
    expect((await get(`?since=${body.next_cursor}`)).body.changes).toEqual([]);
    await changeBoth(9_004);
    expect((await get(`?since=${body.next_cursor}`)).body.changes).toMatchObject([{ after: { distance_nm: 9_004 } }]);
  });

  it("a time before them gets 410, and no since begins with the oldest", async () => {
    await deleteAllBut(9_003);
    world.clock.set("2026-12-05T00:00:00Z");
    expect((await get("?since=2026-08-01")).status).toBe(410);
    expect((await get("")).body.changes).toMatchObject([{ after: { distance_nm: 9_003 } }]);
  });

  it("a cursor behind the last deleted one continues", async () => {
    await changeBoth(9_001);
    const { next_cursor: read } = (await get()).body;
    await world.ctx.db.update(routeChanges).set({ occurredAt: new Date("2026-01-01T00:00:00Z") });
    await deleteOldChanges(world.ctx);
    expect(await world.ctx.db.$count(routeChanges)).toBe(0);
    expect((await get(`?since=${read}`)).body).toMatchObject({ changes: [], next_cursor: read });
  });
});
