/** API, portal and mail announce the amount and the day of a renewal; the charge keeps both. */
import { asc, desc, eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, orders, outboxMessages, periods, routes, subscriptions } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { subscribe, testCards } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Account, Caller } from "../accounts/caller.ts";
import { openSession } from "../accounts/session.server.ts";
import { isOpen } from "../catalogue/period.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { memoryRateLimiter } from "../rate-limit/memory.ts";
import { chargeDueRenewals } from "./charge-renewals.server.ts";
import { getSubscription, listSubscriptions } from "./list.server.ts";
import { setAutoRenew } from "./manage.server.ts";
import { remindExpiring } from "./remind.server.ts";
import { renewSubscription } from "./renew.server.ts";
import { renews } from "./renewal.ts";
import { isRenewing } from "./renewal-condition.server.ts";
import { renewalQuotes } from "./renewal-quotes.server.ts";
import { moveToSuccessors } from "./succession.server.ts";
import { termOffers } from "./term-offers.server.ts";

const routeCodes = [
  "C-CNSHA-NLRTM-PEL9",
  "C-CNNGB-GBFXT-MRG9",
  "C-CNNGB-GBFXT-SUN9",
  "C-CNSHA-DEHAM-BRW9",
  "C-CNTAO-BEANR-MRG9",
  "B-AUPHE-CNTAO-GRN9",
];
const boughtOn = "2026-11-20";
const announcedOn = "2026-12-13";
const chargedOn = "2026-12-17";

let world: World;
beforeAll(async () => {
  world = await createWorld({ webhooks: false, routeCodes });
});
afterAll(() => world.close());
beforeEach(async () => {
  // Subscriptions of earlier tests are moved to the past, so that only those of this test are due.
  const past = (day: PgColumn) => sql`${day} - interval '20 years'`;
  await world.ctx.db
    .update(subscriptions)
    .set({ startDate: past(subscriptions.startDate), endDate: past(subscriptions.endDate) });
  at(boughtOn);
  world.ctx.rateLimiter = memoryRateLimiter();
});

const at = (day: string, time = "10:00:00") => world.clock.set(`${day}T${time}Z`);
type Holder = { account: Account; caller: Caller };

const announcedByApi = async ({ account }: Holder, id: number) => {
  const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
  const { token } = await openSession(world.ctx, account, "bearer", origin);
  const { body } = await call(world, "GET", "/subscriptions/my-routes", { token });
  return body.subscriptions.find((one: { id: number }) => one.id === id).next_charge;
};
const latestMail = async ({ account }: Holder): Promise<string> => {
  const [mail] = await world.ctx.db
    .select({ text: outboxMessages.text })
    .from(outboxMessages)
    .where(eq(outboxMessages.accountId, account.id))
    .orderBy(desc(outboxMessages.id))
    .limit(1);
  return mail?.text ?? "";
};
const announcedByMail = async (holder: Holder) => {
  const [, amount, date] = (await latestMail(holder)).match(/charge your card USD ([\d,.]+) on (\d+ \w+ \d+)\./) ?? [];
  return {
    date: date && dayOf(new Date(`${date} UTC`)),
    amount_cents: Math.round(Number(amount?.replaceAll(",", "")) * 100),
  };
};
/** Amounts of the account's renewal orders, whether their charge succeeded or not. */
const orderedRenewals = async ({ account }: Holder): Promise<number[]> => {
  const rows = await world.ctx.db.select().from(orders).where(eq(orders.accountId, account.id)).orderBy(asc(orders.id));
  return rows.filter(({ kind }) => kind === "renewal").map(({ amountCents }) => amountCents);
};
/** What the renewal would cost had no price been announced. */
const unannouncedCents = async ({ caller }: Holder, id: number): Promise<number | undefined> => {
  const subscription = await getSubscription(world.ctx, caller, { id });
  const request = { subscription: { ...subscription, id: 0 }, term: subscription.renewalTerm, on: chargedOn };
  return (await renewalQuotes(world.ctx, [request]))[0]?.totalCents;
};

/** The route's period that is on sale today. */
const openPeriodOf = async (routeId: number): Promise<number> => {
  const today = dayOf(world.clock.now());
  const all = await world.ctx.db.select().from(periods).where(eq(periods.routeId, routeId));
  return all.find((period) => isOpen(period, today))?.id ?? 0;
};
const routeIdOf = (code: string): number => world.routes.find((route) => route.code === code)?.id ?? 0;
const buy = async ({ caller }: Holder, code: string, options: Parameters<typeof subscribe>[2] = {}) =>
  subscribe(world, caller, { ...options, periodId: await openPeriodOf(routeIdOf(code)) });
const raisePopularity = (routeId: number) =>
  world.ctx.db.update(routes).set({ popularityPercent: 149 }).where(eq(routes.id, routeId));
