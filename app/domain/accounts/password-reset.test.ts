import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { outboxMessages, passwordResets, sessions } from "#drizzle/schema/index.ts";
import { jsonLog } from "../../platform/log.server.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { sendDueMail } from "../notifications/outbox.server.ts";
import { memoryRateLimiter } from "../rate-limit/memory.ts";
import { changePassword } from "../recovery/change-password.server.ts";
import { openReset, resetPassword } from "../recovery/reset-password.server.ts";
import { allActivity } from "./activity.server.ts";
import type { Account, Caller, SessionProof } from "./caller.ts";
import { requestPasswordReset } from "./password-reset.server.ts";
import { openSession, recognise } from "./session.server.ts";
import { signIn } from "./sign-in.server.ts";
import { beginTwoFactor, enrolment } from "./two-factor.server.ts";

const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
const oldPassword = "correct horse battery";
const newPassword = "staple battery horse";

let world: World;
let account: Account;
let caller: Caller<SessionProof>;
let token: string;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  world.ctx.rateLimiter = memoryRateLimiter();
  ({ account, caller, token } = await world.account());
});

const ask = (email = account.email) => requestPasswordReset(world.ctx, { email }, origin);
const reset = (link: string, new_password = newPassword) =>
  resetPassword(world.ctx, { token: link, new_password }, origin);
const signInBy = (password: string) => signIn(world.ctx, { email: account.email, password }, "portal", origin);
/** Newest first. */
const mail = () =>
  world.ctx.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.accountId, account.id))
    .orderBy(desc(outboxMessages.id));
