import { and, desc, eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, apiKeys, auditLog, outboxMessages, recoveryCodes } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { allActivity } from "../accounts/activity.server.ts";
import { asOperator, type Caller, type OperatorCaller, type SessionProof } from "../accounts/caller.ts";
import { recognise } from "../accounts/session.server.ts";
import { answerChallenge, beginSignIn } from "../accounts/sign-in.server.ts";
import { beginTwoFactor, confirmTwoFactor, enrolment, twoFactorOf } from "../accounts/two-factor.server.ts";
import { issueKey } from "../api-keys/issue.server.ts";
import { getAccountProfile } from "./find-accounts.server.ts";
import { removeHoldersTwoFactor } from "./remove-two-factor.server.ts";

const password = "correct horse battery";
const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
const reason = "Called back at the number of the contract";

let world: World;
let operator: OperatorCaller;
beforeAll(async () => {
  world = await createWorld();
  operator = await world.operator();
});
afterAll(() => world.close());

/** @returns the recovery codes */
const turnOn = async (caller: Caller<SessionProof>): Promise<string[]> => {
  await beginTwoFactor(world.ctx, caller, { current_password: password }, origin);
  const secret = Secret.fromBase32((await enrolment(world.ctx, caller))?.typed.replaceAll(" ", "") ?? "");
  const code = new TOTP({ secret }).generate({ timestamp: world.deviceClock.now().getTime() });
  return (await confirmTwoFactor(world.ctx, caller, { code }, origin)).recoveryCodes;
};

const remove = (accountId: number, by = operator) => removeHoldersTwoFactor(world.ctx, by, { accountId, reason });
const knock = ({ account }: Caller) => beginSignIn(world.ctx, { email: account.email, password }, origin);

describe("Turning off a lost second factor", () => {
  it("makes the password sufficient, and ends all sessions and sign-in challenges", async () => {
    const { account, caller, token } = await world.account();
    const codes = await turnOn(caller);
    await issueKey(world.ctx, caller, { api_key_name: "Sync", user: "sync" });
    const signIn = await knock(caller);
    if (!("challenge" in signIn)) throw new Error("No second factor was asked for");

    expect(await remove(account.id)).toEqual({ endedSessions: 1 });
    expect(await recognise(world.ctx, token, "bearer")).toBeNull();
    const answer = answerChallenge(world.ctx, { token: signIn.challenge.token, code: codes[0] ?? "" }, origin);
    await expect(answer).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await world.ctx.db.$count(recoveryCodes, eq(recoveryCodes.accountId, account.id))).toBe(0);
    expect(await knock(caller)).toHaveProperty("session");
    expect(await world.ctx.db.$count(apiKeys, eq(apiKeys.accountId, account.id))).toBe(1);
  });

  it("is logged with operator and reason, and mailed with advice", async () => {
    const { account, caller } = await world.account();
    await turnOn(caller);
    await remove(account.id);
    expect((await allActivity(world.ctx, caller))[0]).toMatchObject({
      action: "two_factor.removed",
      actor: "operator",
      details: { reason, ended_sessions: 1 },
    });
    const [act] = await world.ctx.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.accountId, account.id), eq(auditLog.action, "two_factor.removed")));
    expect(act?.actorAccountId).toBe(operator.account.id);
    const [mail] = await world.ctx.db
      .select()
      .from(outboxMessages)
      .where(eq(outboxMessages.accountId, account.id))
      .orderBy(desc(outboxMessages.id));
    expect(mail).toMatchObject({
      toAddress: account.email,
      subject: "We have turned off two-factor sign-in for you",
      text: expect.stringMatching(/Called back[\s\S]*If you did not ask[\s\S]*\/forgot-password/),
    });
  });

  it("succeeds once when done twice at the same time, and shows on the account's page", async () => {
    const { account, caller } = await world.account();
    await turnOn(caller);
    const profile = () => getAccountProfile(world.ctx, operator, { id: account.id });
    expect((await profile()).twoFactor).toMatchObject({ isOn: true, recoveryCodesLeft: 10 });
    const outcomes = await Promise.allSettled([remove(account.id), remove(account.id)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await profile()).twoFactor).toEqual({ isOn: false });
  });

  it("is rejected without a confirmed second factor, and ends no session", async () => {
    const { account, caller, token } = await world.account();
    await beginTwoFactor(world.ctx, caller, { current_password: password }, origin);
    await expect(remove(account.id)).rejects.toMatchObject({ code: "conflict" });
    expect(await enrolment(world.ctx, caller)).not.toBeNull();
    expect(await recognise(world.ctx, token, "bearer")).not.toBeNull();
  });

  it("is allowed for other operators' accounts, but not for one's own", async () => {
    const { caller } = await world.account();
    await world.ctx.db.update(accounts).set({ role: "operator" }).where(eq(accounts.id, caller.account.id));
    const colleague = asOperator({ ...caller, account: { ...caller.account, role: "operator" } });
    await turnOn(caller);
    await expect(remove(colleague.account.id, colleague)).rejects.toMatchObject({ code: "conflict" });
    expect(await twoFactorOf(world.ctx, colleague)).toMatchObject({ isOn: true });
    await remove(colleague.account.id);
    expect(await twoFactorOf(world.ctx, colleague)).toEqual({ isOn: false });
  });

  it("is rejected for closed and unknown accounts", async () => {
    const { account } = await world.account();
    await world.ctx.db.update(accounts).set({ closedAt: world.clock.now() }).where(eq(accounts.id, account.id));
    await expect(remove(account.id)).rejects.toMatchObject({ code: "conflict" });
    await expect(remove(999_999)).rejects.toMatchObject({ code: "not_found" });
  });
});
