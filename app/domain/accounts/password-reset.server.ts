/** Password reset by a mailed link that is valid for `passwordResetMinutes` and works once. */
import { setTimeout as pause } from "node:timers/promises";
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import { passwordReset } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import type { Account } from "./caller.ts";
import type { ForgottenPassword } from "./credentials.ts";
import { rememberDevice } from "./known-origin.server.ts";
import { type ExclusiveLock, lockAccount } from "./lock.server.ts";
import { hashToken, type Origin } from "./lucia.server.ts";
import { passwordResetMinutes } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { replacePassword } from "./replace-password.server.ts";
import { passwordResetsOf } from "./throttle.server.ts";

/** Longer than writing the mail takes, so that the response time does not reveal whether an account exists. */
const answerMs = 250;

/**
 * Mails a link to the address if an account has it. The response does not reveal whether one does.
 *
 * @throws rate_limited after too many requests for one e-mail address, or from one IP address
 */
export const requestPasswordReset = async (
  ctx: Pick<Context, "db" | "clock" | "random" | "rateLimiter" | "settings">,
  { email }: ForgottenPassword,
  origin: Origin,
): Promise<void> => {
  await passwordResetsOf(ctx, email, origin).count();
  await Promise.all([mailLink(ctx, email), pause(answerMs)]);
};

const mailLink = async (ctx: Pick<Context, "db" | "clock" | "random" | "settings">, email: string): Promise<void> => {
  const account = await queries.findByEmail(ctx.db, email);
  if (!account) return;
  const token = Buffer.from(ctx.random.bytes(32)).toString("base64url");
  const tokenHash = hashToken(token);
  const { appUrl } = ctx.settings;
  const mail = passwordReset(appUrl, {
    link: `${appUrl}/reset-password?token=${token}`,
    minutes: passwordResetMinutes,
  });
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + passwordResetMinutes * 60_000);
  await ctx.db.transaction(async (tx) => {
    await queries.deleteResetsExpiredBy(tx, account.id, now);
    await queries.insertReset(tx, { tokenHash, accountId: account.id, createdAt: now, expiresAt });
    const dedupeKey = `password-reset:${tokenHash.slice(0, 16)}`;
    await enqueue(tx, { ...mail, dedupeKey, accountId: account.id, holdsSecret: true }, now);
  });
};

/** The account whose password the link resets. Null: the link is not valid. */
export const findReset = (ctx: Pick<Context, "db" | "clock">, token: string): Promise<Account | null> =>
  queries.findOpenReset(ctx.db, hashToken(token), ctx.clock.now());

export type RedeemedReset = {
  id: number;
  locked: ExclusiveLock;
  endedSessions: number;
  /** Makes the browser known. */
  deviceToken: string;
  /** The link was mailed to the account's address, so using it proves that address. True: nobody had proven it before. */
  isFirstProof: boolean;
};

/**
 * Uses the link up, replaces the password and ends all sessions, in the caller's transaction.
 *
 * @throws conflict when the link was used, has expired or never existed
 */
export const redeemReset = async (
  ctx: Pick<Context, "clock" | "random"> & { db: Tx },
  { token, passwordHash }: { token: string; passwordHash: string },
  origin: Origin,
): Promise<RedeemedReset> => {
  const now = ctx.clock.now();
  const open = await findReset(ctx, token);
  const locked = open && (await lockAccount(ctx.db, open.id));
  const used = locked && (await queries.markResetUsed(ctx.db, hashToken(token), now));
  if (!used) throw linkIsSpent();
  const isFirstProof = await queries.proveEmail(ctx.db, locked.account.id, now);
  const endedSessions = await replacePassword(locked, passwordHash, now, null);
  const deviceToken = await rememberDevice(ctx, locked, origin);
  return { id: used.id, locked, endedSessions, deviceToken, isFirstProof };
};

export const linkIsSpent = () => conflict("This link was used or has expired. Request a new one");
