/** How periods follow one another, and what that means for their subscriptions. */
import { asc, desc, eq, max } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { orders, periods, reports, routes, subscriptions, tradeLanes } from "#drizzle/schema/index.ts";
import { pay, periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { addDays } from "../dates.ts";
import { Refusal } from "../errors.ts";
import { runDueWork } from "../jobs/due-work.server.ts";
import { changeRecord, createRecord, restoreRecord, retireRecord } from "../stock/change-records.server.ts";
import { closePeriod, setPeriodPolicy } from "../stock/manage-periods.server.ts";
import { checkout } from "../subscriptions/checkout.server.ts";
import { listSubscriptions } from "../subscriptions/list.server.ts";
import { readPeriod } from "../subscriptions/read-period.server.ts";
import { readRouteData } from "../subscriptions/route-access.server.ts";
import { moveToSuccessors } from "../subscriptions/succession.server.ts";
import { browse } from "./browse.server.ts";
import { turnPeriods } from "./turn-periods.server.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ webhooks: false });
});
afterEach(() => world.close());

const at = (instant: string) => world.clock.set(instant);
const routeCode = "C-CNSHA-NLRTM-PEL9";
const routeIdOf = () => world.routes.find(({ code }) => code === routeCode)?.id ?? 0;
const chain = (routeId = routeIdOf()) =>
  world.ctx.db.select().from(periods).where(eq(periods.routeId, routeId)).orderBy(asc(periods.startsOn));
