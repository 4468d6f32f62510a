import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/world.ts";
import { deleteExpiredResponses, withIdempotencyKey } from "./idempotency-key.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const keyed = (key: string) => ({ scope: "account:1", key, endpoint: "POST /x", request: "{}" });
const answer = (body: string) => async () => ({ status: 200, headers: {}, body });
const ask = async (key: string, body: string) => (await withIdempotencyKey(world.ctx, keyed(key), answer(body))).body;

describe("Old answers", () => {
  it("are forgotten after 24 hours, the others are repeated", async () => {
    world.clock.set("2026-11-20T09:00:00Z");
    await ask("old", "first");
    world.clock.set("2026-11-20T10:00:00Z");
    await ask("young", "first");
    world.clock.set("2026-11-21T09:00:00Z");
    expect(await deleteExpiredResponses(world.ctx)).toBe(0);
    world.clock.set("2026-11-21T09:00:01Z");
    expect(await deleteExpiredResponses(world.ctx)).toBe(1);
    expect(await deleteExpiredResponses(world.ctx)).toBe(0);
    expect(await ask("young", "second")).toBe("first");
    expect(await ask("old", "second")).toBe("second");
  });
});

describe("An answer", () => {
  it("is repeated to a long request in any script", async () => {
    const long = { ...keyed("long"), request: "航".repeat(1_000) };
    expect((await withIdempotencyKey(world.ctx, long, answer("first"))).body).toBe("first");
    expect((await withIdempotencyKey(world.ctx, long, answer("second"))).body).toBe("first");
  });

  it("that comes after its request was given up does not replace the one that was made anew", async () => {
    world.clock.set("2026-11-21T10:00:00Z");
    await withIdempotencyKey(world.ctx, keyed("slow"), async () => {
      world.clock.set("2026-11-21T10:02:00Z");
      expect(await ask("slow", "second")).toBe("second");
      return answer("first")();
    });
    expect(await ask("slow", "third")).toBe("second");
  });
});
