/** Watching, the evaluation of changes, and who gets to know. */
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  accounts,
  alertBaselines,
  alertProgress,
  alerts,
  outboxMessages,
  periods,
  reports,
  routes,
  sailings,
  subscriptions,
} from "#drizzle/schema/index.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { lockCatalogue } from "../catalogue/import.server.ts";
import { runDueWork } from "../jobs/due-work.server.ts";
import { noticesOf } from "../notices/notices.server.ts";
import { listAlerts, mailCadenceOf, markAlertsRead, setMailCadence } from "./alerts.server.ts";
import { evaluateAlerts } from "./evaluate.server.ts";
import { mailAlerts } from "./mail.server.ts";
import { defaultRules, maxWatches } from "./policy.ts";
import { readStopLink, stopByLink } from "./stop-link.server.ts";
import { withRoutes } from "./watched-routes.server.ts";
import { deleteWatchlist, getWatch, listWatches, setRules, unwatch, watch } from "./watchlist.server.ts";
import { alertSummary } from "./wording.ts";

const code = "C-CNSHA-NLRTM-PEL9";

let world: World;
let caller: Caller;
let routeId: number;
let periodId: number;

beforeEach(async () => {
  world = await createWorld({ webhooks: false });
  routeId = world.routes.find((route) => route.code === code)?.id ?? 0;
  periodId = periodOf(world, code);
  ({ caller } = await world.account());
});
afterEach(() => world.close());

const at = (instant: string) => world.clock.set(instant);
const hours = (count: number) => at(new Date(world.clock.now().getTime() + count * 3_600_000).toISOString());

/** Writes as importers do: with the catalogue's lock. */
const write = (work: (tx: Parameters<Parameters<World["ctx"]["db"]["transaction"]>[0]>[0]) => Promise<unknown>) =>
  world.ctx.db.transaction(async (tx) => {
    await lockCatalogue(tx, { now: world.clock.now(), source: "import" });
    await work(tx);
  });

const reportRate = (dollars: number, own: Partial<typeof reports.$inferInsert> = {}) =>
  write((tx) =>
    tx.insert(reports).values({
      periodId,
      type: "rate",
      observedAt: world.clock.now(),
      serviceLevel: "standard",
      equipmentType: "45G1",
      basis: "per_container",
      currency: "USD",
      baseRateCents: dollars * 100 - 10_000,
      surchargesCents: 10_000,
      ...own,
    }),
  );

const reportCapacity = (availableCapacity: number, bookingStatus: "open" | "limited" | "full") =>
  write((tx) =>
    tx.insert(reports).values({
      periodId,
      type: "capacity",
      observedAt: world.clock.now(),
      serviceLevel: "standard",
      availableCapacity,
      capacityUnit: "TEU",
      bookingStatus,
    }),
  );

const raised = async (of: Caller = caller) =>
  (await listAlerts(world.ctx, of, { limit: 100 })).rows
    .map(({ figures }) => figures && alertSummary(figures))
    .reverse();

const mails = () =>
  world.ctx.db
    .select({
      subject: outboxMessages.subject,
      text: outboxMessages.text,
      unsubscribeUrl: outboxMessages.unsubscribeUrl,
    })
    .from(outboxMessages)
    .where(sql`${outboxMessages.dedupeKey} like 'alerts:%'`)
    .orderBy(outboxMessages.id);

/** Subscribes, watches, and evaluates what was there before. */
const watchSubscribed = async (rules = defaultRules) => {
  await subscribe(world, caller, { periodId, term: "12_months" });
  const { id } = await watch(world.ctx, caller, { target: { routeId, equipmentType: null }, rules });
  await evaluateAlerts(world.ctx);
  await world.ctx.db.delete(alerts);
  hours(1);
  return id;
};

