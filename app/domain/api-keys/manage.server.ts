/** Listing, switching and deleting an account's keys. Keys of other accounts are not found. @spec API key */
import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { isoInstant } from "../dates.ts";
import { conflict, notFound } from "../errors.ts";
import { type Page, type PageRequest, pageOf } from "../page.ts";
import { announceRevoked } from "./announce-revoked.server.ts";
import { type ApiKey, alreadyRotated, keyCursor, refusePastExpiry, storedAddresses } from "./api-key.ts";
import * as queries from "./queries.server.ts";

type World = Pick<Context, "db" | "clock">;

/** Newest first. @throws invalid for a cursor of another list */
export const listKeys = async (ctx: World, caller: Caller, page: PageRequest): Promise<Page<ApiKey>> => {
  const [before] = keyCursor.read(page.cursor) ?? [null];
  const found = await queries.listKeys(ctx.db, caller.account.id, ctx.clock.now(), { before, limit: page.limit + 1 });
  return pageOf(found, page.limit, (last) => keyCursor.write([last.id]));
};

/** All keys of the account, newest first, for the export. */
export const allKeys = (ctx: World, caller: Caller): Promise<ApiKey[]> =>
  queries.listKeys(ctx.db, caller.account.id, ctx.clock.now(), { before: null, limit: null });

/** All keys of the account without their usage, newest first. */
export const keyNames = (ctx: World, caller: Caller): Promise<Pick<ApiKey, "id" | "name" | "status">[]> =>
  queries.keyNames(ctx.db, caller.account.id, ctx.clock.now());

/** @throws not_found */
export const getKey = async (ctx: World, caller: Caller, input: { id: number }): Promise<ApiKey> => {
  const key = await queries.findKey(ctx.db, caller.account.id, input.id, ctx.clock.now());
  if (!key) throw notFound("API key");
  return key;
};

/**
 * Activates or deactivates a key, with effect from the next request on. Activating a key that has expired removes its
 * expiry.
 *
 * @throws not_found
 */
export const setKeyStatus = async (
  ctx: World,
  caller: Caller,
  input: { id: number; status: ApiKey["status"] },
): Promise<ApiKey> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const key = await queries.findKeyLocked(tx, caller.account.id, input.id, now);
    if (!key) throw notFound("API key");
    const isExpired = key.expiresAt !== null && key.expiresAt <= now;
    const removesExpiry = input.status === "active" && isExpired;
    await queries.updateKey(tx, input.id, { status: input.status, ...(removesExpiry ? { expiresAt: null } : {}) });
    const action = input.status === "active" ? "api_key.activated" : "api_key.deactivated";
    await recordAudit(tx, caller, action, now, { api_key_id: input.id, name: key.name });
    if (input.status === "inactive")
      await announceRevoked(tx, caller.account.id, { ...key, ...input }, "deactivated", now);
    return getKey({ ...ctx, db: tx }, caller, input);
  });

/**
 * Sets when a key stops working. Null: it does not expire. A key that has expired stays inactive until it is activated.
 *
 * @throws not_found
 * @throws invalid for a time that is not in the future
 * @throws conflict for a key that was rotated
 */
export const setKeyExpiry = async (
  ctx: World,
  caller: Caller,
  input: { id: number; expiresAt: Date | null },
): Promise<ApiKey> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    refusePastExpiry(input.expiresAt, now);
    const key = await queries.findKeyLocked(tx, caller.account.id, input.id, now);
    if (!key) throw notFound("API key");
    if (key.replacedAt) throw conflict(alreadyRotated);
    await queries.updateKey(tx, input.id, { expiresAt: input.expiresAt, status: key.status });
    await recordAudit(tx, caller, "api_key.expiry_set", now, {
      api_key_id: input.id,
      name: key.name,
      expires_at: input.expiresAt && isoInstant(input.expiresAt),
    });
    return getKey({ ...ctx, db: tx }, caller, input);
  });

/**
 * Limits the requests in an hour with this key, so that one program cannot use up the account's limit. Applies from the
 * next request on. Null: only the account's limit applies.
 *
 * @throws not_found
 * @throws conflict for a key that was rotated
 */
export const setKeyLimit = async (
  ctx: World,
  caller: Caller,
  input: { id: number; hourlyLimit: number | null },
): Promise<ApiKey> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const key = await queries.findKeyLocked(tx, caller.account.id, input.id, now);
    if (!key) throw notFound("API key");
    if (key.replacedAt) throw conflict(alreadyRotated);
    await queries.updateKey(tx, input.id, { hourlyLimit: input.hourlyLimit });
    const details = { api_key_id: input.id, name: key.name, hourly_limit: input.hourlyLimit };
    await recordAudit(tx, caller, "api_key.limit_set", now, details);
    return getKey({ ...ctx, db: tx }, caller, input);
  });

/**
 * Limits where requests with this key may come from. Applies from the next request on. Null: from everywhere.
 *
 * @throws not_found
 * @throws conflict for a key that was rotated
 */
export const setKeyAddresses = async (
  ctx: World,
  caller: Caller,
  input: { id: number; allowedAddresses: readonly string[] | null },
): Promise<ApiKey> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const key = await queries.findKeyLocked(tx, caller.account.id, input.id, now);
    if (!key) throw notFound("API key");
    if (key.replacedAt) throw conflict(alreadyRotated);
    const allowedAddresses = storedAddresses(input.allowedAddresses);
    await queries.updateKey(tx, input.id, { allowedAddresses });
    const details = { api_key_id: input.id, name: key.name, allowed_addresses: allowedAddresses?.join(", ") ?? null };
    await recordAudit(tx, caller, "api_key.addresses_set", now, details);
    return getKey({ ...ctx, db: tx }, caller, input);
  });

/**
 * Deletes a key permanently, with effect from the next request on.
 *
 * @throws not_found
 */
export const deleteKey = async (ctx: World, caller: Caller, input: { id: number }): Promise<{ id: number }> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const deleted = await queries.deleteKey(tx, caller.account.id, input.id, now);
    if (!deleted) throw notFound("API key");
    await recordAudit(tx, caller, "api_key.deleted", now, { api_key_id: input.id, name: deleted.name });
    await announceRevoked(tx, caller.account.id, { ...deleted, ...input }, "deleted", now);
    return { id: input.id };
  });

/** How many keys the account has, inactive ones included. */
export const countKeys = (ctx: Pick<Context, "clock"> & { db: Tx }, { account }: Pick<Caller, "account">) =>
  queries.countKeys(ctx.db, account.id, ctx.clock.now());

/** Deletes all keys of the account, as they may be in the wrong hands. @returns how many */
export const revokeKeys = async (tx: Tx, caller: Pick<Caller, "account">, now: Date): Promise<number> => {
  const deleted = await queries.deleteKeys(tx, caller.account.id, now);
  for (const key of deleted) {
    await recordAudit(tx, caller, "api_key.deleted", now, { api_key_id: key.id, name: key.name });
    await announceRevoked(tx, caller.account.id, key, "deleted", now);
  }
  return deleted.length;
};

/** All keys of an account that is being closed. */
export const deleteKeys = async (tx: Tx, accountId: number): Promise<void> => {
  await queries.deleteAllKeys(tx, accountId);
};
