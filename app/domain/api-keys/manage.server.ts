/** Listing, switching and deleting an account's keys. Keys of other accounts are not found. @spec API key */
import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { type Page, type PageRequest, pageOf } from "../page.ts";
import { type ApiKey, keyCursor } from "./api-key.ts";
import * as queries from "./queries.server.ts";

/** Newest first. @throws invalid for a cursor of another list */
export const listKeys = async (ctx: Pick<Context, "db">, caller: Caller, page: PageRequest): Promise<Page<ApiKey>> => {
  const [before] = keyCursor.read(page.cursor) ?? [null];
  const found = await queries.listKeys(ctx.db, caller.account.id, { before, limit: page.limit + 1 });
  return pageOf(found, page.limit, (last) => keyCursor.write([last.id]));
};

/** All keys of the account, newest first, for the export. */
export const allKeys = (ctx: Pick<Context, "db">, caller: Caller): Promise<ApiKey[]> =>
  queries.listKeys(ctx.db, caller.account.id, { before: null, limit: null });

/** @throws not_found */
export const getKey = async (ctx: Pick<Context, "db">, caller: Caller, input: { id: number }): Promise<ApiKey> => {
  const key = await queries.findKey(ctx.db, caller.account.id, input.id);
  if (!key) throw notFound("API key");
  return key;
};

/**
 * Activates or deactivates a key, with effect from the next request on.
 *
 * @throws not_found
 */
export const setKeyStatus = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
  input: { id: number; status: ApiKey["status"] },
): Promise<ApiKey> =>
  ctx.db.transaction(async (tx) => {
    const changed = await queries.setStatus(tx, caller.account.id, input.id, input.status);
    if (!changed) throw notFound("API key");
    const action = input.status === "active" ? "api_key.activated" : "api_key.deactivated";
    await recordAudit(tx, caller, action, ctx.clock.now(), { api_key_id: input.id, name: changed.name });
    return getKey({ db: tx }, caller, input);
  });

/**
 * Deletes a key permanently, with effect from the next request on.
 *
 * @throws not_found
 */
export const deleteKey = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
  input: { id: number },
): Promise<{ id: number }> =>
  ctx.db.transaction(async (tx) => {
    const deleted = await queries.deleteKey(tx, caller.account.id, input.id);
    if (!deleted) throw notFound("API key");
    await recordAudit(tx, caller, "api_key.deleted", ctx.clock.now(), { api_key_id: input.id, name: deleted.name });
    return { id: input.id };
  });

/** All keys of an account that is being closed. */
export const deleteKeys = async (tx: Tx, accountId: number): Promise<void> => {
  await queries.deleteKeys(tx, accountId);
};
