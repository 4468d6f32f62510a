/**
 * Sets a new password by the mailed link. Whoever opens that link proves that the account's address is theirs. If nobody had
 * proven it before, the account may have been opened by somebody else with this address, in wait for its owner.
 */
import { recordAudit } from "../accounts/audit.server.ts";
import type { PasswordReset } from "../accounts/credentials.ts";
import type { ExclusiveLock } from "../accounts/lock.server.ts";
import type { Origin } from "../accounts/lucia.server.ts";
import { countPasskeys, removeAllPasskeys } from "../accounts/passkeys.server.ts";
import { hashPassword } from "../accounts/password.server.ts";
import { findReset, linkIsSpent, redeemReset } from "../accounts/password-reset.server.ts";
import { refuseGuessable } from "../accounts/password-strength.server.ts";
import { removeTwoFactor } from "../accounts/two-factor.server.ts";
import { countKeys, revokeKeys } from "../api-keys/manage.server.ts";
import { deleteCalendarFeed } from "../calendar/feed.server.ts";
import type { Context } from "../context.ts";
import { passwordChanged } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { deleteWebhooks } from "../webhooks/manage.server.ts";

export type OpenReset = {
  /** Working and inactive ones. */
  apiKeys: number;
  passkeys: number;
  /** Whether the account's address was confirmed before. If not, everything that was set up is removed. */
  isConfirmed: boolean;
};

/** What the link would do. It is not used up, as mail programs prefetch links. Null: the link is not valid. */
export const openReset = async (ctx: Pick<Context, "db" | "clock">, token: string): Promise<OpenReset | null> => {
  const account = await findReset(ctx, token);
  if (!account) return null;
  const [apiKeys, passkeys] = await Promise.all([countKeys(ctx, { account }), countPasskeys(ctx, { account })]);
  return { apiKeys, passkeys, isConfirmed: account.emailVerifiedAt !== null };
};

/**
 * Sets the password of the link's account, ends all sessions, revokes the API keys and removes the passkeys if asked to, and
 * notifies the account holder by e-mail. Other links and a pending change of address are voided. Two-factor sign-in stays on, also
 * without passkeys, unless the address is confirmed only by this link: then all that could give an intruder access is removed.
 *
 * @returns a device token that makes the browser known, so that the account holder can sign in there even if strangers have used
 * up their rate limit, and how many sessions were ended and keys revoked
 * @throws conflict when the link was used, has expired or never existed
 * @throws invalid for a password that is easy to guess
 */
export const resetPassword = async (
  ctx: Pick<Context, "db" | "clock" | "random" | "settings">,
  { token, new_password, revoke_keys, remove_passkeys }: PasswordReset,
  origin: Origin,
): Promise<{ endedSessions: number; revokedKeys: number; deviceToken: string }> => {
  const holder = await findReset(ctx, token);
  if (!holder) throw linkIsSpent();
  refuseGuessable(new_password, holder, "new_password");
  const passwordHash = await hashPassword(new_password);
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const reset = await redeemReset({ ...ctx, db: tx }, { token, passwordHash }, origin);
    const { locked, endedSessions, deviceToken, isFirstProof } = reset;
    const { account } = locked;
    const revokedKeys = revoke_keys || isFirstProof ? await revokeKeys(tx, { account }, now) : 0;
    const removedPasskeys = remove_passkeys || isFirstProof ? await removeAllPasskeys(tx, account.id) : 0;
    if (isFirstProof) await removeAccess(locked);
    await recordAudit(tx, { account }, "password.reset", now, {
      ended_sessions: endedSessions,
      ...(revokedKeys > 0 ? { revoked_keys: revokedKeys } : {}),
      ...(removedPasskeys > 0 ? { removed_passkeys: removedPasskeys } : {}),
      ...(isFirstProof ? { removed_access: true } : {}),
    });
    const mail = passwordChanged(ctx.settings.appUrl, {
      signedOut: "every session",
      revokedKeys,
      keptKeys: await countKeys({ ...ctx, db: tx }, { account }),
      removedPasskeys,
      keptPasskeys: await countPasskeys({ db: tx }, { account }),
      isFirstProof,
    });
    const dedupeKey = `password-changed:reset-${reset.id}`;
    await enqueue(tx, { ...mail, dedupeKey, accountId: account.id }, now);
    return { endedSessions, revokedKeys, deviceToken };
  });
};

/** Besides sessions, keys, links and known browsers, which a reset ends anyway. */
const removeAccess = async ({ tx, account }: ExclusiveLock): Promise<void> => {
  await removeTwoFactor(tx, account.id);
  await deleteCalendarFeed(tx, account.id);
  await deleteWebhooks(tx, account.id);
};
