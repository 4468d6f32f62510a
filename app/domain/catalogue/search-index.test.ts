/** The search index is as new as the last commit before a request began, in every process. */
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { carriers, periods, ports, routeSearchChanges, routes } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { fixedClock } from "../clock.ts";
import { browse } from "./browse.server.ts";
import { lockCatalogue } from "./import.server.ts";
import { facetsOf, searchRoutes } from "./search.server.ts";
import type { RouteSearch } from "./search.ts";
import { indexedCatalogue } from "./search-index.server.ts";
import { suggestPlaces } from "./suggest.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({
    routeCodes: ["C-CNSHA-NLRTM-PEL9", "C-NLRTM-CNSHA-VAN9", "C-CNNGB-GBFXT-MRG9", "B-AUPHE-CNTAO-GRN9"],
  });
});
afterAll(() => world.close());

const codes = async (search: RouteSearch, ctx: Pick<World["ctx"], "db" | "clock"> = world.ctx) =>
  (await searchRoutes(ctx, search, { limit: 50 })).rows.map(({ code }) => code);
const idOf = (code: string) => world.routes.find((route) => route.code === code)?.id ?? 0;

const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

describe("The search finds at once", () => {
  it("a new name of a port, and no longer the old one", async () => {
    expect(await codes({ q: "rotterdam" })).toHaveLength(2);
    await world.ctx.db.update(ports).set({ name: "Nieuwe Waterweg" }).where(eq(ports.unlocode, "NLRTM"));
    expect(await codes({ q: "waterweg" })).toHaveLength(2);
    expect((await suggestPlaces(world.ctx, { q: "waterw" }, 5)).ports.map(({ unlocode }) => unlocode)).toEqual([
      "NLRTM",
    ]);
    const { rows } = await browse(world.ctx, { q: "waterweg" }, { limit: 1 });
    expect([rows[0]?.origin.name, rows[0]?.destination.name]).toContain("Nieuwe Waterweg");
    await world.ctx.db.update(ports).set({ name: "Rotterdam" }).where(eq(ports.unlocode, "NLRTM"));
    expect(await codes({ q: "waterweg" })).toEqual([]);
  });

  it("a new name of a carrier", async () => {
    await world.ctx.db.update(carriers).set({ name: "Sternwind Reederei" }).where(eq(carriers.code, "MRG9"));
    expect(await codes({ q: "sternwind" })).toEqual(["C-CNNGB-GBFXT-MRG9"]);
  });

  it("that a route is retired, and that it is back", async () => {
    const id = idOf("C-CNNGB-GBFXT-MRG9");
    await world.ctx.db.update(routes).set({ retiredAt: world.clock.now() }).where(eq(routes.id, id));
    expect(await codes({ q: "felixstowe" })).toEqual([]);
    expect((await facetsOf(world.ctx, {})).total).toBe(3);
    await world.ctx.db.update(routes).set({ retiredAt: null }).where(eq(routes.id, id));
    expect(await codes({ q: "felixstowe" })).toEqual(["C-CNNGB-GBFXT-MRG9"]);
  });

  it("that a route has been deleted", async () => {
    const [copy] = await world.ctx.db.select().from(routes).where(eq(routes.code, "B-AUPHE-CNTAO-GRN9"));
    if (!copy) throw new Error("The world lacks the route");
    const { id: _, ...values } = copy;
    const [added] = await world.ctx.db
      .insert(routes)
      .values({ ...values, code: "B-COPY" })
      .returning();
    expect(await codes({ q: "b-copy" })).toEqual(["B-COPY"]);
    await world.ctx.db.delete(routes).where(eq(routes.id, added?.id ?? 0));
    expect(await codes({ q: "b-copy" })).toEqual([]);
  });

  it("what a period on sale is called and how fresh its data is", async () => {
    const id = idOf("C-CNSHA-NLRTM-PEL9");
    await world.ctx.db.update(periods).set({ freshness: "weekly", name: "Renamed" }).where(eq(periods.routeId, id));
    const { rows } = await searchRoutes(world.ctx, { freshness: ["weekly"] }, { limit: 50 });
    const route = rows.find((each) => each.id === id);
    expect(route?.periods.map(({ name, freshness }) => [name, freshness])).toEqual([["Renamed", "weekly"]]);
  });

  it("a new price, in the order of prices", async () => {
    const order = async () =>
      (await searchRoutes(world.ctx, { sort: "price" }, { limit: 50 })).rows.map(({ id }) => id);
    const dearest = (await order()).at(-1) ?? 0;
    await world.ctx.db.execute(sql`insert into price_overrides (route_id, freshness, kind, monthly_cents, reason, valid_from, created_at)
      select route_id, freshness, 'override', 1, '', '2026-01-01', ${world.clock.now().toISOString()}::timestamptz
      from periods where route_id = ${dearest} and ends_on is null limit 1`);
    expect((await order())[0]).toBe(dearest);
  });
});

