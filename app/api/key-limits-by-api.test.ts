import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { issueKey } from "../domain/api-keys/issue.server.ts";
import { rotateKey } from "../domain/api-keys/rotate.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { call } from "../testing/api-client.ts";
import { createWorld, type World } from "../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

let opened: Awaited<ReturnType<World["account"]>>;
let key: Awaited<ReturnType<typeof issueKey>>;
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  world.ctx.rateLimiter = memoryRateLimiter();
  opened = await world.account();
  key = await issueKey(world.ctx, opened.caller, { api_key_name: "Rate sync", user: "me" });
});

const setLimit = (hourly_limit: unknown, { id = key.id, token = opened.token } = {}) =>
  call(world, "PUT", `/api-keys/${id}/limit`, { token, body: { hourly_limit } });
const read = (secret = key.secret) =>
  call(world, "GET", "/api-routes-data?id=2147483647", { key: { secret, user: "me" } });

it("A limited key gets 429 above its limit, and the account can go on", async () => {
  const limited = await setLimit(2);
  expect([limited.status, limited.body.hourly_limit]).toEqual([200, 2]);
  const answers = [await read(), await read(), await read()];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 429]);
  expect(answers[2]?.headers).toMatchObject({
    "X-RateLimit-Limit": "2",
    "X-RateLimit-Remaining": "0",
    "Retry-After": "1800",
  });
  // The change of the limit, two requests with the key, and this one.
  const own = await call(world, "GET", `/api-keys/${key.id}`, { token: opened.token });
  expect(own.headers).toMatchObject({ "X-RateLimit-Limit": "1000", "X-RateLimit-Remaining": "996" });
  const logged = await call(world, "GET", `/api-usage-logs?api_key_id=${key.id}`, { token: opened.token });
  expect(logged.body.usage_logs.map(({ status }: { status: number }) => status)).toEqual([429, 404, 404]);

  expect((await setLimit(null)).body.hourly_limit).toBeNull();
  expect((await read()).status).toBe(404);
});

it("A key keeps its limit when it is rotated", async () => {
  await setLimit(1);
  const { secret, hourlyLimit } = await rotateKey(world.ctx, opened.caller, { id: key.id, overlapHours: 24 });
  expect(hourlyLimit).toBe(1);
  expect([(await read(secret)).status, (await read(secret)).status]).toEqual([404, 429]);
  expect((await setLimit(5)).status).toBe(409);
});

it.each([0, -1, 1.5, "5", 1_000_001])("A limit of %j is rejected", async (limit) => {
  expect((await setLimit(limit)).status).toBe(422);
});

it("Keys of other accounts are not found", async () => {
  const { token } = await world.account();
  expect((await setLimit(5, { token })).status).toBe(404);
});
