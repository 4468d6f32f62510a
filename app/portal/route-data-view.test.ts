import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { surcharges } from "#drizzle/schema/index.ts";
import { readRouteData } from "../domain/subscriptions/route-access.server.ts";
import { subscribe } from "../testing/purchases.ts";
import { createWorld, type World } from "../testing/world.ts";
import { routeDataView } from "./route-data-view.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ routeCodes: ["C-CNSHA-NLRTM-PEL9", "C-SGSIN-DEHAM-COR9"] });
});
afterAll(() => world.close());

it("Schedule and vessels agree on the days of departure and arrival, by the clocks of the ports", async () => {
  const { caller } = await world.account();
  const { routeId } = await subscribe(world, caller);
  const { departures, sailings } = routeDataView(
    await readRouteData(world.ctx, caller, { id: routeId, limit: 100 }),
    "2026-11-20",
  );
  // Departs at 20:00 UTC, when the next day has begun in Shanghai.
  expect(sailings[0]?.etd).toMatchObject({ utc: "2026-11-21T20:00:00.000Z", local: "2026-11-22T04:00" });
  expect(departures[0]).toMatchObject({ departsOn: "2026-11-22" });
  // Observed before this departure.
  expect(sailings[0]?.capacity).toEqual({ available: expect.any(Number), booking: expect.any(String) });
  for (const { id, departsOn, arrivals } of departures) {
    const vessel = sailings.find((sailing) => sailing.id === id);
    expect(departsOn).toBe(vessel?.etd.local.slice(0, 10));
    expect(arrivals.find(({ level }) => level === "standard")?.on).toBe(vessel?.eta.local.slice(0, 10));
  }
});

it("A surcharge in another currency is shown in both, and converted in the all-in rates", async () => {
  const { caller } = await world.account();
  const { routeId } = await subscribe(world, caller);
  const view = async () =>
    routeDataView(await readRouteData(world.ctx, caller, { id: routeId, limit: 1 }), "2026-11-20");
  const before = await view();
  await world.ctx.db.insert(surcharges).values({
    ...{ routeId, code: "XTHC", name: "Terminal handling", amountCents: 24_500, currency: "EUR", mandatory: true },
    ...{ exchangeRate: "1.0931", exchangeRateAsOf: "2026-10-30", exchangeRateSource: "ECB" },
    ...{ basis: "per_container", validFrom: "2026-11-01" },
  });
  const after = await view();
  await world.ctx.db.delete(surcharges).where(eq(surcharges.code, "XTHC"));
  expect(after.surcharges.find(({ code }) => code === "XTHC")).toMatchObject({
    ...{ amountCents: 24_500, currency: "EUR" },
    converted: { amountCents: 26_781, rate: "1.0931", asOf: "2026-10-30", source: "ECB" },
  });
  expect(after.rates.map(({ allInCents }) => allInCents)).toEqual(
    before.rates.map(({ allInCents }) => allInCents + 26_781),
  );
  expect(after.rates.length).toBeGreaterThan(0);
});
