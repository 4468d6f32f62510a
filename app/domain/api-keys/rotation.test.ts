import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, outboxMessages, webhookMessages } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { startReceiver } from "../../testing/webhook-receiver.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { subscribableTypes } from "../webhooks/enums.ts";
import { createEndpoint } from "../webhooks/manage.server.ts";
import { remindOfExpiringKeys, revokeExpiredKeys } from "./expiry.server.ts";
import { issueKey } from "./issue.server.ts";
import { allKeys, deleteKey, getKey, setKeyExpiry, setKeyStatus } from "./manage.server.ts";
import { rotateKey } from "./rotate.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const hours = (count: number) => count * 3_600_000;
const later = (ms: number) => new Date(world.clock.now().getTime() + ms);
const pass = (ms: number) => world.clock.set(later(ms).toISOString());

const key = { api_key_name: "Nightly", user: "ops" };
const open = async (plan: "free" | "professional" = "professional") => {
  const { account } = await world.account();
  await world.ctx.db.update(accounts).set({ plan }).where(eq(accounts.id, account.id));
  const holder: Caller = {
    account: { ...account, plan },
    proof: { scheme: "key", keyId: 1, keyName: "test", hourlyLimit: null, refusedAddress: null },
  };
  return holder;
};
/** 401: the key is refused. 403: it works, without a subscription. */
const statusOf = async ({ secret }: { secret: string }) => {
  const id = world.routes[0]?.id;
  return (await call(world, "GET", `/api-routes-data?id=${id}`, { key: { secret, user: key.user } })).status;
};
const works = 403;

