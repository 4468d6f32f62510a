import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { routePeriods } from "../catalogue/route-data.server.ts";
import { findPeriod, readPeriod, readWholePeriod } from "./read-period.server.ts";

let world: World;
let holder: Caller;
let routeId: number;
let open: number;
let ended: number;
beforeAll(async () => {
  world = await createWorld();
  holder = (await world.account()).caller;
  const route = world.routes[0];
  routeId = route?.id ?? 0;
  open = periodOf(world, route?.code);
  ended = (await routePeriods(world.ctx, routeId, [])).find(({ endsOn }) => endsOn !== null)?.id ?? 0;
  await subscribe(world, holder, { periodId: open });
});
afterAll(() => world.close());

const page = { limit: 10 };

describe("The reports of a period", () => {
  it("can be read with an active subscription, as can those of the route's ended periods", async () => {
    for (const periodId of [open, ended]) {
      const { rows } = await readPeriod(world.ctx, holder, { routeId, periodId }, page);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.every((report) => report.periodId === periodId)).toBe(true);
    }
  });

  it("cannot be read without a subscription, but the period can be seen", async () => {
    const { caller } = await world.account();
    expect(await findPeriod(world.ctx, caller, { routeId, periodId: open })).toMatchObject({
      opened: false,
      access: { reason: "never_subscribed" },
    });
    for (const periodId of [open, ended]) {
      await expect(readPeriod(world.ctx, caller, { routeId, periodId }, page)).rejects.toMatchObject({
        code: "forbidden",
      });
    }
  });

  it("are not found under another route", async () => {
    const other = world.routes[1]?.id ?? 0;
    await expect(readPeriod(world.ctx, holder, { routeId: other, periodId: open }, page)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("can be filtered by type, service level, equipment type and time", async () => {
    const all = async (filter: object) =>
      (await readPeriod(world.ctx, holder, { routeId, periodId: ended, ...filter }, { limit: 100 })).rows;
    const rates = await all({ type: "rate" });
    expect(new Set(rates.map(({ type }) => type))).toEqual(new Set(["rate"]));
    const highCube = await all({ equipmentTypes: ["45G1"] });
    expect(new Set(highCube.map(({ type, equipmentType }) => `${type} ${equipmentType}`))).toEqual(
      new Set(["rate 45G1"]),
    );
    expect(rates).toHaveLength(3 * highCube.length);
    const [newest] = highCube;
    expect(await all({ equipmentTypes: ["45G1"], from: newest?.observedAt })).toHaveLength(1);
    expect(await all({ equipmentTypes: ["45G1"], to: newest?.observedAt })).toHaveLength(highCube.length - 1);
    const others = await all({ equipmentTypes: [""] });
    expect(others.some(({ type }) => type === "capacity")).toBe(true);
    expect(others.every(({ equipmentType }) => equipmentType === "")).toBe(true);
    expect(await all({ serviceLevel: "express" })).toEqual([]);
  });

  it("can be read in batches, newest first and each report once", async () => {
    const seen: Date[] = [];
    for await (const batch of readWholePeriod(world.ctx, holder, { routeId, periodId: ended }, 7)) {
      seen.push(...batch.map(({ observedAt }) => observedAt));
    }
    const { rows } = await readPeriod(world.ctx, holder, { routeId, periodId: ended }, { limit: 100 });
    expect(seen).toEqual(rows.map(({ observedAt }) => observedAt));
  });

  it("can no longer be read when the subscription has ended", async () => {
    world.clock.set("2027-06-01T00:00:00Z");
    expect(await findPeriod(world.ctx, holder, { routeId, periodId: ended })).toMatchObject({
      opened: false,
      access: { reason: "expired" },
    });
    await expect(readPeriod(world.ctx, holder, { routeId, periodId: ended }, page)).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(readWholePeriod(world.ctx, holder, { routeId, periodId: open }).next()).rejects.toMatchObject({
      code: "forbidden",
    });
  });
});
