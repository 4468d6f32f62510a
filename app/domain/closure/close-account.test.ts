import { and, eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  accounts,
  auditLog,
  invoices,
  orders,
  outboxMessages,
  paymentMethods,
  subscriptions,
  twoFactors,
} from "#drizzle/schema/index.ts";
import { asLongWork, asRequest } from "../../platform/time-budget.server.ts";
import { call } from "../../testing/api-client.ts";
import { untilLockIsContended } from "../../testing/lock-waits.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller, SessionProof } from "../accounts/caller.ts";
import { requestVerification, verifyEmail } from "../accounts/email-verification.server.ts";
import { endSessions, lockUnchanged } from "../accounts/lock.server.ts";
import { requestPasswordReset } from "../accounts/password-reset.server.ts";
import { register } from "../accounts/register.server.ts";
import { recognise } from "../accounts/session.server.ts";
import { revokeSession } from "../accounts/sessions-list.server.ts";
import { signIn } from "../accounts/sign-in.server.ts";
import { beginTwoFactor, confirmTwoFactor, enrolment } from "../accounts/two-factor.server.ts";
import { issueKey } from "../api-keys/issue.server.ts";
import { setKeyStatus } from "../api-keys/manage.server.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors.ts";
import { runDueWork } from "../jobs/due-work.server.ts";
import { removeCardsOfClosed } from "../payments/manage-cards.server.ts";
import { resetPassword } from "../recovery/reset-password.server.ts";
import { listSavedSearches, saveSearch } from "../saved-searches/saved-searches.server.ts";
import { checkout } from "../subscriptions/checkout.server.ts";
import { renewSubscription } from "../subscriptions/renew.server.ts";
import { closeAccount, closureSummary, deleteCredentials } from "./close-account.server.ts";

const password = "correct horse battery";
const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };

const timeoutMs = 20_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const close = (caller: Caller<SessionProof>, input: object = {}, ctx: Context = world.ctx) =>
  closeAccount(ctx, caller, { username: caller.account.username, current_password: password, ...input }, origin);

const order = (caller: Caller, ctx: Context = world.ctx) =>
  checkout(ctx, caller, { items: [{ periodId: periodOf(world), term: "1_month" }], autoRenew: true });
const openOrders = (accountId: number) =>
  world.ctx.db.$count(orders, and(eq(orders.accountId, accountId), eq(orders.status, "pending")));

type Member = Awaited<ReturnType<World["account"]>>;

const mailedToken = async (accountId: number): Promise<string> => {
  const mail = await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, accountId));
  return /token=(\S+)/.exec(mail.at(-1)?.text ?? "")?.[1] ?? "";
};

const passwordHashOf = async (id: number) =>
  (await world.ctx.db.select().from(accounts).where(eq(accounts.id, id)))[0]?.passwordHash;

