/** Password reset by a mailed link that is valid for `passwordResetMinutes` and works once. */
import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import { passwordChanged, passwordReset } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { recordAudit } from "./audit.server.ts";
import type { ForgottenPassword, PasswordReset } from "./credentials.ts";
import { rememberDevice } from "./known-origin.server.ts";
import { lockAccount } from "./lock.server.ts";
import { hashToken, type Origin } from "./lucia.server.ts";
import { hashPassword } from "./password.server.ts";
import { refuseGuessable } from "./password-strength.server.ts";
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

/** Whether the link is still valid. It is not used up, as mail programs prefetch links. */
export const isResetOpen = async (ctx: Pick<Context, "db" | "clock">, token: string): Promise<boolean> =>
  (await queries.findOpenReset(ctx.db, hashToken(token), ctx.clock.now())) !== null;

/**
 * Sets the password of the link's account, ends all sessions and notifies the account holder by e-mail. The second factor stays
 * on. Other links and a pending change of address are voided.
 *
 * @returns how many sessions were ended, and a device token that makes the browser known, so that the account holder can sign
 * in there even if strangers have used up their rate limit
 * @throws conflict when the link was used, has expired or never existed
 * @throws invalid for a password that is easy to guess
 */
export const resetPassword = async (
  ctx: Pick<Context, "db" | "clock" | "random" | "settings">,
  { token, new_password }: PasswordReset,
  origin: Origin,
): Promise<{ endedSessions: number; deviceToken: string }> => {
  const holder = await queries.findOpenReset(ctx.db, hashToken(token), ctx.clock.now());
  if (!holder) throw linkIsSpent();
  refuseGuessable(new_password, holder, "new_password");
  const passwordHash = await hashPassword(new_password);
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const open = await queries.findOpenReset(tx, hashToken(token), now);
    const locked = open && (await lockAccount(tx, open.id));
    const used = locked && (await queries.markResetUsed(tx, hashToken(token), now));
    if (!used) throw linkIsSpent();
    const { account } = locked;
    const { id: accountId } = account;
    // The link was mailed to the account's address, so using it verifies that address.
    await queries.proveEmail(tx, accountId, now);
    const endedSessions = await replacePassword(locked, passwordHash, now, null);
    const deviceToken = await rememberDevice(ctx, locked, origin);
    await recordAudit(tx, { account }, "password.reset", now, { ended_sessions: endedSessions });
    const mail = passwordChanged(ctx.settings.appUrl, "every session");
    await enqueue(tx, { ...mail, dedupeKey: `password-changed:reset-${used.id}`, accountId }, now);
    return { endedSessions, deviceToken };
  });
};

const linkIsSpent = () => conflict("This link was used or has expired. Request a new one");
