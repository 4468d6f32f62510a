/** Fourteen months of several accounts, run with the test clock. */
import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  invoices,
  jobRuns,
  orders,
  outboxMessages,
  paidTerms,
  payments,
  subscriptions,
  usageServiceDays,
} from "#drizzle/schema/index.ts";
import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import { periodOf, subscribe, testCards } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { addMonths, dayOf } from "../dates.ts";
import { listSubscriptions } from "../subscriptions/list.server.ts";
import { cancelSubscription } from "../subscriptions/manage.server.ts";
import { moveClock, readMove, readTestClock, resumeMove, type TestModeControls } from "./test-clock.server.ts";

const start = "2026-01-31T09:30:00Z";

let world: World;
let controls: TestModeControls;
beforeAll(async () => {
  world = await createWorld({ now: start });
  controls = {
    moveClockTo: (aheadMs) => world.clock.set(new Date(Date.parse(start) + aheadMs).toISOString()),
    idle: world.simulator.idle,
    stopping: new AbortController().signal,
    inBackground: () => {},
  };
});
afterAll(() => world.close());

const move = (days: number) => moveClock(world.ctx, controls, { days });

describe("Fourteen months", () => {
  it("renew subscriptions that can be charged, and let the others and the cancelled ones expire", async () => {
    const [monthly, declined, yearly, cancelled, once] = [
      await world.account("monthly"),
      await world.account("declined"),
      await world.account("yearly"),
      await world.account("cancelled"),
      await world.account("once"),
    ];
    await subscribe(world, monthly.caller);
    await subscribe(world, declined.caller, { term: "3_months", card: testCards.declinedOffSession });
    await subscribe(world, yearly.caller, { term: "12_months", periodId: periodOf(world, world.routes[1]?.code) });
    const { id } = await subscribe(world, cancelled.caller, { term: "2_months" });
    await cancelSubscription(world.ctx, cancelled.caller, { id });
    await subscribe(world, once.caller, { term: "1_month", autoRenew: false });

    const total = { remindersSent: 0, chargesSucceeded: 0, chargesDeclined: 0, expired: 0 };
    for (const days of [1, 27, 3, 59, 90, 1, 245]) {
      const { ran } = await move(days);
      for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += ran[key];
    }
    // 426 days after 31 January 2026.
    expect(dayOf(world.clock.now())).toBe("2027-04-02");
    expect(await readTestClock(world.ctx)).toBe(426 * 86_400_000);

    const endOf = async (caller: typeof monthly.caller) => (await listSubscriptions(world.ctx, caller))[0];
    expect(await endOf(monthly.caller)).toMatchObject({ startDate: "2026-01-31", endDate: "2027-04-30" });
    expect(await endOf(declined.caller)).toMatchObject({ endDate: "2026-04-30", status: "expired" });
    expect(await endOf(yearly.caller)).toMatchObject({ endDate: "2028-01-31", status: "active" });
    expect(await endOf(cancelled.caller)).toMatchObject({ endDate: "2026-03-31", status: "expired" });
    expect(await endOf(once.caller)).toMatchObject({ endDate: "2026-02-28", status: "expired" });
    expect(total).toEqual({
      // One before each of the 14 monthly renewals and the yearly one, and two for each of the two that expired without renewal.
      remindersSent: 14 + 1 + 2 + 2,
      chargesSucceeded: 14 + 1,
      chargesDeclined: 3,
      expired: 3,
    });
    expect(world.complaints).toEqual([]);
  }, 600_000);

  it("run every scheduled job once a day", async () => {
    const { db } = world.ctx;
    expect(await db.$count(usageServiceDays)).toBe(426);
    const recent = await db.selectDistinct({ job: jobRuns.job }).from(jobRuns);
    expect(recent.map(({ job }) => job)).toEqual(expect.arrayContaining(["aggregate-usage", "delete-old-runs"]));
  });

  it("leave no gaps, overlaps, double charges or negative amounts", async () => {
    const { db } = world.ctx;
    for (const subscription of await db.select().from(subscriptions)) {
      const terms = await db
        .select()
        .from(paidTerms)
        .where(eq(paidTerms.subscriptionId, subscription.id))
        .orderBy(asc(paidTerms.id));
      expect(terms[0]?.startDate).toBe(subscription.startDate);
      for (const [index, term] of terms.entries()) {
        expect(term.startDate).toBe(index === 0 ? subscription.startDate : terms[index - 1]?.endDate);
      }
      expect(terms.at(-1)?.endDate).toBe(subscription.endDate);
      expect(subscription.endDate).toBe(addMonths(subscription.anchorDate, subscription.monthsPaid));
    }
    const paid = await db.select().from(orders).where(eq(orders.status, "paid"));
    expect(await db.$count(payments)).toBe(paid.length);
    expect(await db.$count(paidTerms)).toBe(paid.length);
    expect((await db.select().from(invoices)).every(({ amountCents }) => amountCents > 0)).toBe(true);
    for (const year of [2026, 2027]) {
      const numbers = (await db.select().from(invoices).where(eq(invoices.year, year))).map(({ number }) => number);
      expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
    }
    const mail = await db.select().from(outboxMessages);
    expect(new Set(mail.map(({ dedupeKey }) => dedupeKey)).size).toBe(mail.length);
    expect(mail.every(({ sentAt }) => sentAt !== null)).toBe(true);
  });
});

