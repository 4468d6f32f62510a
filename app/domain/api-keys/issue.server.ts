import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import { keyCreated } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { planLimits } from "../plans/plans.ts";
import { type ApiKey, type NewKey, tooManyKeys } from "./api-key.ts";
import * as queries from "./queries.server.ts";
import { displayPrefix, hashSecret, writeSecret } from "./secret.ts";

/**
 * Creates an API key, which works at once. The secret is returned only here.
 *
 * @throws conflict when the plan's maximum of keys is reached; inactive keys count
 * @spec API key
 */
export const issueKey = async (
  ctx: Pick<Context, "db" | "clock" | "random" | "settings">,
  caller: Caller,
  input: NewKey,
): Promise<ApiKey & { secret: string }> => {
  const { id: accountId } = caller.account;
  const secret = writeSecret(ctx.random.bytes(32));
  const key = {
    name: input.api_key_name,
    user: input.user,
    displayPrefix: displayPrefix(secret),
    status: "active" as const,
    createdAt: ctx.clock.now(),
  };
  return ctx.db.transaction(async (tx) => {
    const { plan, keys } = await queries.countKeysLocked(tx, accountId);
    const { maxApiKeys } = planLimits[plan];
    if (maxApiKeys !== null && keys >= maxApiKeys) {
      throw conflict(tooManyKeys(plan, maxApiKeys));
    }
    const { id } = await queries.insertKey(tx, { ...key, accountId, secretHash: hashSecret(secret) });
    await recordAudit(tx, caller, "api_key.created", key.createdAt, { api_key_id: id, name: key.name });
    const mail = keyCreated(ctx.settings.appUrl, key);
    await enqueue(tx, { ...mail, dedupeKey: `key-created:${id}`, accountId }, key.createdAt);
    return { ...key, id, secret, lastUsedAt: null, requests: 0 };
  });
};
