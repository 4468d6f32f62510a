/**
 * Passkeys in place of a password and a code. A passkey counts as two factors, as it always verifies its person: what they have,
 * and a fingerprint, face or PIN.
 */
import type { Context } from "../context.ts";
import { unauthenticated } from "../errors.ts";
import { recordAudit } from "./audit.server.ts";
import type { Caller, SessionProof } from "./caller.ts";
import { hashToken, type Origin } from "./lucia.server.ts";
import {
  acceptPasskey,
  askForPasskey,
  checkPasskey,
  type PasskeyAnswer,
  passkeyNotAccepted,
} from "./passkey-answer.server.ts";
import type { RequestOptions } from "./passkey-ceremony.server.ts";
import { passkeyChallengeMinutes } from "./policy.ts";
import { type OpenSession, openLocked } from "./session.server.ts";
import { lockShared, type SharedLock } from "./session-queries.server.ts";
import { enter } from "./sign-in.server.ts";
import * as factors from "./two-factor-queries.server.ts";

type World = Pick<Context, "db" | "clock" | "random" | "rateLimiter" | "sealer" | "settings">;

/** For signing in with a passkey alone. @returns also a token for a cookie, as the answer must come from the same browser */
export const beginPasskeySignIn = async (
  ctx: World,
): Promise<{ options: RequestOptions; token: string; minutes: number }> => {
  const token = Buffer.from(ctx.random.bytes(32)).toString("base64url");
  const options = await askForPasskey(ctx, { purpose: "sign-in", binding: token }, null);
  return { options, token, minutes: passkeyChallengeMinutes };
};

/**
 * Signs in with a passkey alone.
 *
 * @throws invalid
 * @throws rate_limited
 */
export const signInWithPasskey = async (
  ctx: World,
  { token, passkey }: { token: string; passkey: string },
  origin: Origin,
): Promise<OpenSession> => {
  const answer = await checkPasskey(ctx, { purpose: "sign-in", binding: token }, null, passkey, origin);
  return underLock(ctx, answer, (lock) => enter(ctx, lock, "portal", origin, "passkey"));
};

/**
 * For the second factor, after a correct password.
 *
 * @throws unauthenticated when the sign-in has expired
 */
export const beginPasskeyAnswer = async (ctx: World, token: string): Promise<RequestOptions> => {
  const challenge = await factors.findChallenge(ctx.db, hashToken(token), ctx.clock.now());
  if (!challenge) throw unauthenticated();
  return askForPasskey(ctx, { purpose: "second-factor", binding: token }, challenge.accountId);
};

/**
 * The second factor, after a correct password.
 *
 * @throws unauthenticated when the sign-in has expired; it starts again with the password
 * @throws invalid
 * @throws rate_limited
 */
export const answerWithPasskey = async (
  ctx: World,
  { token, passkey }: { token: string; passkey: string },
  origin: Origin,
): Promise<OpenSession> => {
  const tokenHash = hashToken(token);
  const challenge = await factors.findChallenge(ctx.db, tokenHash, ctx.clock.now());
  if (!challenge) throw unauthenticated();
  const about = { purpose: "second-factor", binding: token } as const;
  const answer = await checkPasskey(ctx, about, challenge.accountId, passkey, origin);
  return underLock(ctx, answer, async (lock) => {
    if (!(await factors.deleteChallenge(lock.tx, tokenHash))) throw unauthenticated();
    return enter(ctx, lock, "portal", origin, "passkey");
  });
};

/** For `/confirm-identity`. */
export const beginPasskeyConfirmation = (
  ctx: World,
  { account, proof }: Caller<SessionProof>,
): Promise<RequestOptions> => askForPasskey(ctx, { purpose: "confirm", binding: proof.sessionId }, account.id);

/**
 * A passkey instead of password and code. As `renewProof`, it opens a new session in place of the caller's.
 *
 * @throws invalid
 * @throws rate_limited
 */
export const renewProofWithPasskey = async (
  ctx: World,
  caller: Caller<SessionProof>,
  { passkey }: { passkey: string },
  origin: Origin,
): Promise<OpenSession> => {
  const about = { purpose: "confirm", binding: caller.proof.sessionId } as const;
  const answer = await checkPasskey(ctx, about, caller.account.id, passkey, origin);
  return underLock(ctx, answer, async (lock) => {
    await recordAudit(lock.tx, caller, "session.confirmed", ctx.clock.now(), { by: "passkey" });
    return openLocked(ctx, lock, "portal", origin);
  });
};

const underLock = async (
  ctx: World,
  answer: PasskeyAnswer,
  open: (lock: SharedLock) => Promise<OpenSession>,
): Promise<OpenSession> => {
  const session = await ctx.db.transaction(async (tx) => {
    const lock = await lockShared(tx, answer.passkey.accountId);
    return lock && (await acceptPasskey({ ...ctx, db: tx }, answer)) ? open(lock) : null;
  });
  if (!session) throw passkeyNotAccepted();
  await answer.attempt.giveBack();
  return session;
};
