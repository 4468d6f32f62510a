/**
 * Accounts that somebody opens with another person's address, in wait for its owner. The variants are those of Sudhodanan and
 * Paverd, "Pre-hijacked accounts" (USENIX Security 2022). Sign-in by another identity provider, which two of them need, does not
 * exist here: registering again takes its place.
 */

import { desc, eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { calendarFeeds, outboxMessages, recoveryCodes, webhookEndpoints } from "#drizzle/schema/index.ts";
import { SoftPasskey } from "../../testing/passkey.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { allActivity } from "../accounts/activity.server.ts";
import type { Account, Caller, SessionProof } from "../accounts/caller.ts";
import { findVerification, requestEmailChange, verifyEmail } from "../accounts/email-verification.server.ts";
import { beginPasskeySignIn, signInWithPasskey } from "../accounts/passkey-sign-in.server.ts";
import { addPasskey, beginPasskey } from "../accounts/passkeys.server.ts";
import { requestPasswordReset } from "../accounts/password-reset.server.ts";
import { register } from "../accounts/register.server.ts";
import { openSession, recognise } from "../accounts/session.server.ts";
import { signIn } from "../accounts/sign-in.server.ts";
import { beginTwoFactor, confirmTwoFactor, enrolment, twoFactorOf } from "../accounts/two-factor.server.ts";
import { authenticateKey } from "../api-keys/authenticate.server.ts";
import { issueKey } from "../api-keys/issue.server.ts";
import { createCalendarFeed, readCalendarFeed } from "../calendar/feed.server.ts";
import { createEndpoint } from "../webhooks/manage.server.ts";
import { openReset, resetPassword } from "./reset-password.server.ts";

const intruder = { ipAddress: "192.0.2.66", userAgent: "intruder" };
const owner = { ipAddress: "198.51.100.7", userAgent: "owner" };
const theirs = "a password of the intruder";
const password = "staple battery horse";

let world: World;
let names = 0;
let account: Account;
let caller: Caller<SessionProof>;
let token: string;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** The intruder opens an account with the address of somebody else, and stays signed in. */
beforeEach(async () => {
  names += 1;
  const input = { email: `owner-${names}@company.example`, username: `squatter-${names}`, password: theirs };
  account = await register(world.ctx, input, intruder);
  token = (await openSession(world.ctx, account, "portal", intruder)).token;
  caller = await callerOf(token);
});

const callerOf = async (token: string) => {
  const found = await recognise(world.ctx, token, "portal");
  if (!found) throw new Error("Not signed in");
  return found;
};

const mailTo = (address: string) =>
  world.ctx.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.toAddress, address))
    .orderBy(desc(outboxMessages.id));
const tokenIn = (text = "") => /token=(\S+)/.exec(text)?.[1] ?? "";

const works = async ({ secret, user }: { secret: string; user: string }) =>
  (await authenticateKey(world.ctx, secret, user, "203.0.113.9", null)) !== null;

const takeOver = async () => {
  await requestPasswordReset(world.ctx, { email: account.email }, owner);
  const link = tokenIn((await mailTo(account.email))[0]?.text);
  expect(await openReset(world.ctx, link)).toMatchObject({ isConfirmed: false });
  return resetPassword(world.ctx, { token: link, new_password: password }, owner);
};
const turnOnTwoFactor = async () => {
  await beginTwoFactor(world.ctx, caller, { current_password: theirs }, intruder);
  const secret = (await enrolment(world.ctx, caller))?.typed.replaceAll(" ", "") ?? "";
  const timestamp = world.deviceClock.now().getTime();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  return confirmTwoFactor(world.ctx, caller, { code }, intruder);
};

