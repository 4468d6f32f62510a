import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiKeys, idempotencyKeys, orders } from "#drizzle/schema/index.ts";
import { call } from "../testing/api-client.ts";
import { createWorld, type World } from "../testing/world.ts";

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld();
  token = (await world.account("repeater")).token;
});
afterAll(() => world.close());

const generate = (key: string, body: unknown = { api_key_name: "once", user: "repeater" }) =>
  call(world, "POST", "/api-keys/generate", { token, body, headers: { "Idempotency-Key": key } });

describe("An Idempotency-Key", () => {
  it("repeats the first response, secret included, and creates one key", async () => {
    const first = await generate("a");
    const again = await generate("a");
    expect(first.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect([first.headers["Idempotency-Replayed"], again.headers["Idempotency-Replayed"]]).toEqual([undefined, "true"]);
    expect(await world.ctx.db.$count(apiKeys)).toBe(1);
  });

  it("does not store the secret in plain text", async () => {
    const { body } = await generate("a");
    const [row] = await world.ctx.db.select().from(idempotencyKeys);
    expect(Buffer.from(row?.sealedResponse ?? []).toString("latin1")).not.toContain(body.api_key);
  });

  it("is rejected with 422 for another body, and is independent in another account", async () => {
    expect((await generate("a", { api_key_name: "other", user: "repeater" })).status).toBe(422);
    const stranger = await world.account("stranger");
    const reply = await call(world, "POST", "/api-keys/generate", {
      token: stranger.token,
      body: { api_key_name: "once", user: "stranger" },
      headers: { "Idempotency-Key": "a" },
    });
    expect(reply.status).toBe(200);
  });

  it("is rejected with 409 while in flight, and concurrent requests create one order", async () => {
    const [route] = world.routes;
    const body = { period_id: route?.periods[0]?.id, subscription_term: "1_month" };
    const before = await world.ctx.db.$count(orders);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        call(world, "POST", "/subscriptions/create-payment-intent", {
          token,
          body,
          headers: { "Idempotency-Key": "b" },
        }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await world.ctx.db.$count(orders)).toBe(before + 1);
  });

  it("can be reused after a refusal, and after 24 hours", async () => {
    const unknown = { period_id: 999_999, subscription_term: "1_month" };
    const known = { period_id: world.routes[0]?.periods[0]?.id, subscription_term: "1_month" };
    const create = (body: unknown) =>
      call(world, "POST", "/subscriptions/create-payment-intent", { token, body, headers: { "Idempotency-Key": "c" } });
    expect((await create(unknown)).status).toBe(404);
    const { body: first } = await create(known);
    world.clock.set("2026-11-21T09:29:00Z");
    expect((await create(known)).body.order_id).toBe(first.order_id);
    world.clock.set("2026-11-20T09:30:00Z");
  });

  it("is rejected with 400 if malformed", async () => {
    expect((await generate("with space")).status).toBe(400);
    expect((await generate("x".repeat(256))).status).toBe(400);
  });
});
