import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { routes, sailings } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { addDays, dayOf, daysBetween } from "../dates.ts";
import { feedDemoSchedule, publishDemoSchedule } from "./demo/demo-schedule.server.ts";
import { isImoNumber } from "./imo-number.ts";
import { listSailings, nextSailings } from "./list.server.ts";
import { type Sailing, transhipmentPorts } from "./sailing.ts";

let world: World;
// The last route brings Singapore, a transhipment hub, into the catalogue.
beforeAll(async () => {
  world = await createWorld({
    routeCodes: ["C-CNSHA-NLRTM-PEL9", "C-CNNGB-GBFXT-MRG9", "B-AUPHE-CNTAO-GRN9", "C-SGSIN-DEHAM-COR9"],
  });
});
afterAll(() => world.close());
beforeEach(() => world.clock.set("2026-11-20T09:30:00Z"));

const idOf = (code: string) => world.routes.find((route) => route.code === code)?.id ?? 0;
const all = async (): Promise<Sailing[]> => {
  const filter = { routeIds: world.routes.map(({ id }) => id), from: { day: "2000-01-01" }, to: null };
  return (await listSailings(world.ctx, filter, { limit: 10_000 })).rows;
};

describe("The demo's schedule", () => {
  it("reaches 90 days ahead for every route", async () => {
    const sailings = await all();
    for (const { id, sailingsPerWeek } of world.routes) {
      const last = sailings.findLast(({ route }) => route.id === id);
      const daysAhead = daysBetween("2026-11-20", dayOf(last?.etd ?? new Date(0)));
      expect(daysAhead).toBeGreaterThan(90 - 7 / sailingsPerWeek);
    }
  });

  it("names vessels with valid IMO numbers, except on cancelled sailings", async () => {
    for (const { status, legs } of await all()) {
      for (const { vessel, vesselImo } of legs) {
        if (status === "cancelled") expect([vessel, vesselImo]).toEqual([null, null]);
        else expect([vessel, isImoNumber(vesselImo ?? "")]).toEqual([expect.stringMatching(/^\w+( \w+){2}$/), true]);
      }
    }
  });

  it("leads from port to port without gaps, with one leg more than transhipments", async () => {
    const rows = await world.ctx.db.select({ id: routes.id, transhipments: routes.transhipments }).from(routes);
    const transhipments = new Map(rows.map((row) => [row.id, row.transhipments]));
    for (const sailing of await all()) {
      const route = world.routes.find(({ id }) => id === sailing.route.id);
      const { legs, etd, eta } = sailing;
      expect(legs).toHaveLength(1 + (transhipments.get(sailing.route.id) ?? 0));
      expect([legs[0].load.unlocode, legs[0].etd]).toEqual([route?.origin.unlocode, etd]);
      expect([legs.at(-1)?.discharge.unlocode, legs.at(-1)?.eta]).toEqual([route?.destination.unlocode, eta]);
      for (const [i, leg] of legs.slice(1).entries()) {
        expect(leg.load.unlocode).toBe(legs[i]?.discharge.unlocode);
        expect(leg.etd.getTime()).toBeGreaterThan(legs[i]?.eta.getTime() ?? 0);
      }
    }
  });

  it("changes vessels at a hub on the way", async () => {
    const [next] = await nextSailings(world.ctx, idOf("C-CNSHA-NLRTM-PEL9"), 1);
    expect(next && transhipmentPorts(next)).toMatchObject([{ unlocode: "SGSIN", timezone: "Asia/Singapore" }]);
    expect(next?.legs[0].vessel).not.toBe(next?.legs[1]?.vessel);
  });

  it("has the cut-offs that are usual for the cargo, all before departure", async () => {
    const stated = { container: [true, true, true], bulk: [true, false, false] } as Record<string, boolean[]>;
    for (const { route, etd, cutOffs } of await all()) {
      const { documentation, vgm, cargo } = cutOffs;
      expect([documentation, vgm, cargo].map((at) => at !== null)).toEqual(stated[route.cargoType]);
      for (const at of [documentation, vgm, cargo]) expect(at === null || at < etd).toBe(true);
    }
  });

  it("is the same in every database", async () => {
    const other = await createWorld({ routeCodes: ["C-CNNGB-GBFXT-MRG9"] });
    const [mine] = await nextSailings(world.ctx, idOf("C-CNNGB-GBFXT-MRG9"), 1);
    const [theirs] = await nextSailings(other.ctx, other.routes[0]?.id ?? 0, 1);
    await other.close();
    const comparable = ({ id: _, route: { id: __, ...route }, ...sailing }: Sailing) => ({ ...sailing, route });
    expect(mine && comparable(mine)).toEqual(theirs && comparable(theirs));
  });

  it("grows by a week at a time, and leaves published sailings as they are", async () => {
    const before = await all();
    world.clock.set("2026-11-23T09:30:00Z");
    expect(await feedDemoSchedule(world.ctx)).toBe(0);
    world.clock.set("2026-11-27T09:30:00Z");
    expect(await feedDemoSchedule(world.ctx)).toBeGreaterThan(0);
    const after = await all();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.length).toBeGreaterThan(before.length);
    expect(await feedDemoSchedule(world.ctx)).toBe(0);
  });

  it("changes the version of the routes that have new sailings", async () => {
    const versions = () => world.ctx.db.select({ version: routes.version }).from(routes).orderBy(routes.id);
    const before = await versions();
    world.clock.set("2027-01-15T09:30:00Z");
    expect(await publishDemoSchedule(world.ctx)).toBe(world.routes.length);
    expect(await versions()).toEqual(before.map(({ version }) => ({ version: version + 1 })));
  });

  it("leaves out the time that a long move of the clock skips", async () => {
    world.clock.set("2029-01-15T09:30:00Z");
    const before = await world.ctx.db.$count(sailings);
    await publishDemoSchedule(world.ctx);
    const added = (await world.ctx.db.$count(sailings)) - before;
    expect(added).toBeLessThan(before);
    const [next] = await nextSailings(world.ctx, idOf("C-CNSHA-NLRTM-PEL9"), 1);
    expect(daysBetween("2029-01-15", dayOf(next?.etd ?? new Date(0)))).toBeLessThan(8);
  });

  it("is not written outside test mode", async () => {
    world.clock.set("2030-01-15T09:30:00Z");
    expect(await feedDemoSchedule({ ...world.ctx, settings: { ...world.ctx.settings, testMode: false } })).toBe(0);
  });
});

