/**
 * Races between opening sessions and ending them: no session survives a concurrent end. Each test holds one transaction
 * open until the other one waits for it, so that every run has the same order.
 */
import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { outboxMessages, sessions } from "#drizzle/schema/index.ts";
import { holdingTransactions, untilLockIsContended } from "../../testing/lock-waits.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { closeAccount } from "../closure/close-account.server.ts";
import type { Context } from "../context.ts";
import { removeHoldersTwoFactor } from "../operations/remove-two-factor.server.ts";
import { signOutEverywhere } from "../operations/sign-out.server.ts";
import { changePassword } from "../recovery/change-password.server.ts";
import { resetPassword } from "../recovery/reset-password.server.ts";
import type { Account, Caller, OperatorCaller, SessionProof } from "./caller.ts";
import { endSessions, lockAccount } from "./lock.server.ts";
import { requestPasswordReset } from "./password-reset.server.ts";
import { openLocked, openSession, recognise, refresh } from "./session.server.ts";
import { lockShared } from "./session-queries.server.ts";
import { revokeAllSessions, revokeOtherSessions } from "./sessions-list.server.ts";
import { signIn } from "./sign-in.server.ts";
import { beginTwoFactor, confirmTwoFactor, enrolment } from "./two-factor.server.ts";

const password = "correct horse battery";
const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };

let world: World;
let operator: OperatorCaller;
beforeAll(async () => {
  world = await createWorld();
  operator = await world.operator();
});
afterAll(() => world.close());

let account: Account;
let inPortal: Caller<SessionProof>;
let byBearer: Caller<SessionProof>;
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  ({ account, caller: byBearer } = await world.account());
  const { token } = await openSession(world.ctx, account, "portal", origin);
  const found = await recognise(world.ctx, token, "portal");
  if (!found) throw new Error("The session is not recognised");
  inPortal = found;
});

type Ending = { by: string; prepare?: () => Promise<void>; end: () => Promise<unknown> };
let resetToken = "";
const endings: Ending[] = [
  {
    by: "a changed password",
    end: () =>
      changePassword(world.ctx, inPortal, { current_password: password, new_password: "staple battery horse" }, origin),
  },
  {
    by: "a password that is reset",
    prepare: async () => {
      await requestPasswordReset(world.ctx, { email: account.email }, origin);
      const [mail] = await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, account.id));
      resetToken = /token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    },
    end: () => resetPassword(world.ctx, { token: resetToken, new_password: "staple battery horse" }, origin),
  },
  { by: "signing out everywhere", end: () => revokeAllSessions(world.ctx, inPortal) },
  { by: "signing out everywhere else", end: () => revokeOtherSessions(world.ctx, inPortal) },
  { by: "an operator's signing out", end: () => signOutEverywhere(world.ctx, operator, { accountId: account.id }) },
  {
    by: "an operator's removing the second factor",
    prepare: async () => {
      await beginTwoFactor(world.ctx, byBearer, { current_password: password }, origin);
      const secret = (await enrolment(world.ctx, byBearer))?.typed.replaceAll(" ", "") ?? "";
      const timestamp = world.deviceClock.now().getTime();
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
      await confirmTwoFactor(world.ctx, byBearer, { code }, origin);
    },
    end: () => removeHoldersTwoFactor(world.ctx, operator, { accountId: account.id, reason: "Known by voice" }),
  },
  {
    by: "closing the account",
    end: () => closeAccount(world.ctx, inPortal, { username: account.username, current_password: password }, origin),
  },
];

const sessionsOf = () => world.ctx.db.select().from(sessions).where(eq(sessions.accountId, account.id));

/** Runs the first up to its commit, starts the second, and commits the first once the second waits or has ended. */
const overlapping = async <First, Second>(first: (ctx: Context) => Promise<First>, second: () => Promise<Second>) => {
  const { ctx, reached, commit } = holdingTransactions(world.ctx);
  const held = first(ctx);
  await Promise.race([reached, held]);
  const begun = second();
  const settled = begun.then(
    () => {},
    () => {},
  );
  await Promise.race([untilLockIsContended(world.ctx.db), settled]);
  commit();
  return Promise.allSettled([held, begun]);
};

