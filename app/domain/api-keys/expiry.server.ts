/** What scheduled jobs do about keys that expire. Whether a key works is decided by its look-up, not here. */
import type { Context } from "../context.ts";
import { millisecondsPerDay } from "../dates.ts";
import { keyExpiring } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { announceRevoked } from "./announce-revoked.server.ts";
import { reminderDays } from "./policy.ts";
import * as queries from "./queries.server.ts";

/**
 * Deactivates keys that have expired and deletes rotated keys whose overlap has ended, with their events.
 *
 * @returns how many
 */
export const revokeExpiredKeys = async (ctx: Pick<Context, "db" | "clock">): Promise<number> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const { deleted, deactivated } = await queries.revokeExpired(tx, now);
    for (const key of deleted) await announceRevoked(tx, key.accountId, key, "rotated", key.expiresAt ?? now);
    for (const key of deactivated) await announceRevoked(tx, key.accountId, key, "expired", key.expiresAt ?? now);
    return deleted.length + deactivated.length;
  });

/**
 * Writes a mail about each key that expires within `reminderDays`, once for each time of expiry. Keys that live no longer
 * than that get none.
 *
 * @returns how many mails were written
 */
export const remindOfExpiringKeys = async (ctx: Pick<Context, "db" | "clock" | "settings">): Promise<number> => {
  const now = ctx.clock.now();
  const noticeMs = reminderDays * millisecondsPerDay;
  let written = 0;
  for (const key of await queries.keysExpiringBetween(ctx.db, now, new Date(now.getTime() + noticeMs))) {
    if (key.expiresAt.getTime() - key.createdAt.getTime() <= noticeMs) continue;
    const dedupeKey = `key-expiring:${key.id}:${key.expiresAt.toISOString()}`;
    const mail = { ...keyExpiring(ctx.settings.appUrl, key), dedupeKey, accountId: key.accountId };
    if (await enqueue(ctx.db, mail, now)) written += 1;
  }
  return written;
};
