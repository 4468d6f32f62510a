/**
 * Re-authentication, to protect sessions left open or stolen. A sensitive action asks for the password, and for a code where
 * two-factor sign-in is on: either in its own form (`confirmHolder`), or by a session whose holder has just signed in
 * (`requireRecentProof`; the portal then shows a page that asks for both, or for a passkey). Holders of a passkey have no code:
 * forms that ask for one want them to have signed in just now. Attempts are throttled like sign-ins.
 */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { invalid, ProofRequired, unauthenticated } from "../errors.ts";
import { recordAudit } from "./audit.server.ts";
import type { Caller, KeyProof, SessionProof } from "./caller.ts";
import type { PasswordAndCode } from "./credentials.ts";
import { findOwnBudget } from "./known-origin.server.ts";
import type { Origin } from "./lucia.server.ts";
import { attemptPassword } from "./password-attempt.server.ts";
import { recentProofMinutes } from "./policy.ts";
import { redeemSecondFactor } from "./second-factor.server.ts";
import { type OpenSession, openLocked } from "./session.server.ts";
import { lockSharedUnchanged } from "./session-queries.server.ts";
import { type Attempt, secondFactorsOf } from "./throttle.server.ts";
import { findFactors, isOn } from "./two-factor-queries.server.ts";

type World = Pick<Context, "db" | "clock" | "deviceClock" | "rateLimiter" | "sealer" | "settings">;

/**
 * What a form asks for besides the password: a code, a passkey at `/confirm-identity` before it, or nothing.
 */
export type SecondProof = "code" | "passkey" | null;

export const secondProofOf = async (
  ctx: Pick<Context, "clock"> & { db: Tx },
  caller: Caller<SessionProof>,
): Promise<SecondProof> => {
  const { since, passkeys } = await findFactors(ctx.db, caller.account.id);
  return secondProofWith(ctx, caller, since === null ? { isOn: false } : { isOn: true, passkeys });
};

/** The same where the state of two-factor sign-in is known. */
export const secondProofWith = (
  ctx: Pick<Context, "clock">,
  caller: Caller<SessionProof>,
  twoFactor: { isOn: false } | { isOn: true; passkeys: number },
): SecondProof => {
  if (!twoFactor.isOn) return null;
  if (twoFactor.passkeys === 0) return "code";
  return isRecentlyProven(ctx, caller) ? null : "passkey";
};

/**
 * The password, and a second factor if the account has one: a code, or with a passkey, a session that is recent.
 *
 * @returns the password's hash, for `lockUnchanged`: it must still be the same when the action runs
 * @throws invalid for a wrong password, and for a wrong, used or missing code
 * @throws ProofRequired if the account has passkeys, there is no code, and the session is not recent
 * @throws rate_limited after too many passwords or codes
 */
export const confirmHolder = async (
  ctx: World,
  caller: Caller<SessionProof>,
  { current_password, code }: PasswordAndCode,
  origin: Origin,
): Promise<string> => {
  const passwordHash = await checkPassword(ctx, caller, current_password, origin);
  await confirmSecondFactor(ctx, caller, code, origin);
  return passwordHash;
};

const checkPassword = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter">,
  { account }: Caller<SessionProof>,
  password: string,
  origin: Origin,
): Promise<string> => {
  const attempt = await attemptPassword(ctx, { email: account.email, password }, origin);
  if (attempt.holder?.account.id !== account.id) throw invalid("current_password", "This is not your current password");
  await attempt.password.giveBack();
  return attempt.holder.passwordHash;
};

const confirmSecondFactor = async (
  ctx: World,
  caller: Caller<SessionProof>,
  code: string | undefined,
  origin: Origin,
): Promise<void> => {
  const { account } = caller;
  const asked = await secondProofOf(ctx, caller);
  if (!code) {
    if (asked === "passkey") throw new ProofRequired();
    if (asked === "code") throw invalid("code", "Enter the current code from your authenticator app");
    return;
  }
  if (!(await isOn(ctx.db, account.id))) return;
  const attempt = await countCode(ctx, caller, origin);
  const taken = await ctx.db.transaction((tx) => redeemSecondFactor({ ...ctx, db: tx }, account, code, origin));
  if (!taken) throw invalid("code", "The code is wrong or was used before");
  await attempt.giveBack();
};

/** @throws rate_limited */
export const countCode = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter">,
  { account }: Caller<SessionProof>,
  origin: Origin,
): Promise<Attempt> =>
  secondFactorsOf(ctx, account.email, await findOwnBudget(ctx, account.id, origin), origin).count();

/**
 * Answers a `ProofRequired`: the holder enters password and code once more, and gets a new session in place of the caller's.
 * The portal closes the old one.
 *
 * @throws invalid and rate_limited as `confirmHolder`
 * @throws unauthenticated when the password was changed meanwhile
 */
export const renewProof = async (
  ctx: World & Pick<Context, "random">,
  caller: Caller<SessionProof>,
  input: PasswordAndCode,
  origin: Origin,
): Promise<OpenSession> => {
  const passwordHash = await confirmHolder(ctx, caller, input, origin);
  return ctx.db.transaction(async (tx) => {
    const lock = await lockSharedUnchanged(tx, caller.account.id, passwordHash);
    if (!lock) throw unauthenticated();
    await recordAudit(tx, caller, "session.confirmed", ctx.clock.now());
    return openLocked(ctx, lock, "portal", origin);
  });
};

/** Whether the session's holder has signed in, or confirmed their identity, in the last `recentProofMinutes`. */
export const isRecentlyProven = (ctx: Pick<Context, "clock">, { proof }: Caller<SessionProof>): boolean =>
  proof.authenticatedAt !== undefined &&
  ctx.clock.now().getTime() - proof.authenticatedAt.getTime() < recentProofMinutes * 60_000;

/** For changes of passkeys, whether or not there is a second factor. @throws ProofRequired */
export const requireFreshProof = (ctx: Pick<Context, "clock">, caller: Caller<SessionProof>): void => {
  if (!isRecentlyProven(ctx, caller)) throw new ProofRequired();
};

/**
 * For actions that give lasting access, such as a new API key, in a portal session of an account with a second factor: whoever
 * finds an open browser has passed neither password nor code. Bearer tokens are exempt, as programs cannot confirm anything.
 *
 * @throws ProofRequired
 */
export const requireRecentProof = async (
  ctx: Pick<Context, "clock"> & { db: Tx },
  caller: Caller<SessionProof | KeyProof>,
): Promise<void> => {
  const { account, proof } = caller;
  if (proof.scheme !== "portal" || isRecentlyProven(ctx, { account, proof: { ...proof, scheme: "portal" } })) return;
  if (await isOn(ctx.db, account.id)) throw new ProofRequired();
};
