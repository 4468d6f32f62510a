import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reports } from "#drizzle/schema/index.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { readRouteSeries } from "./route-series.server.ts";

let world: World;
let holder: Caller;
let id: number;
let periodId: number;
beforeAll(async () => {
  world = await createWorld();
  holder = (await world.account()).caller;
  ({ routeId: id } = await subscribe(world, holder));
  periodId = periodOf(world);
});
afterAll(() => world.close());

const instants = (rows: readonly { observedAt: Date }[]) => rows.map(({ observedAt }) => observedAt.getTime());

describe("A route's series", () => {
  it("has all observations of the past thirteen months, oldest first", async () => {
    const { reports: series, rateKind, rateKinds, nominalCapacity } = await readRouteSeries(world.ctx, holder, { id });
    expect(rateKind).toEqual({ equipmentType: "45G1", serviceLevel: "standard" });
    expect(rateKinds.map(({ equipmentType }) => equipmentType)).toEqual(["22G1", "45G1", "45R1"]);
    expect(nominalCapacity).toBeGreaterThan(0);
    for (const rows of Object.values(series)) {
      expect(rows.length).toBeGreaterThan(11);
      expect(instants(rows)).toEqual(instants(rows).toSorted((a, b) => a - b));
    }
    expect(new Set(series.rate.map(({ equipmentType }) => equipmentType))).toEqual(new Set(["45G1"]));
  });

  it("has the rates of the chosen equipment type and service level", async () => {
    const rate = { type: "rate", equipmentType: "22G1", basis: "per_container", currency: "USD" } as const;
    const observedAt = new Date("2026-11-18T06:00:00Z");
    await world.ctx.db
      .insert(reports)
      .values({ ...rate, periodId, observedAt, serviceLevel: "express", baseRateCents: 123_400 });
    const series = await readRouteSeries(world.ctx, holder, { id, equipmentType: "22G1", serviceLevel: "express" });
    expect(series.rateKind).toEqual({ equipmentType: "22G1", serviceLevel: "express" });
    expect(series.reports.rate).toMatchObject([{ baseRateCents: 123_400, surchargesCents: null }]);
    expect((await readRouteSeries(world.ctx, holder, { id, equipmentType: "22G1" })).rateKind).toEqual({
      ...{ equipmentType: "22G1", serviceLevel: "standard" },
    });
  });

  it("cannot be read without an active subscription", async () => {
    const { caller } = await world.account();
    await expect(readRouteSeries(world.ctx, caller, { id })).rejects.toMatchObject({ code: "forbidden" });
    await expect(readRouteSeries(world.ctx, holder, { id: 999_999 })).rejects.toMatchObject({ code: "not_found" });
  });
});