describe("The test clock", () => {
  it("moves to a given time, runs due work even without moving, and rejects moves backwards", async () => {
    const now = world.clock.now();
    const later = new Date(now.getTime() + 36 * 3_600_000);
    expect((await moveClock(world.ctx, controls, { to: later })).now).toEqual(later);
    expect((await move(0)).now).toEqual(later);
    await expect(moveClock(world.ctx, controls, { to: now })).rejects.toMatchObject({ code: "conflict" });
    await expect(move(-1)).rejects.toMatchObject({ code: "conflict" });
    await expect(move(1_101)).rejects.toMatchObject({ code: "invalid" });
  });

  it("rejects a second move while one is in progress", async () => {
    const before = world.clock.now().getTime();
    // The move waits on its first day while another process runs due work.
    let first: ReturnType<typeof move> | undefined;
    await withAdvisoryLock(world.ctx.db, "dueWork", "wait", async () => {
      first = move(2);
      await expect.poll(waitingMoves).toBe(1);
      for (const days of [3, 1]) await expect(move(days)).rejects.toMatchObject({ code: "conflict" });
    });
    await first;
    expect(world.clock.now().getTime()).toBe(before + 2 * dayMs);
  });

  it("continues in the background when the move takes longer than the request waits", async () => {
    const before = world.clock.now();
    const background: Promise<unknown>[] = [];
    let answer: Awaited<ReturnType<typeof move>> | undefined;
    await withAdvisoryLock(world.ctx.db, "dueWork", "wait", async () => {
      const impatient = { ...controls, inBackground: (rest: Promise<unknown>) => background.push(rest) };
      answer = await moveClock(world.ctx, impatient, { days: 3 }, 1);
    });
    expect(answer?.now).toEqual(before);
    expect(background).toHaveLength(1);
    await Promise.all(background);
    expect(world.clock.now().getTime()).toBe(before.getTime() + 3 * dayMs);
    expect(await readMove(world.ctx)).toBeNull();
  });

  it("stops when the service stops, and finishes the move after a restart", async () => {
    const before = world.clock.now().getTime();
    const shutdown = new AbortController();
    let days = 0;
    const idle = async () => {
      days += 1;
      if (days === 2) shutdown.abort();
      await world.simulator.idle();
    };
    await moveClock(world.ctx, { ...controls, idle, stopping: shutdown.signal }, { days: 5 });
    expect(world.clock.now().getTime()).toBe(before + 2 * dayMs);
    expect(await readMove(world.ctx)).toEqual({
      from: new Date(before),
      to: new Date(before + 5 * dayMs),
      at: new Date(before + 2 * dayMs),
    });
    await Promise.all([resumeMove(world.ctx, controls), resumeMove(world.ctx, controls)]);
    expect(world.clock.now().getTime()).toBe(before + 5 * dayMs);
    expect(await readMove(world.ctx)).toBeNull();
    expect(world.complaints).toEqual([]);
  });
});

const dayMs = 86_400_000;
const waitingMoves = async () => {
  const rows = await world.ctx.db.execute(
    sql`select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
};
