import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { periods } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { monthlyPriceCents } from "../pricing/quote.ts";
import type { RouteSummary } from "./browse.ts";
import { facetsOf, searchRoutes } from "./search.server.ts";
import { type RouteOrder, type RouteSearch, routeOrders, routeSearch } from "./search.ts";
import { searchWords } from "./search-words.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({
    routeCodes: [
      "C-CNSHA-NLRTM-PEL9",
      "C-NLRTM-CNSHA-VAN9",
      "C-CNNGB-GBFXT-MRG9",
      "C-CNSHA-DEHAM-BRW9",
      "B-AUPHE-CNTAO-GRN9",
      "C-CNNGB-GBFXT-SUN9",
    ],
  });
});
afterAll(() => world.close());

const search = async (filter: RouteSearch & { sort?: RouteOrder }) =>
  (await searchRoutes(world.ctx, filter, { limit: 50 })).rows;
const names = (rows: RouteSummary[]) => rows.map(({ name }) => name);

describe("The words of a search", () => {
  it.each([
    ["Shanghai Rotterdam", ["Shanghai", "Rotterdam"]],
    ["from Shanghai to Rotterdam", ["Shanghai", "Rotterdam"]],
    ["shanghai → rotterdam", ["shanghai", "rotterdam"]],
    ["Shanghai – Rotterdam", ["Shanghai", "Rotterdam"]],
    ["São Paulo", ["Sao", "Paulo"]],
    ["to", ["to"]],
    ["Port port", ["port"]],
    ["  ", []],
    [undefined, []],
  ])("of %j are %j", (q, words) => {
    expect(searchWords(q)).toEqual(words);
  });

  it("are at most twelve, in the API and in the portal", async () => {
    const { token } = await world.account();
    const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(" ");
    const byApi = (q: string) =>
      call(world, "GET", `/route-access/all-routes?${new URLSearchParams({ q })}`, { token });
    expect((await byApi(`from ${words(12)} to w0`)).status).toBe(200);
    const refused = await byApi(words(13));
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ errors: [{ path: "q", message: "At most 12 words" }] });
    expect(routeSearch.safeParse({ q: words(12) }).success).toBe(true);
    expect(routeSearch.safeParse({ q: words(13) }).success).toBe(false);
  });
});

describe("Relevance", () => {
  it.each(["Shanghai Rotterdam", "from shanghai to rotterdam", "CNSHA NLRTM", "cnsgh → nlrtm", "China Netherlands"])(
    "puts the direction that was typed first: %s",
    async (q) => {
      expect(names(await search({ q }))).toEqual(["Shanghai – Rotterdam", "Rotterdam – Shanghai"]);
    },
  );

  it("follows the order of the words", async () => {
    expect(names(await search({ q: "Rotterdam Shanghai" }))[0]).toBe("Rotterdam – Shanghai");
  });

  it("puts an exact route code first", async () => {
    const [first] = await search({ q: "c-cnngb-gbfxt-sun9" });
    expect(first?.code).toBe("C-CNNGB-GBFXT-SUN9");
  });

  it("is the default order of a search with words, and the name without", async () => {
    expect(names(await search({ sort: "relevance" }))).toEqual(names(await search({ sort: "name" })));
  });
});

const figures: Record<Exclude<RouteOrder, "relevance" | "name">, (route: RouteSummary) => number> = {
  transit: ({ transitDays }) => transitDays.min,
  distance: ({ distanceNm }) => distanceNm,
  price: ({ periods }) => Math.min(...periods.map(monthlyPriceCents)),
  sailings: ({ sailingsPerWeek }) => -sailingsPerWeek,
};