describe("Watching", () => {
  it("keeps one watch for each target, with its rules", async () => {
    const first = await watch(world.ctx, caller, { target: { routeId, equipmentType: null } });
    expect(first).toMatchObject({ target: { routeId }, equipmentType: null, rules: defaultRules });
    await setRules(world.ctx, caller, { id: first.id, rules: { ...defaultRules, allInBelowCents: 400_000 } });
    const again = await watch(world.ctx, caller, { target: { routeId, equipmentType: null } });
    expect(again).toMatchObject({ id: first.id, rules: { allInBelowCents: 400_000 } });
    const reefer = await watch(world.ctx, caller, { target: { routeId, equipmentType: "45R1" } });
    expect(reefer.id).not.toBe(first.id);
  });

  it("accepts other codes of a port, and rejects unknown ports and equal ones", async () => {
    const pair = { origin: "CNSHA", destination: "NLRTM" };
    const { target } = await watch(world.ctx, caller, {
      target: { ...pair, cargoType: "container", equipmentType: null },
    });
    expect(target).toEqual({
      origin: { unlocode: "CNSHA", name: "Shanghai" },
      destination: { unlocode: "NLRTM", name: "Rotterdam" },
      cargoType: "container",
    });
    const watchPair = (origin: string, destination: string) =>
      watch(world.ctx, caller, { target: { origin, destination, cargoType: null, equipmentType: null } });
    await expect(watchPair("XXXXX", "NLRTM")).rejects.toMatchObject({ code: "invalid", fields: [{ path: "origin" }] });
    await expect(watchPair("CNSHA", "CNSHA")).rejects.toMatchObject({ fields: [{ path: "destination" }] });
    await expect(watch(world.ctx, caller, { target: { routeId: 999_999, equipmentType: null } })).rejects.toMatchObject(
      {
        code: "not_found",
      },
    );
  });

  it("ends at the maximum, also for concurrent requests", async () => {
    await world.ctx.db.execute(sql`insert into watches (account_id, route_id, equipment_type, currency, booking_status,
        stale_data, created_at)
      select ${caller.account.id}, ${routeId}, 'X' || number, 'USD', true, true, now()
      from generate_series(1, ${maxWatches - 1}) number`);
    const targets = world.routes.map(({ id }) => ({ routeId: id, equipmentType: null }));
    const outcomes = await Promise.allSettled(targets.map((target) => watch(world.ctx, caller, { target })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "conflict" } });
  });

  it("does not show or change the watches of others", async () => {
    const { id } = await watch(world.ctx, caller, { target: { routeId, equipmentType: null } });
    const { caller: other } = await world.account();
    const notFound = { code: "not_found" };
    await expect(getWatch(world.ctx, other, { id })).rejects.toMatchObject(notFound);
    await expect(setRules(world.ctx, other, { id, rules: defaultRules })).rejects.toMatchObject(notFound);
    await expect(unwatch(world.ctx, other, { id })).rejects.toMatchObject(notFound);
    expect((await listWatches(world.ctx, other, { limit: 10 })).rows).toEqual([]);
  });

  it("shows figures of subscribed routes only", async () => {
    await watchSubscribed();
    await watch(world.ctx, caller, {
      target: { origin: "CNNGB", destination: "GBFXT", cargoType: null, equipmentType: null },
    });
    await reportRate(4000, { observedAt: new Date("2026-11-13T09:00:00Z") });
    await reportRate(4200);
    const shown = async () => withRoutes(world.ctx, caller, (await listWatches(world.ctx, caller, { limit: 10 })).rows);
    const [pair, route] = await shown();
    expect(pair?.routes).toMatchObject([{ route: { code: "C-CNNGB-GBFXT-MRG9" }, figures: null }]);
    expect(route?.routes).toMatchObject([
      {
        route: { code },
        figures: {
          rate: { allInCents: 420_000, currency: "USD", equipmentType: "45G1", weekChangePercent: 5 },
          capacity: { unit: "TEU" },
          nextDeparture: expect.any(Date),
        },
      },
    ]);
    await world.ctx.db.update(subscriptions).set({ endDate: "2026-11-20", startDate: "2026-10-20" });
    expect((await shown())[1]?.routes).toMatchObject([{ access: { reason: "expired" }, figures: null }]);
  });
});