/** Ends the route's period on a day, and lets one of another freshness follow. */
const turnPeriod = async (routeId: number, on: string) => {
  const { db } = world.ctx;
  const id = await openPeriodOf(routeId);
  const [old] = await db.select().from(periods).where(eq(periods.id, id));
  const freshness = old?.freshness === "real_time" ? "weekly" : "real_time";
  const [next] = await db
    .insert(periods)
    .values({ code: `NEXT-${routeId}`, routeId, name: "Next", startsOn: on, freshness })
    .returning({ id: periods.id });
  await db.update(periods).set({ endsOn: on, successorPeriodId: next?.id }).where(eq(periods.id, id));
};

describe("The announced renewal price is charged", () => {
  it.each<[title: string, code: string, change: (routeId: number) => Promise<unknown>]>([
    ["when the route's popularity has risen", "C-CNSHA-NLRTM-PEL9", raisePopularity],
    [
      "when the period has ended and its successor has another freshness",
      "C-CNNGB-GBFXT-MRG9",
      async (routeId) => {
        await turnPeriod(routeId, "2026-12-15");
        at("2026-12-15");
        await moveToSuccessors(world.ctx);
      },
    ],
    [
      "when the period has ended and the subscription has not moved yet",
      "C-CNNGB-GBFXT-SUN9",
      (routeId) => turnPeriod(routeId, "2026-12-15"),
    ],
  ])("%s", async (_, code, change) => {
    const holder = await world.account();
    const { id, routeId } = await buy(holder, code);
    at(announcedOn);
    await remindExpiring(world.ctx);
    const announced = await announcedByMail(holder);
    expect(await announcedByApi(holder, id)).toEqual(announced);
    expect(announced.date).toBe(chargedOn);

    await change(routeId);
    at(chargedOn);
    expect(await unannouncedCents(holder, id)).not.toBe(announced.amount_cents);
    expect(await announcedByApi(holder, id)).toEqual(announced);
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 1, declined: 0 });
    expect(await orderedRenewals(holder)).toEqual([announced.amount_cents]);
  });

  it("when other subscriptions have ended and the volume discount with them", async () => {
    const holder = await world.account();
    at("2026-11-16");
    for (const code of routeCodes.slice(1, 5)) await buy(holder, code, { autoRenew: false });
    at(boughtOn);
    const { id } = await buy(holder, "B-AUPHE-CNTAO-GRN9");
    at(announcedOn);
    await remindExpiring(world.ctx);
    const announced = await announcedByMail(holder);
    expect(await announcedByApi(holder, id)).toEqual(announced);

    at(chargedOn);
    expect(await unannouncedCents(holder, id)).toBeGreaterThan(announced.amount_cents);
    await chargeDueRenewals(world.ctx);
    expect(await orderedRenewals(holder)).toEqual([announced.amount_cents]);
  });

  it("of a successor that is known when the reminder is sent", async () => {
    const holder = await world.account();
    const { id, routeId, nextCharge } = await buy(holder, "C-CNSHA-DEHAM-BRW9");
    await turnPeriod(routeId, "2026-12-15");
    at(announcedOn);
    await remindExpiring(world.ctx);
    const announced = await announcedByMail(holder);
    expect(announced.amount_cents).not.toBe(nextCharge?.amountCents);
    expect(await announcedByApi(holder, id)).toEqual(announced);
    at(chargedOn);
    await chargeDueRenewals(world.ctx);
    expect(await orderedRenewals(holder)).toEqual([announced.amount_cents]);
  });

  it("at every attempt, also when no reminder announced it", async () => {
    const holder = await world.account();
    const { id, routeId } = await buy(holder, "C-CNTAO-BEANR-MRG9", { card: testCards.declinedOffSession });
    at(chargedOn);
    const announced = await announcedByApi(holder, id);
    await chargeDueRenewals(world.ctx);
    await raisePopularity(routeId);
    expect(await announcedByApi(holder, id)).toEqual({ ...announced, date: "2026-12-18" });
    at("2026-12-18");
    await chargeDueRenewals(world.ctx);
    expect(await orderedRenewals(holder)).toEqual([announced.amount_cents, announced.amount_cents]);
  });

  it("to a holder who renews early or changes back to the announced term", async () => {
    const holder = await world.account();
    const { id, routeId } = await buy(holder, "B-AUPHE-CNTAO-GRN9");
    at(announcedOn);
    await remindExpiring(world.ctx);
    const announced = await announcedByMail(holder);
    await raisePopularity(routeId);
    const { caller } = holder;
    const order = await renewSubscription(world.ctx, caller, { id });
    expect(order.amountCents).toBe(announced.amount_cents);

    const changed = await setAutoRenew(world.ctx, caller, { id, autoRenew: true, renewalTerm: "3_months" });
    const offers = await termOffers(world.ctx, caller, { id });
    expect(offers.find(({ term }) => term === "3_months")?.nextCharge).toEqual(changed.nextCharge);
    expect(offers.find(({ term }) => term === "1_month")).toMatchObject({
      renewal: { totalCents: announced.amount_cents },
      nextCharge: { date: chargedOn, amountCents: announced.amount_cents },
    });
    await setAutoRenew(world.ctx, caller, { id, autoRenew: true, renewalTerm: "1_month" });
    expect(await announcedByApi(holder, id)).toEqual(announced);
  });

  it("unless the account holder changes the term: then today's price for that term", async () => {
    const holder = await world.account();
    const { id } = await buy(holder, "C-CNSHA-NLRTM-PEL9");
    at(announcedOn);
    await remindExpiring(world.ctx);
    at(chargedOn, "00:00:00");
    await setAutoRenew(world.ctx, holder.caller, { id, autoRenew: true, renewalTerm: "6_months" });
    const announced = await announcedByApi(holder, id);
    expect(announced.amount_cents).not.toBe((await announcedByMail(holder)).amount_cents);
    await chargeDueRenewals(world.ctx);
    expect(await orderedRenewals(holder)).toEqual([announced.amount_cents]);
  });
});

