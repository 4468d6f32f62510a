import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../domain/accounts/caller.ts";
import { markSample } from "../domain/stock/mark-sample.server.ts";
import { readRouteData } from "../domain/subscriptions/route-access.server.ts";
import { periodOf, subscribe } from "../testing/purchases.ts";
import { createWorld, type World } from "../testing/world.ts";
import { sampleRoute } from "./sample-route.server.ts";

const [container, other, bulk] = ["C-CNNGB-GBFXT-MRG9", "C-CNSHA-NLRTM-PEL9", "B-AUPHE-CNTAO-GRN9"] as const;

let world: World;
let caller: Caller;
const idOf = (code: string): number => world.routes.find((route) => route.code === code)?.id ?? 0;
beforeAll(async () => {
  world = await createWorld({ routeCodes: [container, other, bulk] });
  const operator = await world.operator();
  ({ caller } = await world.account());
  for (const code of [bulk, container]) await markSample(world.ctx, operator, { code });
});
afterAll(() => world.close());

describe("The samples of the documentation", () => {
  it("read routes that are open to an account without a subscription, and buy one that is on sale", async () => {
    const sample = await sampleRoute(world.ctx, caller);
    expect(sample).toMatchObject({
      routeId: idOf(container),
      otherRouteId: idOf(bulk),
      periodId: periodOf(world, other),
    });
    for (const id of [sample.routeId, sample.otherRouteId])
      expect((await readRouteData(world.ctx, caller, { id, limit: 1 })).access.hasAccess).toBe(true);
    expect(await sampleRoute(world.ctx, null)).toEqual(sample);
  });

  it("read the route that the account subscribes to", async () => {
    await subscribe(world, caller, { periodId: periodOf(world, other) });
    expect(await sampleRoute(world.ctx, caller)).toMatchObject({ routeId: idOf(other), otherRouteId: idOf(container) });
  });
});
