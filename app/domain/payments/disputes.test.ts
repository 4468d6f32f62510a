import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, auditLog, disputes, outboxMessages, payments, renewalAttempts } from "#drizzle/schema/index.ts";
import { subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller, OperatorCaller } from "../accounts/caller.ts";
import { noticesOf } from "../notices/notices.server.ts";
import { reinstate } from "../operations/change-account.server.ts";
import { chargeDueRenewals } from "../subscriptions/charge-renewals.server.ts";
import { getSubscription } from "../subscriptions/list.server.ts";
import { remindExpiring } from "../subscriptions/remind.server.ts";
import { termOffers } from "../subscriptions/term-offers.server.ts";
import { listDisputes, recordDisputes } from "./disputes.server.ts";
import { listCards, makeDefaultCard, removeCard } from "./manage-cards.server.ts";

const start = "2026-11-20T09:30:00Z";
let world: World;
let operator: OperatorCaller;
beforeAll(async () => {
  world = await createWorld({ now: start });
  operator = await world.operator();
});
afterAll(() => world.close());

const disputed = async () => {
  const { account, caller } = await world.account();
  const subscription = await subscribe(world, caller);
  const [payment] = await world.ctx.db.select().from(payments).where(eq(payments.accountId, account.id));
  const chargeId = payment?.chargeId ?? "";
  const { id: disputeId } = await world.simulator.openDispute(chargeId);
  await world.simulator.idle();
  return { account, caller, subscription, chargeId, disputeId };
};

const accountNow = async (id: number) => (await world.ctx.db.select().from(accounts).where(eq(accounts.id, id)))[0];

const paymentNow = async (accountId: number) =>
  (await world.ctx.db.select().from(payments).where(eq(payments.accountId, accountId)))[0];

const subjects = async (accountId: number) =>
  (await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, accountId))).map(
    ({ subject }) => subject,
  );

const mailedTo = async (accountId: number, about: RegExp) =>
  (await subjects(accountId)).filter((subject) => about.test(subject)).length;

const textMailedTo = async (accountId: number, about: RegExp) =>
  (await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, accountId))).find(
    ({ subject }) => about.test(subject),
  )?.text;

const end = async (disputeId: string, outcome: "won" | "lost" | "warning_closed") => {
  await world.simulator.endDispute(disputeId, outcome);
  await world.simulator.idle();
};

const cardsOf = (caller: Caller) => listCards(world.ctx, caller);

const renewalOf = (caller: Caller, id: number) => getSubscription(world.ctx, caller, { id });

