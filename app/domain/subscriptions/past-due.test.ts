/** A renewal whose charge failed: what API and pages tell its holder, until it is paid or the subscription ends. */
import { eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, subscriptions } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { pay, subscribe, testCards } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Account, Caller } from "../accounts/caller.ts";
import { openSession } from "../accounts/session.server.ts";
import { noticesOf } from "../notices/notices.server.ts";
import { memoryRateLimiter } from "../rate-limit/memory.ts";
import { chargeDueRenewals } from "./charge-renewals.server.ts";
import { getSubscription } from "./list.server.ts";
import { cancelSubscription, setAutoRenew } from "./manage.server.ts";
import { renewSubscription } from "./renew.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ webhooks: false });
});
afterAll(() => world.close());
beforeEach(async () => {
  // Subscriptions of earlier tests are moved to the past, so that only those of this test are due.
  const past = (day: PgColumn) => sql`${day} - interval '20 years'`;
  await world.ctx.db
    .update(subscriptions)
    .set({ startDate: past(subscriptions.startDate), endDate: past(subscriptions.endDate) });
  world.clock.set("2026-11-20T09:30:00Z");
  world.ctx.rateLimiter = memoryRateLimiter();
});

const at = (day: string) => world.clock.set(`${day}T10:00:00Z`);
type Holder = { account: Account; caller: Caller };

const byApi = async ({ account }: Holder) => {
  const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
  const { token } = await openSession(world.ctx, account, "bearer", origin);
  const { body } = await call(world, "GET", "/subscriptions/my-routes", { token });
  const [{ renewal, next_charge }] = body.subscriptions;
  return { renewal, next_charge };
};

describe("The renewal in the API", () => {
  it("is scheduled, then past due with the failure and the next attempt, then without one, then off", async () => {
    const holder = await world.account();
    const { renewal } = await subscribe(world, holder.caller, { card: testCards.declinedOffSession });
    const amount_cents = renewal.amountCents;
    const price_change = { previous_amount_cents: amount_cents, reasons: [], capped: false };
    expect(await byApi(holder)).toEqual({
      renewal: { state: "scheduled", next_attempt_on: "2026-12-17", amount_cents, price_change, last_failure: null },
      next_charge: { date: "2026-12-17", amount_cents },
    });

    for (const [day, next] of [
      ["2026-12-17", "2026-12-18"],
      ["2026-12-18", "2026-12-19"],
      ["2026-12-19", null],
    ] as const) {
      at(day);
      await chargeDueRenewals(world.ctx);
      expect(await byApi(holder)).toEqual({
        renewal: {
          state: "past_due",
          next_attempt_on: next,
          amount_cents,
          price_change,
          last_failure: {
            code: "card_declined",
            message: "Your card was declined. Ask your bank why, or pay with another card.",
            at: `${day}T10:00:00.000Z`,
          },
        },
        next_charge: next && { date: next, amount_cents },
      });
    }

    at("2026-12-20");
    expect(await byApi(holder)).toMatchObject({
      renewal: { state: "off", next_attempt_on: null, amount_cents: null, last_failure: { code: "card_declined" } },
      next_charge: null,
    });
  });

  it("requires action while the bank asks for authentication", async () => {
    const holder = await world.account();
    await subscribe(world, holder.caller);
    at("2026-12-17");
    const chargeOffSession = async (...[input, key]: Parameters<typeof world.ctx.payments.chargeOffSession>) => {
      const intent = await world.ctx.payments.createIntent({ ...input, saveCard: false }, `${key}-unpaid`);
      return { ...intent, declineCode: "authentication_required" };
    };
    await chargeDueRenewals({ ...world.ctx, payments: { ...world.ctx.payments, chargeOffSession } });
    expect((await byApi(holder)).renewal).toMatchObject({
      state: "action_required",
      next_attempt_on: "2026-12-18",
      last_failure: {
        code: "authentication_required",
        message: "Your bank asks you to approve the payment. Approve it to pay.",
      },
    });
    expect((await noticesOf(world.ctx, holder.caller)).pastDue).toMatchObject([{ needsAuthentication: true }]);
  });

  it("says when there is no card", async () => {
    const holder = await world.account();
    const { id } = await subscribe(world, holder.caller, { autoRenew: false });
    expect((await byApi(holder)).renewal).toEqual({
      state: "off",
      next_attempt_on: null,
      amount_cents: null,
      price_change: null,
      last_failure: null,
    });
    await setAutoRenew(world.ctx, holder.caller, { id, autoRenew: true });
    at("2026-12-17");
    await chargeDueRenewals(world.ctx);
    expect((await byApi(holder)).renewal).toMatchObject({
      state: "past_due",
      last_failure: { code: "no_card", message: "No card is saved for renewals. Pay with a card now." },
    });
  });
});

describe("A renewal is past due no longer", () => {
  const declined = async () => {
    const holder = await world.account();
    const { id, routeId } = await subscribe(world, holder.caller, { card: testCards.declinedOffSession });
    at("2026-12-17");
    await chargeDueRenewals(world.ctx);
    expect((await noticesOf(world.ctx, holder.caller)).pastDue).toEqual([
      {
        subscriptionId: id,
        routeId,
        routeName: world.routes.find((route) => route.id === routeId)?.name,
        endDate: "2026-12-20",
        needsAuthentication: false,
      },
    ]);
    return { holder, id };
  };

  it.each<[string, (caller: Caller, id: number) => Promise<unknown>]>([
    [
      "once the holder has paid it",
      async (caller, id) => pay(world, caller, await renewSubscription(world.ctx, caller, { id })),
    ],
    ["once the subscription is cancelled", (caller, id) => cancelSubscription(world.ctx, caller, { id })],
    ["once auto-renewal is off", (caller, id) => setAutoRenew(world.ctx, caller, { id, autoRenew: false })],
    ["after the end", async () => at("2026-12-20")],
  ])("%s", async (_, act) => {
    const { holder, id } = await declined();
    await act(holder.caller, id);
    expect((await noticesOf(world.ctx, holder.caller)).pastDue).toEqual([]);
    const { renewal } = await getSubscription(world.ctx, holder.caller, { id });
    expect(["scheduled", "off"]).toContain(renewal.state);
  });

  it("while the account is suspended, because it cannot be paid then", async () => {
    const { holder, id } = await declined();
    await world.ctx.db.update(accounts).set({ standing: "suspended" }).where(eq(accounts.id, holder.account.id));
    expect((await noticesOf(world.ctx, holder.caller)).pastDue).toEqual([]);
    const account = { ...holder.account, standing: "suspended" as const };
    const { renewal } = await getSubscription(world.ctx, { ...holder.caller, account }, { id });
    expect(renewal).toMatchObject({ state: "off", amountCents: null });
  });
});
