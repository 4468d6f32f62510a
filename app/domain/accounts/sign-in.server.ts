/** Sign-in with password and, if it is on, second factor. @spec Authentication */
import type { Context } from "../context.ts";
import { invalid, Refusal, unauthenticated } from "../errors.ts";
import { recordAudit } from "./audit.server.ts";
import type { Credentials, CredentialsWithCode } from "./credentials.ts";
import { findOwnBudget } from "./known-origin.server.ts";
import { hashToken, type Origin, type SessionKind } from "./lucia.server.ts";
import { notifyNewPlace } from "./new-place.server.ts";
import { attemptPassword } from "./password-attempt.server.ts";
import { challengeMinutes } from "./policy.ts";
import { redeemSecondFactor } from "./second-factor.server.ts";
import { type OpenSession, openLocked } from "./session.server.ts";
import { lockShared, lockSharedUnchanged, type SharedLock } from "./session-queries.server.ts";
import { secondFactorsOf } from "./throttle.server.ts";
import * as factors from "./two-factor-queries.server.ts";

type World = Pick<Context, "db" | "clock" | "deviceClock" | "random" | "rateLimiter" | "sealer" | "settings">;

/**
 * Signs in in one step, for API clients. An unknown e-mail and a wrong password get the same refusal in the same time,
 * and so does a wrong or missing code. A sign-in from a new place is reported to the account holder by e-mail.
 *
 * @throws unauthenticated
 * @throws rate_limited after too many failures, before anything is compared
 */
export const signIn = async (
  ctx: World,
  input: CredentialsWithCode,
  kind: SessionKind,
  origin: Origin,
): Promise<OpenSession> => {
  const { holder, password, code } = await attemptPassword(ctx, input, origin);
  if (!holder) {
    // The code has not been compared.
    await code?.giveBack();
    throw unauthenticated();
  }
  const session = await ctx.db.transaction(async (tx) => {
    const lock = await lockSharedUnchanged(tx, holder.account.id, holder.passwordHash);
    return lock && (await passes({ ...ctx, db: tx }, lock, input.one_time_code, origin))
      ? enter(ctx, lock, kind, origin)
      : null;
  });
  if (!session) throw unauthenticated();
  await Promise.all([password.giveBack(), code?.giveBack()]);
  return session;
};

const passes = async (
  ctx: Parameters<typeof redeemSecondFactor>[0],
  { tx, account }: SharedLock,
  code: string | undefined,
  origin: Origin,
): Promise<boolean> => {
  if (!(await factors.isOn(tx, account.id))) return true;
  if (code === undefined) return false;
  try {
    return (await redeemSecondFactor(ctx, account, code, origin)) !== null;
  } catch (error) {
    // A pause gets the refusal of a wrong code, as it would reveal that the password is right.
    if (error instanceof Refusal && error.code === "rate_limited") return false;
    throw error;
  }
};

/** Identifies a sign-in with a correct password. Grants no access. */
export type Challenge = { token: string; minutes: number };

/**
 * The first step in the portal. Returns a session, or, if the account has a second factor, a challenge.
 *
 * @throws unauthenticated
 * @throws rate_limited as for `signIn`
 */
export const beginSignIn = async (
  ctx: World,
  input: Credentials,
  origin: Origin,
): Promise<{ session: OpenSession } | { challenge: Challenge }> => {
  const { holder, password } = await attemptPassword(ctx, input, origin);
  if (!holder) throw unauthenticated();
  const now = ctx.clock.now();
  const outcome = await ctx.db.transaction(async (tx) => {
    const lock = await lockSharedUnchanged(tx, holder.account.id, holder.passwordHash);
    if (!lock) throw unauthenticated();
    const { id: accountId } = lock.account;
    if (!(await factors.isOn(tx, accountId))) return { session: await enter(ctx, lock, "portal", origin) };
    const token = Buffer.from(ctx.random.bytes(32)).toString("base64url");
    const expiresAt = new Date(now.getTime() + challengeMinutes * 60_000);
    await factors.insertChallenge(tx, { tokenHash: hashToken(token), accountId, createdAt: now, expiresAt });
    return { challenge: { token, minutes: challengeMinutes } };
  });
  await password.giveBack();
  return outcome;
};

/** How a challenge can be answered, besides recovery codes. Null: it is not valid any more. */
export const waysToAnswer = async (
  ctx: Pick<Context, "db" | "clock">,
  token: string,
): Promise<{ app: boolean; passkey: boolean } | null> => {
  const challenge = await factors.findChallenge(ctx.db, hashToken(token), ctx.clock.now());
  if (!challenge) return null;
  const { hasApp, passkeys } = await factors.findFactors(ctx.db, challenge.accountId);
  return { app: hasApp, passkey: passkeys > 0 };
};

/**
 * The second step: a code of the authenticator app, or a recovery code.
 *
 * @returns the session, and if a recovery code was used, how many are left
 * @throws unauthenticated when the challenge has expired; sign-in starts again with the password
 * @throws invalid for a wrong or used code
 * @throws rate_limited after too many codes, before the code is compared
 */
export const answerChallenge = async (
  ctx: World,
  input: { token: string; code: string },
  origin: Origin,
): Promise<{ session: OpenSession; recoveryCodesLeft: number | null }> => {
  const tokenHash = hashToken(input.token);
  const challenge = await factors.findChallenge(ctx.db, tokenHash, ctx.clock.now());
  if (!challenge) throw unauthenticated();
  const ownBudget = await findOwnBudget(ctx, challenge.accountId, origin);
  const attempt = await secondFactorsOf(ctx, challenge.email, ownBudget, origin).count();
  const entered = await ctx.db.transaction(async (tx) => {
    const lock = await lockShared(tx, challenge.accountId);
    if (!lock) throw unauthenticated();
    const used = await redeemSecondFactor({ ...ctx, db: tx }, lock.account, input.code, origin);
    if (!used) return null;
    if (!(await factors.deleteChallenge(tx, tokenHash))) throw unauthenticated();
    const recoveryCodesLeft = used.by === "recovery_code" ? used.left : null;
    return { session: await enter(ctx, lock, "portal", origin), recoveryCodesLeft };
  });
  if (!entered) throw invalid("code", "The code is wrong or was used before");
  await attempt.giveBack();
  return entered;
};

/** Opens the session of a holder who is authenticated. @param by absent: a password, with a code if one is needed */
export const enter = async (
  ctx: Pick<Context, "clock" | "random" | "settings">,
  lock: SharedLock,
  kind: SessionKind,
  origin: Origin,
  by?: "passkey",
): Promise<OpenSession> => {
  const { tx, account } = lock;
  await notifyNewPlace({ ...ctx, db: tx }, account, kind, origin);
  await recordAudit(tx, { account }, "session.opened", ctx.clock.now(), {
    kind,
    address: origin.ipAddress,
    program: origin.userAgent?.slice(0, 300) ?? null,
    ...(by ? { by } : {}),
  });
  return openLocked(ctx, lock, kind, origin);
};