describe("New data", () => {
  it("raises the alerts of each rule, and each fact once", async () => {
    await watchSubscribed({ ...defaultRules, allInBelowCents: 400_000, allInAboveCents: 500_000, capacityBelow: 100 });
    await reportRate(4500);
    await evaluateAlerts(world.ctx);
    await world.ctx.db.delete(alerts);
    for (const dollars of [4600, 4800, 5100, 3900, 3850]) {
      hours(1);
      await reportRate(dollars);
    }
    hours(1);
    await reportCapacity(5000, "open");
    hours(1);
    await reportCapacity(90, "limited");
    expect(await evaluateAlerts(world.ctx)).toBe(7);
    expect(await evaluateAlerts(world.ctx)).toBe(0);
    const all = await raised();
    expect(all).toEqual(
      expect.arrayContaining([
        "40′ high cube (45G1) all-in rate up 6.7% to USD 4,800.00, from USD 4,500.00",
        "40′ high cube (45G1) all-in rate up 6.3% to USD 5,100.00, from USD 4,800.00",
        "40′ high cube (45G1) all-in rate is USD 5,100.00, above USD 5,000.00",
        "40′ high cube (45G1) all-in rate down 23.5% to USD 3,900.00, from USD 5,100.00",
        "40′ high cube (45G1) all-in rate is USD 3,900.00, below USD 4,000.00",
        "90 TEU available, below 100",
        "Booking status is now limited, was open",
      ]),
    );
  });

  it("is compared with the last all-in rate, whatever reports without surcharges come between", async () => {
    await subscribe(world, caller, { periodId, term: "12_months" });
    await reportRate(5806);
    hours(1);
    await reportRate(6000, { surchargesCents: null });
    hours(1);
    await watch(world.ctx, caller, {
      target: { routeId, equipmentType: null },
      rules: { ...defaultRules, rateChangePercent: 5, allInAboveCents: 600_000 },
    });
    hours(1);
    await reportRate(6050, { surchargesCents: null });
    hours(1);
    await reportRate(6266);
    await evaluateAlerts(world.ctx);
    expect((await raised()).filter((text) => text?.includes("all-in rate"))).toEqual([
      "40′ high cube (45G1) all-in rate up 7.9% to USD 6,266.00, from USD 5,806.00",
      "40′ high cube (45G1) all-in rate is USD 6,266.00, above USD 6,000.00",
    ]);
  });

  it("is evaluated in the same way at once, and late", async () => {
    const { caller: other } = await world.account();
    await watchSubscribed();
    await subscribe(world, other, { periodId, term: "12_months" });
    await watch(world.ctx, other, { target: { routeId, equipmentType: null } });
    hours(1);
    for (const dollars of [4000, 4500, 4510, 4000, 4900]) {
      await reportRate(dollars);
      await evaluateAlerts(world.ctx);
      hours(1);
    }
    const atOnce = await raised();
    expect(atOnce).toHaveLength(4);
    expect(await raised(other)).toEqual(atOnce);
    await world.ctx.db.delete(alerts);
    await world.ctx.db.delete(alertBaselines);
    await world.ctx.db.update(alertProgress).set({ changeId: 0 });
    await evaluateAlerts(world.ctx);
    expect((await raised()).slice(-4)).toEqual(atOnce);
  });

  it("raises each alert once when runs compete or are cut short", async () => {
    await watchSubscribed();
    await reportRate(4000);
    hours(1);
    await reportRate(4400);
    // A run that dies before its transaction ends leaves nothing.
    await world.ctx.db
      .transaction(async (tx) => {
        await evaluateAlerts({ ...world.ctx, db: tx as never });
        throw new Error("killed");
      })
      .catch(() => {});
    expect(await world.ctx.db.$count(alerts)).toBe(0);
    await Promise.all([1, 2, 3].map(() => evaluateAlerts(world.ctx)));
    const [{ progress } = { progress: 0 }] = await world.ctx.db
      .select({ progress: alertProgress.changeId })
      .from(alertProgress);
    expect(progress).toBeGreaterThan(0);
    expect((await raised()).filter((text) => text?.includes("4,400.00"))).toHaveLength(1);
    // Evaluated again from the beginning, the same facts raise nothing.
    const before = await raised();
    await world.ctx.db.update(alertProgress).set({ changeId: 0 });
    await world.ctx.db.delete(alertBaselines);
    await evaluateAlerts(world.ctx);
    expect(await raised()).toEqual(before);
  });

  it("of a route that two watches cover raises one alert", async () => {
    await watchSubscribed();
    await watch(world.ctx, caller, {
      target: { origin: "CNSHA", destination: "NLRTM", cargoType: null, equipmentType: null },
    });
    hours(1);
    await reportRate(4000);
    hours(1);
    await reportRate(4400);
    await evaluateAlerts(world.ctx);
    expect((await raised()).filter((text) => text?.includes("4,400.00"))).toHaveLength(1);
  });

  it("of another equipment type than the watched one raises nothing", async () => {
    await watchSubscribed();
    await reportRate(6000, { equipmentType: "45R1" });
    hours(1);
    await reportRate(7000, { equipmentType: "45R1" });
    await evaluateAlerts(world.ctx);
    expect(await raised()).toEqual([]);
  });

  it("from before the watch raises nothing", async () => {
    await subscribe(world, caller, { periodId, term: "12_months" });
    await reportRate(4000);
    hours(1);
    await reportRate(8000);
    hours(1);
    await watch(world.ctx, caller, { target: { routeId, equipmentType: null } });
    await evaluateAlerts(world.ctx);
    expect(await raised()).toEqual([]);
  });
});

