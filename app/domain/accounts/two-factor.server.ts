/** Two-factor sign-in, and the authenticator app as its factor. Passkeys are the other. The shared secret is encrypted with `SECRETS_KEY`. */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { conflict, invalid } from "../errors.ts";
import { appChanged, twoFactorTurned } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { recordAudit } from "./audit.server.ts";
import type { Account, Caller, SessionProof } from "./caller.ts";
import { confirmHolder, countCode } from "./confirm-holder.server.ts";
import type { PasswordAgain, PasswordAndCode } from "./credentials.ts";
import { endSessions, lockAccount, lockUnchanged } from "./lock.server.ts";
import type { Origin } from "./lucia.server.ts";
import { enrolmentOf, secretBytes, stepOf } from "./one-time-code.server.ts";
import { enrolmentMinutes } from "./policy.ts";
import { newRecoveryCodes } from "./recovery-codes.server.ts";
import { sealedAbout } from "./second-factor.server.ts";
import * as queries from "./two-factor-queries.server.ts";

export type TwoFactor =
  | { isOn: false }
  | { isOn: true; since: Date; hasApp: boolean; passkeys: number; recoveryCodesLeft: number };

export const twoFactorOf = async (
  ctx: Pick<Context, "db">,
  { account }: { account: Pick<Account, "id"> },
): Promise<TwoFactor> => {
  const { since, ...factors } = await queries.findFactors(ctx.db, account.id);
  if (since === null) return { isOn: false };
  return { isOn: true, since, ...factors, recoveryCodesLeft: await queries.countRecoveryCodes(ctx.db, account.id) };
};

/**
 * Creates the secret for the authenticator app. Nothing changes until a correct code confirms it.
 *
 * @throws invalid for a wrong password
 * @throws conflict when there is an authenticator app, and when the password was changed meanwhile
 */
export const beginTwoFactor = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "random" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  input: PasswordAgain,
  origin: Origin,
): Promise<void> => {
  if ((await queries.findFactors(ctx.db, caller.account.id)).hasApp) throw isOnAlready();
  const passwordHash = await confirmHolder(ctx, caller, input, origin);
  const { id: accountId } = caller.account;
  const sealedSecret = ctx.sealer.seal(ctx.random.bytes(secretBytes), sealedAbout(accountId));
  const createdAt = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    if (!(await lockUnchanged(tx, accountId, passwordHash))) throw passwordChanged();
    if (!(await queries.beginTwoFactor(tx, { accountId, sealedSecret, createdAt }))) throw isOnAlready();
  });
};

export type Enrolment = {
  /** For the QR code. */
  uri: string;
  /** The secret in groups of four characters, for typing. */
  typed: string;
};

/** The pending enrolment. Null if there is none, or if it has expired. */
export const enrolment = async (
  ctx: Pick<Context, "db" | "clock" | "sealer">,
  { account }: Caller<SessionProof>,
): Promise<Enrolment | null> => {
  const pending = await findPending(ctx, account.id);
  return pending && enrolmentOf(ctx.sealer.open(pending.sealedSecret, sealedAbout(account.id)), account.email);
};

/**
 * Adds the app with the first correct code and notifies the account holder by e-mail. The first factor turns two-factor sign-in
 * on: recovery codes are created, and all other sessions end.
 *
 * @returns recovery codes, which are never shown again; none if two-factor sign-in was on
 * @throws invalid for a wrong code
 * @throws conflict when there is no pending enrolment, or it has expired
 * @throws rate_limited after too many codes
 */
export const confirmTwoFactor = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "random" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  input: { code: string },
  origin: Origin,
): Promise<{ recoveryCodes: string[] }> => {
  const { id } = caller.account;
  const attempt = await countCode(ctx, caller, origin);
  const pending = await findPending(ctx, id);
  if (!pending) throw conflict("The QR code has expired. Start again");
  const secret = ctx.sealer.open(pending.sealedSecret, sealedAbout(id));
  const step = stepOf(secret, input.code.replace(/[\s-]/g, ""), ctx.deviceClock.now());
  if (step === null)
    throw invalid(
      "code",
      "The code is wrong. Check that the time on your phone is correct, then enter the current code",
    );
  const now = ctx.clock.now();
  const turnedOn = await ctx.db.transaction(async (tx) => {
    const locked = await lockAccount(tx, id);
    const wasOn = await queries.isOn(tx, id);
    if (!locked || !(await queries.confirmTwoFactor(tx, pending, step, now))) throw isOnAlready();
    if (wasOn) {
      await recordAudit(tx, caller, "two_factor.app_added", now);
      await tellApp(ctx, tx, id, "added", now);
      return { recoveryCodes: [] };
    }
    const recoveryCodes = await newRecoveryCodes({ ...ctx, db: tx }, id, now);
    // They were opened with the password alone, and one of them may be an intruder's.
    const endedSessions = await endSessions(locked, now, caller.proof);
    await recordAudit(tx, caller, "two_factor.turned_on", now, { ended_sessions: endedSessions });
    await tell(ctx, tx, id, "on", now);
    return { recoveryCodes };
  });
  await attempt.giveBack();
  return turnedOn;
};

