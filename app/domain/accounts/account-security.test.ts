import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditLog, outboxMessages, sessions } from "#drizzle/schema/index.ts";
import { subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { issueKey } from "../api-keys/issue.server.ts";
import { addDays } from "../dates.ts";
import { changePassword } from "../recovery/change-password.server.ts";
import { chargeDueRenewals } from "../subscriptions/charge-renewals.server.ts";
import { allActivity, listActivity, registeredAt } from "./activity.server.ts";
import type { Account, Caller, SessionProof } from "./caller.ts";
import { passwordChange } from "./credentials.ts";
import type { SessionKind } from "./lucia.server.ts";
import { openSession, recognise } from "./session.server.ts";
import { listSessions, revokeAllSessions, revokeOtherSessions, revokeSession } from "./sessions-list.server.ts";
import { signIn } from "./sign-in.server.ts";

const password = "correct horse battery";
const change = { current_password: password, new_password: "staple battery horse" };
const origin = { ipAddress: "192.0.2.1", userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Firefox/133.0" };

let world: World;
let account: Account;
let caller: Caller<SessionProof>;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  ({ account, caller } = await world.account());
});

const open = async (kind: SessionKind, of = account) => (await openSession(world.ctx, of, kind, origin)).token;
const works = async (kind: SessionKind, token: string) => (await recognise(world.ctx, token, kind)) !== null;
const actsOf = async (of = caller) =>
  (await allActivity(world.ctx, of)).map(({ action, details }) => [action, details]);