describe("A route without an active subscription", () => {
  it("raises no alerts", async () => {
    await watch(world.ctx, caller, { target: { routeId, equipmentType: null } });
    hours(1);
    await reportRate(4000);
    hours(1);
    await reportRate(8000);
    await evaluateAlerts(world.ctx);
    expect(await world.ctx.db.$count(alerts)).toBe(0);
  });

  it.each([
    ["has expired", () => world.ctx.db.update(subscriptions).set({ startDate: "2026-10-20", endDate: "2026-11-20" })],
    ["belongs to a suspended account", () => world.ctx.db.update(accounts).set({ standing: "suspended" })],
  ])("shows and mails no figures of earlier alerts: it %s", async (_, end) => {
    await watchSubscribed();
    await setMailCadence(world.ctx, caller, { cadence: "at_once" });
    await reportRate(4000);
    hours(1);
    await reportRate(8000);
    await evaluateAlerts(world.ctx);
    expect(await raised()).not.toEqual([]);
    await end();
    const [account] = await world.ctx.db.select().from(accounts).where(eq(accounts.id, caller.account.id));
    caller = { ...caller, account: { ...caller.account, standing: account?.standing ?? "good" } };
    expect(new Set(await raised())).toEqual(new Set([null]));
    await mailAlerts(world.ctx);
    expect(await mails()).toEqual([]);
    // Alerts that were not mailed then are not mailed when it runs again.
    await world.ctx.db.update(subscriptions).set({ endDate: "2027-11-20" });
    await world.ctx.db.update(accounts).set({ standing: "good" });
    await mailAlerts(world.ctx);
    expect(await mails()).toEqual([]);
  });

  it("raises no alerts about changes that are evaluated after its end", async () => {
    await watchSubscribed();
    await reportRate(4000);
    hours(1);
    await reportRate(8000);
    await world.ctx.db.update(subscriptions).set({ startDate: "2026-10-20", endDate: "2026-11-20" });
    await evaluateAlerts(world.ctx);
    expect(await world.ctx.db.$count(alerts)).toBe(0);
  });
});