/**
 * Removes the authenticator app and notifies the account holder by e-mail. Without passkeys this turns two-factor sign-in off
 * and deletes the recovery codes. Requires a second factor, as it protects against someone who has only the password.
 *
 * @throws invalid for a wrong password, and for a wrong, used or missing code
 * @throws conflict when there is no app, and when the password was changed meanwhile
 * @throws rate_limited after too many passwords or codes
 */
export const turnOffTwoFactor = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  input: PasswordAndCode,
  origin: Origin,
): Promise<{ isOff: boolean }> => {
  const passwordHash = await confirmHolder(ctx, caller, input, origin);
  const { id } = caller.account;
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    if (!(await lockUnchanged(tx, id, passwordHash))) throw passwordChanged();
    const { passkeys } = await queries.findFactors(tx, id);
    if (passkeys > 0) {
      if (!(await queries.deleteApp(tx, id))) throw conflict("You have no authenticator app. Remove your passkeys");
      await recordAudit(tx, caller, "two_factor.app_removed", now);
      await tellApp(ctx, tx, id, "removed", now);
      return { isOff: false };
    }
    if (!(await queries.deleteTwoFactor(tx, id))) throw isOff();
    await recordAudit(tx, caller, "two_factor.turned_off", now);
    await tell(ctx, tx, id, "off", now);
    return { isOff: true };
  });
};

/**
 * Removes every factor with recovery codes and sign-in challenges, in the caller's transaction, which holds the account's lock.
 * @returns whether it was on
 */
export const removeTwoFactor = (tx: Tx, accountId: number): Promise<boolean> => queries.deleteTwoFactor(tx, accountId);

/**
 * Replaces all recovery codes, used or not. Requires a code, as recovery codes can replace the second factor.
 *
 * @returns the new codes, which are never shown again
 * @throws invalid for a wrong password, and for a wrong, used or missing code
 * @throws conflict when two-factor sign-in is off, and when the password was changed meanwhile
 * @throws rate_limited after too many passwords or codes
 */
export const renewRecoveryCodes = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "random" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  input: PasswordAndCode,
  origin: Origin,
): Promise<{ recoveryCodes: string[] }> => {
  const passwordHash = await confirmHolder(ctx, caller, input, origin);
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    if (!(await lockUnchanged(tx, caller.account.id, passwordHash))) throw passwordChanged();
    if (!(await queries.isOn(tx, caller.account.id))) throw isOff();
    const recoveryCodes = await newRecoveryCodes({ ...ctx, db: tx }, caller.account.id, now);
    await recordAudit(tx, caller, "recovery_codes.renewed", now);
    return { recoveryCodes };
  });
};

const findPending = async (ctx: Pick<Context, "db" | "clock">, accountId: number) => {
  const factor = await queries.findTwoFactor(ctx.db, accountId);
  if (!factor || factor.confirmedAt) return null;
  const ageMs = ctx.clock.now().getTime() - factor.createdAt.getTime();
  return ageMs < enrolmentMinutes * 60_000 ? factor : null;
};

const tell = async (ctx: Pick<Context, "settings">, tx: Tx, accountId: number, turned: "on" | "off", now: Date) => {
  const mail = twoFactorTurned(ctx.settings.appUrl, turned);
  const dedupeKey = `two-factor-${turned}:${accountId}:${now.toISOString()}`;
  await enqueue(tx, { ...mail, dedupeKey, accountId }, now);
};

const tellApp = async (
  ctx: Pick<Context, "settings">,
  tx: Tx,
  accountId: number,
  what: "added" | "removed",
  now: Date,
) => {
  const mail = appChanged(ctx.settings.appUrl, what);
  await enqueue(tx, { ...mail, dedupeKey: `app-${what}:${accountId}:${now.toISOString()}`, accountId }, now);
};

const isOnAlready = () => conflict("Your authenticator app is already set up");
const passwordChanged = () => conflict("The password was changed in the meantime. Sign in again");
const isOff = () => conflict("Two-factor sign-in is off");