describe("A range of departures", () => {
  const between = async (from: string, to: string) => {
    const bound = (text: string) => (text.length === 10 ? { day: text } : { instant: new Date(text) });
    const filter = { routeIds: [idOf("C-CNSHA-NLRTM-PEL9")], from: bound(from), to: bound(to) };
    return (await listSailings(world.ctx, filter, { limit: 100 })).rows.map(({ etd }) => etd.toISOString());
  };

  // Departs on 21 November at 20:00 UTC, which is 22 November in Shanghai.
  const departure = "2026-11-21T20:00:00.000Z";

  it.each([
    ["the day in the port", "2026-11-22", "2026-11-22", true],
    ["the day in UTC", "2026-11-21", "2026-11-21", false],
    ["the instant itself", departure, departure, true],
    ["an instant after", "2026-11-21T20:00:01Z", "2026-11-22T20:00:00Z", false],
    ["a day until an instant before", "2026-11-20", "2026-11-21T19:59:59Z", false],
  ])("by %s (%s to %s) contains the sailing: %s", async (_, from, to, contained) => {
    expect(await between(from, to)).toEqual(contained ? [departure] : []);
  });
});

it("A sailing exists once, whichever day it departs", async () => {
  const [row] = await world.ctx.db.select().from(sailings).limit(1);
  if (!row) throw new Error("There are no sailings");
  const { id: _, ...sailing } = row;
  const etd = addDays(dayOf(sailing.etd), 1);
  const again = world.ctx.db.insert(sailings).values({ ...sailing, etd: new Date(etd) });
  await expect(again).rejects.toMatchObject({ cause: { constraint_name: "sailings_voyage_key" } });
});
