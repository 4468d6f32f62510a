import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/world.ts";
import { deleteExpiredResponses, withIdempotencyKey } from "./idempotency-key.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const keyed = (key: string) => ({ scope: "account:1", key, endpoint: "POST /x", request: "{}" });
const respond = (body: string) => async () => ({ status: 200, headers: {}, body });
const send = async (key: string, body: string) => (await withIdempotencyKey(world.ctx, keyed(key), respond(body))).body;

describe("deleteExpiredResponses", () => {
  it("deletes responses after 24 hours and keeps the others", async () => {
    world.clock.set("2026-11-20T09:00:00Z");
    await send("old", "first");
    world.clock.set("2026-11-20T10:00:00Z");
    await send("young", "first");
    world.clock.set("2026-11-21T09:00:00Z");
    expect(await deleteExpiredResponses(world.ctx)).toBe(0);
    world.clock.set("2026-11-21T09:00:01Z");
    expect(await deleteExpiredResponses(world.ctx)).toBe(1);
    expect(await deleteExpiredResponses(world.ctx)).toBe(0);
    expect(await send("young", "second")).toBe("first");
    expect(await send("old", "second")).toBe("second");
  });
});

describe("A stored response", () => {
  it("is replayed for a long request in any script", async () => {
    const long = { ...keyed("long"), request: "航".repeat(1_000) };
    expect((await withIdempotencyKey(world.ctx, long, respond("first"))).body).toBe("first");
    expect((await withIdempotencyKey(world.ctx, long, respond("second"))).body).toBe("first");
  });

  it("is not overwritten by an abandoned request that finishes late", async () => {
    world.clock.set("2026-11-21T10:00:00Z");
    await withIdempotencyKey(world.ctx, keyed("slow"), async () => {
      world.clock.set("2026-11-21T10:02:00Z");
      expect(await send("slow", "second")).toBe("second");
      return respond("first")();
    });
    expect(await send("slow", "third")).toBe("second");
  });
});
