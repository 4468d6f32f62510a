import { eq, sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { auditLog, outboxMessages, webhookEndpoints } from "#drizzle/schema/index.ts";
import { type Receiver, startReceiver } from "../../testing/webhook-receiver.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { systemClock } from "../clock.ts";
import type { Context } from "../context.ts";
import { getDelivery, listDeliveries, replayDelivery, replayFailed, sendTestEvent } from "./deliveries.server.ts";
import { disableEndpoint } from "./delivery-queries.server.ts";
import { enqueueWebhookEvent } from "./enqueue.server.ts";
import { createEndpoint, getEndpoint, rotateSecret, setEndpointStatus } from "./manage.server.ts";
import { sendDueWebhooks } from "./send.server.ts";
import { type WebhookTransport, webhookTransport } from "./transport.server.ts";

describe("Sending webhooks", () => {
  let world: World;
  let caller: Caller;
  const open: Receiver[] = [];

  beforeAll(async () => {
    world = await createWorld({ catalogue: "empty" });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((receiver) => receiver.close()));
    await world.ctx.db.delete(webhookEndpoints);
    expect(world.complaints).toEqual([]);
  });
  afterAll(() => world.close());

  const receiver = async (...args: Parameters<typeof startReceiver>): Promise<Receiver> => {
    const started = await startReceiver(...args);
    open.push(started);
    return started;
  };
  const register = async (url: string) => {
    caller = (await world.account()).caller;
    return createEndpoint(world.ctx, caller, { url, description: "", event_types: ["api_key.created"] });
  };
  let keys = 0;
  const happen = async () => {
    keys += 1;
    const data = { api_key_id: keys, api_key_name: "Nightly — ключ", user: "ops" };
    const { id: accountId } = caller.account;
    await enqueueWebhookEvent(world.ctx.db, { accountId, type: "api_key.created", key: `${keys}`, data, at: now() });
  };
  const now = () => world.clock.now();
  const pass = (minutes: number) => world.clock.set(new Date(now().getTime() + minutes * 60_000).toISOString());
  const log = async (endpointId: number) =>
    (await listDeliveries(world.ctx, caller, endpointId, {}, { limit: 100 })).rows;
  const only = async (endpointId: number) => {
    const [delivery, ...others] = await log(endpointId);
    if (!delivery || others.length > 0) throw new Error("Expected one delivery");
    return getDelivery(world.ctx, caller, { endpointId, id: delivery.id });
  };
  const verify = (secret: string, { headers, body }: Receiver["received"][number]) =>
    new Webhook(secret).verify(body, headers as Record<string, string>);
  /** Headers are signed with real time, because the library compares with it. */
  const inRealTime = (): Context => ({ ...world.ctx, deviceClock: systemClock });

  it("signs a message so that the library of Standard Webhooks accepts it", async () => {
    const there = await receiver();
    const { secret } = await register(there.url);
    await happen();
    expect(await sendDueWebhooks(inRealTime())).toEqual({ delivered: 1, failed: 0 });
    const [message] = there.received;
    if (!message) throw new Error("Nothing arrived");
    expect(verify(secret, message)).toEqual({
      type: "api_key.created",
      timestamp: now().toISOString(),
      data: { api_key_id: keys, api_key_name: "Nightly — ключ", user: "ops" },
    });
    expect(message.headers).toMatchObject({ "content-type": "application/json", host: `127.0.0.1:${there.port}` });
    expect(() => verify(secret, { ...message, body: message.body.replace("ops", "ops2") })).toThrow("signature");
    expect(() => verify("whsec_dGhlIHdyb25nIHNlY3JldA==", message)).toThrow("signature");
  });

  it("keeps the log of an attempt: status, duration and the beginning of the response", async () => {
    const there = await receiver(() => ({ status: 200, body: `\0${"x".repeat(100_000)}` }));
    const { id } = await register(there.url);
    await happen();
    await sendDueWebhooks(world.ctx);
    const { attempts, ...delivery } = await only(id);
    expect(delivery).toMatchObject({ type: "api_key.created", status: "delivered", nextAttemptAt: null });
    expect(delivery.messageId).toBe(there.received[0]?.headers["webhook-id"]);
    expect(delivery.payload).toBe(there.received[0]?.body);
    expect(attempts).toEqual([
      { attemptedAt: now(), durationMs: 0, responseStatus: 200, responseExcerpt: "x".repeat(1_000), error: null },
    ]);
  });

  it("repeats a failed message under the same id for three days, then disables the endpoint with one mail", async () => {
    const there = await receiver(() => ({ status: 500 }));
    const { id } = await register(there.url);
    const began = now().getTime();
    const hours: number[] = [];
    await happen();
    for (let guard = 0; guard < 20; guard += 1) {
      await sendDueWebhooks(world.ctx);
      hours.push((now().getTime() - began) / 3_600_000);
      const { nextAttemptAt } = await only(id);
      if (!nextAttemptAt) break;
      world.clock.set(new Date(nextAttemptAt.getTime() - 1).toISOString());
      expect(await sendDueWebhooks(world.ctx)).toEqual({ delivered: 0, failed: 0 });
      world.clock.set(nextAttemptAt.toISOString());
    }
    expect(there.received).toHaveLength(10);
    expect(new Set(there.received.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size).toBe(1);
    [0, 1 / 60, 0.1, 0.5, 2, 6, 12, 24, 48, 72].forEach((planned, attempt) => {
      expect(hours[attempt]).toBeGreaterThanOrEqual(planned - 0.0001);
      expect(hours[attempt]).toBeLessThanOrEqual(planned * 1.1 + 0.0001);
    });
    expect(await only(id)).toMatchObject({ status: "failed", nextAttemptAt: null });
    expect(await getEndpoint(world.ctx, caller, { id })).toMatchObject({ disabledBecause: "failing" });
    const mails = await world.ctx.db
      .select()
      .from(outboxMessages)
      .where(eq(outboxMessages.accountId, caller.account.id));
    expect(mails.map(({ subject }) => subject)).toEqual(["A webhook endpoint was disabled"]);
    const entries = await world.ctx.db.select().from(auditLog).where(eq(auditLog.accountId, caller.account.id));
    expect(entries.map(({ action }) => action)).toContain("webhook_endpoint.disabled");
  });

  it("counts the three days of failures from the last success on", async () => {
    let status = 500;
    const there = await receiver(() => ({ status }));
    const { id } = await register(there.url);
    await happen();
    await sendDueWebhooks(world.ctx);
    pass(60);
    status = 200;
    expect(await sendDueWebhooks(world.ctx)).toEqual({ delivered: 1, failed: 0 });
    expect(await getEndpoint(world.ctx, caller, { id })).toMatchObject({ failingSince: null });
    status = 500;
    pass(80 * 60);
    await happen();
    await sendDueWebhooks(world.ctx);
    expect(await getEndpoint(world.ctx, caller, { id })).toMatchObject({ disabledAt: null, failingSince: now() });
  });

  it("disables an endpoint that returns 410, sends one e-mail, and stops its pending deliveries", async () => {
    const there = await receiver(() => ({ status: 410 }));
    const { id } = await register(there.url);
    await happen();
    await happen();
    await sendDueWebhooks(world.ctx);
    expect(there.received).toHaveLength(1);
    expect(await getEndpoint(world.ctx, caller, { id })).toMatchObject({ disabledBecause: "gone", disabledAt: now() });
    expect((await log(id)).map(({ status }) => status)).toEqual(["failed", "failed"]);
    await happen();
    expect(await log(id)).toHaveLength(2);
    const mails = await world.ctx.db
      .select()
      .from(outboxMessages)
      .where(eq(outboxMessages.accountId, caller.account.id));
    expect(mails).toHaveLength(1);
  });

  it("does not follow redirects", async () => {
    const elsewhere = await receiver();
    const there = await receiver(() => ({ status: 307, headers: { Location: elsewhere.url } }));
    const { id } = await register(there.url);
    await happen();
    expect(await sendDueWebhooks(world.ctx)).toEqual({ delivered: 0, failed: 1 });
    expect(elsewhere.received).toEqual([]);
    expect((await only(id)).attempts).toMatchObject([{ responseStatus: 307 }]);
  });

  it("says why there was no response", async () => {
    const closed = await startReceiver();
    const { id } = await register(closed.url);
    await closed.close();
    await happen();
    await sendDueWebhooks(world.ctx);
    expect((await only(id)).attempts).toMatchObject([{ responseStatus: null, error: "The connection was refused" }]);
  });

  it("gives up waiting for an endpoint that does not answer", async () => {
    const silent = await receiver(() => new Promise(() => {}));
    const { id } = await register(silent.url);
    await happen();
    const impatient = webhookTransport({ allowPrivate: true, timeoutMs: 100 });
    await sendDueWebhooks({ ...world.ctx, webhooks: impatient });
    expect((await only(id)).attempts).toMatchObject([{ error: "No response within 0.1 seconds" }]);
  });

  it("serves other endpoints while one does not answer", async () => {
    let answerSlow = () => {};
    const slow = await receiver(() => new Promise((resolve) => (answerSlow = () => resolve({}))));
    await register(slow.url);
    await happen();
    const fast = await receiver();
    await register(fast.url);
    await happen();
    await happen();
    const run = sendDueWebhooks(world.ctx);
    await expect.poll(() => fast.received.length).toBe(2);
    expect(slow.received).toHaveLength(1);
    answerSlow();
    expect(await run).toEqual({ delivered: 3, failed: 0 });
  });

  it("sends one message at a time to an endpoint, in order, also with several processes", async () => {
    let inFlight = 0;
    let most = 0;
    const there = await receiver(async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((wait) => setImmediate(wait));
      inFlight -= 1;
      return {};
    });
    const { id } = await register(there.url);
    for (let count = 0; count < 20; count += 1) await happen();
    // A wrapped database counts as another process.
    const other = { ...world.ctx, db: Object.create(world.ctx.db) as Context["db"] };
    const counts = await Promise.all([sendDueWebhooks(world.ctx), sendDueWebhooks(other)]);
    expect(counts.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(20);
    expect(most).toBe(1);
    expect(new Set(there.received.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
    const ids = there.received.map(({ body }) => JSON.parse(body).data.api_key_id as number);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect((await log(id)).every(({ status }) => status === "delivered")).toBe(true);
  });

  it("sends a message again under the same id if the process dies before it is recorded", async () => {
    const there = await receiver();
    const { id } = await register(there.url);
    await happen();
    // Never resolves, as in a process that was killed.
    const dying: WebhookTransport = {
      ...world.ctx.webhooks,
      post: async (request) => {
        await world.ctx.webhooks.post(request);
        return new Promise(() => {});
      },
    };
    const killed = { ...world.ctx, webhooks: dying, db: Object.create(world.ctx.db) as Context["db"] };
    void sendDueWebhooks(killed);
    await expect.poll(() => there.received.length).toBe(1);
    expect(await sendDueWebhooks(world.ctx), "the lease still holds").toEqual({ delivered: 0, failed: 0 });
    pass(2);
    expect(await sendDueWebhooks(world.ctx)).toEqual({ delivered: 1, failed: 0 });
    const [first, second] = there.received;
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
    expect((await only(id)).attempts).toHaveLength(1);
  });

  it("records a failure while the endpoint is disabled, without a deadlock", async () => {
    const { db } = world.ctx;
    let disabling: Promise<boolean> | undefined;
    const there = await receiver(async () => {
      // Disables the endpoint step by step: it is locked before the response, its deliveries when the sender records it.
      await new Promise<void>((locked) => {
        disabling = db.transaction(async (tx) => {
          await tx.update(webhookEndpoints).set({ description: "Locked" });
          locked();
          const waiting = sql`select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
          await expect.poll(() => tx.execute(waiting)).toHaveLength(1);
          return disableEndpoint(tx, id, "holder", now());
        });
      });
      return { status: 500 };
    });
    const { id } = await register(there.url);
    await happen();
    expect(await sendDueWebhooks(world.ctx)).toEqual({ delivered: 0, failed: 1 });
    expect(await disabling).toBe(true);
    const { status, attempts } = await only(id);
    expect({ status, responses: attempts.map(({ responseStatus }) => responseStatus) }).toEqual({
      status: "failed",
      responses: [500],
    });
  });

  it("signs with the old and the new secret for 24 hours after a rotation", async () => {
    const there = await receiver();
    const { id, secret } = await register(there.url);
    const { secret: next } = await rotateSecret(world.ctx, caller, { id });
    expect(next).not.toBe(secret);
    await happen();
    await sendDueWebhooks(inRealTime());
    pass(24 * 60);
    await happen();
    await sendDueWebhooks(inRealTime());
    const [during, after] = there.received;
    if (!during || !after) throw new Error("Expected two messages");
    expect(verify(secret, during)).toEqual(verify(next, during));
    expect(verify(next, after)).toBeDefined();
    expect(() => verify(secret, after)).toThrow("signature");
  });

  it("replays one delivery, or all that failed since a time, with the same id and payload", async () => {
    let status = 410;
    const there = await receiver(() => ({ status }));
    const { id } = await register(there.url);
    await happen();
    pass(10);
    const since = now();
    await happen();
    await happen();
    await sendDueWebhooks(world.ctx);
    const failed = await log(id);
    const [newest] = failed;
    if (!newest) throw new Error("No delivery");
    const one = { endpointId: id, id: newest.id };
    await expect(replayDelivery(world.ctx, caller, one)).rejects.toThrow("The endpoint is disabled. Enable it first");
    await setEndpointStatus(world.ctx, caller, { id, status: "enabled" });
    status = 204;
    there.received.length = 0;
    expect(await replayDelivery(world.ctx, caller, one)).toMatchObject({ status: "pending", nextAttemptAt: now() });
    await sendDueWebhooks(world.ctx);
    expect(there.received.map(({ headers }) => headers["webhook-id"])).toEqual([newest.messageId]);
    expect(await replayFailed(world.ctx, caller, { endpointId: id, since })).toBe(1);
    expect(await replayFailed(world.ctx, caller, { endpointId: id, since: new Date(0) })).toBe(1);
    await sendDueWebhooks(world.ctx);
    expect((await log(id)).map((delivery) => delivery.status)).toEqual(["delivered", "delivered", "delivered"]);
    // A delivered message can be replayed as well.
    await replayDelivery(world.ctx, caller, one);
    await sendDueWebhooks(world.ctx);
    expect((await getDelivery(world.ctx, caller, one)).attempts).toHaveLength(2);
  });

  it("sends a test event to an endpoint that subscribes to other types", async () => {
    const there = await receiver();
    const { id } = await register(there.url);
    const { id: deliveryId } = await sendTestEvent(world.ctx, caller, { endpointId: id });
    await sendDueWebhooks(world.ctx);
    expect(JSON.parse(there.received[0]?.body ?? "")).toMatchObject({
      type: "endpoint.test",
      data: { endpoint_id: id, message: "It works" },
    });
    expect(await only(id)).toMatchObject({ id: deliveryId, type: "endpoint.test", status: "delivered" });
  });

  it("keeps due deliveries when it is stopped", async () => {
    const there = await receiver();
    await register(there.url);
    await happen();
    expect(await sendDueWebhooks(world.ctx, AbortSignal.abort())).toEqual({ delivered: 0, failed: 0 });
    expect(await sendDueWebhooks(world.ctx)).toEqual({ delivered: 1, failed: 0 });
  });
});