describe("Changing the password", () => {
  it("makes the new password sign in and the old one fail", async () => {
    await changePassword(world.ctx, caller, change, origin);
    const by = (secret: string) => signIn(world.ctx, { email: account.email, password: secret }, "portal", origin);
    expect((await by(change.new_password)).account.id).toBe(account.id);
    await expect(by(password)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("ends all other sessions, is logged and notifies the account holder", async () => {
    const tokens = { portal: await open("portal"), bearer: await open("bearer") };
    const stranger = await world.account();
    expect(await changePassword(world.ctx, caller, change, origin)).toEqual({
      endedSessions: 2,
      revokedKeys: 0,
      removedPasskeys: 0,
    });
    expect(await works("portal", tokens.portal)).toBe(false);
    expect(await works("bearer", tokens.bearer)).toBe(false);
    expect(await works("bearer", stranger.token)).toBe(true);
    expect((await listSessions(world.ctx, caller)).map(({ isCurrent }) => isCurrent)).toEqual([true]);
    expect((await actsOf())[0]).toEqual(["password.changed", { ended_sessions: 2 }]);
    const mail = await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, account.id));
    expect(mail.map(({ subject }) => subject)).toEqual(["Your password was changed"]);
  });

  it("is rejected for a wrong current password and keeps the sessions", async () => {
    const token = await open("portal");
    await expect(
      changePassword(world.ctx, caller, { ...change, current_password: "wrong horse battery" }, origin),
    ).rejects.toMatchObject({ code: "invalid", fields: [{ path: "current_password" }] });
    expect(await works("portal", token)).toBe(true);
    expect(await actsOf()).toEqual([["account.registered", {}]]);
  });

  it("rejects the same password and a short one", async () => {
    await expect(
      changePassword(world.ctx, caller, { current_password: password, new_password: password }, origin),
    ).rejects.toMatchObject({ code: "invalid", fields: [{ path: "new_password" }] });
    expect(passwordChange.safeParse({ ...change, new_password: "elevenchars" }).success).toBe(false);
  });

  it("rejects a password that is easy to guess", async () => {
    for (const new_password of ["123456789012", `${account.username} 2026`]) {
      await expect(changePassword(world.ctx, caller, { ...change, new_password }, origin)).rejects.toMatchObject({
        code: "invalid",
        fields: [{ path: "new_password", message: expect.stringContaining("easy to guess") }],
      });
    }
  });

  it("throttles guesses within a session like sign-ins", async () => {
    const from = { ...origin, ipAddress: "192.0.2.77" };
    const guess = () => changePassword(world.ctx, caller, { ...change, current_password: "a wild guess" }, from);
    const outcomes: string[] = [];
    for (let i = 0; i < 21; i++) {
      world.clock.set(`2026-11-20T09:30:${String(i).padStart(2, "0")}Z`);
      outcomes.push(await guess().catch(({ code }) => code));
    }
    expect(outcomes.indexOf("rate_limited")).toBe(20);
    await expect(changePassword(world.ctx, caller, change, from)).rejects.toMatchObject({ code: "rate_limited" });
    const credentials = { email: account.email, password };
    await expect(signIn(world.ctx, credentials, "portal", from)).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("lets one of two concurrent changes win", async () => {
    const outcomes = await Promise.allSettled(
      ["first phrase of words", "second phrase of words"].map((new_password) =>
        changePassword(world.ctx, caller, { ...change, new_password }, origin),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find((outcome) => outcome.status === "rejected")).toMatchObject({ reason: { code: "conflict" } });
  });
});

describe("Sessions", () => {
  it("are listed with their origin, the current one first, without tokens", async () => {
    world.clock.set("2026-11-20T10:00:00Z");
    const token = await open("portal");
    await world.account();
    const listed = await listSessions(world.ctx, caller);
    expect(listed.map(({ kind, isCurrent, ipAddress }) => [kind, isCurrent, ipAddress])).toEqual([
      ["bearer", true, expect.stringMatching(/^192\.0\.2\./)],
      ["portal", false, origin.ipAddress],
    ]);
    expect(listed[1]).toMatchObject({ createdAt: new Date("2026-11-20T10:00:00Z"), userAgent: origin.userAgent });
    expect(JSON.stringify(listed)).not.toContain(token);
  });

  it("are not listed once they have expired", async () => {
    await open("bearer");
    world.clock.set("2026-11-22T09:30:00Z");
    expect(await listSessions(world.ctx, caller)).toEqual([]);
  });

  it("can be revoked individually, with immediate effect", async () => {
    const [kept, revoked] = [await open("portal"), await open("bearer")];
    const target = (await listSessions(world.ctx, caller)).find(
      ({ kind, isCurrent }) => kind === "bearer" && !isCurrent,
    );
    await revokeSession(world.ctx, caller, { id: target?.id ?? "" });
    expect(await works("bearer", revoked)).toBe(false);
    expect(await works("portal", kept)).toBe(true);
    expect((await actsOf())[0]).toEqual(["session.revoked", { kind: "bearer" }]);
    await expect(revokeSession(world.ctx, caller, { id: target?.id ?? "" })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("of other accounts are not found", async () => {
    const stranger = await world.account();
    const id = stranger.caller.proof.sessionId;
    await expect(revokeSession(world.ctx, caller, { id })).rejects.toMatchObject({ code: "not_found" });
    await revokeOtherSessions(world.ctx, caller);
    expect(await works("bearer", stranger.token)).toBe(true);
  });

  it("can all be revoked, including the current one", async () => {
    const stranger = await world.account();
    const token = await open("portal");
    expect(await revokeAllSessions(world.ctx, caller)).toEqual({ endedSessions: 2 });
    expect(await works("portal", token)).toBe(false);
    expect(await world.ctx.db.$count(sessions, eq(sessions.accountId, account.id))).toBe(0);
    expect((await actsOf())[0]).toEqual(["session.all_revoked", { ended_sessions: 2 }]);
    expect(await works("bearer", stranger.token)).toBe(true);
  });

  it("can all be revoked except the current one, and expired ones are not counted", async () => {
    await open("bearer");
    world.clock.set("2026-11-21T09:00:00Z");
    await open("portal");
    await open("portal");
    const { endedSessions } = await revokeOtherSessions(world.ctx, caller);
    expect(endedSessions).toBe(3);
    expect(await revokeOtherSessions(world.ctx, caller)).toEqual({ endedSessions: 0 });
    expect(await actsOf()).toEqual([
      ["session.others_revoked", { ended_sessions: 3 }],
      ["account.registered", {}],
    ]);
    const left = await world.ctx.db.select().from(sessions).where(eq(sessions.accountId, account.id));
    expect(left.map(({ id }) => id)).toEqual([caller.proof.sessionId]);
  });
});

describe("Activity", () => {
  it("shows sign-ins with session kind, user agent and IP address", async () => {
    await signIn(world.ctx, { email: account.email, password }, "portal", origin);
    expect((await actsOf())[0]).toEqual([
      "session.opened",
      { kind: "portal", address: origin.ipAddress, program: origin.userAgent },
    ]);
  });

  it("shows purchases and automatic renewals", async () => {
    const subscription = await subscribe(world, caller);
    expect((await actsOf())[0]).toEqual([
      "order.paid",
      expect.objectContaining({
        kind: "purchase",
        subscriptions: 1,
        subscription_id: subscription.id,
        currency: "USD",
      }),
    ]);
    world.clock.set(`${addDays(subscription.endDate, -2)}T09:00:00Z`);
    await chargeDueRenewals(world.ctx);
    const [renewal] = (await listActivity(world.ctx, caller, { limit: 1 })).rows;
    expect(renewal).toMatchObject({
      action: "order.paid",
      actor: "service",
      details: { kind: "renewal", subscription_id: subscription.id },
    });
  });

  it("is paged, newest first, and limited to the account", async () => {
    const stranger = await world.account();
    await issueKey(world.ctx, stranger.caller, { api_key_name: "Theirs", user: "theirs" });
    await issueKey(world.ctx, caller, { api_key_name: "Ours", user: "ours" });
    expect((await actsOf()).map(([action]) => action)).toEqual(["api_key.created", "account.registered"]);
    const newest = await listActivity(world.ctx, caller, { limit: 1 });
    expect(newest.rows.map(({ action }) => action)).toEqual(["api_key.created"]);
    const next = await listActivity(world.ctx, caller, { limit: 1, cursor: newest.nextCursor ?? "" });
    expect(next.rows.map(({ action }) => action)).toEqual(["account.registered"]);
    expect(next.nextCursor).toBeNull();
  });

  it("shows who acted", async () => {
    const operator = await world.account();
    await world.ctx.db.insert(auditLog).values([
      { accountId: account.id, action: "account.suspended", occurredAt: world.clock.now() },
      {
        accountId: account.id,
        actorAccountId: operator.account.id,
        action: "account.restored",
        occurredAt: world.clock.now(),
      },
    ]);
    const acts = await allActivity(world.ctx, caller);
    expect(acts.map(({ actor }) => actor)).toEqual(["operator", "service", "holder"]);
    expect(await registeredAt(world.ctx, caller)).toEqual(new Date("2026-11-20T09:30:00Z"));
  });
});