describe("A rotated key", () => {
  it("works in addition to the new one until its overlap ends, and is then deleted", async () => {
    const holder = await open();
    const old = await issueKey(world.ctx, holder, key);
    const fresh = await rotateKey(world.ctx, holder, { id: old.id, overlapHours: 24 });
    expect(fresh).toMatchObject({ name: old.name, user: old.user, expiresAt: null, status: "active" });
    expect(fresh.secret).not.toBe(old.secret);
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([works, works]);
    expect(await getKey(world.ctx, holder, old)).toMatchObject({
      replacedAt: world.clock.now(),
      expiresAt: later(hours(24)),
    });

    pass(hours(24) - 1);
    expect(await statusOf(old)).toBe(works);
    pass(1);
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([401, works]);
    expect((await allKeys(world.ctx, holder)).map(({ id }) => id)).toEqual([fresh.id]);
    await expect(getKey(world.ctx, holder, old)).rejects.toMatchObject({ code: "not_found" });
    await expect(setKeyStatus(world.ctx, holder, { id: old.id, status: "active" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(deleteKey(world.ctx, holder, old)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is deleted at once without an overlap", async () => {
    const holder = await open();
    const old = await issueKey(world.ctx, holder, key);
    const fresh = await rotateKey(world.ctx, holder, { id: old.id, overlapHours: 0 });
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([401, works]);
    expect((await allKeys(world.ctx, holder)).map(({ id }) => id)).toEqual([fresh.id]);
  });

  it("does not count toward the plan's maximum", async () => {
    const holder = await open("free");
    const old = await issueKey(world.ctx, holder, key);
    await issueKey(world.ctx, holder, key);
    await rotateKey(world.ctx, holder, { id: old.id, overlapHours: 1 });
    await expect(issueKey(world.ctx, holder, key)).rejects.toMatchObject({ code: "conflict" });
    expect(await allKeys(world.ctx, holder)).toHaveLength(3);
  });

  it("cannot be rotated again or be given another expiry", async () => {
    const holder = await open();
    const old = await issueKey(world.ctx, holder, key);
    await rotateKey(world.ctx, holder, { id: old.id, overlapHours: 1 });
    await expect(rotateKey(world.ctx, holder, { id: old.id, overlapHours: 1 })).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(setKeyExpiry(world.ctx, holder, { id: old.id, expiresAt: null })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("is rotated once by two requests at the same time", async () => {
    const holder = await open();
    const old = await issueKey(world.ctx, holder, key);
    const rotate = () => rotateKey(world.ctx, holder, { id: old.id, overlapHours: 1 });
    const outcomes = await Promise.allSettled([rotate(), rotate()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await allKeys(world.ctx, holder)).toHaveLength(2);
  });

  it("keeps an expiry that is earlier than the end of the overlap", async () => {
    const holder = await open();
    const old = await issueKey(world.ctx, holder, { ...key, expiresAt: later(hours(1)) });
    await rotateKey(world.ctx, holder, { id: old.id, overlapHours: 24 });
    expect((await getKey(world.ctx, holder, old)).expiresAt).toEqual(later(hours(1)));
  });

  it("is not found in another account, and not rotated while inactive", async () => {
    const [holder, other] = [await open(), await open()];
    const { id } = await issueKey(world.ctx, holder, key);
    await expect(rotateKey(world.ctx, other, { id, overlapHours: 1 })).rejects.toMatchObject({ code: "not_found" });
    await setKeyStatus(world.ctx, holder, { id, status: "inactive" });
    await expect(rotateKey(world.ctx, holder, { id, overlapHours: 1 })).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("A key with an expiry", () => {
  it("stops working at that time and is inactive from then on", async () => {
    const holder = await open();
    const issued = await issueKey(world.ctx, holder, { ...key, expiresAt: later(hours(2)) });
    expect(await statusOf(issued)).toBe(works);
    pass(hours(2));
    expect(await statusOf(issued)).toBe(401);
    expect((await getKey(world.ctx, holder, issued)).status).toBe("inactive");
  });

  it("works again once it is activated, and then does not expire", async () => {
    const holder = await open();
    const issued = await issueKey(world.ctx, holder, { ...key, expiresAt: later(hours(2)) });
    pass(hours(2));
    await revokeExpiredKeys(world.ctx);
    const activated = await setKeyStatus(world.ctx, holder, { id: issued.id, status: "active" });
    expect(activated).toMatchObject({ status: "active", expiresAt: null });
    expect(await statusOf(issued)).toBe(works);
  });

  it("keeps its expiry when it is deactivated and activated before", async () => {
    const holder = await open();
    const expiresAt = later(hours(2));
    const { id } = await issueKey(world.ctx, holder, { ...key, expiresAt });
    await setKeyStatus(world.ctx, holder, { id, status: "inactive" });
    expect(await setKeyStatus(world.ctx, holder, { id, status: "active" })).toMatchObject({ expiresAt });
  });

  it("can be given another expiry, or none", async () => {
    const holder = await open();
    const issued = await issueKey(world.ctx, holder, key);
    expect(issued.expiresAt).toBeNull();
    const expiresAt = later(hours(1));
    expect(await setKeyExpiry(world.ctx, holder, { id: issued.id, expiresAt })).toMatchObject({ expiresAt });
    expect(await setKeyExpiry(world.ctx, holder, { id: issued.id, expiresAt: null })).toMatchObject({
      expiresAt: null,
    });
    pass(hours(1));
    expect(await statusOf(issued)).toBe(works);
  });

  it("stays inactive after a change of its expiry until it is activated", async () => {
    const holder = await open();
    const issued = await issueKey(world.ctx, holder, { ...key, expiresAt: later(hours(1)) });
    pass(hours(1));
    const expiresAt = later(hours(1));
    const changed = await setKeyExpiry(world.ctx, holder, { id: issued.id, expiresAt });
    expect(changed).toMatchObject({ status: "inactive", expiresAt });
    expect(await statusOf(issued)).toBe(401);
    const activated = await setKeyStatus(world.ctx, holder, { id: issued.id, status: "active" });
    expect(activated).toMatchObject({ status: "active", expiresAt });
    expect(await statusOf(issued)).toBe(works);
  });

  it("needs a time in the future", async () => {
    const holder = await open();
    const now = world.clock.now();
    await expect(issueKey(world.ctx, holder, { ...key, expiresAt: now })).rejects.toMatchObject({ code: "invalid" });
    const { id } = await issueKey(world.ctx, holder, key);
    await expect(setKeyExpiry(world.ctx, holder, { id, expiresAt: now })).rejects.toMatchObject({ code: "invalid" });
  });
});

describe("The job", () => {
  it("announces each expired and each rotated key once", async () => {
    // Keys of the tests above.
    pass(hours(24));
    await revokeExpiredKeys(world.ctx);
    const receiver = await startReceiver();
    const holder = await open();
    const input = { url: receiver.url, description: "", event_types: [...subscribableTypes] };
    await createEndpoint(world.ctx, holder, input);
    const expiring = await issueKey(world.ctx, holder, { ...key, expiresAt: later(hours(1)) });
    const old = await issueKey(world.ctx, holder, key);
    await rotateKey(world.ctx, holder, { id: old.id, overlapHours: 1 });
    expect(await revokeExpiredKeys(world.ctx)).toBe(0);
    pass(hours(1));
    expect(await revokeExpiredKeys(world.ctx)).toBe(2);
    expect(await revokeExpiredKeys(world.ctx)).toBe(0);
    const stored = await world.ctx.db
      .select()
      .from(webhookMessages)
      .where(eq(webhookMessages.accountId, holder.account.id));
    await receiver.close();
    const revoked = stored.map(({ payload }) => JSON.parse(payload)).filter(({ type }) => type === "api_key.revoked");
    expect(revoked.map(({ data }) => [data.api_key_id, data.reason])).toEqual([
      [old.id, "rotated"],
      [expiring.id, "expired"],
    ]);
  });

  it("reminds of an expiry seven days before, once", async () => {
    const holder = await open();
    await issueKey(world.ctx, holder, { ...key, api_key_name: "Long", expiresAt: later(hours(24 * 10)) });
    await issueKey(world.ctx, holder, { ...key, api_key_name: "Short", expiresAt: later(hours(24 * 5)) });
    const subjects = async () => {
      const rows = await world.ctx.db
        .select({ subject: outboxMessages.subject })
        .from(outboxMessages)
        .where(eq(outboxMessages.accountId, holder.account.id));
      return rows.map(({ subject }) => subject).filter((subject) => subject.includes("expires soon"));
    };
    await remindOfExpiringKeys(world.ctx);
    expect(await subjects()).toEqual([]);
    pass(hours(24 * 3));
    await remindOfExpiringKeys(world.ctx);
    await remindOfExpiringKeys(world.ctx);
    expect(await subjects()).toEqual(["Your API key “Long” expires soon"]);
  });
});
