/** Jobs that process many items stop between two items when the service stops, and the next run continues. */
import { asc } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outboxMessages, usageLogs } from "#drizzle/schema/index.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Context } from "../context.ts";
import { checkout } from "../subscriptions/checkout.server.ts";
import { allJobs } from "./registry.server.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const run = (id: string, ctx: Context, signal = new AbortController().signal) => {
  const job = allJobs.find((each) => each.id === id);
  if (!job) throw new Error(`There is no job ${id}`);
  return job.run(ctx, signal);
};

/** Aborts when the first payment intent is cancelled. */
const abortingAtFirstCancel = (shutdown: AbortController): Context => ({
  ...world.ctx,
  payments: {
    ...world.ctx.payments,
    cancelIntent: async (id) => {
      shutdown.abort();
      return world.ctx.payments.cancelIntent(id);
    },
  },
});

const subscribed = async (count: number, autoRenew = true) => {
  for (let index = 0; index < count; index++) {
    const { caller } = await world.account();
    await subscribe(world, caller, { autoRenew });
  }
};

describe("When the service stops", () => {
  it("mail that was claimed but not sent is due again at once, without counting as a try", async () => {
    await subscribed(3);
    const shutdown = new AbortController();
    const mailer = { ...world.ctx.mailer, send: async () => shutdown.abort() };
    const waiting = await world.ctx.db.$count(outboxMessages);
    expect(waiting).toBeGreaterThanOrEqual(3);
    expect(await run("send-mail", { ...world.ctx, mailer }, shutdown.signal)).toEqual({ sent: 1, failed: 0 });
    const rows = await world.ctx.db.select().from(outboxMessages).orderBy(asc(outboxMessages.id));
    const unsent = rows.filter(({ sentAt }) => sentAt === null);
    expect(unsent).toHaveLength(waiting - 1);
    for (const { tries, dueAt } of unsent) expect([tries, dueAt <= world.clock.now()]).toEqual([0, true]);
    expect(await run("send-mail", world.ctx)).toEqual({ sent: waiting - 1, failed: 0 });
  });

  it("a job that starts after the abort does nothing: reminders, expiry notices, log retention, popularity", async () => {
    await subscribed(2, false);
    const { account } = await world.account();
    await world.ctx.db.insert(usageLogs).values({
      accountId: account.id,
      occurredAt: new Date("2026-01-01T00:00:00Z"),
      method: "GET",
      endpoint: "/api-routes-data",
      status: 200,
      durationMs: 1,
      responseBytes: 1,
      requestCost: 1,
      requestId: "00000000-0000-4000-8000-000000000000",
    });
    const stopped = AbortSignal.abort();
    world.clock.set("2026-12-19T10:00:00Z");
    expect(await run("remind", world.ctx, stopped)).toEqual({ reminders: 0 });
    expect(await run("remind", world.ctx)).toEqual({ reminders: 2 });
    world.clock.set("2026-12-20T10:00:00Z");
    expect(await run("expire", world.ctx, stopped)).toEqual({ expired: 0 });
    expect(await run("expire", world.ctx)).toEqual({ expired: 2 });
    expect(await run("delete-old-logs", world.ctx, stopped)).toEqual({ deleted: 0 });
    expect(await run("delete-old-logs", world.ctx)).toEqual({ deleted: 1 });
    expect(await run("recompute-popularity", world.ctx, stopped)).toEqual({ changed: 0 });
    expect((await run("recompute-popularity", world.ctx)).changed).toBeGreaterThan(0);
  });

  it("expired orders are cancelled one at a time, and the next run cancels the rest", async () => {
    for (let index = 0; index < 3; index++) {
      const { caller } = await world.account();
      await checkout(world.ctx, caller, { items: [{ periodId: periodOf(world), term: "1_month" }], autoRenew: true });
    }
    world.clock.set("2026-11-22T10:00:00Z");
    const shutdown = new AbortController();
    expect(await run("close-expired-orders", abortingAtFirstCancel(shutdown), shutdown.signal)).toMatchObject({
      cancelled: 1,
    });
    expect(await run("close-expired-orders", world.ctx)).toEqual({ cancelled: 2, settled: 0, returned: 0 });
  });
});
