import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, outboxMessages, passkeys, recoveryCodes, spentPasskeyChallenges } from "#drizzle/schema/index.ts";
import { reportSecurityEvents } from "../../platform/security-events.ts";
import { SoftPasskey } from "../../testing/passkey.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { issueKey } from "../api-keys/issue.server.ts";
import { closeAccount } from "../closure/close-account.server.ts";
import { ProofRequired, SecondFactorRequired } from "../errors.ts";
import { memoryRateLimiter } from "../rate-limit/memory.ts";
import { changePassword } from "../recovery/change-password.server.ts";
import { resetPassword } from "../recovery/reset-password.server.ts";
import { allActivity } from "./activity.server.ts";
import { type Account, asOperator, type Caller, type SessionProof } from "./caller.ts";
import { deleteExpiredLinks } from "./link-retention.server.ts";
import { admitOperator } from "./operators.server.ts";
import {
  answerWithPasskey,
  beginPasskeyAnswer,
  beginPasskeyConfirmation,
  beginPasskeySignIn,
  renewProofWithPasskey,
  signInWithPasskey,
} from "./passkey-sign-in.server.ts";
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from "./passkeys.server.ts";
import { requestPasswordReset } from "./password-reset.server.ts";
import { maxPasskeys } from "./policy.ts";
import { openSession, recognise } from "./session.server.ts";
import { listSessions } from "./sessions-list.server.ts";
import { answerChallenge, beginSignIn, signIn, waysToAnswer } from "./sign-in.server.ts";
import {
  beginTwoFactor,
  confirmTwoFactor,
  enrolment,
  renewRecoveryCodes,
  turnOffTwoFactor,
  twoFactorOf,
} from "./two-factor.server.ts";

const site = "http://localhost:3000";
const password = "correct horse battery";
const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
const newPassword = { current_password: password, new_password: "staple of horses 9" };
const refused = { code: "invalid", message: expect.stringContaining("This passkey was not accepted") };

let world: World;
let account: Account;
let caller: Caller<SessionProof>;
let events: object[];
beforeAll(async () => {
  world = await createWorld({ catalogue: "empty" });
});
afterAll(async () => {
  reportSecurityEvents(null);
  await world.close();
});
beforeEach(async () => {
  world.clock.set("2026-11-20T09:00:00Z");
  world.deviceClock.set("2026-11-20T09:00:10Z");
  world.ctx.rateLimiter = memoryRateLimiter();
  ({ account } = await world.account());
  caller = await newSession();
  events = [];
  reportSecurityEvents({ warn: (_, fields) => events.push(fields ?? {}) });
});

const callerOf = async (token: string): Promise<Caller<SessionProof>> => {
  const found = await recognise(world.ctx, token, "portal");
  if (!found) throw new Error("Not signed in");
  return found;
};
const newSession = async () => callerOf((await openSession(world.ctx, account, "portal", origin)).token);

const passMinutes = (minutes: number) =>
  world.clock.set(new Date(world.clock.now().getTime() + minutes * 60_000).toISOString());

const add = async (name = "Phone", passkey = new SoftPasskey(site), by = caller) => {
  const options = await beginPasskey(world.ctx, by);
  const added = await addPasskey(world.ctx, by, { passkey: passkey.create(options), name }, origin);
  return { passkey, ...added };
};

const enterWith = async (passkey: SoftPasskey, twist: Parameters<SoftPasskey["get"]>[1] = {}) => {
  const { options, token } = await beginPasskeySignIn(world.ctx);
  return signInWithPasskey(world.ctx, { token, passkey: passkey.get(options, twist) }, origin);
};

const afterPassword = async (): Promise<string> => {
  const signedIn = await beginSignIn(world.ctx, { email: account.email, password }, origin);
  if (!("challenge" in signedIn)) throw new Error("No second factor was asked for");
  return signedIn.challenge.token;
};

