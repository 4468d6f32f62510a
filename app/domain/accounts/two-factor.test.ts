import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { outboxMessages, recoveryCodes as recoveryCodesTable, sessions, twoFactors } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { holdingTransactions, untilLockIsContended } from "../../testing/lock-waits.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { changePassword } from "../recovery/change-password.server.ts";
import { resetPassword } from "../recovery/reset-password.server.ts";
import { allActivity } from "./activity.server.ts";
import type { Account, Caller, SessionProof } from "./caller.ts";
import { requestPasswordReset } from "./password-reset.server.ts";
import { readRecoveryCode, writeRecoveryCode } from "./recovery-code.ts";
import { recognise } from "./session.server.ts";
import { answerChallenge, beginSignIn, signIn, waysToAnswer } from "./sign-in.server.ts";
import {
  beginTwoFactor,
  confirmTwoFactor,
  enrolment,
  renewRecoveryCodes,
  turnOffTwoFactor,
  twoFactorOf,
} from "./two-factor.server.ts";

const password = "correct horse battery";
const again = { current_password: password };
const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };

let world: World;
let account: Account;
let caller: Caller<SessionProof>;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
let hours = 0;
beforeEach(async () => {
  hours += 1;
  // Moves to another hour of the throttle. The time of the phones stays.
  world.clock.set(new Date(Date.parse("2026-11-20T09:30:00Z") + hours * 3_600_000).toISOString());
  world.deviceClock.set("2026-11-20T09:30:10Z");
  ({ account, caller } = await world.account());
});

const wait = (seconds: number) =>
  world.deviceClock.set(new Date(world.deviceClock.now().getTime() + seconds * 1000).toISOString());

/** The code that the phone shows, some steps of 30 seconds later or earlier. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: world.deviceClock.now().getTime() + steps * 30_000,
  });

const begin = async (): Promise<string> => {
  await beginTwoFactor(world.ctx, caller, again, origin);
  return (await enrolment(world.ctx, caller))?.typed.replaceAll(" ", "") ?? "";
};

/** Turns two-factor sign-in on and leaves the next code unused. */
const turnOn = async () => {
  const secret = await begin();
  const { recoveryCodes } = await confirmTwoFactor(world.ctx, caller, { code: codeOf(secret) }, origin);
  wait(30);
  return { secret, recoveryCodes };
};

const atTheDoor = async (): Promise<string> => {
  const signedIn = await beginSignIn(world.ctx, { email: account.email, password }, origin);
  if (!("challenge" in signedIn)) throw new Error("No second factor was asked for");
  return signedIn.challenge.token;
};

const answer = (token: string, code: string) => answerChallenge(world.ctx, { token, code }, origin);
const subjects = async () => {
  const mail = await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, account.id));
  return mail.map(({ subject }) => subject);
};
const acts = async () => (await allActivity(world.ctx, caller)).map(({ action }) => action);
const wrong = { code: "invalid", fields: [{ path: "code" }] };

