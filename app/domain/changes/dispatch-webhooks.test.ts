import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, changeDispatch, routeChanges, webhookEndpoints, webhookMessages } from "#drizzle/schema/index.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { type Receiver, startReceiver } from "../../testing/webhook-receiver.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { createEndpoint } from "../webhooks/manage.server.ts";
import { dispatchChanges } from "./dispatch-webhooks.server.ts";

describe("Changes of routes' data", () => {
  let world: World;
  let receiver: Receiver;
  beforeAll(async () => {
    [world, receiver] = [await createWorld(), await startReceiver()];
  });
  beforeEach(async () => {
    await world.ctx.db.delete(webhookEndpoints);
    await world.ctx.db.delete(webhookMessages);
    await dispatchChanges(world.ctx);
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  const holder = async () => {
    const { caller, account } = await world.account();
    const subscription = await subscribe(world, caller);
    await createEndpoint(world.ctx, caller, {
      url: receiver.url,
      description: "",
      event_types: ["data.changed", "report.added"],
    });
    return { account, caller, subscription };
  };
  let revisions = 1_000_000;
  const revision = () => {
    revisions += 1;
    return revisions;
  };
  const change = (revision: number, more: Partial<typeof routeChanges.$inferInsert> = {}) => ({
    revision,
    routeId: world.routes[0]?.id ?? 0,
    type: "rates_changed" as const,
    source: "import" as const,
    occurredAt: world.clock.now(),
    ...more,
  });
  const reports = (revision: number, more: Partial<typeof routeChanges.$inferInsert> = {}) =>
    change(revision, {
      type: "reports_added",
      periodId: periodOf(world),
      reportType: "rate",
      serviceLevel: "standard",
      equipmentType: "45G1",
      count: 2,
      observedFrom: new Date("2026-11-18T07:00:00Z"),
      observedTo: new Date("2026-11-19T07:00:00Z"),
      ...more,
    });
  const happen = (...rows: (typeof routeChanges.$inferInsert)[]) => world.ctx.db.insert(routeChanges).values(rows);
  const stored = async (accountId: number) => {
    const rows = await world.ctx.db
      .select()
      .from(webhookMessages)
      .where(eq(webhookMessages.accountId, accountId))
      .orderBy(asc(webhookMessages.id));
    return rows.map(({ payload }) => JSON.parse(payload) as { type: string; data: Record<string, unknown> });
  };

  it("become one event for each route and revision, and one for the reports that were added", async () => {
    const { account } = await holder();
    const [first, second] = [revision(), revision()];
    await happen(
      change(first),
      change(first, { equipmentType: "22G1" }),
      reports(first),
      reports(first, { equipmentType: "22G1", count: 3, observedTo: new Date("2026-11-20T07:00:00Z") }),
    );
    await happen(change(second, { type: "schedule_changed" }));
    expect(await dispatchChanges(world.ctx)).toBe(3);
    const route = { route_id: world.routes[0]?.id, route_code: world.routes[0]?.code };
    expect(await stored(account.id)).toMatchObject([
      { type: "data.changed", data: { ...route, revision: first, changes: { rates_changed: 2, reports_added: 2 } } },
      {
        type: "report.added",
        data: {
          ...route,
          revision: first,
          reports: 5,
          observed_from: "2026-11-18T07:00:00.000Z",
          observed_to: "2026-11-20T07:00:00.000Z",
        },
      },
      { type: "data.changed", data: { ...route, revision: second, changes: { schedule_changed: 1 } } },
    ]);
    expect(await dispatchChanges(world.ctx)).toBe(0);
  });

  it("are not sent for routes and periods without an active subscription, nor to suspended accounts", async () => {
    const { account } = await holder();
    const { account: suspended } = await holder();
    await world.ctx.db.update(accounts).set({ standing: "suspended" }).where(eq(accounts.id, suspended.id));
    const number = revision();
    const otherRoute = world.routes[1];
    await happen(
      change(number, { routeId: otherRoute?.id ?? 0 }),
      reports(number, { periodId: otherRoute?.periods[0]?.id ?? 0 }),
    );
    expect(await dispatchChanges(world.ctx)).toBe(0);
    expect(await stored(account.id)).toEqual([]);
    await happen(change(revision()));
    world.clock.set("2026-12-20T00:00:00Z");
    expect(await dispatchChanges(world.ctx), "the subscription has ended").toBe(0);
    world.clock.set("2026-11-20T09:30:00Z");
    expect(await stored(suspended.id)).toEqual([]);
  });

  it("become each event once if a run is killed, or runs twice at the same time", async () => {
    const { account } = await holder();
    const [{ dispatchedThrough: before } = { dispatchedThrough: 0 }] = await world.ctx.db.select().from(changeDispatch);
    for (let count = 0; count < 5; count += 1) await happen(change(revision()));
    expect(await dispatchChanges(world.ctx)).toBe(5);
    // As after a kill before the position was saved.
    await world.ctx.db.update(changeDispatch).set({ dispatchedThrough: before });
    await happen(change(revision()));
    const both = await Promise.all([dispatchChanges(world.ctx), dispatchChanges(world.ctx)]);
    expect(both.reduce((sum, stored) => sum + stored)).toBe(1);
    expect(await stored(account.id)).toHaveLength(6);
  });
});