describe("A change in another process", () => {
  it("is found by the next request, but not before it is committed", async () => {
    // Indexes belong to a database object, so this one has its own index, like another process.
    const there = { db: Object.create(world.ctx.db) as World["ctx"]["db"], clock: world.clock };
    expect(await codes({ q: "felixstowe" }, there)).toHaveLength(1);
    const [written, mayCommit] = [gate(), gate()];
    const change = world.ctx.db.transaction(async (tx) => {
      await lockCatalogue(tx, { now: world.clock.now(), source: "operator" });
      await tx.update(ports).set({ name: "Harwich" }).where(eq(ports.unlocode, "GBFXT"));
      written.open();
      await mayCommit.opened;
    });
    await written.opened;
    expect(await codes({ q: "harwich" }, there)).toEqual([]);
    mayCommit.open();
    await change;
    expect(await codes({ q: "harwich" }, there)).toHaveLength(1);
  });

  it("is found by requests that begin while the index is read", async () => {
    const rename = (name: string) => world.ctx.db.update(ports).set({ name }).where(eq(ports.unlocode, "CNTAO"));
    for (const name of ["Alpha Harbour", "Bravo Harbour", "Charlie Harbour"]) {
      const earlier = [codes({ q: "hedland" }), codes({})];
      await rename(name);
      const later = [codes({ q: name }), codes({ q: name }), codes({ q: name })];
      for (const found of await Promise.all(later)) expect(found).toHaveLength(1);
      await Promise.all(earlier);
    }
  });
});

describe("The index", () => {
  const revision = async () => (await indexedCatalogue(world.ctx)).revision;

  it("stays as it is when something changes that the search does not show", async () => {
    const before = await indexedCatalogue(world.ctx);
    await world.ctx.db.transaction(async (tx) => {
      await lockCatalogue(tx, { now: world.clock.now(), source: "feed" });
      await tx.update(routes).set({ capacityAvailable: 0, version: sql`${routes.version} + 1` });
    });
    expect(await indexedCatalogue(world.ctx)).toBe(before);
  });

  it("reads only the routes that have changed, and shares the others", async () => {
    const before = await indexedCatalogue(world.ctx);
    const changed = idOf("C-CNSHA-NLRTM-PEL9");
    await world.ctx.db.update(routes).set({ sailingsPerWeek: 7 }).where(eq(routes.id, changed));
    const after = await indexedCatalogue(world.ctx);
    for (const [id, route] of after.routes) {
      if (id === changed) expect(route.sailingsPerWeek).toBe(7);
      else expect(route).toBe(before.routes.get(id));
    }
  });

  it("leaves an earlier result as it is when other searches follow", async () => {
    const { index } = await indexedCatalogue(world.ctx);
    const earlier = index.search({ q: "rotterdam" });
    const read = () => ({ ids: earlier.ids(), best: earlier.page("relevance", 10, null) });
    const { ids } = read();
    for (const search of [{ q: "ningbo" }, { cargo_type: ["bulk" as const] }, {}]) index.search(search);
    const best = index.search({ q: "rotterdam" }).page("relevance", 10, null);
    expect(best).toHaveLength(2);
    expect(read()).toEqual({ ids, best });
  });

  it("knows the revision of its last change", async () => {
    const [last] = await world.ctx.db
      .select({ revision: sql<string>`max(${routeSearchChanges.revision})` })
      .from(routeSearchChanges);
    expect(await revision()).toBe(Number(last?.revision));
  });

  it("follows the day: what is on sale depends on it", async () => {
    const today = (await indexedCatalogue(world.ctx)).today;
    const later = { db: world.ctx.db, clock: fixedClock("2026-11-22T09:30:00Z") };
    expect((await indexedCatalogue(later)).today > today).toBe(true);
    expect((await indexedCatalogue(world.ctx)).today).toBe(today);
  });
});
