import { desc, eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, emailVerifications, outboxMessages } from "#drizzle/schema/index.ts";
import { holdingTransactions, untilLockIsContended } from "../../testing/lock-waits.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { changePassword } from "../recovery/change-password.server.ts";
import { openReset, resetPassword } from "../recovery/reset-password.server.ts";
import { allActivity } from "./activity.server.ts";
import type { Account, Caller, SessionProof } from "./caller.ts";
import {
  findVerification,
  pendingEmail,
  requestEmailChange,
  requestVerification,
  verifyEmail,
} from "./email-verification.server.ts";
import { deleteExpiredLinks } from "./link-retention.server.ts";
import { requestPasswordReset } from "./password-reset.server.ts";
import { register } from "./register.server.ts";
import { openSession, recognise } from "./session.server.ts";
import { signIn } from "./sign-in.server.ts";
import { beginTwoFactor, confirmTwoFactor, enrolment } from "./two-factor.server.ts";

const password = "correct horse battery";
const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };

let world: World;
let names = 0;
let account: Account;
let token: string;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** Registers and returns the caller. */
beforeEach(async () => {
  world.clock.set(`2026-11-20T${String(9 + (names % 12)).padStart(2, "0")}:30:00Z`);
  names += 1;
  const from = { ipAddress: `198.51.100.${names}`, userAgent: "tests" };
  const registration = { email: `new-${names}@example.com`, username: `new-${names}`, password };
  account = await register(world.ctx, registration, from);
  token = (await openSession(world.ctx, account, "portal", from)).token;
});

const caller = async (): Promise<Caller<SessionProof>> => {
  const found = await recognise(world.ctx, token, "portal");
  if (!found) throw new Error("The account is not signed in");
  return found;
};

/** By the account's holder, signed in or not. */
const verify = (link: string) =>
  verifyEmail(world.ctx, { account, proof: { scheme: "portal", sessionId: "" } }, { token: link });

/** Newest first. */
const mailTo = (address: string) =>
  world.ctx.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.toAddress, address))
    .orderBy(desc(outboxMessages.id));

const linkTo = async (address: string): Promise<string> => {
  const [mail] = await mailTo(address);
  return /verify-email\?token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
};

const change = async (email: string, current_password = password) =>
  requestEmailChange(world.ctx, await caller(), { email, current_password }, origin);