const addApp = async (): Promise<{ code: () => string; recoveryCodes: string[] }> => {
  await beginTwoFactor(world.ctx, caller, { current_password: password }, origin);
  const secret = Secret.fromBase32((await enrolment(world.ctx, caller))?.typed.replaceAll(" ", "") ?? "");
  const code = () => {
    world.deviceClock.set(new Date(world.deviceClock.now().getTime() + 30_000).toISOString());
    return new TOTP({ secret }).generate({ timestamp: world.deviceClock.now().getTime() });
  };
  return { code, ...(await confirmTwoFactor(world.ctx, caller, { code: code() }, origin)) };
};

const subjects = async () => {
  const mail = await world.ctx.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.accountId, account.id))
    .orderBy(outboxMessages.id);
  return mail.map(({ subject }) => subject);
};
const acts = async () => (await allActivity(world.ctx, caller)).map(({ action }) => action);
const idOf = async () => (await listPasskeys(world.ctx, caller))[0]?.id ?? 0;

describe("Adding a passkey", () => {
  it("turns two-factor sign-in on, returns recovery codes, ends other sessions and notifies the holder", async () => {
    const other = await newSession();
    const { recoveryCodes } = await add();
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await listPasskeys(world.ctx, caller)).toMatchObject([{ name: "Phone", lastUsedAt: null, isSynced: false }]);
    expect(await twoFactorOf(world.ctx, caller)).toMatchObject({ isOn: true, hasApp: false, passkeys: 1 });
    const left = (await listSessions(world.ctx, caller)).map(({ id }) => id);
    expect(left).toEqual([caller.proof.sessionId]);
    expect(left).not.toContain(other.proof.sessionId);
    expect(await subjects()).toEqual(["A passkey was added to your account"]);
    expect((await acts()).slice(0, 2)).toEqual(["two_factor.turned_on", "passkey.added"]);
    expect(events).toMatchObject([{ name: "passkey.added" }, { name: "two_factor.turned_on" }]);
  });

  it("asks for a resident key, verification of the person, and no attestation, under a random handle", async () => {
    const options = await beginPasskey(world.ctx, caller);
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      pubKeyCredParams: [{ alg: -7 }, { alg: -8 }, { alg: -257 }],
    });
    expect(Buffer.from(options.user.id, "base64url")).toHaveLength(32);
    const { passkey } = await add("Phone");
    const next = await beginPasskey(world.ctx, caller);
    expect(next.excludeCredentials).toMatchObject([{ id: passkey.id, transports: ["internal"] }]);
    await add("Laptop");
    const handles = await world.ctx.db.select().from(passkeys).where(eq(passkeys.accountId, account.id));
    expect(new Set(handles.map(({ userHandle }) => userHandle)).size).toBe(1);
  });

  it("keeps the recovery codes of an account whose two-factor sign-in is on", async () => {
    const app = await addApp();
    const { recoveryCodes } = await add();
    expect(recoveryCodes).toEqual([]);
    const token = await afterPassword();
    const { session } = await answerChallenge(world.ctx, { token, code: app.recoveryCodes[0] ?? "" }, origin);
    expect(session.account.id).toBe(account.id);
  });

  it("needs a sign-in in the last fifteen minutes, for the options as for the result", async () => {
    const options = await beginPasskey(world.ctx, caller);
    const passkey = new SoftPasskey(site).create(options);
    passMinutes(15);
    await expect(beginPasskey(world.ctx, caller)).rejects.toThrow(ProofRequired);
    await expect(addPasskey(world.ctx, caller, { passkey, name: "Late" }, origin)).rejects.toThrow(ProofRequired);
  });

  it("fails if the session was ended meanwhile", async () => {
    const passkey = new SoftPasskey(site).create(await beginPasskey(world.ctx, caller));
    const second = await newSession();
    await changePassword(world.ctx, second, newPassword, origin);
    await expect(addPasskey(world.ctx, caller, { passkey, name: "Intruder" }, origin)).rejects.toMatchObject({
      code: "unauthenticated",
    });
    expect(await world.ctx.db.$count(passkeys, eq(passkeys.accountId, account.id))).toBe(0);
  });

  it.each([
    ["another site's page", { origin: "http://localhost.example:3000" }],
    ["another site's authenticator", { rpId: "example.com" }],
    ["no verification of the person", { userVerified: false }],
    ["an answer of the other kind", { type: "webauthn.get" }],
    ["a challenge of its own", { challenge: "AAAA" }],
  ])("rejects %s", async (_, twist) => {
    const options = await beginPasskey(world.ctx, caller);
    const passkey = new SoftPasskey(site).create(options, twist);
    await expect(addPasskey(world.ctx, caller, { passkey, name: "Phone" }, origin)).rejects.toMatchObject(refused);
    expect(await twoFactorOf(world.ctx, caller)).toEqual({ isOn: false });
  });

  it("rejects an answer that is late, from another session, sent twice, or no answer at all", async () => {
    const phone = new SoftPasskey(site);
    const passkey = phone.create(await beginPasskey(world.ctx, caller));
    const elsewhere = await newSession();
    for (const attempt of [
      addPasskey(world.ctx, elsewhere, { passkey, name: "Phone" }, origin),
      addPasskey(world.ctx, caller, { passkey: "", name: "Phone" }, origin),
      addPasskey(world.ctx, caller, { passkey: "{}", name: "Phone" }, origin),
    ]) {
      await expect(attempt).rejects.toMatchObject(refused);
    }
    await addPasskey(world.ctx, caller, { passkey, name: "Phone" }, origin);
    await expect(addPasskey(world.ctx, caller, { passkey, name: "Phone" }, origin)).rejects.toMatchObject(refused);
    const late = new SoftPasskey(site).create(await beginPasskey(world.ctx, caller));
    passMinutes(5);
    await expect(addPasskey(world.ctx, caller, { passkey: late, name: "Late" }, origin)).rejects.toMatchObject(refused);
  });

  it("rejects a passkey that another account has, and one beyond the limit", async () => {
    const { passkey } = await add();
    const stranger = await world.account();
    const options = await beginPasskey(world.ctx, stranger.caller);
    const copied = addPasskey(world.ctx, stranger.caller, { passkey: passkey.create(options), name: "Copy" }, origin);
    await expect(copied).rejects.toMatchObject({ code: "conflict" });
    const [row] = await world.ctx.db.select().from(passkeys).where(eq(passkeys.accountId, account.id));
    if (!row) throw new Error("The passkey is gone");
    const { id: _, ...others } = row;
    const more = Array.from({ length: maxPasskeys - 1 }, (_, n) => ({
      ...others,
      credentialId: `c${account.id}-${n}`,
    }));
    await world.ctx.db.insert(passkeys).values(more);
    await expect(beginPasskey(world.ctx, caller)).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("Signing in with a passkey alone", () => {
  it("opens a session without a code, and notes when it was used", async () => {
    const { passkey } = await add();
    passMinutes(30);
    const session = await enterWith(passkey);
    expect((await callerOf(session.token)).account.id).toBe(account.id);
    expect(await listPasskeys(world.ctx, caller)).toMatchObject([{ lastUsedAt: world.clock.now() }]);
    expect((await allActivity(world.ctx, caller))[0]).toMatchObject({
      action: "session.opened",
      details: { by: "passkey" },
    });
    expect(await signInWithSynced()).toBe(account.id);
  });

  /** Passkeys of phones do not count. */
  const signInWithSynced = async () => {
    const { passkey } = await add("Synced", new SoftPasskey(site, { isSynced: true }), await newSession());
    await enterWith(passkey);
    return (await enterWith(passkey)).account.id;
  };

  it.each([
    ["another site's page", { origin: "https://localhost:3000" }],
    ["another site's authenticator", { rpId: "example.com" }],
    ["no verification of the person", { userVerified: false }],
    ["an answer of the other kind", { type: "webauthn.create" }],
    ["a challenge of its own", { challenge: "AAAA" }],
    ["the handle of another account", { userHandle: Buffer.alloc(32).toString("base64url") }],
    ["no handle", { userHandle: "" }],
  ])("rejects %s", async (_, twist) => {
    const { passkey } = await add();
    await expect(enterWith(passkey, twist)).rejects.toMatchObject(refused);
    expect(events.at(-1)).toMatchObject({ name: "passkey.refused" });
  });

  it("rejects a changed signature, an unknown passkey and what is no answer, all alike", async () => {
    const { passkey } = await add();
    const { options, token } = await beginPasskeySignIn(world.ctx);
    const answer = JSON.parse(passkey.get(options));
    const forged = new SoftPasskey(site);
    const stolen = JSON.parse(forged.get(options));
    for (const sent of [
      JSON.stringify({ ...answer, response: { ...answer.response, signature: stolen.response.signature } }),
      forged.get(options),
      "null",
      "[",
      "",
    ]) {
      await expect(signInWithPasskey(world.ctx, { token, passkey: sent }, origin)).rejects.toMatchObject(refused);
    }
  });

  it("accepts an answer once, from the browser that asked, within five minutes", async () => {
    const { passkey } = await add("Synced", new SoftPasskey(site, { isSynced: true }));
    const { options, token } = await beginPasskeySignIn(world.ctx);
    const answer = passkey.get(options);
    const foreign = signInWithPasskey(world.ctx, { token: "another browser's", passkey: answer }, origin);
    await expect(foreign).rejects.toMatchObject(refused);
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => signInWithPasskey(world.ctx, { token, passkey: answer }, origin)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(await subjects()).not.toContain("One of your passkeys may have been copied");

    const late = await beginPasskeySignIn(world.ctx);
    const lateAnswer = { token: late.token, passkey: passkey.get(late.options) };
    passMinutes(5);
    await expect(signInWithPasskey(world.ctx, lateAnswer, origin)).rejects.toMatchObject(refused);
  });

  it("rejects a count that does not rise, and tells the holder that there may be a copy", async () => {
    const { passkey } = await add();
    await enterWith(passkey, { signCount: 7 });
    for (const signCount of [7, 3, 0]) {
      await expect(enterWith(passkey, { signCount })).rejects.toMatchObject(refused);
    }
    expect(
      (await subjects()).filter((subject) => subject === "One of your passkeys may have been copied"),
    ).toHaveLength(1);
    expect((await acts())[0]).toBe("passkey.copy_suspected");
    expect(events.at(-1)).toMatchObject({ name: "passkey.copy_suspected", account_id: account.id });
    expect((await enterWith(passkey, { signCount: 8 })).account.id).toBe(account.id);
  });

  it("rejects a removed passkey, and that of a closed account", async () => {
    const { passkey } = await add();
    await add("Laptop");
    await removePasskey(world.ctx, caller, { id: await idOf() });
    await expect(enterWith(passkey)).rejects.toMatchObject(refused);
    const { passkey: third } = await add("Third");
    await world.ctx.db.update(accounts).set({ closedAt: world.clock.now() }).where(eq(accounts.id, account.id));
    await expect(enterWith(third)).rejects.toMatchObject(refused);
  });

  it("is throttled by address after sixty failures, and right answers are given back", async () => {
    const { passkey } = await add();
    for (let n = 0; n < 25; n++) await enterWith(passkey);
    const fail = () => signInWithPasskey(world.ctx, { token: "t", passkey: "{}" }, origin);
    let failures = 0;
    let last: unknown = null;
    while (failures < 100) {
      last = await fail().catch((error: unknown) => error);
      if ((last as { code?: string }).code === "rate_limited") break;
      failures += 1;
    }
    expect(last).toMatchObject({ code: "rate_limited" });
    expect(failures).toBeLessThanOrEqual(60);
    await expect(enterWith(passkey)).rejects.toMatchObject({ code: "rate_limited" });
    const { options, token } = await beginPasskeySignIn(world.ctx);
    const elsewhere = { ...origin, ipAddress: "198.51.100.9" };
    const session = await signInWithPasskey(world.ctx, { token, passkey: passkey.get(options) }, elsewhere);
    expect(session.account.id).toBe(account.id);
  });

  it("stores a challenge only when it is answered, and for five minutes", async () => {
    await world.ctx.db.delete(spentPasskeyChallenges);
    const { passkey } = await add();
    await beginPasskeySignIn(world.ctx);
    expect(await world.ctx.db.$count(spentPasskeyChallenges)).toBe(1);
    await enterWith(passkey);
    expect(await world.ctx.db.$count(spentPasskeyChallenges)).toBe(2);
    passMinutes(6);
    await deleteExpiredLinks(world.ctx);
    expect(await world.ctx.db.$count(spentPasskeyChallenges)).toBe(0);
  });
});

describe("A passkey as the second factor", () => {
  it("is asked for after the password, and answers it once", async () => {
    const { passkey } = await add();
    const token = await afterPassword();
    expect(await waysToAnswer(world.ctx, token)).toEqual({ app: false, passkey: true });
    const options = await beginPasskeyAnswer(world.ctx, token);
    expect(options.allowCredentials).toMatchObject([{ id: passkey.id }]);
    const answer = { token, passkey: passkey.get(options, { userHandle: "" }) };
    expect((await answerWithPasskey(world.ctx, answer, origin)).account.id).toBe(account.id);
    await expect(answerWithPasskey(world.ctx, answer, origin)).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(beginPasskeyAnswer(world.ctx, token)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("must belong to the account, and to this sign-in", async () => {
    const { passkey } = await add();
    const token = await afterPassword();
    const options = await beginPasskeyAnswer(world.ctx, token);
    const stranger = await world.account();
    const { passkey: theirs } = await add("Theirs", new SoftPasskey(site), stranger.caller);
    for (const sent of [theirs.get(options), passkey.get(await beginPasskeyAnswer(world.ctx, await afterPassword()))]) {
      await expect(answerWithPasskey(world.ctx, { token, passkey: sent }, origin)).rejects.toMatchObject(refused);
    }
    const alone = await beginPasskeySignIn(world.ctx);
    const other = { token, passkey: passkey.get(alone.options) };
    await expect(answerWithPasskey(world.ctx, other, origin)).rejects.toMatchObject(refused);
  });

  it("can be replaced by a recovery code, in the portal and in the API, and by nothing else", async () => {
    const { recoveryCodes: codes } = await add();
    const token = await afterPassword();
    const wrong = answerChallenge(world.ctx, { token, code: "123456" }, origin);
    await expect(wrong).rejects.toMatchObject({ code: "invalid" });
    const { recoveryCodesLeft } = await answerChallenge(world.ctx, { token, code: codes[0] ?? "" }, origin);
    expect(recoveryCodesLeft).toBe(9);
    const credentials = { email: account.email, password };
    for (const input of [credentials, { ...credentials, one_time_code: "123456" }]) {
      await expect(signIn(world.ctx, input, "bearer", origin)).rejects.toMatchObject({ code: "unauthenticated" });
    }
    const withCode = { ...credentials, one_time_code: codes[1] ?? "" };
    expect((await signIn(world.ctx, withCode, "bearer", origin)).account.id).toBe(account.id);
  });

  it("lets an operator into the console", async () => {
    const ctx = { ...world.ctx, settings: { ...world.ctx.settings, testMode: false } };
    await world.ctx.db.update(accounts).set({ role: "operator" }).where(eq(accounts.id, account.id));
    const operator = asOperator({ ...caller, account: { ...account, role: "operator" } });
    await expect(admitOperator(ctx, operator)).rejects.toThrow(SecondFactorRequired);
    await add();
    expect(await admitOperator(ctx, operator)).toBe(operator);
  });
});

describe("Confirming one's identity with a passkey", () => {
  const confirm = async (passkey: SoftPasskey) => {
    const options = await beginPasskeyConfirmation(world.ctx, caller);
    const input = { passkey: passkey.get(options) };
    return callerOf((await renewProofWithPasskey(world.ctx, caller, input, origin)).token);
  };

  it("renews the session, which may then create a key and add another passkey", async () => {
    const { passkey } = await add();
    passMinutes(15);
    const key = { api_key_name: "Sync", user: "sync" };
    await expect(issueKey(world.ctx, caller, key)).rejects.toThrow(ProofRequired);
    const confirmed = await confirm(passkey);
    expect(confirmed.proof.sessionId).not.toBe(caller.proof.sessionId);
    expect((await issueKey(world.ctx, confirmed, key)).secret).toMatch(/^srd_live_/);
    await add("Laptop", new SoftPasskey(site), confirmed);
    expect(await acts()).toContain("session.confirmed");
  });

  it("accepts passkeys of the session's own account only", async () => {
    await add();
    const stranger = await world.account();
    const { passkey: theirs } = await add("Theirs", new SoftPasskey(site), stranger.caller);
    await expect(confirm(theirs)).rejects.toMatchObject(refused);
  });

  it("takes the place of the code in forms that ask for the password", async () => {
    const { passkey } = await add();
    const change = { current_password: password, new_password: "staple of horses 9" };
    passMinutes(15);
    await expect(changePassword(world.ctx, caller, change, origin)).rejects.toThrow(ProofRequired);
    const wrong = { ...change, current_password: "wrong" };
    const confirmed = await confirm(passkey);
    await expect(changePassword(world.ctx, confirmed, wrong, origin)).rejects.toMatchObject({ code: "invalid" });
    await changePassword(world.ctx, confirmed, change, origin);
  });

  it("leaves the code to holders without a passkey, however recent their session is", async () => {
    await addApp();
    const change = { current_password: password, new_password: "staple of horses 9" };
    await expect(changePassword(world.ctx, caller, change, origin)).rejects.toMatchObject({
      fields: [{ path: "code" }],
    });
  });
});

describe("Renaming and removing passkeys", () => {
  it("renames and removes only the account's own", async () => {
    await add();
    const { caller: stranger } = await world.account();
    const id = await idOf();
    await expect(renamePasskey(world.ctx, stranger, { id, name: "Mine" })).rejects.toMatchObject({ code: "not_found" });
    await expect(removePasskey(world.ctx, stranger, { id })).rejects.toMatchObject({ code: "not_found" });
    await renamePasskey(world.ctx, caller, { id, name: "Work phone" });
    expect(await listPasskeys(world.ctx, caller)).toMatchObject([{ name: "Work phone" }]);
  });

  it("turns two-factor sign-in off with the last factor only", async () => {
    await add("Phone");
    await add("Laptop");
    expect(await removePasskey(world.ctx, caller, { id: await idOf() })).toEqual({ name: "Phone", isOff: false });
    expect(await twoFactorOf(world.ctx, caller)).toMatchObject({ isOn: true, recoveryCodesLeft: 10 });
    expect(await removePasskey(world.ctx, caller, { id: await idOf() })).toEqual({ name: "Laptop", isOff: true });
    expect(await twoFactorOf(world.ctx, caller)).toEqual({ isOn: false });
    expect(await world.ctx.db.$count(recoveryCodes, eq(recoveryCodes.accountId, account.id))).toBe(0);
    expect(await beginSignIn(world.ctx, { email: account.email, password }, origin)).toHaveProperty("session");
    expect((await acts()).slice(0, 4)).toEqual([
      "session.opened",
      "two_factor.turned_off",
      "passkey.removed",
      "passkey.removed",
    ]);
    expect((await subjects()).slice(-2)).toEqual(Array(2).fill("A passkey was removed from your account"));
  });

  it("needs a sign-in in the last fifteen minutes", async () => {
    await add();
    const id = await idOf();
    passMinutes(15);
    await expect(removePasskey(world.ctx, caller, { id })).rejects.toThrow(ProofRequired);
  });

  it("keeps two-factor sign-in on when the app is added to passkeys, and removed again", async () => {
    const { recoveryCodes: codes } = await add();
    const app = await addApp();
    expect(app.recoveryCodes).toEqual([]);
    expect(await waysToAnswer(world.ctx, await afterPassword())).toEqual({ app: true, passkey: true });
    const proof = { current_password: password, code: app.code() };
    expect(await turnOffTwoFactor(world.ctx, caller, proof, origin)).toEqual({ isOff: false });
    expect(await twoFactorOf(world.ctx, caller)).toMatchObject({ isOn: true, hasApp: false, recoveryCodesLeft: 10 });
    await expect(turnOffTwoFactor(world.ctx, caller, { current_password: password }, origin)).rejects.toMatchObject({
      code: "conflict",
    });
    const token = await afterPassword();
    await answerChallenge(world.ctx, { token, code: codes[0] ?? "" }, origin);
    expect(await subjects()).toEqual(
      expect.arrayContaining(["An authenticator app was added", "An authenticator app was removed"]),
    );
    const { recoveryCodes: renewed } = await renewRecoveryCodes(
      world.ctx,
      caller,
      { current_password: password },
      origin,
    );
    expect(renewed).toHaveLength(10);
  });
});

describe("A new password", () => {
  const resetBy = async (more: { remove_passkeys?: "on" } = {}) => {
    await requestPasswordReset(world.ctx, { email: account.email }, origin);
    const mail = await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, account.id));
    const token = /token=(\S+)/.exec(mail.find(({ subject }) => subject === "Set a new password")?.text ?? "")?.[1];
    return resetPassword(world.ctx, { token: token ?? "", new_password: password, ...more }, origin);
  };

  it("keeps passkeys unless asked to remove them", async () => {
    const { passkey } = await add();
    await resetBy();
    expect((await enterWith(passkey)).account.id).toBe(account.id);
  });

  it("removes them and leaves two-factor sign-in on, so that an e-mail alone does not sign in", async () => {
    const { passkey, recoveryCodes: codes } = await add();
    await resetBy({ remove_passkeys: "on" });
    await expect(enterWith(passkey)).rejects.toMatchObject(refused);
    const token = await afterPassword();
    expect(await waysToAnswer(world.ctx, token)).toEqual({ app: false, passkey: false });
    const { session } = await answerChallenge(world.ctx, { token, code: codes[0] ?? "" }, origin);
    const again = await callerOf(session.token);
    const proof = { current_password: password, code: codes[1] ?? "" };
    expect(await turnOffTwoFactor(world.ctx, again, proof, origin)).toEqual({ isOff: true });
    expect(await beginSignIn(world.ctx, { email: account.email, password }, origin)).toHaveProperty("session");
  });

  it("set in the account also removes them if asked to", async () => {
    const { passkey } = await add();
    const change = { current_password: password, new_password: "staple of horses 9", remove_passkeys: "on" } as const;
    expect(await changePassword(world.ctx, caller, change, origin)).toMatchObject({ removedPasskeys: 1 });
    await expect(enterWith(passkey)).rejects.toMatchObject(refused);
    expect(await twoFactorOf(world.ctx, caller)).toMatchObject({ isOn: true, passkeys: 0 });
  });
});

describe("Closing an account", () => {
  it("deletes its passkeys", async () => {
    const { passkey } = await add();
    await closeAccount(world.ctx, caller, { username: account.username, current_password: password }, origin);
    expect(await world.ctx.db.$count(passkeys, eq(passkeys.accountId, account.id))).toBe(0);
    await expect(enterWith(passkey)).rejects.toMatchObject(refused);
  });
});