const tokenIn = (text = "") => /\/reset-password\?token=([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? "";
const askForLink = async () => {
  await ask();
  return tokenIn((await mail())[0]?.text);
};

describe("A password reset", () => {
  it("sets a new password by the mailed link, ends all sessions and notifies the account holder", async () => {
    const portal = (await openSession(world.ctx, account, "portal", origin)).token;
    const link = await askForLink();
    expect(link).toHaveLength(43);
    expect(await openReset(world.ctx, link)).not.toBeNull();
    expect(await reset(link)).toMatchObject({ endedSessions: 2 });
    expect(await recognise(world.ctx, portal, "portal")).toBeNull();
    expect(await recognise(world.ctx, token, "bearer")).toBeNull();
    await expect(signInBy(oldPassword)).rejects.toMatchObject({ code: "unauthenticated" });
    expect((await signInBy(newPassword)).account.id).toBe(account.id);
    expect((await mail()).map(({ subject }) => subject)).toEqual(["Your password was changed", "Set a new password"]);
    const [, act] = await allActivity(world.ctx, caller);
    expect(act).toMatchObject({ action: "password.reset", details: { ended_sessions: 2 }, actor: "holder" });
  });

  it("rejects a password that is easy to guess, and the link stays valid", async () => {
    const link = await askForLink();
    for (const guessable of ["123456789012", `${account.username}-2026`]) {
      await expect(reset(link, guessable)).rejects.toMatchObject({
        code: "invalid",
        fields: [{ path: "new_password", message: expect.stringContaining("easy to guess") }],
      });
    }
    expect(await reset(link)).toMatchObject({ endedSessions: 1 });
  });

  it("deletes an unconfirmed second factor, as whoever started it knows its secret", async () => {
    await beginTwoFactor(world.ctx, caller, { current_password: oldPassword }, origin);
    expect(await enrolment(world.ctx, caller)).not.toBeNull();
    await reset(await askForLink());
    expect(await enrolment(world.ctx, caller)).toBeNull();
  });

  it("does not affect other accounts and their sessions", async () => {
    const stranger = await world.account();
    await reset(await askForLink());
    expect(await recognise(world.ctx, stranger.token, "bearer")).not.toBeNull();
  });

  it("gives the same response in the same time for an address without an account, and sends no mail", async () => {
    const before = await world.ctx.db.$count(outboxMessages);
    const startedAt = performance.now();
    expect(await ask("nobody@example.com")).toBe(await ask(account.email.toUpperCase()));
    expect(performance.now() - startedAt).toBeGreaterThan(480);
    expect((await world.ctx.db.$count(outboxMessages)) - before).toBe(1);
    expect(await mail()).toHaveLength(1);
  });

  it("can be requested five times an hour, with or without an account", async () => {
    for (const email of [account.email, "nobody@example.com"]) {
      const outcomes = [];
      for (let second = 10; second < 16; second++) {
        world.clock.set(`2026-11-20T09:30:${second}Z`);
        outcomes.push(await ask(email).catch(({ code }) => code));
      }
      expect(outcomes).toEqual([undefined, undefined, undefined, undefined, undefined, "rate_limited"]);
    }
    expect(await mail()).toHaveLength(5);
  });
});

describe("A password reset link", () => {
  it("works once", async () => {
    const link = await askForLink();
    await reset(link);
    expect(await openReset(world.ctx, link)).toBeNull();
    await expect(reset(link, "yet another phrase")).rejects.toMatchObject({ code: "conflict" });
    expect((await signInBy(newPassword)).account.id).toBe(account.id);
  });

  it("works once when it is used twice at the same time", async () => {
    const link = await askForLink();
    const outcomes = await Promise.allSettled([reset(link, "first phrase of words"), reset(link, "second phrase")]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await mail()).filter(({ subject }) => subject === "Your password was changed")).toHaveLength(1);
  });

  it("works for an hour", async () => {
    const link = await askForLink();
    world.clock.set("2026-11-20T10:29:59Z");
    expect(await openReset(world.ctx, link)).not.toBeNull();
    world.clock.set("2026-11-20T10:30:00Z");
    expect(await openReset(world.ctx, link)).toBeNull();
    await expect(reset(link)).rejects.toMatchObject({ code: "conflict" });
    expect(await recognise(world.ctx, token, "bearer")).not.toBeNull();
  });

  it("is voided by any other change of the password", async () => {
    const [first, second] = [await askForLink(), await askForLink()];
    await reset(second);
    await expect(reset(first)).rejects.toMatchObject({ code: "conflict" });
    const third = await askForLink();
    const session = await openSession(world.ctx, account, "portal", origin);
    const again = await recognise(world.ctx, session.token, "portal");
    if (!again) throw new Error("The session is not recognised");
    await changePassword(
      world.ctx,
      again,
      { current_password: newPassword, new_password: "a third phrase of words" },
      origin,
    );
    await expect(reset(third)).rejects.toMatchObject({ code: "conflict" });
  });

  it("is rejected if it was not issued", async () => {
    for (const made of ["", "x", "A".repeat(43)]) {
      expect(await openReset(world.ctx, made)).toBeNull();
      await expect(reset(made)).rejects.toMatchObject({ code: "conflict" });
    }
  });

  it("is not in the log, and not in the database once the e-mail is sent", async () => {
    const lines: string[] = [];
    const ctx = { ...world.ctx, log: jsonLog((line) => lines.push(line)) };
    await requestPasswordReset(ctx, { email: account.email }, origin);
    const link = tokenIn((await mail())[0]?.text);
    const mailing = (send: () => Promise<void>) => ({
      ...ctx,
      mailer: { delivers: true, send, close: async () => {} },
    });
    await sendDueMail(mailing(() => Promise.reject(new Error("451 later"))));
    world.clock.set("2026-11-20T09:31:00Z");
    await sendDueMail(mailing(async () => {}));
    expect(lines.length).toBeGreaterThan(0);
    await expect(resetPassword(ctx, { token: `${link}x`, new_password: newPassword }, origin)).rejects.toThrow();
    const kept = [
      await mail(),
      await ctx.db.select().from(passwordResets),
      await ctx.db.select().from(sessions),
      lines,
    ];
    expect(JSON.stringify(kept)).not.toContain(link);
    await reset(link);
  });
});