describe("The address of a new account", () => {
  it("is verified by the mailed link, and viewing the link does not use it up", async () => {
    expect((await caller()).account.emailVerifiedAt).toBeNull();
    const link = await linkTo(account.email);
    expect(link).toHaveLength(43);
    expect(await findVerification(world.ctx, link)).toMatchObject({ email: account.email, replaces: null });
    expect(await findVerification(world.ctx, link)).not.toBeNull();
    expect((await caller()).account.emailVerifiedAt).toBeNull();
    expect(await verify(link)).toEqual({ email: account.email });
    expect((await caller()).account.emailVerifiedAt).toEqual(world.clock.now());
    expect((await allActivity(world.ctx, await caller()))[0]).toMatchObject({ action: "email.verified" });
  });

  it("is verified once, as a link works once", async () => {
    const link = await linkTo(account.email);
    await verify(link);
    expect(await findVerification(world.ctx, link)).toBeNull();
    await expect(verify(link)).rejects.toMatchObject({ code: "conflict" });
    await expect(requestVerification(world.ctx, await caller())).rejects.toMatchObject({ code: "conflict" });
    await expect(verify("no link at all")).rejects.toMatchObject({ code: "conflict" });
  });

  it("is not verified by a link older than a day", async () => {
    const link = await linkTo(account.email);
    world.clock.set("2026-11-22T09:30:00Z");
    await expect(verify(link)).rejects.toMatchObject({ code: "conflict" });
  });

  it("is verified by the newest of at most five links an hour", async () => {
    const first = await linkTo(account.email);
    for (let i = 0; i < 5; i++) await requestVerification(world.ctx, await caller());
    await expect(requestVerification(world.ctx, await caller())).rejects.toMatchObject({ code: "rate_limited" });
    await expect(verify(first)).rejects.toMatchObject({ code: "conflict" });
    await verify(await linkTo(account.email));
  });

  it("is verified once when the link is used twice at the same time", async () => {
    const link = await linkTo(account.email);
    const outcomes = await Promise.allSettled([1, 2].map(() => verify(link)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("is verified by a token of which the database holds only a hash", async () => {
    const link = await linkTo(account.email);
    const rows = await world.ctx.db.select().from(emailVerifications);
    expect(JSON.stringify(rows)).not.toContain(link);
    const [mail] = await mailTo(account.email);
    expect(mail?.holdsSecret).toBe(true);
  });
});

it("The link does not confirm the address for anybody but the account's holder", async () => {
  const link = await linkTo(account.email);
  const stranger = await world.account();
  await expect(verifyEmail(world.ctx, stranger.caller, { token: link })).rejects.toMatchObject({ code: "conflict" });
  expect((await caller()).account.emailVerifiedAt).toBeNull();
  expect(await verify(link)).toEqual({ email: account.email });
});

it("Retention deletes expired links and keeps the others", async () => {
  const link = await linkTo(account.email);
  await deleteExpiredLinks(world.ctx);
  expect(await findVerification(world.ctx, link)).not.toBeNull();
  world.clock.set("2026-11-22T12:00:00Z");
  expect(await deleteExpiredLinks(world.ctx)).toBeGreaterThan(0);
  expect(await world.ctx.db.$count(emailVerifications)).toBe(0);
});

describe("A change of address", () => {
  const wantedByIntruder = async () => {
    const wanted = `intruder-${names}@example.com`;
    await change(wanted);
    return { wanted, link: await linkTo(wanted) };
  };
  const isVoid = async (link: string) => {
    expect(await findVerification(world.ctx, link)).toBeNull();
    await expect(verify(link)).rejects.toMatchObject({ code: "conflict" });
    expect((await world.ctx.db.select().from(accounts).where(eq(accounts.id, account.id)))[0]?.email).toBe(
      account.email,
    );
  };
  const resetByMail = async () => {
    await requestPasswordReset(world.ctx, { email: account.email }, origin);
    const [mail] = await mailTo(account.email);
    const reset = /reset-password\?token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    await resetPassword(world.ctx, { token: reset, new_password: "staple battery horse" }, origin);
  };

  it("requested by an intruder is voided by a password reset", async () => {
    const { link } = await wantedByIntruder();
    await resetByMail();
    await isVoid(link);
  });

  it("requested by an intruder is voided by a password change", async () => {
    const { link } = await wantedByIntruder();
    const input = { current_password: password, new_password: "staple battery horse" };
    await changePassword(world.ctx, await caller(), input, origin);
    expect(await pendingEmail(world.ctx, await caller())).toBeNull();
    await isVoid(link);
  });

  it("is rejected if the password is replaced at the same time", async () => {
    const wanted = `intruder-${names}@example.com`;
    const { reached, commit, ctx } = holdingTransactions(world.ctx);
    const input = { current_password: password, new_password: "staple battery horse" };
    const changing = changePassword(ctx, await caller(), input, origin);
    await reached;
    const request = change(wanted).catch((error) => error);
    await Promise.race([untilLockIsContended(world.ctx.db), request]);
    commit();
    await changing;
    expect(await request).toMatchObject({ code: "conflict" });
    expect(await mailTo(wanted)).toEqual([]);
  });

  it("is voided by a password change without voiding the link for the current address", async () => {
    const link = await linkTo(account.email);
    const input = { current_password: password, new_password: "staple battery horse" };
    await changePassword(world.ctx, await caller(), input, origin);
    await verify(link);
  });

  it("is announced to the current address, with a way to stop it", async () => {
    const { wanted } = await wantedByIntruder();
    const [mail] = await mailTo(account.email);
    expect(mail?.subject).toBe("A change of your e-mail address was requested");
    expect(mail?.text).toContain(`New address: ${wanted}`);
    expect(mail?.text).toContain("/forgot-password");
    expect(mail?.text).not.toContain("token=");
  });

  it("requires a code if the account has a second factor", async () => {
    await beginTwoFactor(world.ctx, await caller(), { current_password: password }, origin);
    const typed = (await enrolment(world.ctx, await caller()))?.typed.replaceAll(" ", "") ?? "";
    const code = new TOTP({ secret: Secret.fromBase32(typed) }).generate({
      timestamp: world.deviceClock.now().getTime(),
    });
    const { recoveryCodes } = await confirmTwoFactor(world.ctx, await caller(), { code }, origin);
    const wanted = `other-${names}@example.com`;
    for (const input of [{}, { code: "" }, { code: "000000" }]) {
      const request = requestEmailChange(
        world.ctx,
        await caller(),
        { email: wanted, current_password: password, ...input },
        origin,
      );
      await expect(request).rejects.toMatchObject({ code: "invalid", fields: [{ path: "code" }] });
    }
    expect(await mailTo(wanted)).toEqual([]);
    const input = { email: wanted, current_password: password, code: recoveryCodes[0] ?? "" };
    await requestEmailChange(world.ctx, await caller(), input, origin);
    expect(await pendingEmail(world.ctx, await caller())).toBe(wanted);
  });

  it("takes effect when the link is opened, and the old address is notified", async () => {
    await verify(await linkTo(account.email));
    const wanted = `other-${names}@example.com`;
    await change(wanted);
    expect(await pendingEmail(world.ctx, await caller())).toBe(wanted);
    expect((await caller()).account.email).toBe(account.email);
    const link = await linkTo(wanted);
    expect(await findVerification(world.ctx, link)).toMatchObject({ email: wanted, replaces: account.email });
    expect(await verify(link)).toEqual({ email: wanted });
    expect((await caller()).account).toMatchObject({ email: wanted, emailVerifiedAt: world.clock.now() });
    expect(await pendingEmail(world.ctx, await caller())).toBeNull();
    expect((await mailTo(account.email))[0]?.subject).toBe("Your e-mail address was changed");
    const by = (email: string) => signIn(world.ctx, { email, password }, "portal", origin);
    expect((await by(wanted)).account.id).toBe(account.id);
    await expect(by(account.email)).rejects.toMatchObject({ code: "unauthenticated" });
    expect((await allActivity(world.ctx, await caller())).map(({ action }) => action)).toContain("email.changed");
  });

  it("requires the password", async () => {
    await expect(change(`other-${names}@example.com`, "wrong horse battery")).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: "current_password" }],
    });
    expect(await mailTo(`other-${names}@example.com`)).toEqual([]);
  });

  it("rejects the address of another account and the current one", async () => {
    const other = await world.account();
    for (const email of [other.account.email.toUpperCase(), account.email]) {
      await expect(change(email)).rejects.toMatchObject({ code: "invalid", fields: [{ path: "email" }] });
    }
  });

  it("may change only the case of the address", async () => {
    await change(account.email.toUpperCase());
    await verify(await linkTo(account.email.toUpperCase()));
    expect((await caller()).account.email).toBe(account.email.toUpperCase());
  });

  it("is rejected if another account has taken the address meanwhile", async () => {
    const wanted = `contested-${names}@example.com`;
    await change(wanted);
    const link = await linkTo(wanted);
    await register(world.ctx, { email: wanted, username: `contested-${names}`, password }, origin);
    await expect(verify(link)).rejects.toMatchObject({ code: "conflict" });
    expect((await caller()).account.email).toBe(account.email);
  });

  it("is not undone by an earlier request for another link to the old address", async () => {
    const before = await caller();
    const wanted = `other-${names}@example.com`;
    await change(wanted);
    await verify(await linkTo(wanted));
    await expect(requestVerification(world.ctx, before)).rejects.toMatchObject({ code: "conflict" });
    expect(await pendingEmail(world.ctx, await caller())).toBeNull();
  });

  it("voids links mailed to the old address", async () => {
    const oldVerification = await linkTo(account.email);
    await requestPasswordReset(world.ctx, { email: account.email }, origin);
    const [mail] = await mailTo(account.email);
    const reset = /reset-password\?token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    expect(await openReset(world.ctx, reset)).not.toBeNull();
    await change(`other-${names}@example.com`);
    expect(await findVerification(world.ctx, oldVerification)).toBeNull();
    await verify(await linkTo(`other-${names}@example.com`));
    expect(await openReset(world.ctx, reset)).toBeNull();
  });
});
