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

const allow = (allowed_addresses: unknown, { id = key.id, token = opened.token } = {}) =>
  call(world, "PUT", `/api-keys/${id}/allowed-addresses`, { token, body: { allowed_addresses } });
const readFrom = (address: string, secret = key.secret) =>
  call(world, "GET", "/api-routes-data?id=2147483647", {
    key: { secret, user: "me" },
    ipAddress: address,
  });

it("A key with a list works from its addresses and networks only, of IPv4 and IPv6", async () => {
  expect((await readFrom("198.51.100.1")).status).toBe(404);
  const limited = await allow(["203.0.113.7/24", "2001:DB8:7::1/48", "203.0.113.0/24"]);
  expect([limited.status, limited.body.allowed_addresses]).toEqual([200, ["203.0.113.0/24", "2001:db8:7::/48"]]);
  for (const address of ["203.0.113.200", "::ffff:203.0.113.9", "2001:db8:7:1::2"]) {
    expect((await readFrom(address)).status).toBe(404);
  }
  for (const address of ["203.0.114.1", "2001:db8:8::1", "unknown"]) expect((await readFrom(address)).status).toBe(403);
  expect((await allow(null)).body.allowed_addresses).toBeNull();
  expect((await readFrom("198.51.100.1")).status).toBe(404);
});

it("A request from elsewhere says why, is in the log, and does not count toward the account's limit", async () => {
  await allow(["203.0.113.7"]);
  const refused = await readFrom("198.51.100.1");
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({
    message: "Insufficient permissions",
    errors: [{ path: "X-API-Key", message: expect.stringContaining("from 198.51.100.1") }],
  });
  expect(refused.headers).toMatchObject({ "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59" });
  const logged = await call(world, "GET", `/api-usage-logs?api_key_id=${key.id}`, { token: opened.token });
  expect(logged.body.usage_logs.map(({ status }: { status: number }) => status)).toEqual([403]);
  // The change of the list, and the log.
  expect(logged.headers).toMatchObject({ "X-RateLimit-Remaining": "998" });
});

it("A key keeps its list when it is rotated, and a new one can have a list at once", async () => {
  await allow(["203.0.113.7"]);
  const { secret } = await rotateKey(world.ctx, opened.caller, { id: key.id, overlapHours: 24 });
  expect([(await readFrom("203.0.113.7", secret)).status, (await readFrom("198.51.100.1", secret)).status]).toEqual([
    404, 403,
  ]);
  expect((await allow(null)).status).toBe(409);
  const body = { api_key_name: "Second", user: "me", allowed_addresses: ["198.51.100.0/30"] };
  const created = await call(world, "POST", "/api-keys/generate", { token: opened.token, body });
  expect((await readFrom("198.51.100.3", created.body.api_key)).status).toBe(404);
  expect((await readFrom("198.51.100.4", created.body.api_key)).status).toBe(403);
});

it.each([
  [[], "allowed_addresses"],
  [["example.com"], "allowed_addresses.0"],
  [["203.0.113.7", "0.0.0.0/0"], "allowed_addresses.1"],
  [Array.from({ length: 51 }, (_, i) => `203.0.113.${i}`), "allowed_addresses"],
  ["203.0.113.7", "allowed_addresses"],
])("The list %j is rejected", async (list, path) => {
  const refused = await allow(list);
  expect([refused.status, refused.body.errors[0].path]).toEqual([422, path]);
});

it("Keys of other accounts are not found", async () => {
  const stranger = await world.account();
  expect((await allow(null, { token: stranger.token })).status).toBe(404);
});
