import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import { requireRecentProof } from "../accounts/confirm-holder.server.ts";
import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import { keyCreated } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { planLimits } from "../plans/plans.ts";
import { enqueueWebhookEvent } from "../webhooks/enqueue.server.ts";
import { type ApiKey, type NewKey, refusePastExpiry, storedAddresses, tooManyKeys } from "./api-key.ts";
import * as queries from "./queries.server.ts";
import { displayPrefix, hashSecret, writeSecret } from "./secret.ts";

type World = Pick<Context, "db" | "clock" | "random" | "settings">;

export type IssuedKey = ApiKey & { secret: string };

/**
 * Creates an API key, which works at once. The secret is returned only here.
 *
 * @throws ProofRequired in a portal session that is not recent, if the account has a second factor
 * @throws conflict when the plan's maximum of keys is reached; inactive keys count
 * @throws invalid for an expiry that is not in the future
 * @spec API key
 */
export const issueKey = async (ctx: World, caller: Caller, input: NewKey): Promise<IssuedKey> => {
  refusePastExpiry(input.expiresAt ?? null, ctx.clock.now());
  await requireRecentProof(ctx, caller);
  return ctx.db.transaction(async (tx) => {
    const { plan, keys } = await queries.countKeysLocked(tx, caller.account.id);
    const { maxApiKeys } = planLimits[plan];
    if (maxApiKeys !== null && keys >= maxApiKeys) {
      throw conflict(tooManyKeys(plan, maxApiKeys));
    }
    return insertKey(tx, ctx, caller, input);
  });
};

/** Writes a new key with its audit record, mail and event. Does not check the plan's maximum. */
export const insertKey = async (tx: Tx, ctx: World, caller: Caller, input: NewKey): Promise<IssuedKey> => {
  const { id: accountId } = caller.account;
  const secret = writeSecret(ctx.random.bytes(32));
  const key = {
    name: input.api_key_name,
    user: input.user,
    displayPrefix: displayPrefix(secret),
    status: "active" as const,
    createdAt: ctx.clock.now(),
    expiresAt: input.expiresAt ?? null,
    replacedAt: null,
    hourlyLimit: input.hourlyLimit ?? null,
    allowedAddresses: storedAddresses(input.allowedAddresses ?? null),
  };
  const { id } = await queries.insertKey(tx, { ...key, accountId, secretHash: hashSecret(secret) });
  await recordAudit(tx, caller, "api_key.created", key.createdAt, { api_key_id: id, name: key.name });
  const mail = keyCreated(ctx.settings.appUrl, key);
  await enqueue(tx, { ...mail, dedupeKey: `key-created:${id}`, accountId }, key.createdAt);
  const data = { api_key_id: id, api_key_name: key.name, user: key.user };
  await enqueueWebhookEvent(tx, { accountId, type: "api_key.created", key: `${id}`, data, at: key.createdAt });
  return { ...key, id, secret, lastUsedAt: null, requests: 0 };
};
