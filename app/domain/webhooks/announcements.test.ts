import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, webhookMessages } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { subscribe, testCards } from "../../testing/purchases.ts";
import { type Receiver, startReceiver } from "../../testing/webhook-receiver.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { issueKey } from "../api-keys/issue.server.ts";
import { deleteKey, setKeyStatus } from "../api-keys/manage.server.ts";
import { runDueWork } from "../jobs/due-work.server.ts";
import { subscribableTypes } from "./enums.ts";
import { createEndpoint } from "./manage.server.ts";

/** The events that the rest of the service stores. */
describe("An account with a webhook endpoint", () => {
  let world: World;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    world = await createWorld();
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  const member = async () => {
    const { caller, account, token } = await world.account();
    const input = { url: receiver.url, description: "", event_types: [...subscribableTypes] };
    await createEndpoint(world.ctx, caller, input);
    return { caller, account, token };
  };
  const stored = async ({ account }: { account: Caller["account"] }) => {
    const rows = await world.ctx.db
      .select()
      .from(webhookMessages)
      .where(eq(webhookMessages.accountId, account.id))
      .orderBy(asc(webhookMessages.id));
    // The demo's feed changes data as the clock moves, which is not what these tests are about.
    return rows
      .filter(({ type }) => type !== "data.changed" && type !== "report.added")
      .map(({ payload }) => JSON.parse(payload) as { type: string; data: Record<string, unknown> });
  };
  const typesOf = async (holder: { account: Caller["account"] }) => (await stored(holder)).map(({ type }) => type);

  it("gets events for keys that are created, deactivated and deleted", async () => {
    const holder = await member();
    const { id } = await issueKey(world.ctx, holder.caller, { api_key_name: "Nightly", user: "ops" });
    await setKeyStatus(world.ctx, holder.caller, { id, status: "inactive" });
    await setKeyStatus(world.ctx, holder.caller, { id, status: "active" });
    await deleteKey(world.ctx, holder.caller, { id });
    expect(await stored(holder)).toMatchObject([
      { type: "api_key.created", data: { api_key_id: id, api_key_name: "Nightly", user: "ops" } },
      { type: "api_key.revoked", data: { api_key_id: id, api_key_name: "Nightly", reason: "deactivated" } },
      { type: "api_key.revoked", data: { api_key_id: id, api_key_name: "Nightly", reason: "deleted" } },
    ]);
  });

  it("gets events at 80 and 100 percent of the quota, once an hour", async () => {
    const holder = await member();
    await world.ctx.db
      .update(accounts)
      .set({ plan: "enterprise", customHourlyLimit: 10 })
      .where(eq(accounts.id, holder.account.id));
    const ask = async (times: number) => {
      for (let request = 0; request < times; request += 1) {
        await call(world, "GET", "/api-keys", { token: holder.token });
      }
    };
    await ask(7);
    expect(await stored(holder)).toEqual([]);
    await ask(1);
    expect(await typesOf(holder)).toEqual(["quota.reached_80"]);
    await ask(5);
    expect(await stored(holder)).toMatchObject([
      { data: { limit: 10, used: 8, resets_at: "2026-11-20T10:00:00.000Z" } },
      { type: "quota.reached_100", data: { limit: 10, used: 10, resets_at: "2026-11-20T10:00:00.000Z" } },
    ]);
    world.clock.set("2026-11-20T10:00:00Z");
    await ask(12);
    expect(await typesOf(holder)).toEqual([1, 2].flatMap(() => ["quota.reached_80", "quota.reached_100"]));
  });

  it("gets one event for each reminder, renewal, failed charge and end of a subscription", async () => {
    const renewing = await member();
    const declined = await member();
    const ending = await member();
    const subscription = await subscribe(world, renewing.caller);
    await subscribe(world, declined.caller, { card: testCards.declinedOffSession });
    await subscribe(world, ending.caller, { autoRenew: false });
    for (const day of ["12-13", "12-13", "12-17", "12-18", "12-19", "12-20", "12-21"]) {
      const at = new Date(`2026-${day}T10:00:00Z`);
      if (at > world.clock.now()) world.clock.set(at.toISOString());
      await runDueWork(world.ctx);
    }
    const named = { route_code: world.routes[0]?.code, route_name: world.routes[0]?.name };
    expect(await stored(renewing)).toMatchObject([
      { type: "subscription.expiring", data: { days_left: 7, auto_renew: true, end_date: "2026-12-20" } },
      {
        type: "subscription.renewed",
        data: {
          subscription_id: subscription.id,
          ...named,
          end_date: "2027-01-20",
          subscription_term: "1_month",
          currency: "USD",
          automatic: true,
        },
      },
    ]);
    expect(await typesOf(declined)).toEqual([
      "subscription.expiring",
      "payment.failed",
      "payment.failed",
      "payment.failed",
      "subscription.expiring",
      "subscription.expired",
    ]);
    const failures = (await stored(declined)).filter(({ type }) => type === "payment.failed");
    expect(failures.map(({ data }) => data.next_attempt_on)).toEqual(["2026-12-18", "2026-12-19", null]);
    expect(await stored(ending)).toMatchObject([
      { type: "subscription.expiring", data: { days_left: 7, auto_renew: false } },
      { type: "subscription.expiring", data: { days_left: 1, auto_renew: false } },
      { type: "subscription.expired", data: { end_date: "2026-12-20" } },
    ]);
  });
});
