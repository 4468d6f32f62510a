import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { carriers } from "#drizzle/schema/index.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { call } from "../testing/api-client.ts";
import { createWorld, type World } from "../testing/world.ts";

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld({
    routeCodes: ["C-CNSHA-NLRTM-PEL9", "C-NLRTM-CNSHA-VAN9", "C-CNNGB-GBFXT-MRG9", "B-AUPHE-CNTAO-GRN9"],
  });
  token = (await world.account()).token;
});
afterAll(() => world.close());

/** With a fresh limiter: the clock stands still, so that all requests fall into one second. */
const get = (path: string, headers: Record<string, string> = {}) => {
  world.ctx.rateLimiter = memoryRateLimiter();
  return call(world, "GET", path, { token, headers });
};
const list = async (name: string, query = "") => {
  const { status, body } = await get(`/catalogue/${name.replace("_", "-")}?limit=100&${query}`);
  expect(status).toBe(200);
  return body[name];
};
const codes = (records: { code: string }[]) => records.map(({ code }) => code);

const lists = ["regions", "trade_lanes", "route_groups", "ports", "carriers"];

describe.each(lists)("The list of %s", (name) => {
  const path = `/catalogue/${name.replace("_", "-")}`;

  it("is the same page by page as at once, by a code that is unique", async () => {
    const whole = (await get(`${path}?limit=100`)).body;
    const seen: unknown[] = [];
    let cursor: string | null = "";
    for (let page = 0; cursor !== null && page < 40; page++) {
      const { body } = await get(`${path}?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...body[name]);
      cursor = seen.length < whole[name].length ? body.next_cursor : null;
    }
    expect(seen).toEqual(whole[name]);
    const keys = whole[name].map((row: { code?: string; unlocode?: string }) => row.code ?? row.unlocode);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("returns 304 for the ETag that it sent, and only for that content", async () => {
    const first = await get(path);
    const etag = first.headers.ETag ?? "";
    const repeated = await get(path, { "If-None-Match": etag });
    expect([repeated.status, repeated.headers.ETag]).toEqual([304, etag]);
    expect((await get(`${path}?limit=1`, { "If-None-Match": etag })).status).toBe(200);
  });

  it("rejects a cursor of another list", async () => {
    const other = name === "ports" ? "carriers" : "ports";
    const { next_cursor } = (await get(`/catalogue/${other}?limit=1`)).body;
    const { status, body } = await get(`${path}?cursor=${next_cursor}`);
    expect([status, body.errors[0].path]).toEqual([422, "cursor"]);
  });
});

it("leads from a region down to a route by ids", async () => {
  const [route] = (await get("/route-access/all-routes?q=C-CNSHA-NLRTM-PEL9")).body.routes;
  const region = (await list("regions")).find(({ id }: { id: number }) => id === route.region.id);
  expect(region).toMatchObject({ code: "EAS", name: "East Asia", route_count: 2 });
  const lane = (await list("trade_lanes", "region=EAS")).find(({ id }: { id: number }) => id === route.trade_lane.id);
  expect(lane).toMatchObject({
    code: "EAS-NEU",
    region: route.region,
    origin_region: { id: region.id, code: "EAS" },
    destination_region: { code: "NEU" },
  });
  const group = (await list("route_groups", "trade_lane=EAS-NEU")).find(
    ({ id }: { id: number }) => id === route.route_group.id,
  );
  expect(group).toMatchObject({ region: route.region, trade_lane: route.trade_lane, cargo_type: "container" });
  const carriers: { id: number; code: string; route_count: number }[] = await list("carriers");
  expect(carriers.find(({ id }) => id === route.carrier.id)?.code).toBe("PEL9");
  for (const { code, route_count } of carriers) {
    expect(route_count, code).toBe(world.routes.filter(({ carrier }) => carrier.code === code).length);
  }
});

describe("Filters", () => {
  it("select trade lanes by where they begin and end", async () => {
    expect(codes(await list("trade_lanes", "origin_region=EAS&destination_region=NEU"))).toEqual(["EAS-NEU"]);
    expect(await list("trade_lanes", "origin_region=NOWHERE")).toEqual([]);
  });

  it("select lanes and groups by cargo, without changing their figures", async () => {
    const groups = await list("route_groups", "cargo_type=bulk");
    expect(new Set(groups.map(({ cargo_type }: { cargo_type: string }) => cargo_type))).toEqual(new Set(["bulk"]));
    const lanes = await list("trade_lanes", "cargo_type=bulk");
    const parents = new Set(groups.map(({ trade_lane }: { trade_lane: { code: string } }) => trade_lane.code));
    expect(new Set(codes(lanes))).toEqual(parents);
    const all = await list("trade_lanes");
    for (const lane of lanes) expect(all).toContainEqual(lane);
  });

  it("find a port by an alternate code, and by words in any case", async () => {
    const byAlternate = await list("ports", "q=CNSGH");
    expect(byAlternate).toMatchObject([
      { unlocode: "CNSHA", alternate_unlocodes: ["CNSGH"], region: { code: "EAS" }, departing_route_count: 1 },
    ]);
    expect(await list("ports", "q=shanghai+china&cargo_type=container&country_code=cn&region=EAS")).toEqual(
      byAlternate,
    );
    expect(await list("ports", "q=shanghai&region=NEU")).toEqual([]);
  });

  it("find carriers by name and cargo", async () => {
    expect(codes(await list("carriers", "q=pelorin&cargo_type=container"))).toEqual(["PEL9"]);
    expect(await list("carriers", "q=pelorin&cargo_type=bulk")).toEqual([]);
  });

  it.each([
    ["/catalogue/ports?country_code=CHN", "country_code"],
    ["/catalogue/carriers?cargo_type=passengers", "cargo_type"],
    ["/catalogue/regions?limit=101", "limit"],
  ])("reject %s", async (path, field) => {
    const { status, body } = await get(path);
    expect([status, body.errors[0].path]).toEqual([422, field]);
  });
});

it("gives another ETag once a record changes", async () => {
  const { headers } = await get("/catalogue/carriers");
  await world.ctx.db.update(carriers).set({ name: "Pelorin Ocean (demo)" }).where(eq(carriers.code, "PEL9"));
  const changed = await get("/catalogue/carriers", { "If-None-Match": headers.ETag ?? "" });
  expect(changed.status).toBe(200);
});