describe("A dispute", () => {
  it("is recorded and mailed once to the account holder and to each operator, however often it is reported", async () => {
    const { account, caller, chargeId } = await disputed();
    await Promise.all([recordDisputes(world.ctx, chargeId), recordDisputes(world.ctx, chargeId)]);
    expect(await listDisputes(world.ctx, caller)).toMatchObject([{ status: "open", reason: "fraudulent" }]);
    expect(await mailedTo(account.id, /is disputed/)).toBe(1);
    expect(await mailedTo(operator.account.id, new RegExp(`^${account.username} disputes`))).toBe(1);
    const log = await world.ctx.db.select().from(auditLog).where(eq(auditLog.accountId, account.id));
    expect(log.filter(({ action }) => action === "payment.disputed")).toHaveLength(1);
  });

  it("takes its card out of renewals until the account holder chooses it", async () => {
    const { caller } = await disputed();
    const [card] = await cardsOf(caller);
    expect(card).toMatchObject({ isDefault: false, isDisputed: true });
    await makeDefaultCard(world.ctx, caller, { id: card?.id ?? 0 });
    expect(await cardsOf(caller)).toMatchObject([{ isDefault: true, isDisputed: false }]);
  });

  it("does not make its card the default when another one is removed", async () => {
    const { caller } = await disputed();
    await world.ctx.db.update(accounts).set({ standing: "good" }).where(eq(accounts.id, caller.account.id));
    await subscribe(world, caller, { card: "5555555555554444" });
    const chosen = (await cardsOf(caller)).find(({ isDefault }) => isDefault);
    expect(chosen).toMatchObject({ last4: "4444" });
    await removeCard(world.ctx, caller, { id: chosen?.id ?? 0 });
    expect(await cardsOf(caller)).toMatchObject([{ isDefault: false, isDisputed: true }]);
  });

  it("leaves its card uncharged after the account is reinstated, and asks for a card instead", async () => {
    const { account, caller, subscription } = await disputed();
    expect((await accountNow(account.id))?.standing).toBe("suspended");
    await reinstate(world.ctx, operator, { accountId: account.id, reason: "Talked to the holder" });
    world.clock.set("2026-12-17T10:00:00Z");
    expect(await chargeDueRenewals(world.ctx)).toMatchObject({ succeeded: 0 });
    await world.simulator.idle();
    const attempts = await world.ctx.db
      .select()
      .from(renewalAttempts)
      .where(eq(renewalAttempts.subscriptionId, subscription.id));
    expect(attempts).toMatchObject([{ state: "declined", declineCode: "no_card" }]);
    expect((await accountNow(account.id))?.standing).toBe("good");
    expect(await mailedTo(account.id, /^Choose a card to renew/)).toBe(1);
    expect(await textMailedTo(account.id, /^Choose a card to renew/)).toContain(
      "We charge nothing until you choose a card for renewals. Unless the renewal is paid, your last day with access is 19 Dec 2026.",
    );
    expect(await renewalOf(caller, subscription.id)).toMatchObject({
      nextCharge: null,
      renewal: { state: "past_due", nextAttemptOn: null, needsCard: true, lastFailure: { code: "no_card" } },
    });
    expect(await listDisputes(world.ctx, caller)).toHaveLength(1);
    world.clock.set(start);
  });

  it("names no coming charge after the account is reinstated, until the account holder chooses a card", async () => {
    const { account, caller, subscription } = await disputed();
    const reinstated = { ...caller, account: { ...account, standing: "good" as const } };
    await reinstate(world.ctx, operator, { accountId: account.id, reason: "Talked to the holder" });
    expect(await renewalOf(reinstated, subscription.id)).toMatchObject({
      nextCharge: null,
      renewal: { state: "off", nextAttemptOn: null, needsCard: true, amountCents: null },
    });
    const offers = await termOffers(world.ctx, reinstated, { id: subscription.id });
    expect(new Set(offers.map(({ nextCharge }) => nextCharge))).toEqual(new Set([null]));
    world.clock.set("2026-12-13T10:00:00Z");
    await remindExpiring(world.ctx);
    expect(await mailedTo(account.id, /needs a card to renew$/)).toBe(1);
    expect(await mailedTo(account.id, /renews on/)).toBe(0);
    world.clock.set(start);
    const [card] = await cardsOf(caller);
    await makeDefaultCard(world.ctx, caller, { id: card?.id ?? 0 });
    expect(await renewalOf(reinstated, subscription.id)).toMatchObject({
      nextCharge: { date: "2026-12-17" },
      renewal: { state: "scheduled", nextAttemptOn: "2026-12-17", needsCard: false },
    });
  });

  it("is shown on every page while it is open", async () => {
    const { caller, disputeId } = await disputed();
    expect((await noticesOf(world.ctx, caller)).disputes).toMatchObject([{ currency: "USD", hasRenewalCard: false }]);
    const [card] = await cardsOf(caller);
    await makeDefaultCard(world.ctx, caller, { id: card?.id ?? 0 });
    expect((await noticesOf(world.ctx, caller)).disputes).toMatchObject([{ hasRenewalCard: true }]);
    await end(disputeId, "won");
    expect((await noticesOf(world.ctx, caller)).disputes).toEqual([]);
  });

  it.each([
    ["won", "won", null],
    ["lost", "lost", expect.any(Date)],
    ["warning_closed", "closed", null],
  ] as const)(
    "that ends as %s is recorded and mailed once, and the account stays for review",
    async (as, status, at) => {
      const { account, caller, chargeId, disputeId } = await disputed();
      await end(disputeId, as);
      await recordDisputes(world.ctx, chargeId);
      expect(await listDisputes(world.ctx, caller)).toMatchObject([{ status, endedAt: new Date(start) }]);
      expect((await paymentNow(account.id))?.disputedAt).toEqual(at);
      expect((await accountNow(account.id))?.standing).toBe("suspended");
      expect(await mailedTo(account.id, /dispute over .* has ended/)).toBe(1);
      expect(await mailedTo(operator.account.id, new RegExp(`^Dispute by ${account.username}: ${status}$`))).toBe(1);
    },
  );

  it("that is lost before we hear of it suspends the account", async () => {
    const { account, chargeId, disputeId } = await disputed();
    await world.simulator.endDispute(disputeId, "lost");
    await world.simulator.idle();
    await world.ctx.db.delete(disputes).where(eq(disputes.accountId, account.id));
    await world.ctx.db.update(accounts).set({ standing: "good" }).where(eq(accounts.id, account.id));
    await recordDisputes(world.ctx, chargeId);
    expect((await accountNow(account.id))?.standing).toBe("suspended");
  });
});