describe("A published sailing", () => {
  const move = (days: number, etaDays = days) =>
    write((tx) =>
      tx.execute(sql`update sailings set etd = etd + ${days} * interval '1 day', eta = eta + ${etaDays} * interval '1 day',
          updated_at = ${world.clock.now().toISOString()}::timestamptz
        where id = (select min(id) from sailings where route_id = ${routeId}
          and etd > ${world.clock.now().toISOString()}::timestamptz and status = 'scheduled')`),
    );

  it("raises an alert for every multiple of the days by which it moves", async () => {
    await watchSubscribed({ ...defaultRules, staleData: false });
    await write((tx) => tx.update(sailings).set({ status: "scheduled" }));
    await evaluateAlerts(world.ctx);
    await world.ctx.db.delete(alerts);
    const counts: number[] = [];
    for (const days of [1, 1, 0, 1, 1, -4]) {
      hours(1);
      await move(days);
      await evaluateAlerts(world.ctx);
      counts.push(await world.ctx.db.$count(alerts));
    }
    expect(counts).toEqual([0, 1, 1, 1, 2, 2]);
    expect((await raised())[0]).toMatch(/^Sailing \S+ \S+ departs on \S+ instead of \S+ and arrives on \S+ instead of/);
  });

  it("has the days of its ports, not those of UTC", async () => {
    await watchSubscribed({ ...defaultRules, staleData: false });
    const sailing = sql`(select id from sailings where route_id = ${routeId} and etd > '2026-12-01' order by id limit 1)`;
    const sail = (etd: string, eta: string) =>
      write((tx) =>
        tx.execute(sql`update sailings set status = 'scheduled', etd = ${etd}, eta = ${eta},
          updated_at = ${world.clock.now().toISOString()}::timestamptz where id = ${sailing}`),
      );
    await sail("2026-12-05T20:00:00Z", "2027-01-04T23:30:00Z");
    await world.ctx.db.execute(sql`delete from watched_sailings where sailing_id = ${sailing}`);
    await evaluateAlerts(world.ctx);
    await world.ctx.db.delete(alerts);
    hours(1);
    await sail("2026-12-08T20:00:00Z", "2027-01-07T23:30:00Z");
    await evaluateAlerts(world.ctx);
    expect(await raised()).toEqual([
      expect.stringMatching(
        /departs on 2026-12-09 instead of 2026-12-06 and arrives on 2027-01-08 instead of 2027-01-05$/,
      ),
    ]);
    const [alert] = (await listAlerts(world.ctx, caller, { limit: 1 })).rows;
    expect(alert?.figures).toMatchObject({
      etd_after: "2026-12-09T04:00:00+08:00",
      eta_after: "2027-01-08T00:30:00+01:00",
    });
  });

  it("raises one alert when it is cancelled", async () => {
    await watchSubscribed({ ...defaultRules, staleData: false });
    const cancel = () =>
      write((tx) =>
        tx.execute(sql`update sailings set status = 'cancelled', updated_at = ${world.clock.now().toISOString()}::timestamptz
          where id = (select min(id) from sailings where route_id = ${routeId} and etd > '2026-12-01')`),
      );
    await cancel();
    await evaluateAlerts(world.ctx);
    hours(1);
    await cancel();
    await evaluateAlerts(world.ctx);
    expect(await raised()).toEqual([expect.stringMatching(/^Sailing .* is cancelled$/)]);
  });
});

describe("Late data", () => {
  it("raises one alert, and another one when new data is late again", async () => {
    await watchSubscribed();
    await world.ctx.db.update(periods).set({ freshness: "daily" });
    await reportRate(4000);
    await evaluateAlerts(world.ctx);
    await world.ctx.db.delete(alerts);
    const late = async () => {
      await evaluateAlerts(world.ctx);
      return (await raised()).length;
    };
    expect(await late()).toBe(0);
    hours(25);
    expect([await late(), await late()]).toEqual([1, 1]);
    hours(24);
    expect(await late()).toBe(1);
    await reportRate(4000);
    hours(25);
    expect(await late()).toBe(2);
    expect((await raised())[0]).toMatch(/^The next update is late\. Data as of 2026-11-20T10:30:00.000Z$/);
  });
});

