import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { call } from "../testing/api-client.ts";
import { createWorld, type World } from "../testing/world.ts";

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld({
    routeCodes: [
      "C-CNSHA-NLRTM-PEL9",
      "C-NLRTM-CNSHA-VAN9",
      "C-CNNGB-GBFXT-MRG9",
      "C-CNSHA-DEHAM-BRW9",
      "B-AUPHE-CNTAO-GRN9",
    ],
  });
  token = (await world.account()).token;
});
afterAll(() => world.close());

/** With a fresh limiter: the clock stands still, so that all requests fall into one second. */
const get = (path: string) => {
  world.ctx.rateLimiter = memoryRateLimiter();
  return call(world, "GET", path, { token });
};
type Route = { code: string; name: string; distance_nm: number };
const routes = async (query: string): Promise<Route[]> => (await get(`/route-access/all-routes?${query}`)).body.routes;
const codes = async (query: string) => (await routes(query)).map(({ code }) => code);

describe("GET /route-access/all-routes", () => {
  it("lists by name without words", async () => {
    const names = (await routes("")).map(({ name }) => name);
    expect(names).toHaveLength(5);
    expect(names).toEqual(names.toSorted());
  });

  it("returns the best match first with words, and by name if asked for", async () => {
    expect(await codes("q=shanghai-rotterdam")).toEqual(["C-CNSHA-NLRTM-PEL9", "C-NLRTM-CNSHA-VAN9"]);
    expect(await codes("q=shanghai-rotterdam&sort=name")).toEqual(["C-NLRTM-CNSHA-VAN9", "C-CNSHA-NLRTM-PEL9"]);
  });

  it("tolerates typing errors and knows aliases", async () => {
    expect(await codes("q=Felixtowe")).toEqual(["C-CNNGB-GBFXT-MRG9"]);
    expect(await codes("q=far+east+holland")).toEqual(["C-CNSHA-NLRTM-PEL9", "C-NLRTM-CNSHA-VAN9"]);
  });

  it("sorts by a figure, page by page", async () => {
    const distances = (await routes("sort=distance")).map(({ distance_nm }) => distance_nm);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    const first = (await get("/route-access/all-routes?sort=distance&limit=2")).body;
    const second = (await get(`/route-access/all-routes?sort=distance&limit=3&cursor=${first.next_cursor}`)).body;
    expect([...first.routes, ...second.routes].map((route: Route) => route.distance_nm)).toEqual(distances);
    expect(second.next_cursor).toBeNull();
  });

  it("rejects a cursor of another order, and an unknown order", async () => {
    const { next_cursor } = (await get("/route-access/all-routes?limit=1")).body;
    const refused = await get(`/route-access/all-routes?sort=price&cursor=${next_cursor}`);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toMatchObject([{ path: "cursor" }]);
    expect((await get("/route-access/all-routes?sort=colour")).status).toBe(422);
  });

  it("counts the routes of each facet only when asked", async () => {
    const without = (await get("/route-access/all-routes")).body;
    expect(without).not.toHaveProperty("total");
    expect(without).not.toHaveProperty("facets");
    const { total, facets } = (await get("/route-access/all-routes?facets=true&cargo_type=bulk&limit=1")).body;
    expect(total).toBe(1);
    expect(facets.cargo_type).toEqual([
      { code: "container", name: "container", route_count: 4 },
      { code: "bulk", name: "bulk", route_count: 1 },
    ]);
    expect(facets.carrier).toMatchObject([{ code: "GRN9", route_count: 1 }]);
  });
});

describe("GET /catalogue/suggestions", () => {
  it("completes a port, with the numbers of its routes", async () => {
    const { ports } = (await get("/catalogue/suggestions?q=shangh")).body;
    expect(ports).toEqual([
      {
        unlocode: "CNSHA",
        name: "Shanghai",
        country_code: "CN",
        country: "China",
        departing_route_count: 2,
        arriving_route_count: 1,
      },
    ]);
  });

  it("completes a port pair, in the order of the words", async () => {
    const { pairs } = (await get("/catalogue/suggestions?q=rott+shang")).body;
    expect(pairs).toEqual([
      {
        origin: { unlocode: "NLRTM", name: "Rotterdam", country_code: "NL", country: "Netherlands" },
        destination: { unlocode: "CNSHA", name: "Shanghai", country_code: "CN", country: "China" },
        route_count: 1,
      },
    ]);
  });

  it("offers only ports that routes connect with a given port", async () => {
    const unlocodes = async (query: string) =>
      (await get(`/catalogue/suggestions?${query}`)).body.ports.map(({ unlocode }: { unlocode: string }) => unlocode);
    expect(await unlocodes("q=germany&origin=CNSGH")).toEqual(["DEHAM"]);
    expect(await unlocodes("q=germany&origin=NLRTM")).toEqual([]);
    expect(await unlocodes("q=china&destination=NLRTM")).toEqual(["CNSHA"]);
  });

  it("offers at most as many as asked for", async () => {
    const { ports, pairs } = (await get("/catalogue/suggestions?q=china&limit=1")).body;
    expect([ports.length, pairs.length]).toEqual([1, 1]);
  });

  it.each(["", "?q=", "?q=x&limit=21", "?q=x&origin=Shanghai"])("rejects the query %j", async (query) => {
    expect((await get(`/catalogue/suggestions${query}`)).status).toBe(422);
  });
});