describe("Closing an account", () => {
  it("announces the cards that the page of cards lists: one that was saved twice counts once", async () => {
    const { caller } = await world.account();
    await subscribe(world, caller);
    await subscribe(world, caller);
    expect((await closureSummary(world.ctx, caller)).cards).toBe(1);
  });

  it("ends its subscriptions, keys, sessions and cards, and keeps its invoices", async () => {
    const { account, caller, token } = await world.account();
    await subscribe(world, caller);
    const key = await issueKey(world.ctx, caller, { api_key_name: "Sync", user: "sync" });
    await checkout(world.ctx, caller, { items: [{ periodId: periodOf(world), term: "1_month" }], autoRenew: true });
    expect(await closureSummary(world.ctx, caller)).toMatchObject({
      subscriptions: 1,
      apiKeys: 1,
      sessions: 1,
      cards: 1,
    });
    await close(caller);

    expect(await recognise(world.ctx, token, "bearer")).toBeNull();
    const credentials = { email: account.email, password };
    await expect(signIn(world.ctx, credentials, "portal", origin)).rejects.toMatchObject({ code: "unauthenticated" });
    const route = world.routes[0]?.id;
    const byKey = await call(world, "GET", `/api-routes-data?id=${route}`, {
      key: { secret: key.secret, user: "sync" },
    });
    expect(byKey.status).toBe(401);
    const [subscription] = await world.ctx.db
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.accountId, account.id));
    expect(subscription).toMatchObject({ autoRenew: false, endDate: "2026-11-21", cancelledAt: world.clock.now() });
    expect(await world.ctx.db.$count(paymentMethods, eq(paymentMethods.accountId, account.id))).toBe(0);
    expect(await world.ctx.db.$count(invoices, eq(invoices.accountId, account.id))).toBe(1);
  });

  it("deletes its saved searches", async () => {
    const { caller } = await world.account();
    await saveSearch(world.ctx, caller, { name: "Reefers", query: "q=reefer" });
    await close(caller);
    expect(await listSavedSearches(world.ctx, caller)).toEqual([]);
  });

  it("erases personal data, notifies the old address, and frees address and username", async () => {
    const { account, caller } = await world.account();
    await close(caller);
    const [row] = await world.ctx.db.select().from(accounts).where(eq(accounts.id, account.id));
    expect(row).toMatchObject({ email: `closed:${account.id}`, username: `closed:${account.id}`, role: "holder" });
    expect(row?.closedAt).toEqual(world.clock.now());
    const mail = await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.toAddress, account.email));
    expect(mail.map(({ subject }) => subject)).toEqual(["Your account is closed"]);
    const acts = await world.ctx.db.select().from(auditLog).where(eq(auditLog.accountId, account.id));
    expect(acts.at(-1)?.action).toBe("account.closed");
    const { email, username } = account;
    expect((await register(world.ctx, { email, username, password }, origin)).id).not.toBe(account.id);
    const placeholder = { email: `closed:${account.id}`, password: "closed" };
    await expect(signIn(world.ctx, placeholder, "portal", origin)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("leaves cards to the job while the payment provider is unavailable", async () => {
    const { account, caller } = await world.account();
    await subscribe(world, caller);
    const saved = () => world.ctx.db.$count(paymentMethods, eq(paymentMethods.accountId, account.id));
    const away = { ...world.ctx.payments, detachCard: () => Promise.reject(new Refusal("unavailable", "Away")) };
    await close(caller, {}, { ...world.ctx, payments: away });
    expect(await saved()).toBe(1);
    expect(world.complaints.splice(0)).toEqual([
      "Cards of closed accounts were left for later: the payment provider is unavailable",
    ]);
    expect(await removeCardsOfClosed(world.ctx)).toBe(1);
    expect(await saved()).toBe(0);
    expect(await removeCardsOfClosed(world.ctx)).toBe(0);
  });

  it("keeps the cards if it is rejected because of a payment in progress", async () => {
    const { account, caller } = await world.account();
    await subscribe(world, caller);
    await checkout(world.ctx, caller, { items: [{ periodId: periodOf(world), term: "1_month" }], autoRenew: true });
    const { payments } = world.ctx;
    const cancelIntent = async (id: string) => ({ ...(await payments.getIntent(id)), status: "processing" as const });
    const refused = close(caller, {}, { ...world.ctx, payments: { ...payments, cancelIntent } });
    await expect(refused).rejects.toMatchObject({ code: "conflict" });
    await removeCardsOfClosed(world.ctx);
    const saved = () => world.ctx.db.$count(paymentMethods, eq(paymentMethods.accountId, account.id));
    expect(await saved()).toBe(1);
    await close(caller);
    expect(await saved()).toBe(0);
  });

  it("leaves no payable order, even if one is placed at the same time", async () => {
    const rounds = Array.from({ length: 6 }, async () => {
      const { account, caller } = await world.account();
      const [closed, ordered] = await Promise.allSettled([close(caller), order(caller)]);
      // Closing is refused while an order is open, and may be tried again.
      if (closed.status === "rejected") await close(caller);
      expect(await openOrders(account.id)).toBe(0);
      if (ordered.status === "rejected") expect(ordered.reason).toMatchObject({ code: "conflict" });
      else expect((await world.ctx.payments.getIntent(ordered.value.intent.id)).status).toBe("canceled");
    });
    await Promise.all(rounds);
  });

  it.each([
    [
      "confirms the address",
      async ({ account, caller }: Member) => {
        const { ctx } = world;
        await ctx.db.update(accounts).set({ emailVerifiedAt: null }).where(eq(accounts.id, account.id));
        await requestVerification(ctx, { ...caller, account: { ...account, emailVerifiedAt: null } });
        const token = await mailedToken(account.id);
        return () => verifyEmail(ctx, caller, { token });
      },
    ],
    [
      "sets a new password",
      async ({ account }: Member) => {
        await requestPasswordReset(world.ctx, { email: account.email }, origin);
        const token = await mailedToken(account.id);
        return () => resetPassword(world.ctx, { token, new_password: "another horse battery" }, origin);
      },
    ],
    [
      "ends a session",
      async ({ caller }: Member) =>
        () =>
          revokeSession(world.ctx, caller, { id: caller.proof.sessionId }),
    ],
    [
      "switches a key off",
      async ({ caller }: Member) => {
        const { id } = await issueKey(world.ctx, caller, { api_key_name: "Sync", user: "sync" });
        return () => setKeyStatus(world.ctx, caller, { id, status: "inactive" });
      },
    ],
  ])("does not deadlock with a request that %s at the same time", async (_, prepare) => {
    const member = await world.account();
    const { id } = member.account;
    const act = await prepare(member);
    const passwordHash = (await passwordHashOf(id)) ?? "";
    // Holds the lock as closing does, until the other request waits for it or has ended. The other one uses
    // connections of its own.
    const acted = await asLongWork(() =>
      world.ctx.db.transaction(async (tx) => {
        const locked = await lockUnchanged(tx, id, passwordHash);
        if (!locked) throw new Error("The account is not there to be locked");
        const settled = asRequest<unknown>(act, timeoutMs).then(
          () => "done",
          (error: unknown) => error,
        );
        await Promise.race([settled, asRequest(() => untilLockIsContended(world.ctx.db), timeoutMs)]);
        await endSessions(locked, world.clock.now());
        await deleteCredentials(tx, id);
        return { settled };
      }),
    );
    expect(await acted.settled).toSatisfy((end) => end === "done" || end instanceof Refusal);
  });

  it("cancels a payment that the provider is preparing", async () => {
    const { account, caller } = await world.account();
    const { payments } = world.ctx;
    const prepared: string[] = [];
    const createIntent: typeof payments.createIntent = async (...args) => {
      await close(caller);
      const intent = await payments.createIntent(...args);
      prepared.push(intent.id);
      return intent;
    };
    await expect(order(caller, { ...world.ctx, payments: { ...payments, createIntent } })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await openOrders(account.id)).toBe(0);
    expect((await payments.getIntent(prepared[0] ?? "")).status).toBe("canceled");
  });

  it("makes requests that were authenticated before fail to buy or renew", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller);
    await close(caller);
    const refused = { code: "conflict", message: "The account has been closed" };
    await expect(order(caller)).rejects.toMatchObject(refused);
    await expect(renewSubscription(world.ctx, caller, { id })).rejects.toMatchObject(refused);
    expect(await openOrders(account.id)).toBe(0);
  });

  it("requires a code if two-factor sign-in is on", async () => {
    const { caller, token } = await world.account();
    const again = { current_password: password };
    await beginTwoFactor(world.ctx, caller, again, origin);
    const secret = (await enrolment(world.ctx, caller))?.typed.replaceAll(" ", "") ?? "";
    const codeAt = (timestamp: Date) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: timestamp.getTime() });
    const code = codeAt(world.deviceClock.now());
    const { recoveryCodes } = await confirmTwoFactor(world.ctx, caller, { code }, origin);
    expect(await closureSummary(world.ctx, caller)).toMatchObject({ asks: "code" });
    const wrong = { code: "invalid", fields: [{ path: "code" }] };
    await expect(close(caller)).rejects.toMatchObject(wrong);
    await expect(close(caller, { code: "" })).rejects.toMatchObject(wrong);
    // The code that turned it on, which is used up.
    await expect(close(caller, { code })).rejects.toMatchObject(wrong);
    await expect(close(caller, { code: "000-not-a-code" })).rejects.toMatchObject(wrong);
    expect(await recognise(world.ctx, token, "bearer")).not.toBeNull();
    await close(caller, { code: recoveryCodes[0] });
    expect(await recognise(world.ctx, token, "bearer")).toBeNull();
    expect(await world.ctx.db.$count(twoFactors, eq(twoFactors.accountId, caller.account.id))).toBe(0);
  });

  it("requires the username and the password", async () => {
    const { caller, token } = await world.account();
    await expect(close(caller, { username: "somebody" })).rejects.toMatchObject({ fields: [{ path: "username" }] });
    await expect(close(caller, { current_password: "wrong horse" })).rejects.toMatchObject({
      fields: [{ path: "current_password" }],
    });
    // An unconfirmed second factor requires no code.
    await beginTwoFactor(world.ctx, caller, { current_password: password }, origin);
    expect(await recognise(world.ctx, token, "bearer")).not.toBeNull();
    await close(caller);
  });

  it("is rejected for the last operator", async () => {
    const operator = await world.operator();
    await expect(close(operator)).rejects.toMatchObject({ code: "conflict" });
    const second = await world.operator();
    const both = await Promise.allSettled([close(operator), close(second)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const left = both[0].status === "rejected" ? operator : second;
    const suspended = await world.operator();
    await world.ctx.db.update(accounts).set({ standing: "suspended" }).where(eq(accounts.id, suspended.account.id));
    await expect(close(left)).rejects.toMatchObject({ code: "conflict" });
  });

  it("leaves nothing for jobs to charge or mail", async () => {
    const { account, caller } = await world.account();
    await subscribe(world, caller);
    await close(caller);
    const written = () => world.ctx.db.$count(outboxMessages, eq(outboxMessages.accountId, account.id));
    const before = await written();
    world.clock.set("2026-12-18T10:00:00Z");
    expect(await runDueWork(world.ctx)).toMatchObject({ remindersSent: 0, chargesSucceeded: 0, chargesDeclined: 0 });
    expect(await written()).toBe(before);
    expect(world.complaints).toEqual([]);
  });
});
