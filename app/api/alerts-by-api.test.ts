import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reports, subscriptions } from "#drizzle/schema/index.ts";
import { evaluateAlerts } from "../domain/alerts/evaluate.server.ts";
import { lockCatalogue } from "../domain/catalogue/import.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { call } from "../testing/api-client.ts";
import { periodOf, subscribe } from "../testing/purchases.ts";
import { createWorld, type World } from "../testing/world.ts";

const code = "C-CNSHA-NLRTM-PEL9";

let world: World;
let token: string;
let routeId: number;
beforeAll(async () => {
  world = await createWorld();
  routeId = world.routes.find((route) => route.code === code)?.id ?? 0;
  const account = await world.account("watcher");
  token = account.token;
  await subscribe(world, account.caller, { periodId: periodOf(world, code), term: "3_months" });
});
afterAll(() => world.close());

const ask = async (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown) => {
  world.ctx.rateLimiter = memoryRateLimiter();
  return call(world, method, path, { token, ...(body === undefined ? {} : { body }) });
};

const report = (dollars: number, at: string) =>
  world.ctx.db.transaction(async (tx) => {
    world.clock.set(at);
    await lockCatalogue(tx, { now: world.clock.now(), source: "import" });
    await tx.insert(reports).values({
      ...{ periodId: periodOf(world, code), type: "rate", observedAt: world.clock.now(), serviceLevel: "standard" },
      ...{ equipmentType: "45G1", basis: "per_container", currency: "USD" },
      ...{ baseRateCents: dollars * 100, surchargesCents: 0 },
    });
  });

describe("The watchlist", () => {
  it("is kept by requests, with rules that are off when they are left out", async () => {
    const created = await ask("POST", "/watchlist", { route_id: routeId, rules: { rate_change_percent: 5 } });
    expect([created.status, created.body.rules]).toEqual([
      200,
      {
        rate_change_percent: 5,
        all_in_below_cents: null,
        all_in_above_cents: null,
        capacity_below: null,
        booking_status: false,
        schedule_slip_days: null,
        stale_data: false,
      },
    ]);
    const pair = await ask("POST", "/watchlist", { origin: "CNNGB", destination: "GBFXT", cargo_type: "container" });
    expect(pair.body).toMatchObject({
      route_id: null,
      origin: { unlocode: "CNNGB", name: "Ningbo-Zhoushan" },
      rules: { rate_change_percent: 3, booking_status: true, schedule_slip_days: 2, stale_data: true },
      routes: [{ route_code: "C-CNNGB-GBFXT-MRG9", has_access: false, reason: "never_subscribed", figures: null }],
      routes_total: 1,
    });
    const list = (await ask("GET", "/watchlist")).body;
    expect(list.watches.map(({ id }: { id: number }) => id)).toEqual([pair.body.id, created.body.id]);
    expect(list.watches[1].routes).toMatchObject([
      { has_access: true, figures: { rate: { currency: "USD", equipment_type: "45G1" }, capacity_unit: "TEU" } },
    ]);
    expect((await ask("DELETE", `/watchlist/${pair.body.id}`)).body).toEqual({ id: pair.body.id, deleted: true });
    expect((await ask("GET", `/watchlist/${pair.body.id}`)).status).toBe(404);
    const changed = await ask("PUT", `/watchlist/${created.body.id}`, { rules: { rate_change_percent: 3 } });
    expect(changed.body.rules).toMatchObject({ rate_change_percent: 3 });
  });

  it.each([
    [{}, "route_id"],
    [{ route_id: 1, origin: "CNSHA", destination: "NLRTM" }, "route_id"],
    [{ origin: "CNSHA" }, "route_id"],
    [{ origin: "CNSHA", destination: "XXXXX" }, "destination"],
    [{ route_id: 1, equipment_type: "big" }, "equipment_type"],
    [{ route_id: 1, rules: { rate_change_percent: 0 } }, "rules.rate_change_percent"],
    [{ route_id: 1, rules: { other: 1 } }, "rules.other"],
  ])("rejects %j", async (body, path) => {
    const { status, body: answer } = await ask("POST", "/watchlist", body);
    expect([status, answer.errors?.[0]?.path]).toEqual([422, path]);
  });
});

describe("Alerts", () => {
  it("are listed with figures, until the subscription has ended", async () => {
    const { body: watch } = await ask("POST", "/watchlist", { route_id: routeId });
    await report(4000, "2026-11-20T10:30:00Z");
    await evaluateAlerts(world.ctx);
    await world.ctx.db.execute(sql`delete from alerts`);
    await report(4400, "2026-11-20T11:30:00Z");
    await evaluateAlerts(world.ctx);
    const { body } = await ask("GET", `/alerts?unread=true&rule=rate_change&watch_id=${watch.id}&route_id=${routeId}`);
    expect(body).toEqual({
      alerts: [
        {
          id: expect.any(Number),
          rule: "rate_change",
          watch_id: watch.id,
          ...{ route_id: routeId, route_code: code, route_name: "Shanghai – Rotterdam" },
          summary: "40′ high cube (45G1) all-in rate up 10% to USD 4,400.00, from USD 4,000.00",
          figures: {
            ...{ kind: "rate_change", service_level: "standard", equipment_type: "45G1", basis: "per_container" },
            ...{ currency: "USD", before_cents: 400_000, after_cents: 440_000, change_percent: 10 },
          },
          occurred_at: "2026-11-20T11:30:00.000Z",
          created_at: "2026-11-20T11:30:00.000Z",
          read_at: null,
        },
      ],
      next_cursor: null,
    });
    expect((await ask("POST", "/alerts/mark-read", { up_to: body.alerts[0].id })).body).toEqual({ marked: 1 });
    expect((await ask("GET", "/alerts?unread=true")).body.alerts).toEqual([]);
    await world.ctx.db.update(subscriptions).set({ startDate: "2026-10-20", endDate: "2026-11-20" });
    const [locked] = (await ask("GET", "/alerts")).body.alerts;
    expect(locked).toMatchObject({ summary: null, figures: null, route_code: code });
  });
});