describe("The mail with alerts", () => {
  const raiseTwo = async () => {
    const id = await watchSubscribed();
    await reportRate(4000);
    hours(1);
    await reportRate(4400);
    await evaluateAlerts(world.ctx);
    return id;
  };

  it("is written once a day, with everything that waits, and never twice", async () => {
    await raiseTwo();
    expect(await mailAlerts(world.ctx)).toBe(0);
    at("2026-11-21T05:59:00Z");
    expect(await mailAlerts(world.ctx)).toBe(0);
    at("2026-11-21T06:00:00Z");
    const written = await Promise.all([1, 2, 3].map(() => mailAlerts(world.ctx)));
    expect(written.reduce((a, b) => a + b)).toBe(1);
    at("2026-11-23T06:00:00Z");
    expect(await mailAlerts(world.ctx)).toBe(0);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    const name = world.routes.find(({ id }) => id === routeId)?.name ?? "";
    expect(mail?.subject).toMatch(new RegExp(`^\\d+ alerts? about ${name}, 21 Nov 2026$`));
    expect(mail?.text).toContain(
      "Rate change: 40′ high cube (45G1) all-in rate up 10% to USD 4,400.00, from USD 4,000.00",
    );
    expect(mail?.text).toContain(`Open route: http://localhost:3000/routes/${routeId}`);
    expect(mail?.text).toContain(`Stop all alert e-mails: ${mail?.unsubscribeUrl}`);
    expect(mail?.text).toMatch(
      /Stop watching Shanghai – Rotterdam, 40′ high cube \(45G1\): http:\/\/localhost:3000\/alerts\/stop\/[\w-]+\n/,
    );
  });

  it("follows the setting", async () => {
    await setMailCadence(world.ctx, caller, { cadence: "off" });
    await raiseTwo();
    at("2026-11-22T06:00:00Z");
    expect(await mailAlerts(world.ctx)).toBe(0);
    await setMailCadence(world.ctx, caller, { cadence: "at_once" });
    expect(await mailAlerts(world.ctx)).toBe(0);
    await reportRate(5000);
    await evaluateAlerts(world.ctx);
    expect(await mailAlerts(world.ctx)).toBe(1);
    expect((await mails())[0]?.text).toContain("USD 5,000.00");
    expect((await mails())[0]?.text).not.toContain("USD 4,400.00,");
  });

  it("has a link for each watch of a route, named with its container", async () => {
    const id = await watchSubscribed();
    const small = await watch(world.ctx, caller, { target: { routeId, equipmentType: "22G1" } });
    hours(1);
    for (const equipmentType of ["45G1", "22G1"]) await reportRate(4000, { equipmentType });
    hours(1);
    for (const equipmentType of ["45G1", "22G1"]) await reportRate(8000, { equipmentType });
    await evaluateAlerts(world.ctx);
    at("2026-11-21T06:00:00Z");
    await mailAlerts(world.ctx);
    const [mail] = await mails();
    const links = new Map(
      [...(mail?.text.matchAll(/Stop watching (.+): \S+\/alerts\/stop\/([\w-]+)/g) ?? [])].map(
        ([, name = "", token = ""]) => [name, token],
      ),
    );
    expect([...links.keys()].toSorted()).toEqual([
      "Shanghai – Rotterdam, 20′ dry (22G1)",
      "Shanghai – Rotterdam, 40′ high cube (45G1)",
    ]);
    const tokenOf = (name: string) => links.get(`Shanghai – Rotterdam, ${name}`) ?? "";
    expect(await readStopLink(world.ctx, tokenOf("20′ dry (22G1)"))).toMatchObject({ watch: { id: small.id } });
    expect(await readStopLink(world.ctx, tokenOf("40′ high cube (45G1)"))).toMatchObject({ watch: { id } });
    await stopByLink(world.ctx, tokenOf("40′ high cube (45G1)"));
    await stopByLink(world.ctx, tokenOf("20′ dry (22G1)"));
    expect((await listWatches(world.ctx, caller, { limit: 10 })).rows).toEqual([]);
  });

  it("has links that stop a watch or all mail, and that only a POST uses", async () => {
    const id = await raiseTwo();
    at("2026-11-21T06:00:00Z");
    await mailAlerts(world.ctx);
    const [mail] = await mails();
    const tokens = [...(mail?.text.matchAll(/\/alerts\/stop\/([\w-]+)/g) ?? [])].map(([, token = ""]) => token);
    const [ofWatch = "", ofMail = ""] = tokens;
    expect(await readStopLink(world.ctx, ofWatch)).toMatchObject({ scope: "watch", watch: { id }, isStopped: false });
    expect(await readStopLink(world.ctx, ofMail)).toMatchObject({ scope: "mail", isStopped: false });
    expect(await getWatch(world.ctx, caller, { id })).toMatchObject({ id });
    expect([await stopByLink(world.ctx, ofWatch), await stopByLink(world.ctx, ofWatch)]).toEqual([true, true]);
    expect((await listWatches(world.ctx, caller, { limit: 10 })).rows).toEqual([]);
    expect(await raised()).not.toEqual([]);
    expect(await mailCadenceOf(world.ctx, caller)).toBe("daily");
    expect(await stopByLink(world.ctx, ofMail)).toBe(true);
    expect(await mailCadenceOf(world.ctx, caller)).toBe("off");
    expect(await readStopLink(world.ctx, ofMail)).toMatchObject({ isStopped: true });
    const changed = Buffer.from(ofMail, "base64url");
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    for (const forged of ["", "x", changed.toString("base64url"), ofMail.slice(5)]) {
      expect(await stopByLink(world.ctx, forged)).toBe(false);
    }
  });
});