describe.each(endings)("A session that is ended by $by", ({ prepare, end }) => {
  it("is not replaced by a concurrent refresh", async () => {
    await prepare?.();
    const [refreshed, ended] = await overlapping((ctx) => refresh(ctx, byBearer, origin), end);
    expect(ended.status).toBe("fulfilled");
    if (refreshed.status === "rejected") throw refreshed.reason;
    expect(await recognise(world.ctx, refreshed.value.token, "bearer")).toBeNull();
    expect((await sessionsOf()).filter(({ id }) => id !== inPortal.proof.sessionId)).toEqual([]);
  });
});

describe("A session", () => {
  it("is not opened by a refresh during a password change", async () => {
    const input = { current_password: password, new_password: "staple battery horse" };
    const [changed, refreshed] = await overlapping(
      (ctx) => changePassword(ctx, inPortal, input, origin),
      () => refresh(world.ctx, byBearer, origin),
    );
    expect(changed.status).toBe("fulfilled");
    expect(refreshed).toMatchObject({ status: "rejected", reason: { code: "unauthenticated" } });
  });

  it("is not opened with the old password during a password change", async () => {
    const input = { current_password: password, new_password: "staple battery horse" };
    const [, entered] = await overlapping(
      (ctx) => changePassword(ctx, inPortal, input, origin),
      () => signIn(world.ctx, { email: account.email, password }, "portal", origin),
    );
    expect(entered).toMatchObject({ status: "rejected", reason: { code: "unauthenticated" } });
    expect((await sessionsOf()).map(({ id }) => id)).toEqual([inPortal.proof.sessionId]);
  });

  it("that is extended while it is being ended stays ended", async () => {
    const { token } = await openSession(world.ctx, account, "portal", origin);
    // More than half of the thirty days are over, so the next use extends the session.
    world.clock.set("2026-12-10T09:30:00Z");
    const [ended, recognised] = await overlapping(
      (ctx) => revokeOtherSessions(ctx, inPortal),
      () => recognise(world.ctx, token, "portal"),
    );
    expect(ended.status).toBe("fulfilled");
    expect(recognised).toEqual({ status: "fulfilled", value: null });
    expect((await sessionsOf()).map(({ id }) => id)).toEqual([inPortal.proof.sessionId]);
  });

  it("does not survive a password change, whatever the number of concurrent refreshes and sign-ins", async () => {
    for (let round = 0; round < 3; round++) {
      const { account: of, caller: bearer } = await world.account();
      const { token } = await openSession(world.ctx, of, "portal", origin);
      const portal = await recognise(world.ctx, token, "portal");
      if (!portal) throw new Error("The session is not recognised");
      const input = { current_password: password, new_password: "staple battery horse" };
      const credentials = { email: of.email, password };
      await Promise.allSettled([
        refresh(world.ctx, bearer, origin),
        signIn(world.ctx, credentials, "bearer", origin),
        refresh(world.ctx, bearer, origin),
        changePassword(world.ctx, portal, input, origin),
        signIn(world.ctx, credentials, "portal", origin),
        refresh(world.ctx, bearer, origin),
      ]);
      const left = await world.ctx.db.select().from(sessions).where(eq(sessions.accountId, of.id));
      expect(left.map(({ id }) => id)).toEqual([portal.proof.sessionId]);
    }
  });
});

describe("The compiler", () => {
  it("requires the lock to open a session or to end all of them", () => {
    const wrong = () =>
      world.ctx.db.transaction(async (tx) => {
        const [shared, exclusive] = [await lockShared(tx, account.id), await lockAccount(tx, account.id)];
        if (!shared || !exclusive) return;
        // @ts-expect-error an account is not a lock
        await openLocked(world.ctx, { tx, account, closedAt: null }, "portal", origin);
        // @ts-expect-error the shared lock does not prevent others from opening sessions
        await endSessions(shared, world.clock.now());
        // @ts-expect-error an account is not a lock
        await endSessions({ tx, account, closedAt: null }, world.clock.now());
        await openLocked(world.ctx, shared, "portal", origin);
        await endSessions(exclusive, world.clock.now());
      });
    expect(wrong).toBeTypeOf("function");
  });
});
