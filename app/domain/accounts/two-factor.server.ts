/** Two-factor sign-in with an authenticator app. The shared secret is encrypted with `SECRETS_KEY`. */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { conflict, invalid } from "../errors.ts";
import { twoFactorTurned } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { recordAudit } from "./audit.server.ts";
import type { Account, Caller, SessionProof } from "./caller.ts";
import { confirmHolder, countCode } from "./confirm-holder.server.ts";
import type { PasswordAgain, PasswordAndCode } from "./credentials.ts";
import { endSessions, lockAccount, lockUnchanged } from "./lock.server.ts";
import type { Origin } from "./lucia.server.ts";
import { enrolmentOf, secretBytes, stepOf } from "./one-time-code.server.ts";
import { enrolmentMinutes } from "./policy.ts";
import { recoveryCodeBytes, recoveryCodeCount, writeRecoveryCode } from "./recovery-code.ts";
import { hashOf, sealedAbout } from "./second-factor.server.ts";
import * as queries from "./two-factor-queries.server.ts";

export type TwoFactor = { isOn: false } | { isOn: true; since: Date; recoveryCodesLeft: number };

export const twoFactorOf = async (
  ctx: Pick<Context, "db">,
  { account }: { account: Pick<Account, "id"> },
): Promise<TwoFactor> => {
  const factor = await queries.findTwoFactor(ctx.db, account.id);
  if (!factor?.confirmedAt) return { isOn: false };
  return {
    isOn: true,
    since: factor.confirmedAt,
    recoveryCodesLeft: await queries.countRecoveryCodes(ctx.db, account.id),
  };
};

/**
 * Creates the secret for the authenticator app. Nothing changes until a correct code confirms it.
 *
 * @throws invalid for a wrong password
 * @throws conflict when two-factor sign-in is on, and when the password was changed meanwhile
 */
export const beginTwoFactor = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "random" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  input: PasswordAgain,
  origin: Origin,
): Promise<void> => {
  if (await queries.isOn(ctx.db, caller.account.id)) throw isOnAlready();
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
 * Turns two-factor sign-in on with the first correct code, ends all other sessions and notifies the account holder by e-mail.
 *
 * @returns the recovery codes, which are never shown again
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
    if (!locked || !(await queries.confirmTwoFactor(tx, pending, step, now))) throw isOnAlready();
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
 * Turns it off, deletes the recovery codes and notifies the account holder by e-mail. Requires a code, as the second factor
 * protects against someone who has only the password.
 *
 * @throws invalid for a wrong password, and for a wrong, used or missing code
 * @throws conflict when it is off, and when the password was changed meanwhile
 * @throws rate_limited after too many passwords or codes
 */
export const turnOffTwoFactor = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  input: PasswordAndCode,
  origin: Origin,
): Promise<void> => {
  const passwordHash = await confirmHolder(ctx, caller, input, origin);
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    if (!(await lockUnchanged(tx, caller.account.id, passwordHash))) throw passwordChanged();
    if (!(await queries.deleteTwoFactor(tx, caller.account.id))) throw isOff();
    await recordAudit(tx, caller, "two_factor.turned_off", now);
    await tell(ctx, tx, caller.account.id, "off", now);
  });
};

/**
 * Removes the factor with its recovery codes and sign-in challenges, in the caller's transaction. For operators.
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
    if (!(await queries.lockTwoFactor(tx, caller.account.id))) throw isOff();
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

const newRecoveryCodes = async (
  ctx: Pick<Context, "random"> & { db: Tx },
  accountId: number,
  now: Date,
): Promise<string[]> => {
  const codes = Array.from({ length: recoveryCodeCount }, () => writeRecoveryCode(ctx.random.bytes(recoveryCodeBytes)));
  await queries.replaceRecoveryCodes(ctx.db, accountId, codes.map(hashOf), now);
  return codes;
};

const tell = async (ctx: Pick<Context, "settings">, tx: Tx, accountId: number, turned: "on" | "off", now: Date) => {
  const mail = twoFactorTurned(ctx.settings.appUrl, turned);
  const dedupeKey = `two-factor-${turned}:${accountId}:${now.toISOString()}`;
  await enqueue(tx, { ...mail, dedupeKey, accountId }, now);
};

const isOnAlready = () => conflict("Two-factor sign-in is already on");
const passwordChanged = () => conflict("The password was changed in the meantime. Sign in again");
const isOff = () => conflict("Two-factor sign-in is off");