describe("Sort order", () => {
  it.each(Object.entries(figures))(
    "by %s is ascending in the displayed figures, except for sailings",
    async (sort, of) => {
      const shown = (await search({ sort: sort as RouteOrder })).map(of);
      expect(shown).toHaveLength(6);
      expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    },
  );

  it.each(routeOrders)(
    "by %s is the same page by page as at once, with nothing twice and nothing left out",
    async (sort) => {
      const filter = { q: "a", sort };
      const whole = (await searchRoutes(world.ctx, filter, { limit: 50 })).rows.map(({ id }) => id);
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await searchRoutes(world.ctx, filter, { limit: 1, cursor });
        seen.push(...page.rows.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(whole);
    },
  );

  it("rejects a cursor of another order", async () => {
    const { nextCursor } = await searchRoutes(world.ctx, { sort: "price" }, { limit: 1 });
    await expect(
      searchRoutes(world.ctx, { sort: "name" }, { limit: 1, cursor: nextCursor ?? "" }),
    ).rejects.toMatchObject({ code: "invalid" });
  });
});

describe("Facets", () => {
  const counts = async (filter: RouteSearch) => {
    const { total, facets } = await facetsOf(world.ctx, filter);
    const of = (values: (typeof facets)["region"]) =>
      Object.fromEntries(values.map(({ code, routes }) => [code, routes]));
    return {
      total,
      cargo: of(facets.cargo_type),
      carrier: of(facets.carrier),
      level: of(facets.service_level),
      facets,
    };
  };

  it("count the routes of each value", async () => {
    const { total, cargo, carrier } = await counts({});
    expect(total).toBe(6);
    expect(cargo).toEqual({ container: 5, bulk: 1 });
    expect(carrier).toEqual({ PEL9: 1, VAN9: 1, MRG9: 1, SUN9: 1, BRW9: 1, GRN9: 1 });
  });

  it("are counted under all other filters, not their own", async () => {
    const { total, cargo, carrier } = await counts({ cargo_type: ["bulk"] });
    expect(total).toBe(1);
    expect(cargo).toEqual({ container: 5, bulk: 1 });
    expect(carrier).toEqual({ GRN9: 1 });
  });

  it("treat several values of one facet as alternatives", async () => {
    expect((await counts({ carrier: ["PEL9", "SUN9"] })).total).toBe(2);
    expect(await search({ carrier: ["PEL9", "SUN9"] })).toHaveLength(2);
  });

  it("keep a selected value without routes, so that it can be deselected", async () => {
    const { total, facets } = await counts({ carrier: ["GRN9"], cargo_type: ["container"] });
    expect(total).toBe(0);
    expect(facets.carrier.find(({ code }) => code === "GRN9")).toMatchObject({ routes: 0, chosen: true });
  });

  it("agree with the list at every level", async () => {
    const { level } = await counts({});
    for (const [name, routes] of Object.entries(level)) {
      expect(await search({ service_level: [name as "express"] }), name).toHaveLength(routes);
    }
  });

  it("count a route under the freshness of each period on sale, in the portal and in the API", async () => {
    const [first, second] = world.routes;
    if (!first || !second) throw new Error("The world has no routes");
    const set = (routeId: number, values: Partial<typeof periods.$inferInsert>) =>
      world.ctx.db.update(periods).set(values).where(eq(periods.routeId, routeId));
    await world.ctx.db.update(periods).set({ freshness: "weekly" });
    await set(first.id, { freshness: "real_time" });
    await set(second.id, { freshness: "real_time", endsOn: "2026-11-20" });
    await world.ctx.db.insert(periods).values([
      { code: "second-now", routeId: second.id, name: "Now", startsOn: "2026-11-20", freshness: "daily" },
      { code: "first-later", routeId: first.id, name: "Later", startsOn: "2026-11-21", freshness: "daily" },
    ]);
    const { facets } = await facetsOf(world.ctx, {});
    expect(facets.freshness.map(({ code, routes }) => [code, routes])).toEqual([
      ["real_time", 1],
      ["daily", 1],
      ["weekly", 4],
    ]);
    const { token } = await world.account();
    for (const [freshness, id] of [
      ["real_time", first.id],
      ["daily", second.id],
    ] as const) {
      expect((await search({ freshness: [freshness] })).map((route) => route.id)).toEqual([id]);
      const { body } = await call(world, "GET", `/route-access/all-routes?freshness=${freshness}`, { token });
      expect(body.routes.map((route: { id: number }) => route.id)).toEqual([id]);
    }
    expect(await search({ freshness: ["daily", "real_time"] })).toHaveLength(2);
    const { status } = await call(world, "GET", "/route-access/all-routes?freshness=hourly", { token });
    expect(status).toBe(422);
  });

  it("find a port by any of its codes, as origin or destination", async () => {
    expect((await counts({ port: "CNSGH" })).total).toBe(3);
    expect((await counts({ port: "XXXXX" })).total).toBe(0);
  });
});