describe("Setting up two-factor sign-in", () => {
  it("takes the password and a correct code, returns ten recovery codes and notifies the account holder", async () => {
    await expect(
      beginTwoFactor(world.ctx, caller, { current_password: "a wrong password" }, origin),
    ).rejects.toMatchObject({ fields: [{ path: "current_password" }] });
    const secret = await begin();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect((await enrolment(world.ctx, caller))?.uri).toMatch(/^otpauth:\/\/totp\/.*secret=[A-Z2-7]{32}/);
    expect(await twoFactorOf(world.ctx, caller)).toEqual({ isOn: false });
    await expect(confirmTwoFactor(world.ctx, caller, { code: codeOf(secret, 5) }, origin)).rejects.toMatchObject(wrong);
    const { recoveryCodes } = await confirmTwoFactor(world.ctx, caller, { code: codeOf(secret) }, origin);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await twoFactorOf(world.ctx, caller)).toMatchObject({ isOn: true, recoveryCodesLeft: 10 });
    expect(await enrolment(world.ctx, caller)).toBeNull();
    expect(await subjects()).toEqual(["Two-factor sign-in was turned on"]);
    expect((await acts())[0]).toBe("two_factor.turned_on");
  });

  it("has no effect before the first code, and expires after fifteen minutes", async () => {
    const secret = await begin();
    expect(await beginSignIn(world.ctx, { email: account.email, password }, origin)).toHaveProperty("session");
    world.clock.set(new Date(world.clock.now().getTime() + 16 * 60_000).toISOString());
    expect(await enrolment(world.ctx, caller)).toBeNull();
    await expect(confirmTwoFactor(world.ctx, caller, { code: codeOf(secret) }, origin)).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("stores neither the secret nor the recovery codes in plain text", async () => {
    const { secret, recoveryCodes } = await turnOn();
    const [factor] = await world.ctx.db.select().from(twoFactors).where(eq(twoFactors.accountId, account.id));
    const bytes = Buffer.from(Secret.fromBase32(secret).bytes);
    expect(Buffer.from(factor?.sealedSecret ?? []).includes(bytes)).toBe(false);
    const rows = JSON.stringify(await world.ctx.db.select().from(recoveryCodesTable));
    for (const code of recoveryCodes) expect(rows).not.toContain(code);
  });

  it("is rejected while it is on, and succeeds once when confirmed twice at the same time", async () => {
    const secret = await begin();
    const code = codeOf(secret);
    const outcomes = await Promise.allSettled([1, 2].map(() => confirmTwoFactor(world.ctx, caller, { code }, origin)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(begin()).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("Signing in with a second factor", () => {
  it("opens a session only after the code", async () => {
    const { secret } = await turnOn();
    const before = await world.ctx.db.$count(sessions, eq(sessions.accountId, account.id));
    const token = await atTheDoor();
    expect(await world.ctx.db.$count(sessions, eq(sessions.accountId, account.id))).toBe(before);
    expect(await recognise(world.ctx, token, "portal")).toBeNull();
    const { session, recoveryCodesLeft } = await answer(token, codeOf(secret).replace(/(...)/, "$1 "));
    expect(recoveryCodesLeft).toBeNull();
    expect((await recognise(world.ctx, session.token, "portal"))?.account.id).toBe(account.id);
    expect((await acts())[0]).toBe("session.opened");
    expect(await waysToAnswer(world.ctx, token)).toBeNull();
  });

  it.each([-1, 0, 1])("accepts the code of step %i", async (steps) => {
    const { secret } = await turnOn();
    wait(60);
    await answer(await atTheDoor(), codeOf(secret, steps));
  });

  it.each([-2, 2])("rejects the code of step %i and logs it", async (steps) => {
    const { secret } = await turnOn();
    wait(90);
    await expect(answer(await atTheDoor(), codeOf(secret, steps))).rejects.toMatchObject(wrong);
    expect((await acts())[0]).toBe("second_factor.refused");
  });

  it("rejects a used code and codes of earlier steps", async () => {
    const { secret } = await turnOn();
    wait(60);
    const code = codeOf(secret);
    await answer(await atTheDoor(), code);
    await expect(answer(await atTheDoor(), code)).rejects.toMatchObject(wrong);
    await expect(answer(await atTheDoor(), codeOf(secret, -1))).rejects.toMatchObject(wrong);
  });

  it("accepts a code once when it is used twice at the same time, with one challenge or two", async () => {
    const { secret } = await turnOn();
    const two = [await atTheDoor(), await atTheDoor()];
    const code = codeOf(secret);
    const outcomes = await Promise.allSettled(two.map((token) => answer(token, code)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    wait(30);
    const { recoveryCodes } = await renewRecoveryCodes(world.ctx, caller, { ...again, code: codeOf(secret) }, origin);
    const token = await atTheDoor();
    const both = await Promise.allSettled(recoveryCodes.slice(0, 2).map((recovery) => answer(token, recovery)));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("uses the phone's time, not the test clock", async () => {
    const { secret } = await turnOn();
    world.clock.set("2027-03-01T00:00:00Z");
    await answer(await atTheDoor(), codeOf(secret));
  });

  it("fails after ten minutes, and after a change of the password", async () => {
    const { secret, recoveryCodes } = await turnOn();
    const late = await atTheDoor();
    world.clock.set(new Date(world.clock.now().getTime() + 10 * 60_000).toISOString());
    await expect(answer(late, codeOf(secret))).rejects.toMatchObject({ code: "unauthenticated" });
    const token = await atTheDoor();
    const change = { ...again, new_password: "staple battery horse", code: recoveryCodes[0] };
    await changePassword(world.ctx, caller, change, origin);
    await expect(answer(token, codeOf(secret))).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("is reported after five wrong codes, once a day, and paused for longer and longer after twenty", async () => {
    const { secret, recoveryCodes } = await turnOn();
    const start = world.clock.now().getTime();
    const afterHours = (hours: number) => world.clock.set(new Date(start + hours * 3_600_000).toISOString());
    const stranger = { ipAddress: "198.51.100.9", userAgent: "somebody else" };
    const guess = (token: string, code: string) => answerChallenge(world.ctx, { token, code }, stranger);
    const reported = async () => (await subjects()).filter((subject) => subject.startsWith("Wrong two-factor")).length;
    const first = await atTheDoor();
    for (let i = 0; i < 4; i++) await expect(guess(first, "000000")).rejects.toMatchObject({ code: "invalid" });
    expect(await reported()).toBe(0);
    for (let i = 0; i < 16; i++) await expect(guess(first, "000000")).rejects.toMatchObject({ code: "invalid" });
    expect(await reported()).toBe(1);
    let hours = 0;
    for (const pause of [1, 2, 4, 8, 16, 24, 24]) {
      afterHours(hours + pause - 0.01);
      await expect(guess(await atTheDoor(), codeOf(secret))).rejects.toMatchObject({ code: "rate_limited" });
      hours += pause;
      afterHours(hours);
      await expect(guess(await atTheDoor(), "000000")).rejects.toMatchObject({ code: "invalid" });
    }
    // The holder's known place is not paused, and neither are recovery codes.
    await answer(await atTheDoor(), codeOf(secret));
    await guess(await atTheDoor(), recoveryCodes[0] ?? "");
  });

  it("is limited to twenty codes an hour", async () => {
    const { secret } = await turnOn();
    const token = await atTheDoor();
    const outcomes: string[] = [];
    for (let i = 0; i < 21; i++) outcomes.push(await answer(token, "000000").catch(({ code }) => code));
    expect(outcomes.indexOf("rate_limited")).toBe(20);
    await expect(answer(token, codeOf(secret))).rejects.toMatchObject({ code: "rate_limited" });
  });
});

describe("A recovery code", () => {
  it("signs in once and notifies the account holder how many are left", async () => {
    const { recoveryCodes } = await turnOn();
    const [code = ""] = recoveryCodes;
    const { recoveryCodesLeft } = await answer(await atTheDoor(), ` ${code.replaceAll("-", "").toUpperCase()} `);
    expect(recoveryCodesLeft).toBe(9);
    await expect(answer(await atTheDoor(), code)).rejects.toMatchObject(wrong);
    expect(await subjects()).toContain("A recovery code was used");
    expect(await acts()).toContain("recovery_code.used");
    expect(await twoFactorOf(world.ctx, caller)).toMatchObject({ recoveryCodesLeft: 9 });
  });

  it("of another account is rejected", async () => {
    const { recoveryCodes } = await turnOn();
    ({ account, caller } = await world.account());
    await turnOn();
    await expect(answer(await atTheDoor(), recoveryCodes[0] ?? "")).rejects.toMatchObject(wrong);
  });

  it("is void once new codes are created", async () => {
    const { secret, recoveryCodes } = await turnOn();
    for (const code of [
      undefined,
      "",
      "000000",
      recoveryCodes[0]?.replace(/^./, (first) => (first === "z" ? "y" : "z")),
    ]) {
      const refused = renewRecoveryCodes(
        world.ctx,
        caller,
        { ...again, ...(code === undefined ? {} : { code }) },
        origin,
      );
      await expect(refused).rejects.toMatchObject(wrong);
    }
    const renewed = await renewRecoveryCodes(world.ctx, caller, { ...again, code: codeOf(secret) }, origin);
    await expect(answer(await atTheDoor(), recoveryCodes[0] ?? "")).rejects.toMatchObject(wrong);
    await answer(await atTheDoor(), renewed.recoveryCodes[0] ?? "");
  });

  it("is easy to read from paper", () => {
    const code = writeRecoveryCode(new Uint8Array([0, 66, 50, 133, 66, 49, 198, 133, 255, 255, 8, 64, 12, 99, 31]));
    expect(code).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){5}$/);
    expect(readRecoveryCode(code.toUpperCase().replaceAll("0", "O").replaceAll("1", "L"))).toBe(code);
    expect(readRecoveryCode("123456")).toBeNull();
  });

  it("may still be one of the 16 letters that older accounts have on paper", () => {
    expect(readRecoveryCode("7K3M X9PQ 2VWD HN5T")).toBe("7k3m-x9pq-2vwd-hn5t");
  });
});

describe("Turning off two-factor sign-in", () => {
  const turnOff = (code?: string, current_password = password) =>
    turnOffTwoFactor(world.ctx, caller, { current_password, ...(code === undefined ? {} : { code }) }, origin);

  it("requires both the password and a code", async () => {
    const { secret, recoveryCodes } = await turnOn();
    for (const code of [undefined, "", "000000"]) await expect(turnOff(code)).rejects.toMatchObject(wrong);
    await expect(turnOff(codeOf(secret), "a wrong password")).rejects.toMatchObject({
      fields: [{ path: "current_password" }],
    });
    expect(await twoFactorOf(world.ctx, caller)).toMatchObject({ isOn: true, recoveryCodesLeft: 10 });
    await turnOff(recoveryCodes[3]);
    expect(await twoFactorOf(world.ctx, caller)).toEqual({ isOn: false });
  });

  it("shares the budget for codes with sign-ins", async () => {
    const { secret } = await turnOn();
    const token = await atTheDoor();
    for (let i = 0; i < 20; i++) await expect(turnOff("000000")).rejects.toMatchObject(wrong);
    await expect(turnOff(codeOf(secret))).rejects.toMatchObject({ code: "rate_limited" });
    await expect(answer(token, codeOf(secret))).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("is rejected if the password has changed since it was checked", async () => {
    const { secret } = await turnOn();
    const { reached, commit, ctx } = holdingTransactions(world.ctx);
    await requestPasswordReset(world.ctx, { email: account.email }, origin);
    const sent = await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, account.id));
    const token = sent.flatMap(({ text }) => /reset-password\?token=(\S+)/.exec(text)?.[1] ?? [])[0] ?? "";
    const changing = resetPassword(ctx, { token, new_password: "staple battery horse" }, origin);
    await reached;
    const turnedOff = turnOff(codeOf(secret)).catch((error) => error);
    await Promise.race([untilLockIsContended(world.ctx.db), turnedOff]);
    commit();
    await changing;
    expect(await turnedOff).toMatchObject({ code: "conflict" });
    expect(await twoFactorOf(world.ctx, caller)).toMatchObject({ isOn: true });
  });

  it("leaves the password alone sufficient to sign in", async () => {
    const { secret, recoveryCodes } = await turnOn();
    const token = await atTheDoor();
    await turnOff(codeOf(secret));
    await expect(answer(token, recoveryCodes[0] ?? "")).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await beginSignIn(world.ctx, { email: account.email, password }, origin)).toHaveProperty("session");
    expect(await subjects()).toContain("Two-factor sign-in was turned off");
    await expect(turnOff()).rejects.toMatchObject({ code: "conflict" });
    await expect(renewRecoveryCodes(world.ctx, caller, again, origin)).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("POST /auth/login of an account with two-factor sign-in", () => {
  it("takes the code with the password, and answers a missing code with the same 401 as a wrong password", async () => {
    const { secret } = await turnOn();
    const login = (body: object) =>
      call(world, "POST", "/auth/login", { body: { email: account.email, password, ...body } });
    const replies = [await login({}), await login({ one_time_code: "000000" }), await login({ password: "wrong" })];
    for (const { status, body } of replies) {
      expect([status, body.message]).toEqual([401, "Invalid or missing authentication"]);
    }
    const right = await login({ one_time_code: codeOf(secret) });
    expect(right.status).toBe(200);
    expect((await recognise(world.ctx, right.body.access_token, "bearer"))?.account.id).toBe(account.id);
    expect((await login({ one_time_code: codeOf(secret) })).status).toBe(401);
  });

  it("ignores a code for an account without a second factor", async () => {
    const reply = await call(world, "POST", "/auth/login", {
      body: { email: account.email, password, one_time_code: "123456" },
    });
    expect(reply.status).toBe(200);
  });
});

it("A sign-in during a password change opens no session that survives the change", async () => {
  const rounds = Array.from({ length: 6 }, async () => {
    const { account, caller } = await world.account();
    const credentials = { email: account.email, password };
    const [signedIn] = await Promise.allSettled([
      signIn(world.ctx, credentials, "portal", origin),
      changePassword(world.ctx, caller, { ...again, new_password: "staple battery horse" }, origin),
    ]);
    if (signedIn.status === "rejected") return;
    const left = await world.ctx.db.select().from(sessions).where(eq(sessions.accountId, account.id));
    expect(left.map(({ id }) => id)).toEqual([caller.proof.sessionId]);
  });
  await Promise.all(rounds);
});