describe("A renewal that would cost more than before", () => {
  const renewalByApi = async ({ account }: Holder, id: number) => {
    const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
    const { token } = await openSession(world.ctx, account, "bearer", origin);
    const { body } = await call(world, "GET", "/subscriptions/my-routes", { token });
    return body.subscriptions.find((one: { id: number }) => one.id === id).renewal;
  };
  const setPopularity = (code: string, popularityPercent: number) =>
    world.ctx.db.update(routes).set({ popularityPercent }).where(eq(routes.code, code));
  const paidFor = async ({ account }: Holder) => {
    const [order] = await world.ctx.db.select().from(orders).where(eq(orders.accountId, account.id));
    return order?.amountCents ?? 0;
  };

  it("rises by the cap at most, and mail, API and charge agree on the price and on why it moved", async () => {
    const holder = await world.account();
    await setPopularity("B-AUPHE-CNTAO-GRN9", 90);
    const { id } = await buy(holder, "B-AUPHE-CNTAO-GRN9");
    const previous = await paidFor(holder);
    await setPopularity("B-AUPHE-CNTAO-GRN9", 147);
    at(announcedOn);
    const expected = {
      amount_cents: Math.floor((previous * 110) / 100),
      price_change: { previous_amount_cents: previous, reasons: ["popularity"], capped: true },
    };
    expect(await renewalByApi(holder, id)).toMatchObject(expected);
    await remindExpiring(world.ctx);
    const mail = await latestMail(holder);
    expect(mail).toContain("What changed: the route's popularity.");
    expect((await announcedByMail(holder)).amount_cents).toBe(expected.amount_cents);

    // What was announced stays, whatever changes afterwards.
    await setPopularity("B-AUPHE-CNTAO-GRN9", 80);
    at(chargedOn);
    expect(await renewalByApi(holder, id)).toMatchObject(expected);
    await chargeDueRenewals(world.ctx);
    expect(await orderedRenewals(holder)).toEqual([expected.amount_cents]);
  });

  it("is compared with the latest payment for the same term, not with those for other terms", async () => {
    const holder = await world.account();
    await setPopularity("C-CNTAO-BEANR-MRG9", 90);
    const { id } = await buy(holder, "C-CNTAO-BEANR-MRG9");
    const previous = await paidFor(holder);
    await setPopularity("C-CNTAO-BEANR-MRG9", 146);
    const offers = await termOffers(world.ctx, holder.caller, { id });
    const priceOf = (term: string) => offers.find((offer) => offer.term === term)?.renewal.totalCents ?? 0;
    expect(priceOf("1_month")).toBe(Math.floor((previous * 110) / 100));
    expect(priceOf("2_months")).toBeGreaterThan(2 * priceOf("1_month"));
    await setAutoRenew(world.ctx, holder.caller, { id, autoRenew: true, renewalTerm: "2_months" });
    expect((await renewalByApi(holder, id)).price_change).toBeNull();
  });

  it("costs today's price once the subscription has ended", async () => {
    const holder = await world.account();
    await setPopularity("B-AUPHE-CNTAO-GRN9", 90);
    const { id } = await buy(holder, "B-AUPHE-CNTAO-GRN9", { autoRenew: false });
    const previous = await paidFor(holder);
    await setPopularity("B-AUPHE-CNTAO-GRN9", 148);
    at("2026-12-21");
    const { amountCents } = await renewSubscription(world.ctx, holder.caller, { id });
    expect(amountCents).toBeGreaterThan(Math.floor((previous * 110) / 100));
  });
});

