/** A second factor: a code from the holder's phone besides the password. Its secret is sealed with the service's own key. */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { conflict, invalid } from "../errors.ts";
import { twoFactorTurned } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { recordAudit } from "./audit.server.ts";
import type { Account, Caller, SessionProof } from "./caller.ts";
import type { PasswordAgain, PasswordAndCode } from "./credentials.ts";
import { checkPassword } from "./current-password.server.ts";
import { findOwnBudget } from "./known-origin.server.ts";
import { lockUnchanged } from "./lock.server.ts";
import type { Origin } from "./lucia.server.ts";
import { enrolmentOf, secretBytes, stepOf } from "./one-time-code.server.ts";
import { recoveryCodeBytes, recoveryCodeCount, writeRecoveryCode } from "./recovery-code.ts";
import { hashOf, redeemSecondFactor, sealedAbout } from "./second-factor.server.ts";
import { type Attempt, secondFactorsOf } from "./throttle.server.ts";
import * as queries from "./two-factor-queries.server.ts";

/** Who has left the browser open must not leave the secret on the screen. */
const enrolmentMinutes = 15;

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
 * Makes the secret that the holder's phone is to have. Nothing changes before a right code confirms it.
 *
 * @throws invalid for a wrong password
 * @throws conflict when two-factor sign-in is on, and when the password was changed meanwhile
 */
export const beginTwoFactor = async (
  ctx: Pick<Context, "db" | "clock" | "random" | "rateLimiter" | "sealer">,
  caller: Caller<SessionProof>,
  input: PasswordAgain,
  origin: Origin,
): Promise<void> => {
  const passwordHash = await checkPassword(ctx, caller, input.current_password, origin);
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
  /** The secret in groups of four, to be typed. */
  typed: string;
};

/** What has been begun and waits for its first code; null when there is nothing, or it was begun too long ago. */
export const enrolment = async (
  ctx: Pick<Context, "db" | "clock" | "sealer">,
  { account }: Caller<SessionProof>,
): Promise<Enrolment | null> => {
  const begun = await findBegun(ctx, account.id);
  return begun && enrolmentOf(ctx.sealer.open(begun.sealedSecret, sealedAbout(account.id)), account.email);
};

/**
 * Turns two-factor sign-in on by the first right code; the holder is told by mail.
 *
 * @returns the recovery codes, here and never again
 * @throws invalid for a wrong code
 * @throws conflict when nothing was begun, or too long ago
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
  const begun = await findBegun(ctx, id);
  if (!begun) throw conflict("Begin again: the code on the screen was made too long ago");
  const secret = ctx.sealer.open(begun.sealedSecret, sealedAbout(id));
  const step = stepOf(secret, input.code.replace(/[\s-]/g, ""), ctx.deviceClock.now());
  if (step === null) throw invalid("code", "This is not the app's present code. See that the phone's time is right");
  const now = ctx.clock.now();
  const turnedOn = await ctx.db.transaction(async (tx) => {
    if (!(await queries.confirmTwoFactor(tx, begun, step, now))) throw isOnAlready();
    const recoveryCodes = await newRecoveryCodes({ ...ctx, db: tx }, id, now);
    await recordAudit(tx, caller, "two_factor.turned_on", now);
    await tell(ctx, tx, id, "on", now);
    return { recoveryCodes };
  });
  await attempt.giveBack();
  return turnedOn;
};

/**
 * Asks for a code where the account has a second factor, before what a password alone must not do there.
 *
 * @throws invalid for a code that is wrong, has been used, or is missing
 * @throws rate_limited after too many codes
 */
export const confirmSecondFactor = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  code: string | undefined,
  origin: Origin,
): Promise<void> => {
  const { account } = caller;
  if (!(await queries.isOn(ctx.db, account.id))) return;
  if (!code) throw invalid("code", "Enter the code that your authenticator app shows now");
  const attempt = await countCode(ctx, caller, origin);
  const taken = await ctx.db.transaction((tx) => redeemSecondFactor({ ...ctx, db: tx }, account, code));
  if (!taken) throw invalid("code", "The code is not right, or has been used");
  await attempt.giveBack();
};

const countCode = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter">,
  { account }: Caller<SessionProof>,
  origin: Origin,
): Promise<Attempt> =>
  secondFactorsOf(ctx, account.email, await findOwnBudget(ctx, account.id, origin), origin).count();

/**
 * Turns it off, recovery codes and all; the holder is told by mail. It takes a code: whoever has the password alone must
 * not get rid of what protects against that.
 *
 * @throws invalid for a wrong password, and for a code that is wrong, has been used, or is missing
 * @throws conflict when it is off, and when the password was changed meanwhile
 * @throws rate_limited after too many passwords or codes
 */
export const turnOffTwoFactor = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  input: PasswordAndCode,
  origin: Origin,
): Promise<void> => {
  const passwordHash = await checkPassword(ctx, caller, input.current_password, origin);
  await confirmSecondFactor(ctx, caller, input.code, origin);
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    if (!(await lockUnchanged(tx, caller.account.id, passwordHash))) throw passwordChanged();
    if (!(await queries.deleteTwoFactor(tx, caller.account.id))) throw isOff();
    await recordAudit(tx, caller, "two_factor.turned_off", now);
    await tell(ctx, tx, caller.account.id, "off", now);
  });
};

/**
 * Removes it with all that belongs to it, sign-ins half-way too, in the transaction of whoever says so in the holder's
 * place. @returns whether it was on
 */
export const removeTwoFactor = (tx: Tx, accountId: number): Promise<boolean> => queries.deleteTwoFactor(tx, accountId);

/**
 * New recovery codes in place of the old ones, used or not. It takes a code: they stand in for the second factor.
 *
 * @returns them, here and never again
 * @throws invalid for a wrong password, and for a code that is wrong, has been used, or is missing
 * @throws conflict when two-factor sign-in is off, and when the password was changed meanwhile
 * @throws rate_limited after too many passwords or codes
 */
export const renewRecoveryCodes = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "random" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  input: PasswordAndCode,
  origin: Origin,
): Promise<{ recoveryCodes: string[] }> => {
  const passwordHash = await checkPassword(ctx, caller, input.current_password, origin);
  await confirmSecondFactor(ctx, caller, input.code, origin);
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    if (!(await lockUnchanged(tx, caller.account.id, passwordHash))) throw passwordChanged();
    if (!(await queries.lockTwoFactor(tx, caller.account.id))) throw isOff();
    const recoveryCodes = await newRecoveryCodes({ ...ctx, db: tx }, caller.account.id, now);
    await recordAudit(tx, caller, "recovery_codes.renewed", now);
    return { recoveryCodes };
  });
};

const findBegun = async (ctx: Pick<Context, "db" | "clock">, accountId: number) => {
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

const isOnAlready = () => conflict("Two-factor sign-in is on already");
const passwordChanged = () => conflict("The password was changed elsewhere meanwhile");
const isOff = () => conflict("Two-factor sign-in is off");
