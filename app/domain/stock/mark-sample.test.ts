import { desc } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLog } from "#drizzle/schema/index.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller, OperatorCaller } from "../accounts/caller.ts";
import { summariesOf } from "../catalogue/browse.server.ts";
import { sampleRoutes } from "../catalogue/sample-routes.server.ts";
import { priceOrder } from "../subscriptions/price.server.ts";
import { readPeriod } from "../subscriptions/read-period.server.ts";
import { browseForAccount, checkAccess, openRouteData, readRouteData } from "../subscriptions/route-access.server.ts";
import { readRouteSchedule } from "../subscriptions/schedules.server.ts";
import { markSample, unmarkSample } from "./mark-sample.server.ts";

const codes = ["C-CNSHA-NLRTM-PEL9", "C-CNNGB-GBFXT-MRG9", "B-AUPHE-CNTAO-GRN9"] as const;
const [sample, otherContainer, bulk] = codes;

let world: World;
let operator: OperatorCaller;
let caller: Caller;
const idOf = (code: string): number => world.routes.find((route) => route.code === code)?.id ?? 0;
beforeAll(async () => {
  world = await createWorld({ routeCodes: [...codes] });
  operator = await world.operator();
  ({ caller } = await world.account());
  await markSample(world.ctx, operator, { code: sample });
});
afterAll(() => world.close());

describe("A sample route", () => {
  it("is open to every account, with all its periods, and says why", async () => {
    const { access, periods, reports } = await readRouteData(world.ctx, caller, { id: idOf(sample), limit: 10 });
    expect(access).toEqual({ hasAccess: true, reason: "sample", accessUntil: null });
    expect(reports.rows.length).toBe(10);
    expect(periods.every(({ opened }) => opened)).toBe(true);
    const checked = await checkAccess(world.ctx, caller, [idOf(sample), idOf(bulk)]);
    expect(checked.map(({ reason }) => reason)).toEqual(["sample", "never_subscribed"]);
    const { rows } = await browseForAccount(world.ctx, caller, {}, { limit: 10 });
    expect(Object.fromEntries(rows.map(({ code, hasAccess, isSample }) => [code, [hasAccess, isSample]]))).toEqual({
      [sample]: [true, true],
      [otherContainer]: [false, false],
      [bulk]: [false, false],
    });
  });

  it("is open to visitors: its data, reports and schedule", async () => {
    const { periods, reports } = await readRouteData(world.ctx, null, { id: idOf(sample), limit: 5 });
    expect(reports.rows.length).toBe(5);
    const periodId = periods[0]?.id ?? 0;
    const page = await readPeriod(world.ctx, null, { routeId: idOf(sample), periodId }, { limit: 5 });
    expect(page.rows.length).toBe(5);
    expect((await readRouteSchedule(world.ctx, null, { id: idOf(sample) })).length).toBeGreaterThan(0);
  });

  it("leaves every other route closed to visitors", async () => {
    const closed = { code: "forbidden" };
    await expect(readRouteData(world.ctx, null, { id: idOf(bulk), limit: 5 })).rejects.toMatchObject(closed);
    await expect(readRouteSchedule(world.ctx, null, { id: idOf(bulk) })).rejects.toMatchObject(closed);
    const periodId = periodOf(world, bulk);
    await expect(readPeriod(world.ctx, null, { routeId: idOf(bulk), periodId }, { limit: 5 })).rejects.toMatchObject(
      closed,
    );
  });

  it("is found by its filter", async () => {
    const found = async (is_sample: "true" | "false") =>
      (await browseForAccount(world.ctx, caller, { is_sample }, { limit: 10 })).rows.map(({ code }) => code);
    expect(await found("true")).toEqual([sample]);
    expect((await found("false")).toSorted()).toEqual([bulk, otherContainer]);
    expect((await sampleRoutes(world.ctx)).map(({ code }) => code)).toEqual([sample]);
  });

  it("is not on sale", async () => {
    const [route] = await summariesOf(world.ctx, [idOf(sample)]);
    expect(route?.periods).toEqual([]);
    const items = [{ periodId: periodOf(world, sample), term: "1_month" as const }];
    await expect(priceOrder(world.ctx, caller.account, items)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("its route is a sample"),
    });
  });

  it("is closed to suspended accounts, like all data", async () => {
    const suspended = { ...caller, account: { ...caller.account, standing: "suspended" as const } };
    await expect(readRouteData(world.ctx, suspended, { id: idOf(sample), limit: 5 })).rejects.toMatchObject({
      code: "forbidden",
    });
  });
});

describe("Marking a sample", () => {
  it("replaces the sample of the same cargo type only, and is in the audit log", async () => {
    await markSample(world.ctx, operator, { code: bulk });
    expect(await markSample(world.ctx, operator, { code: otherContainer })).toEqual({ replaces: sample });
    expect((await sampleRoutes(world.ctx)).map(({ code }) => code)).toEqual([bulk, otherContainer]);
    const [entry] = await world.ctx.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
    expect(entry).toMatchObject({
      action: "route.sample_marked",
      details: expect.objectContaining({ code: otherContainer, replaces: sample }),
    });
    await expect(readRouteData(world.ctx, caller, { id: idOf(sample), limit: 5 })).rejects.toMatchObject({
      code: "forbidden",
    });
    await unmarkSample(world.ctx, operator, { code: bulk });
    expect((await sampleRoutes(world.ctx)).map(({ code }) => code)).toEqual([otherContainer]);
  });

  it("changes the version of the data, so that cached documents become invalid", async () => {
    await markSample(world.ctx, operator, { code: bulk });
    const { version } = await openRouteData(world.ctx, caller, { id: idOf(bulk), limit: 5 });
    await unmarkSample(world.ctx, operator, { code: bulk });
    await markSample(world.ctx, operator, { code: bulk });
    expect((await openRouteData(world.ctx, caller, { id: idOf(bulk), limit: 5 })).version).not.toBe(version);
    await unmarkSample(world.ctx, operator, { code: bulk });
  });

  it("rejects a route with active subscriptions, so that nobody pays for what everybody reads", async () => {
    await subscribe(world, caller, { periodId: periodOf(world, bulk) });
    await expect(markSample(world.ctx, operator, { code: bulk })).rejects.toMatchObject({ code: "conflict" });
  });

  it("rejects a route that is the sample already, and unmarking one that is not", async () => {
    await expect(markSample(world.ctx, operator, { code: otherContainer })).rejects.toMatchObject({ code: "conflict" });
    await expect(unmarkSample(world.ctx, operator, { code: sample })).rejects.toMatchObject({ code: "conflict" });
  });
});