describe("The next charge", () => {
  it("moves to the next attempt after a decline, as the e-mail says, and is null after the last one", async () => {
    const holder = await world.account();
    const { id } = await buy(holder, "C-CNSHA-NLRTM-PEL9", { card: testCards.declinedOffSession });
    const seen: [string | undefined, string | undefined][] = [];
    for (const day of [chargedOn, "2026-12-18", "2026-12-19"]) {
      at(day);
      expect((await announcedByApi(holder, id)).date).toBe(day);
      expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 1 });
      const [, mailed] = (await latestMail(holder)).match(/We will try again on ([^;]+);/) ?? [];
      seen.push([(await announcedByApi(holder, id))?.date, mailed]);
    }
    expect(seen).toEqual([
      ["2026-12-18", "18 Dec 2026"],
      ["2026-12-19", "19 Dec 2026"],
      [undefined, undefined],
    ]);
    expect(await latestMail(holder)).toContain("We will not try again.");
    expect(await announcedByApi(holder, id)).toBeNull();
  });

  it("is null when the route has no period on sale any more", async () => {
    const holder = await world.account();
    const { id } = await buy(holder, "C-CNTAO-BEANR-MRG9");
    const open = eq(periods.id, await openPeriodOf(routeIdOf("C-CNTAO-BEANR-MRG9")));
    await world.ctx.db.update(periods).set({ endsOn: "2026-12-16" }).where(open);
    at(chargedOn);
    expect(await announcedByApi(holder, id)).toBeNull();
    expect(await chargeDueRenewals(world.ctx)).toEqual({ succeeded: 0, declined: 0 });
    expect(await orderedRenewals(holder)).toEqual([]);
    await world.ctx.db.update(periods).set({ endsOn: null }).where(open);
  });

  it("is read with as many statements for six subscriptions as for one", async () => {
    const holder = await world.account();
    const [first, ...others] = routeCodes;
    await buy(holder, first ?? "");
    const forOne = await statementsOf((ctx) => listSubscriptions(ctx, holder.caller));
    for (const code of others) await buy(holder, code);
    expect(await listSubscriptions(world.ctx, holder.caller)).toHaveLength(6);
    expect(await statementsOf((ctx) => listSubscriptions(ctx, holder.caller))).toBe(forOne);
  });
});

describe("The offers of terms", () => {
  it("are priced with one quote for all terms, and name the charge that auto-renewal would make", async () => {
    const holder = await world.account();
    const { id, nextCharge } = await buy(holder, "C-CNSHA-NLRTM-PEL9");
    const offers = await termOffers(world.ctx, holder.caller, { id });
    expect(offers).toHaveLength(5);
    expect(offers[0]).toMatchObject({ term: "1_month", renewal: { totalCents: nextCharge?.amountCents }, nextCharge });
    expect(await statementsOf((ctx) => termOffers(ctx, holder.caller, { id }))).toBeLessThanOrEqual(6);
  });

  it("name no charge for a suspended account", async () => {
    const { account, caller } = await world.account();
    const { id } = await buy({ account, caller }, "C-CNSHA-NLRTM-PEL9");
    const suspended = { ...caller, account: { ...account, standing: "suspended" as const } };
    const offers = await termOffers(world.ctx, suspended, { id });
    expect(offers.map(({ nextCharge }) => nextCharge)).toEqual([null, null, null, null, null]);
  });
});

it("The SQL condition selects the same subscriptions as the predicate", async () => {
  const { db } = world.ctx;
  const holder = await world.account();
  const { id } = await buy(holder, "C-CNSHA-NLRTM-PEL9");
  for (const standing of ["good", "suspended"] as const) {
    for (const autoRenew of [true, false]) {
      for (const cancelledAt of [null, world.clock.now()]) {
        await db.update(accounts).set({ standing }).where(eq(accounts.id, holder.account.id));
        await db.update(subscriptions).set({ autoRenew, cancelledAt }).where(eq(subscriptions.id, id));
        const [row] = await db
          .select({ isRenewing })
          .from(subscriptions)
          .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
          .where(eq(subscriptions.id, id));
        expect(row?.isRenewing).toBe(renews({ autoRenew, cancelledAt }, { standing }));
      }
    }
  }
});

/** How many SELECT statements some work takes. */
const statementsOf = async (work: (ctx: Context) => Promise<unknown>): Promise<number> => {
  let count = 0;
  const db = new Proxy(world.ctx.db, {
    get: (target, key) => {
      if (String(key).startsWith("select")) count += 1;
      return Reflect.get(target, key);
    },
  });
  await work({ ...world.ctx, db });
  return count;
};