it("Alerts are unread until they are marked, up to the newest that was shown", async () => {
  await watchSubscribed();
  await reportRate(4000);
  hours(1);
  await reportRate(4400);
  await evaluateAlerts(world.ctx);
  const [shown] = (await listAlerts(world.ctx, caller, { limit: 1 })).rows;
  hours(1);
  await reportRate(5000);
  await evaluateAlerts(world.ctx);
  await markAlertsRead(world.ctx, caller, { upTo: shown?.id ?? 0 });
  expect(await noticesOf(world.ctx, caller)).toMatchObject({ unreadAlerts: 1 });
});

it("Closing the account deletes its watches and alerts", async () => {
  await watchSubscribed();
  await reportRate(4000);
  hours(1);
  await reportRate(4400);
  await evaluateAlerts(world.ctx);
  await world.ctx.db.transaction((tx) => deleteWatchlist(tx, caller.account.id));
  expect(await world.ctx.db.$count(alerts)).toBe(0);
  expect((await listWatches(world.ctx, caller, { limit: 10 })).rows).toEqual([]);
});

it("In the demo, some weeks bring alerts and a mail a day at most", async () => {
  for (const { periods } of world.routes) {
    await subscribe(world, caller, { periodId: periods[0]?.id ?? 0, term: "6_months" });
  }
  for (const { id } of world.routes) await watch(world.ctx, caller, { target: { routeId: id, equipmentType: null } });
  for (let day = 21; day <= 49; day += 1) {
    at(new Date(Date.UTC(2026, 10, day, 9, 30)).toISOString());
    await runDueWork(world.ctx);
  }
  const found = await raised();
  expect(found.length).toBeGreaterThan(3);
  expect(found.length).toBeLessThan(60);
  expect(found.filter((text) => text?.includes("late"))).toEqual([]);
  const written = await mails();
  expect(written.length).toBeGreaterThan(0);
  expect(written.length).toBeLessThanOrEqual(29);
  expect(await world.ctx.db.$count(routes)).toBe(world.routes.length);
}, 240_000);
