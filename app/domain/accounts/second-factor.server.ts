import { createHash } from "node:crypto";
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { Refusal } from "../errors.ts";
import { codesGuessed, recoveryCodeUsed } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { recordAudit } from "./audit.server.ts";
import type { Account } from "./caller.ts";
import { findOwnBudget } from "./known-origin.server.ts";
import type { Origin } from "./lucia.server.ts";
import { stepOf } from "./one-time-code.server.ts";
import { longestCodePauseHours, oneTimeCode, wrongCodesToPause, wrongCodesToReport } from "./policy.ts";
import { readRecoveryCode } from "./recovery-code.ts";
import * as queries from "./two-factor-queries.server.ts";

/** How the second factor was passed. For a recovery code: how many are left. */
export type FactorUsed = { by: "code" } | { by: "recovery_code"; left: number };

/**
 * Redeems a code of the authenticator app, or a recovery code, of which the account holder is notified. Null: the code is wrong
 * or was used before. A refusal is logged.
 *
 * The caller counts the attempt first, so that parallel guesses are throttled like sequential ones, and commits also if the code
 * is wrong. After many wrong codes there are pauses, in which no code of the app is compared. Recovery codes have none.
 *
 * @throws rate_limited during a pause
 */
export const redeemSecondFactor = async (
  ctx: Pick<Context, "clock" | "deviceClock" | "sealer" | "settings"> & { db: Tx },
  account: Pick<Account, "id">,
  typed: string,
  origin: Origin,
): Promise<FactorUsed | null> => {
  const digits = typed.replace(/[\s-]/g, "");
  const used = isOneTimeCode.test(digits)
    ? await takeCountedCode(ctx, account, digits, origin)
    : await spend(ctx, account, typed);
  if (!used) await recordAudit(ctx.db, { account }, "second_factor.refused", ctx.clock.now());
  return used;
};

const isOneTimeCode = new RegExp(`^\\d{${oneTimeCode.digits}}$`);

type World = Parameters<typeof redeemSecondFactor>[0];

const takeCountedCode = async (
  ctx: World,
  account: Pick<Account, "id">,
  code: string,
  origin: Origin,
): Promise<FactorUsed | null> => {
  const { db: tx } = ctx;
  const { id } = account;
  const now = ctx.clock.now();
  const from = (await findOwnBudget(ctx, id, origin)) ?? "strangers";
  const count = await queries.countWrongCode(tx, id, from, now);
  if (count === null) throw paused(await queries.findCodePause(tx, id, from), now);
  const used = await takeCode(ctx, account, code);
  if (used) {
    await queries.forgetWrongCodes(tx, id, from);
    return used;
  }
  if (count >= wrongCodesToPause) await queries.pauseCodes(tx, id, from, pauseEnd(count, now));
  if (count >= wrongCodesToReport) {
    const mail = codesGuessed(ctx.settings.appUrl, { count, address: origin.ipAddress });
    await enqueue(tx, { ...mail, dedupeKey: `codes-guessed:${id}:${dayOf(now)}`, accountId: id }, now);
  }
  return null;
};

/** Twice as long after each further wrong code. */
export const pauseHours = (count: number): number => Math.min(2 ** (count - wrongCodesToPause), longestCodePauseHours);

const pauseEnd = (count: number, now: Date): Date => new Date(now.getTime() + pauseHours(count) * 3_600_000);

const paused = (until: Date | null, now: Date): Refusal => {
  const seconds = Math.max(1, Math.ceil(((until ?? now).getTime() - now.getTime()) / 1000));
  const hours = Math.ceil(seconds / 3600);
  return new Refusal(
    "rate_limited",
    `Too many wrong codes. Use a recovery code, or wait ${hours === 1 ? "an hour" : `${hours} hours`}`,
    { retryAfterSeconds: seconds },
  );
};

const takeCode = async (ctx: World, { id }: Pick<Account, "id">, code: string): Promise<FactorUsed | null> => {
  const factor = await queries.findTwoFactor(ctx.db, id);
  if (!factor?.confirmedAt) return null;
  const step = stepOf(ctx.sealer.open(factor.sealedSecret, sealedAbout(id)), code, ctx.deviceClock.now());
  return step !== null && (await queries.advanceStep(ctx.db, id, step)) ? { by: "code" } : null;
};

const spend = async (ctx: World, account: Pick<Account, "id">, typed: string): Promise<FactorUsed | null> => {
  const code = readRecoveryCode(typed);
  const now = ctx.clock.now();
  const used = code === null ? null : await queries.markRecoveryCodeUsed(ctx.db, account.id, hashOf(code), now);
  if (used === null) return null;
  const left = await queries.countRecoveryCodes(ctx.db, account.id);
  await recordAudit(ctx.db, { account }, "recovery_code.used", now, { left });
  const mail = recoveryCodeUsed(ctx.settings.appUrl, { left });
  await enqueue(ctx.db, { ...mail, dedupeKey: `recovery-code:${used}`, accountId: account.id }, now);
  return { by: "recovery_code", left };
};

/** The stored form of a recovery code. */
export const hashOf = (code: string): string => createHash("sha256").update(code).digest("hex");

/** Binds the ciphertext to the account, so that it cannot be used for another one. */
export const sealedAbout = (accountId: number): string => `two-factor:${accountId}`;
