/** Keys that somebody has found: in a public repository, a log, a web page. */
import { recordServiceAudit } from "../accounts/audit.server.ts";
import type { Context } from "../context.ts";
import { keyLeaked } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { announceRevoked } from "./announce-revoked.server.ts";
import type { LeakedKey } from "./leaked-key.ts";
import * as queries from "./queries.server.ts";
import { hashSecret, isWellFormedSecret } from "./secret.ts";

/**
 * Revokes a found key at once and permanently, and tells its account. Whoever has the key could use it, so no other proof is
 * needed. Does nothing for a key that does not exist (any more), and does not tell the difference.
 */
export const reportLeakedKey = async (
  ctx: Pick<Context, "db" | "clock" | "settings">,
  { api_key: secret, url }: LeakedKey,
): Promise<void> => {
  const found = secret.trim();
  const foundAt = url ?? null;
  if (!isWellFormedSecret(found)) return;
  await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const key = await queries.deleteLeaked(tx, hashSecret(found));
    if (!key) return;
    const { id, name, displayPrefix, accountId } = key;
    await recordServiceAudit(tx, accountId, "api_key.leaked", now, { api_key_id: id, name, found_at: foundAt });
    await announceRevoked(tx, accountId, key, "leaked", now);
    const mail = keyLeaked(ctx.settings.appUrl, { name, displayPrefix, foundAt });
    await enqueue(tx, { ...mail, dedupeKey: `key-leaked:${id}`, accountId }, now);
  });
};