describe("An account opened with somebody else's address", () => {
  it("loses its password when the owner resets it (classic merge)", async () => {
    const again = { email: account.email.toUpperCase(), username: `owner-${names}`, password };
    await expect(register(world.ctx, again, owner)).rejects.toMatchObject({ code: "conflict" });
    await takeOver();
    const signingIn = signIn(world.ctx, { email: account.email, password: theirs }, "portal", intruder);
    await expect(signingIn).rejects.toMatchObject({ code: "unauthenticated" });
    const session = await signIn(world.ctx, { email: account.email, password }, "portal", owner);
    expect(session.account.emailVerifiedAt).toEqual(world.clock.now());
  });

  it("loses its sessions, of both kinds (unexpired session)", async () => {
    const bearer = (await signIn(world.ctx, { email: account.email, password: theirs }, "bearer", intruder)).token;
    expect(await takeOver()).toMatchObject({ endedSessions: 2 });
    expect(await recognise(world.ctx, token, "portal")).toBeNull();
    expect(await recognise(world.ctx, bearer, "bearer")).toBeNull();
  });

  it("loses its passkeys, which would sign in without the new password (trojan identifier)", async () => {
    const passkey = new SoftPasskey("http://localhost:3000");
    const created = passkey.create(await beginPasskey(world.ctx, caller));
    await addPasskey(world.ctx, caller, { passkey: created, name: "Phone" }, intruder);
    await takeOver();
    const { options, token } = await beginPasskeySignIn(world.ctx);
    const signingIn = signInWithPasskey(world.ctx, { token, passkey: passkey.get(options) }, intruder);
    await expect(signingIn).rejects.toMatchObject({ code: "invalid" });
    const session = await signIn(world.ctx, { email: account.email, password }, "portal", owner);
    expect(await twoFactorOf(world.ctx, { account: session.account })).toEqual({ isOn: false });
  });

  it("loses its API keys, webhook endpoints and calendar address (trojan identifier)", async () => {
    const { secret } = await issueKey(world.ctx, caller, { api_key_name: "Waiting", user: "squatter" });
    expect(await works({ secret, user: "squatter" })).toBe(true);
    const { url } = await createCalendarFeed(world.ctx, caller);
    const feed = /calendar\/(.+)\.ics/.exec(url)?.[1] ?? "";
    await createEndpoint(world.ctx, caller, {
      url: "http://127.0.0.1:8443/hook",
      description: "",
      event_types: ["api_key.created"],
    });
    expect(await takeOver()).toMatchObject({ revokedKeys: 1 });
    expect(await works({ secret, user: "squatter" })).toBe(false);
    expect(await readCalendarFeed(world.ctx, feed)).toBeNull();
    expect(await world.ctx.db.$count(calendarFeeds, eq(calendarFeeds.accountId, account.id))).toBe(0);
    expect(await world.ctx.db.$count(webhookEndpoints, eq(webhookEndpoints.accountId, account.id))).toBe(0);
    const [mail] = await mailTo(account.email);
    expect(mail?.text).toMatch(/1 API key was revoked.*This also confirmed your e-mail address/s);
    expect((await allActivity(world.ctx, { account, proof: caller.proof }))[0]).toMatchObject({
      action: "password.reset",
      details: { revoked_keys: 1, removed_access: true },
    });
  });

  it("loses its second factor and recovery codes, which would lock the owner out (trojan identifier)", async () => {
    await turnOnTwoFactor();
    await takeOver();
    expect(await twoFactorOf(world.ctx, { account })).toEqual({ isOn: false });
    expect(await world.ctx.db.$count(recoveryCodes, eq(recoveryCodes.accountId, account.id))).toBe(0);
    await signIn(world.ctx, { email: account.email, password }, "portal", owner);
  });

  it("loses its pending change to an address of the intruder (unexpired change of address)", async () => {
    const input = { email: `intruder-${names}@evil.example`, current_password: theirs };
    await requestEmailChange(world.ctx, caller, input, intruder);
    const link = tokenIn((await mailTo(input.email))[0]?.text);
    expect(await findVerification(world.ctx, link)).not.toBeNull();
    await takeOver();
    expect(await findVerification(world.ctx, link)).toBeNull();
    await expect(verifyEmail(world.ctx, caller, { token: link })).rejects.toMatchObject({ code: "conflict" });
  });

  it("is not confirmed by an owner who opens the link without its password (non-verifying provider)", async () => {
    const link = tokenIn((await mailTo(account.email))[0]?.text);
    const own = await world.account();
    await expect(verifyEmail(world.ctx, own.caller, { token: link })).rejects.toMatchObject({ code: "conflict" });
    expect((await callerOf(token)).account.emailVerifiedAt).toBeNull();
  });
});

it("An account of the intruder does not get the owner's address by a change that the owner confirms", async () => {
  const link = tokenIn((await mailTo(account.email))[0]?.text);
  await verifyEmail(world.ctx, caller, { token: link });
  const wanted = `victim-${names}@company.example`;
  await requestEmailChange(world.ctx, caller, { email: wanted, current_password: theirs }, intruder);
  const change = tokenIn((await mailTo(wanted))[0]?.text);
  const victim = await world.account();
  await expect(verifyEmail(world.ctx, victim.caller, { token: change })).rejects.toMatchObject({ code: "conflict" });
  expect((await callerOf(token)).account.email).toBe(account.email);
});

describe("A reset of an account whose address is confirmed", () => {
  const reset = async (of: Account, revoke?: "on") => {
    await requestPasswordReset(world.ctx, { email: of.email }, owner);
    const link = tokenIn((await mailTo(of.email))[0]?.text);
    expect(await openReset(world.ctx, link)).toEqual({ apiKeys: 2, passkeys: 0, isConfirmed: true });
    return resetPassword(world.ctx, { token: link, new_password: password, revoke_keys: revoke }, owner);
  };
  const holder = async () => {
    const opened = await world.account();
    const keys: { secret: string; user: string }[] = [];
    for (const user of ["first", "second"]) {
      const { secret } = await issueKey(world.ctx, opened.caller, { api_key_name: user, user });
      keys.push({ secret, user });
    }
    return { ...opened, keys, working: () => Promise.all(keys.map(works)) };
  };

  it("keeps the API keys, and says so", async () => {
    const { account, working } = await holder();
    expect(await reset(account)).toMatchObject({ revokedKeys: 0 });
    expect(await working()).toEqual([true, true]);
    expect((await mailTo(account.email))[0]?.text).toContain("2 API keys still work");
  });

  it("revokes all API keys if asked to, and says so", async () => {
    const { account, working } = await holder();
    expect(await reset(account, "on")).toMatchObject({ revokedKeys: 2 });
    expect(await working()).toEqual([false, false]);
    expect((await mailTo(account.email))[0]?.text).toContain("2 API keys were revoked");
  });
});
