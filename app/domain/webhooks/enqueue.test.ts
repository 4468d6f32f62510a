import { asc } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { webhookDeliveries, webhookEndpoints, webhookMessages } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { enqueueWebhookEvent } from "./enqueue.server.ts";
import type { NewWebhookEvent, WebhookEventType } from "./events.ts";

describe("An event for webhooks", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ catalogue: "empty" });
  });
  afterAll(() => world.close());

  const endpoint = async (accountId: number, eventTypes: WebhookEventType[], more = {}) => {
    const createdAt = world.clock.now();
    const row = { accountId, url: "https://example.com/hook", eventTypes, sealedSecret: Buffer.from("x"), createdAt };
    const [created] = await world.ctx.db
      .insert(webhookEndpoints)
      .values({ ...row, ...more })
      .returning();
    if (!created) throw new Error("No endpoint");
    return created.id;
  };
  const keyCreated = (accountId: number, key: string): NewWebhookEvent => ({
    accountId,
    type: "api_key.created",
    key,
    data: { api_key_id: 7, api_key_name: "Nightly", user: "ops" },
    at: world.clock.now(),
  });
  const stored = async (accountId: number) =>
    (await world.ctx.db.select().from(webhookMessages).orderBy(asc(webhookMessages.id))).filter(
      (row) => row.accountId === accountId,
    );

  it("is stored once, with a delivery for each enabled endpoint that subscribes to its type", async () => {
    const { account } = await world.account();
    const wanting = [await endpoint(account.id, ["api_key.created"]), await endpoint(account.id, ["api_key.created"])];
    await endpoint(account.id, ["data.changed"]);
    await endpoint(account.id, ["api_key.created"], { disabledAt: world.clock.now(), disabledBecause: "holder" });
    expect(await enqueueWebhookEvent(world.ctx.db, keyCreated(account.id, "7"))).toBe(true);
    expect(await enqueueWebhookEvent(world.ctx.db, keyCreated(account.id, "7"))).toBe(false);
    expect(await enqueueWebhookEvent(world.ctx.db, keyCreated(account.id, "8"))).toBe(true);
    const [first, second, ...none] = await stored(account.id);
    expect(none).toEqual([]);
    expect(first?.payload).toBe(
      '{"type":"api_key.created","timestamp":"2026-11-20T09:30:00.000Z","data":{"api_key_id":7,"api_key_name":"Nightly","user":"ops"}}',
    );
    const deliveries = await world.ctx.db.select().from(webhookDeliveries).orderBy(asc(webhookDeliveries.id));
    expect(deliveries.map(({ messageId, endpointId }) => [messageId, endpointId])).toEqual(
      [first, second].flatMap((event) => wanting.map((id) => [event?.id, id])),
    );
  });

  it("is not stored if no endpoint of the account wants it", async () => {
    const { account } = await world.account();
    const { account: other } = await world.account();
    await endpoint(other.id, ["api_key.created"]);
    await endpoint(account.id, ["data.changed"]);
    expect(await enqueueWebhookEvent(world.ctx.db, keyCreated(account.id, "7"))).toBe(false);
    expect(await stored(account.id)).toEqual([]);
  });

  it("is not stored if its transaction is rolled back", async () => {
    const { account } = await world.account();
    await endpoint(account.id, ["api_key.created"]);
    const rolledBack = world.ctx.db.transaction(async (tx) => {
      expect(await enqueueWebhookEvent(tx, keyCreated(account.id, "7"))).toBe(true);
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    expect(await stored(account.id)).toEqual([]);
  });

  it("is stored once if two processes store it at the same time", async () => {
    const { account } = await world.account();
    await endpoint(account.id, ["api_key.created"]);
    const both = await Promise.all([1, 2].map(() => enqueueWebhookEvent(world.ctx.db, keyCreated(account.id, "7"))));
    expect(both.sort()).toEqual([false, true]);
    expect(await stored(account.id)).toHaveLength(1);
  });
});
