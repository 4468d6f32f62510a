/** E-mail verification by a link that is valid for `emailLinkHours` and works once. A change of address uses the same links. */
import { type Tx, violatesConstraint } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { conflict, invalid } from "../errors.ts";
import { confirmEmail, confirmNewEmail, emailChanged, emailChangeRequested } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { recordAudit } from "./audit.server.ts";
import type { Account, Caller, SessionProof } from "./caller.ts";
import { confirmHolder } from "./confirm-holder.server.ts";
import type { EmailChange } from "./credentials.ts";
import { lockAccount, lockUnchanged } from "./lock.server.ts";
import { hashToken, type Origin } from "./lucia.server.ts";
import { emailLinkHours } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { verificationsOf } from "./throttle.server.ts";

type Sending = Pick<Context, "random" | "settings"> & { db: Tx };

/** Mails a verification link for the account's address and voids earlier links. */
export const mailVerification = async (ctx: Sending, account: Account, now: Date): Promise<void> => {
  const { link, tokenHash } = await newLink(ctx, account.id, account.email, now);
  await enqueue(
    ctx.db,
    {
      ...confirmEmail(ctx.settings.appUrl, { link, hours: emailLinkHours }),
      dedupeKey: `verify-email:${tokenHash.slice(0, 16)}`,
      accountId: account.id,
      holdsSecret: true,
    },
    now,
  );
};

/**
 * Mails a new verification link.
 *
 * @throws conflict when the address is verified already
 * @throws rate_limited after too many links for one account
 */
export const requestVerification = async (
  ctx: Pick<Context, "db" | "clock" | "random" | "rateLimiter" | "settings">,
  caller: Caller<SessionProof>,
): Promise<void> => {
  if (caller.account.emailVerifiedAt) throw isConfirmed();
  await verificationsOf(ctx, caller.account.id).count();
  await ctx.db.transaction(async (tx) => {
    // The address may have changed since the request began. The link must not restore the old one.
    const account = (await lockAccount(tx, caller.account.id))?.account;
    if (!account || account.emailVerifiedAt) throw isConfirmed();
    await mailVerification({ ...ctx, db: tx }, account, ctx.clock.now());
  });
};

const isConfirmed = () => conflict("The e-mail address is already confirmed");

/**
 * Mails a link to a new address, which replaces the current one when the link is opened. The current address is
 * notified at once, so that its holder can still stop the change by setting a new password.
 *
 * @throws invalid for a wrong password, for a wrong or missing code if the account has a second factor, for the current
 * address, and for the address of another account
 * @throws conflict when the password was changed meanwhile
 * @throws rate_limited after too many wrong passwords or codes, or too many links for one account
 */
export const requestEmailChange = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "random" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  input: EmailChange,
  origin: Origin,
): Promise<void> => {
  const { id: accountId } = caller.account;
  if (input.email === caller.account.email) throw invalid("email", "This is already your address");
  const passwordHash = await confirmHolder(ctx, caller, input, origin);
  // Before the next check, as its answer reveals whether another account has the address.
  await verificationsOf(ctx, accountId).count();
  const holder = await queries.findByEmail(ctx.db, input.email);
  if (holder && holder.id !== accountId) throw invalid("email", isTaken);
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const account = (await lockUnchanged(tx, accountId, passwordHash))?.account;
    if (!account) throw conflict("The password was changed in the meantime. Sign in again");
    const { link, tokenHash } = await newLink({ ...ctx, db: tx }, account.id, input.email, now);
    await recordAudit(tx, caller, "email.change_requested", now, { to: input.email });
    const mail = {
      ...confirmNewEmail(ctx.settings.appUrl, { link, hours: emailLinkHours, username: account.username }),
      dedupeKey: `change-email:${tokenHash.slice(0, 16)}`,
      accountId: account.id,
      toAddress: input.email,
      holdsSecret: true,
    };
    await enqueue(tx, mail, now);
    const warning = {
      ...emailChangeRequested(ctx.settings.appUrl, { email: input.email }),
      dedupeKey: `change-email-from:${tokenHash.slice(0, 16)}`,
      accountId: account.id,
      toAddress: account.email,
    };
    await enqueue(tx, warning, now);
  });
};

const isTaken = "Another account has this address";

const newLink = async (ctx: Sending, accountId: number, email: string, now: Date) => {
  const token = Buffer.from(ctx.random.bytes(32)).toString("base64url");
  const tokenHash = hashToken(token);
  await queries.voidVerifications(ctx.db, accountId, now);
  const expiresAt = new Date(now.getTime() + emailLinkHours * 3_600_000);
  await queries.insertVerification(ctx.db, { tokenHash, accountId, email, createdAt: now, expiresAt });
  return { link: `${ctx.settings.appUrl}/verify-email?token=${token}`, tokenHash };
};

export type OpenVerification = {
  accountId: number;
  email: string;
  /** The address to replace. Null: the link verifies the current one. */
  replaces: string | null;
};

/** What the link would do. It is not used up, as mail programs prefetch links. Null: the link is not valid. */
export const findVerification = async (
  ctx: Pick<Context, "db" | "clock">,
  token: string,
): Promise<OpenVerification | null> => {
  const found = await queries.findOpenVerification(ctx.db, hashToken(token), ctx.clock.now());
  return (
    found && {
      accountId: found.accountId,
      email: found.email,
      replaces: found.email === found.present ? null : found.present,
    }
  );
};

/** The new address that waits for confirmation, if there is one. */
export const pendingEmail = (ctx: Pick<Context, "db" | "clock">, { account }: Caller): Promise<string | null> =>
  queries.findPendingEmail(ctx.db, account.id, account.email, ctx.clock.now());

/**
 * Redeems a link: its address is verified and becomes the account's. A replaced address is notified, and links sent to
 * it are voided.
 *
 * Requires a session of the account, as the link alone proves only that its reader owns the address. Somebody else may have
 * registered it, and waits with a password or session of their own for the owner to confirm it. The owner takes such an account
 * over by a reset of the password.
 *
 * @throws conflict when the link was used, has expired, never existed or belongs to another account, and when another account
 * has taken the address
 */
export const verifyEmail = async (
  ctx: Pick<Context, "db" | "clock" | "settings">,
  caller: Caller<SessionProof>,
  { token }: { token: string },
): Promise<{ email: string }> => {
  const now = ctx.clock.now();
  try {
    return await ctx.db.transaction(async (tx) => {
      const open = await queries.findOpenVerification(tx, hashToken(token), now);
      if (open && open.accountId !== caller.account.id) throw isOfAnother();
      const account = open && (await lockAccount(tx, open.accountId))?.account;
      const used = account && (await queries.markVerificationUsed(tx, hashToken(token), now));
      if (!used) throw conflict("This link was used or has expired. Request a new one");
      await queries.setVerifiedEmail(tx, account.id, used.email, now);
      if (used.email === account.email) {
        await recordAudit(tx, { account }, "email.verified", now);
        return { email: used.email };
      }
      await queries.voidResets(tx, account.id, now);
      await recordAudit(tx, { account }, "email.changed", now, { from: account.email, to: used.email });
      const mail = emailChanged(ctx.settings.appUrl, { email: used.email });
      const about = { dedupeKey: `email-changed:${used.id}`, accountId: account.id, toAddress: account.email };
      await enqueue(tx, { ...mail, ...about }, now);
      return { email: used.email };
    });
  } catch (error) {
    if (violatesConstraint(error, "accounts_email_key")) throw conflict(isTaken);
    throw error;
  }
};

const isOfAnother = () =>
  conflict("This link belongs to another account. Sign in to that account to confirm its address");
