/** Rotation: a new key replaces the old one, which still works for a while. */
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import { requireRecentProof } from "../accounts/confirm-holder.server.ts";
import type { Context } from "../context.ts";
import { conflict, notFound } from "../errors.ts";
import { alreadyRotated } from "./api-key.ts";
import { type IssuedKey, insertKey } from "./issue.server.ts";
import { deleteKey } from "./manage.server.ts";
import * as queries from "./queries.server.ts";

const millisecondsPerHour = 3_600_000;

/**
 * Creates a key with the same name, username and hourly limit. The old key works for the overlap, or until it expires if that is
 * earlier, and is then deleted. The new key does not count as an additional one, and does not expire.
 *
 * @param input.overlapHours 0: the old key is deleted at once
 * @throws ProofRequired as for a new key
 * @throws not_found
 * @throws conflict for a key that is inactive or was rotated before
 */
export const rotateKey = async (
  ctx: Pick<Context, "db" | "clock" | "random" | "settings">,
  caller: Caller,
  input: { id: number; overlapHours: number },
): Promise<IssuedKey> => {
  await requireRecentProof(ctx, caller);
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    // The account's row first, as when a key is created.
    await queries.countKeysLocked(tx, caller.account.id);
    const old = await queries.findKeyLocked(tx, caller.account.id, input.id, now);
    if (!old) throw notFound("API key");
    if (old.replacedAt) throw conflict(alreadyRotated);
    if (old.status !== "active") throw conflict("You cannot rotate an inactive key. Activate it first");
    const overlapEnd = new Date(now.getTime() + input.overlapHours * millisecondsPerHour);
    const expiresAt = old.expiresAt && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
    await recordAudit(tx, caller, "api_key.rotated", now, { api_key_id: input.id, name: old.name });
    if (input.overlapHours === 0) await deleteKey({ ...ctx, db: tx }, caller, input);
    else await queries.updateKey(tx, input.id, { replacedAt: now, expiresAt });
    return insertKey(tx, ctx, caller, {
      api_key_name: old.name,
      user: old.user,
      hourlyLimit: old.hourlyLimit,
      allowedAddresses: old.allowedAddresses,
    });
  });
};
