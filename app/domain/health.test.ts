import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../testing/world.ts";
import { checkHealth, type ProcessFacts } from "./health.server.ts";
import { expired } from "./notifications/messages.ts";
import { enqueue } from "./notifications/outbox.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ now: "2026-11-20T09:30:00Z" });
});
afterAll(() => world.close());

const facts: ProcessFacts = {
  version: "1.2.3",
  scheduler: "embedded",
  started: { at: new Date("2026-11-20T09:30:00Z"), really: new Date("2026-11-20T09:30:00Z") },
  rateLimitStore: "redis",
  rateLimitFailures: 4,
};

describe("Health", () => {
  it("counts the mail that has waited for more than 15 minutes", async () => {
    const { account } = await world.account();
    const message = expired(world.ctx.settings.appUrl, { routeName: "A route", endDate: "2026-11-20" });
    const mail = { ...message, dedupeKey: "late", accountId: account.id };
    await enqueue(world.ctx.db, mail, world.ctx.clock.now());
    world.clock.set("2026-11-20T09:45:00Z");
    expect((await checkHealth(world.ctx, facts)).mail_delayed).toBe(0);
    world.clock.set("2026-11-20T09:45:01Z");
    expect(await checkHealth(world.ctx, facts)).toEqual({
      status: "ok",
      now: "2026-11-20T09:45:01Z",
      version: "1.2.3",
      test_mode: true,
      payments: "simulated",
      scheduler: "embedded",
      scheduled_work: { status: "ok", overdue: [], last_call_at: null, last_registered_at: null },
      rate_limit_store: "redis",
      rate_limit_failures: 4,
      mail_delayed: 1,
    });
  });

  it("is bad, and says so in time, when the database refuses or is silent", async () => {
    const answering = (count: () => Promise<number>) => ({
      ...world.ctx,
      db: Object.assign({}, world.ctx.db, { $count: count }),
    });
    const refusing = answering(() => Promise.reject(new Error("connect ECONNREFUSED")));
    const silent = answering(() => new Promise(() => {}));
    for (const ctx of [refusing, silent]) {
      expect(await checkHealth(ctx, facts)).toMatchObject({ status: "database_away", mail_delayed: null });
    }
  });
});
