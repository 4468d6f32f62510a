import { afterAll, beforeAll, expect, it } from "vitest";
import type { Caller } from "#app/domain/accounts/caller.ts";
import { issueKey } from "#app/domain/api-keys/issue.server.ts";
import { markSample } from "#app/domain/stock/mark-sample.server.ts";
import { call } from "#app/testing/api-client.ts";
import { periodOf, subscribe } from "#app/testing/purchases.ts";
import { createWorld, type World } from "#app/testing/world.ts";
import { exampleRoute } from "./example-route.server.ts";

const [container, other, bulk] = ["C-CNNGB-GBFXT-MRG9", "C-CNSHA-NLRTM-PEL9", "B-AUPHE-CNTAO-GRN9"] as const;

let world: World;
let caller: Caller;
const idOf = (code: string): number => world.routes.find((route) => route.code === code)?.id ?? 0;
beforeAll(async () => {
  world = await createWorld({ routeCodes: [container, other, bulk] });
  ({ caller } = await world.account());
});
afterAll(() => world.close());

it("The example request of a new key reads a sample until the account has a subscription", async () => {
  expect(await exampleRoute(world.ctx, caller)).toBeNull();
  const operator = await world.operator();
  for (const code of [bulk, container]) await markSample(world.ctx, operator, { code });
  const example = await exampleRoute(world.ctx, caller);
  expect(example).toEqual({ id: idOf(container), isSample: true });
  const key = await issueKey(world.ctx, caller, { api_key_name: "First", user: "first" });
  const response = await call(world, "GET", `/api-routes-data?id=${example?.id}`, {
    key: { secret: key.secret, user: "first" },
  });
  expect(response.status).toBe(200);

  await subscribe(world, caller, { periodId: periodOf(world, other) });
  expect(await exampleRoute(world.ctx, caller)).toEqual({ id: idOf(other), isSample: false });
});
