import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { periods, tradeLanePrices } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { monthlyPriceCents } from "../pricing/quote.ts";
import { recomputePopularity } from "../subscriptions/popularity.server.ts";
import { summariesOf } from "./browse.server.ts";
import { setPopularity } from "./popularity.server.ts";
import { priceHistory, recordPrices } from "./price-history.server.ts";

let world: World;
let routeId: number;
beforeAll(async () => {
  world = await createWorld({ routeCodes: ["C-CNSHA-NLRTM-PEL9"] });
  routeId = world.routes[0]?.id ?? 0;
});
afterAll(() => world.close());

const history = () => priceHistory(world.ctx, { routeId, limit: 20 });
const currentPrice = async () => {
  const [route] = await summariesOf(world.ctx, [routeId]);
  const [period] = route?.periods ?? [];
  if (!period) throw new Error("No period is on sale");
  return { periodId: period.id, monthlyCents: monthlyPriceCents(period) };
};
/** Records the prices of a later day. */
const recordOn = async (day: string) => {
  world.clock.set(`${day}T03:17:00Z`);
  return recordPrices(world.ctx.db, world.clock.now());
};

it("starts with the import, at the price that is charged", async () => {
  const recorded = (await history()).filter(({ reason }) => reason === "initial");
  expect(recorded).toHaveLength(1);
  expect(recorded[0]).toMatchObject({ ...(await currentPrice()), validFrom: new Date("2026-11-20T09:30:00Z") });
});

it("records nothing while no factor changes", async () => {
  expect(await recordOn("2026-11-21")).toBe(0);
});

it("names the factor that changed", async () => {
  const base = sql`${tradeLanePrices.basePriceCents} + 1000`;
  await world.ctx.db.update(tradeLanePrices).set({ basePriceCents: base });
  await recordOn("2026-11-22");
  const { periodId } = await currentPrice();
  const [row] = await world.ctx.db.select().from(periods).where(eq(periods.id, periodId));
  await world.ctx.db
    .update(periods)
    .set({ freshness: row?.freshness === "weekly" ? "daily" : "weekly" })
    .where(eq(periods.id, periodId));
  await recordOn("2026-11-23");
  await setPopularity(world.ctx.db, [routeId], 123);
  await recordOn("2026-11-24");
  const recorded = await history();
  expect(recorded.map(({ reason }) => reason)).toEqual(["popularity", "freshness", "base_price", "initial"]);
  expect(recorded[0]).toMatchObject({ ...(await currentPrice()), popularityPercent: 123 });
});

it("is continued by the nightly popularity job", async () => {
  world.clock.set("2026-11-25T03:17:00Z");
  await recomputePopularity(world.ctx);
  const [newest] = await history();
  expect(newest).toMatchObject({ popularityPercent: 80, reason: "popularity", validFrom: world.clock.now() });
  expect(newest).toMatchObject(await currentPrice());
});