const newest = async () => (await chain()).slice(-3).map(({ code, name, endsOn }) => [code, name, endsOn]);
const offers = async () => {
  const { rows } = await browse(world.ctx, { q: routeCode }, { limit: 1 });
  return rows[0]?.periods ?? [];
};
const messageOf = async (work: Promise<unknown>) => {
  const refusal = await work.catch((error) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  return [(refusal as Refusal).code, (refusal as Refusal).message];
};
const fieldsOf = async (work: Promise<unknown>) => {
  const refusal = await work.catch((error) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  return (refusal as Refusal).fields;
};

describe("A quarterly period", () => {
  it("ends with its quarter, and the next one opens with its freshness", async () => {
    const [before] = (await chain()).slice(-1);
    at("2026-12-31T23:59:59Z");
    expect(await turnPeriods(world.ctx)).toBe(0);
    at("2027-01-01T00:00:00Z");
    const version = () => world.ctx.db.select({ of: routes.version }).from(routes).where(eq(routes.id, routeIdOf()));
    const [versionBefore] = await version();
    expect(await turnPeriods(world.ctx)).toBe(world.routes.length);
    expect((await version())[0]?.of).toBeGreaterThan(versionBefore?.of ?? 0);
    expect(await newest()).toEqual([
      [`${routeCode}/2026-Q3`, "2026 Q3", "2026-10-01"],
      [`${routeCode}/2026-Q4`, "2026 Q4", "2027-01-01"],
      [`${routeCode}/2027-Q1`, "From 1 Jan 2027", null],
    ]);
    const [old, next] = (await chain()).slice(-2);
    expect(old?.successorPeriodId).toBe(next?.id);
    expect(next).toMatchObject({ startsOn: "2027-01-01", freshness: before?.freshness, successorPeriodId: null });
    expect((await offers()).map(({ id }) => id)).toEqual([next?.id]);
  });

  it("catches up over several quarters", async () => {
    at("2027-08-15T12:00:00Z");
    expect(await turnPeriods(world.ctx)).toBe(3 * world.routes.length);
    expect(await newest()).toEqual([
      [`${routeCode}/2027-Q1`, "2027 Q1", "2027-04-01"],
      [`${routeCode}/2027-Q2`, "2027 Q2", "2027-07-01"],
      [`${routeCode}/2027-Q3`, "From 1 Jul 2027", null],
    ]);
    const all = await chain();
    expect(all.map(({ successorPeriodId }) => successorPeriodId)).toEqual([...all.slice(1).map(({ id }) => id), null]);
  });

  it("turns once, however many runs there are", async () => {
    at("2027-04-02T00:00:00Z");
    const opened = await Promise.all([1, 2, 3, 4].map(() => turnPeriods(world.ctx)));
    expect(opened.reduce((sum, count) => sum + count, 0)).toBe(2 * world.routes.length);
    expect(await turnPeriods(world.ctx)).toBe(0);
    expect((await chain()).map(({ startsOn }) => startsOn)).toEqual([
      ...["2025-10-01", "2026-01-01", "2026-04-01", "2026-07-01", "2026-10-01"],
      ...["2027-01-01", "2027-04-01"],
    ]);
  });

  it("opens with the lane's own freshness and its price", async () => {
    const [before] = await offers();
    const freshness = before?.freshness === "weekly" ? "daily" : "weekly";
    await world.ctx.db.update(tradeLanes).set({ periodFreshness: freshness });
    at("2027-01-01T00:00:00Z");
    await turnPeriods(world.ctx);
    expect(await offers()).toMatchObject([{ freshness, basePriceCents: before?.basePriceCents }]);
  });

  it("uses a successor that was imported in advance", async () => {
    await world.ctx.db.insert(periods).values({
      code: `${routeCode}/2027-Q1`,
      routeId: routeIdOf(),
      name: "New Year",
      startsOn: "2027-01-01",
      freshness: (await offers())[0]?.freshness ?? "daily",
    });
    at("2027-01-01T00:00:00Z");
    await turnPeriods(world.ctx);
    expect((await newest()).slice(-2)).toEqual([
      [`${routeCode}/2026-Q4`, "2026 Q4", "2027-01-01"],
      [`${routeCode}/2027-Q1`, "New Year", null],
    ]);
  });

  it("is followed by one period only if an operator offered it twice", async () => {
    const [open] = await offers();
    await world.ctx.db.insert(periods).values({
      code: "TWICE",
      routeId: routeIdOf(),
      name: "Twice",
      startsOn: "2026-10-02",
      freshness: open?.freshness ?? "daily",
    });
    at("2027-01-01T00:00:00Z");
    await turnPeriods(world.ctx);
    expect(await turnPeriods(world.ctx)).toBe(0);
    const [one, other, next] = (await chain()).slice(-3);
    expect([one?.successorPeriodId, other?.successorPeriodId]).toEqual([next?.id, next?.id]);
  });

  it("turns while the route has another period", async () => {
    const [daily] = await world.ctx.db
      .insert(periods)
      .values({
        code: `${routeCode}/2026-09-15`,
        routeId: routeIdOf(),
        name: "Side",
        startsOn: "2026-09-15",
        freshness: "weekly",
      })
      .returning();
    at("2027-01-01T00:00:00Z");
    await turnPeriods(world.ctx);
    const all = await chain();
    const follower = (id = 0) =>
      all.find(({ id: other }) => other === all.find((one) => one.id === id)?.successorPeriodId);
    expect(follower(daily?.id)).toMatchObject({ freshness: "weekly" });
    expect(all.filter(({ endsOn }) => endsOn === null)).toHaveLength(2);
    expect(new Set(all.filter(({ endsOn }) => endsOn === null).map(({ freshness }) => freshness)).size).toBe(2);
  });

  it("hands over the reports observed after its end", async () => {
    const [open] = await offers();
    await world.ctx.db.insert(reports).values(
      ["2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z", "2027-04-05T06:00:00Z"].map((observedAt) => ({
        periodId: open?.id ?? 0,
        type: "rate" as const,
        observedAt: new Date(observedAt),
        serviceLevel: "standard" as const,
        basis: "per_container" as const,
        currency: "USD",
        baseRateCents: 100,
      })),
    );
    at("2027-04-06T00:00:00Z");
    await turnPeriods(world.ctx);
    const [q4, q1, q2] = (await chain()).slice(-3);
    const latestIn = async (id = 0) => {
      const [row] = await world.ctx.db
        .select({ at: max(reports.observedAt) })
        .from(reports)
        .where(eq(reports.periodId, id));
      return row?.at?.toISOString();
    };
    expect(await Promise.all([q4, q1, q2].map((period) => latestIn(period?.id)))).toEqual([
      "2026-12-31T23:59:59.000Z",
      "2027-01-01T00:00:00.000Z",
      "2027-04-05T06:00:00.000Z",
    ]);
  });
});

describe("An open-ended route", () => {
  it("keeps its period until an operator says otherwise", async () => {
    const [open] = await offers();
    await setPeriodPolicy(world.ctx, await world.operator(), { code: routeCode, values: { policy: "open_ended" } });
    at("2027-08-15T12:00:00Z");
    expect(await turnPeriods(world.ctx)).toBe(3 * (world.routes.length - 1));
    expect((await offers()).map(({ id }) => id)).toEqual([open?.id]);
  });
});

describe("A subscription", () => {
  it("continues with the successor over two quarters, and keeps the history readable", async () => {
    const { caller } = await world.account();
    const { id, periodId, routeId } = await subscribe(world, caller, { term: "12_months" });
    for (const day of ["2027-01-01", "2027-04-01"]) {
      at(`${day}T00:00:30Z`);
      await turnPeriods(world.ctx);
      // Between the two jobs the access has no gap.
      expect((await readRouteData(world.ctx, caller, { id: routeId, limit: 1 })).access.hasAccess).toBe(true);
      expect(await moveToSuccessors(world.ctx)).toBe(1);
      const open = (await chain(routeId)).at(-1);
      expect(open?.startsOn).toBe(day);
      expect(await listSubscriptions(world.ctx, caller)).toMatchObject([
        { id, periodId: open?.id, endDate: "2027-11-20" },
      ]);
    }
    const { periods: readable } = await readRouteData(world.ctx, caller, { id: routeId, limit: 1 });
    expect(readable.every(({ opened }) => opened)).toBe(true);
    expect((await readPeriod(world.ctx, caller, { routeId, periodId }, { limit: 5 })).rows).toHaveLength(5);
  });

  it("renews across the turn at the announced price", async () => {
    at("2026-12-02T10:00:00Z");
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller, { periodId: periodOf(world, routeCode) });
    expect(await listSubscriptions(world.ctx, caller)).toMatchObject([{ endDate: "2027-01-02" }]);
    at("2026-12-26T10:00:00Z");
    expect((await runDueWork(world.ctx)).remindersSent).toBe(1);
    const announced = (await listSubscriptions(world.ctx, caller))[0]?.nextCharge?.amountCents;
    await world.ctx.db.update(tradeLanes).set({ periodFreshness: "real_time" });
    at("2027-01-01T10:00:00Z");
    expect(await runDueWork(world.ctx)).toMatchObject({ chargesSucceeded: 1 });
    const [order] = await world.ctx.db
      .select()
      .from(orders)
      .where(eq(orders.accountId, account.id))
      .orderBy(desc(orders.id))
      .limit(1);
    expect(order).toMatchObject({ kind: "renewal", amountCents: announced });
    const open = (await offers())[0];
    expect(open?.startsOn).toBe("2027-01-01");
    expect(await listSubscriptions(world.ctx, caller)).toMatchObject([
      { id, periodId: open?.id, endDate: "2027-02-02" },
    ]);
  });

  it("can be bought to the new period after the turn, and from an order of before", async () => {
    at("2026-12-31T20:00:00Z");
    const { caller } = await world.account();
    const periodId = periodOf(world, routeCode);
    const order = await checkout(world.ctx, caller, { items: [{ periodId, term: "1_month" }], autoRenew: false });
    at("2027-01-01T10:00:00Z");
    await turnPeriods(world.ctx);
    const [open] = await offers();
    expect(open?.startsOn).toBe("2027-01-01");
    await pay(world, caller, order);
    await moveToSuccessors(world.ctx);
    expect(await listSubscriptions(world.ctx, caller)).toMatchObject([{ periodId: open?.id, endDate: "2027-02-01" }]);
    const other = await world.account();
    await subscribe(world, other.caller, { periodId: open?.id ?? 0 });
    expect(await messageOf(subscribe(world, other.caller, { periodId }))).toEqual([
      "conflict",
      `Period ${periodId} is not on sale: it has ended or has not begun`,
    ]);
  });
});

describe("A retired period", () => {
  it("is not sold and does not turn, while its subscribers keep their access", async () => {
    const by = await world.operator();
    const { caller } = await world.account();
    const { periodId, routeId } = await subscribe(world, caller, {
      periodId: periodOf(world, routeCode),
      term: "3_months",
    });
    const target = { kind: "period", code: `${routeCode}/2026-Q4` } as const;
    await retireRecord(world.ctx, by, target);
    expect(await offers()).toEqual([]);
    expect(await messageOf(subscribe(world, (await world.account()).caller, { periodId }))).toEqual([
      "conflict",
      `Period ${periodId} is not on sale: it was retired`,
    ]);
    const hasAccess = async () => (await readRouteData(world.ctx, caller, { id: routeId, limit: 1 })).access.hasAccess;
    expect(await hasAccess()).toBe(true);
    expect((await listSubscriptions(world.ctx, caller))[0]?.nextCharge).toBeNull();
    at("2027-01-01T10:00:00Z");
    await turnPeriods(world.ctx);
    expect(await moveToSuccessors(world.ctx)).toBe(0);
    expect([await hasAccess(), await offers()]).toEqual([true, []]);
    await restoreRecord(world.ctx, by, target);
    await turnPeriods(world.ctx);
    expect(await moveToSuccessors(world.ctx)).toBe(1);
    expect(await offers()).toMatchObject([{ code: `${routeCode}/2027-Q1` }]);
    expect(await hasAccess()).toBe(true);
  });

  it("can be replaced by another one of the same days and freshness, which then turns", async () => {
    const by = await world.operator();
    const [open] = await offers();
    await retireRecord(world.ctx, by, { kind: "period", code: open?.code ?? "" });
    const values = { record_code: "REPLACED", route_code: routeCode, starts_on: "2026-10-01" };
    await createRecord(world.ctx, by, { kind: "period", values: { ...values, freshness: open?.freshness ?? "" } });
    at("2027-01-01T00:00:00Z");
    await turnPeriods(world.ctx);
    const after = await chain();
    const replacement = after.find(({ code }) => code === "REPLACED");
    expect(replacement?.endsOn).toBe("2027-01-01");
    expect(after.find(({ id }) => id === open?.id)).toMatchObject({ endsOn: null, successorPeriodId: null });
    expect((await offers()).map(({ id }) => id)).toEqual([replacement?.successorPeriodId]);
  });
});

describe("A period closed early", () => {
  it("hands its subscriptions to the next one, which ends with the quarter", async () => {
    const operator = await world.operator();
    const { caller } = await world.account();
    const { periodId } = await subscribe(world, caller, { periodId: periodOf(world, routeCode), term: "3_months" });
    await closePeriod(world.ctx, operator, { id: periodId, endsOn: "2026-12-05", opensNext: true });
    expect((await offers()).map(({ id }) => id)).toEqual([periodId]);
    at("2026-12-05T00:10:00Z");
    await moveToSuccessors(world.ctx);
    const [open] = await offers();
    expect(open).toMatchObject({ code: `${routeCode}/2026-12-05`, name: "From 5 Dec 2026", startsOn: "2026-12-05" });
    expect(await listSubscriptions(world.ctx, caller)).toMatchObject([{ periodId: open?.id }]);
    at("2027-01-01T00:10:00Z");
    await turnPeriods(world.ctx);
    expect((await newest()).slice(-2)).toEqual([
      [`${routeCode}/2026-12-05`, "From 5 Dec 2026", "2027-01-01"],
      [`${routeCode}/2027-Q1`, "From 1 Jan 2027", null],
    ]);
  });

  it("can be the route's last", async () => {
    const { caller } = await world.account();
    const { periodId, routeId } = await subscribe(world, caller, { periodId: periodOf(world, routeCode) });
    await closePeriod(world.ctx, await world.operator(), { id: periodId, endsOn: "2026-11-20", opensNext: false });
    expect(await offers()).toEqual([]);
    at("2027-01-01T10:00:00Z");
    await turnPeriods(world.ctx);
    expect(await offers()).toEqual([]);
    at("2026-11-21T10:00:00Z");
    expect((await readRouteData(world.ctx, caller, { id: routeId, limit: 1 })).reports.rows).toHaveLength(1);
  });

  it.each([
    ["2026-11-19", "invalid", "Must not be before today, 2026-11-20"],
    ["2027-01-02", "invalid", "Must not be after 2027-01-01, the end of its quarter"],
  ])("cannot end on %s", async (endsOn, code, message) => {
    const close = closePeriod(world.ctx, await world.operator(), {
      id: periodOf(world, routeCode),
      endsOn,
      opensNext: true,
    });
    const refusal = await close.catch((error) => error);
    expect([refusal.code, refusal.errors?.[0]?.message ?? refusal.fields?.[0]?.message]).toEqual([code, message]);
  });

  it("cannot be closed again", async () => {
    const operator = await world.operator();
    const close = () =>
      closePeriod(world.ctx, operator, {
        id: periodOf(world, routeCode),
        endsOn: addDays("2026-11-20", 3),
        opensNext: true,
      });
    await close();
    expect(await messageOf(close())).toEqual(["conflict", "The period already ends on 2026-11-23"]);
  });
});

describe("A corrected period", () => {
  const correct = async (code: string, values: Record<string, string>) =>
    changeRecord(world.ctx, await world.operator(), { kind: "period", code, values });

  it("is sold under its new name and at the price of its new freshness", async () => {
    const [open] = await offers();
    const freshness = open?.freshness === "weekly" ? "daily" : "weekly";
    await correct(open?.code ?? "", { name: "Winter", freshness });
    expect(await offers()).toMatchObject([{ id: open?.id, name: "Winter", freshness }]);
  });

  it("keeps its freshness once it has ended", async () => {
    const [ended] = await chain();
    const freshness = ended?.freshness === "weekly" ? "daily" : "weekly";
    expect(await fieldsOf(correct(ended?.code ?? "", { freshness }))).toEqual([
      { path: "freshness", message: "The freshness of a period that has ended cannot be changed" },
    ]);
  });

  it("cannot end in the past", async () => {
    const [open] = await offers();
    expect(await fieldsOf(correct(open?.code ?? "", { ends_on: "2026-11-19" }))).toEqual([
      { path: "ends_on", message: "Enter 2026-11-20 or a later day" },
    ]);
  });
});

it("Subscriptions of closed periods are never left behind", async () => {
  await subscribe(world, (await world.account()).caller, { term: "12_months" });
  at("2027-07-02T10:00:00Z");
  await runDueWork(world.ctx);
  const running = await world.ctx.db
    .select({ endsOn: periods.endsOn })
    .from(subscriptions)
    .innerJoin(periods, eq(periods.id, subscriptions.periodId));
  expect(running).toEqual([{ endsOn: null }]);
});
