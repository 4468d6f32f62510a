import { and, desc, eq, gt, isNull, lt, type SQL, sql } from "drizzle-orm";
import { accounts, apiKeys, usageDays } from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { accountColumns } from "../accounts/account-columns.server.ts";
import type { Account } from "../accounts/caller.ts";
import type { Plan } from "../plans/plans.ts";
import type { ApiKey } from "./api-key.ts";

const totals = (db: Tx, accountId: number) =>
  db
    .select({
      apiKeyId: usageDays.apiKeyId,
      requests: sql`sum(${usageDays.requests})`.as("requests"),
      lastUsedAt: sql`max(${usageDays.lastAt})`.mapWith(usageDays.lastAt).as("last_used_at"),
    })
    .from(usageDays)
    .where(and(eq(usageDays.accountId, accountId), gt(usageDays.apiKeyId, 0)))
    .groupBy(usageDays.apiKeyId)
    .as("totals");

/** Keys of the account that meet the condition, with their usage totals. */
const selectKeys = (db: Tx, accountId: number, condition: SQL | undefined) => {
  const used = totals(db, accountId);
  return db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      user: apiKeys.user,
      displayPrefix: apiKeys.displayPrefix,
      status: apiKeys.status,
      createdAt: apiKeys.createdAt,
      lastUsedAt: used.lastUsedAt,
      requests: sql`coalesce(${used.requests}, 0)`.mapWith(Number),
    })
    .from(apiKeys)
    .leftJoin(used, eq(used.apiKeyId, apiKeys.id))
    .where(and(eq(apiKeys.accountId, accountId), condition));
};

export const listKeys = (
  db: Tx,
  accountId: number,
  { before, limit }: { before: number | null; limit: number | null },
): Promise<ApiKey[]> =>
  selectKeys(db, accountId, before === null ? undefined : lt(apiKeys.id, before))
    .orderBy(desc(apiKeys.id))
    .limit(limit ?? 2 ** 31 - 1);

export const findKey = async (db: Tx, accountId: number, id: number): Promise<ApiKey | null> => {
  const [key] = await selectKeys(db, accountId, eq(apiKeys.id, id));
  return key ?? null;
};

/** Locks the account's row, so that concurrent requests cannot exceed the maximum, even while the plan changes. */
export const countKeysLocked = async (tx: Tx, accountId: number): Promise<{ plan: Plan; keys: number }> => {
  const [account] = await tx
    .select({ plan: accounts.plan })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("no key update");
  if (!account) throw new Error("The caller's account is gone");
  return { ...account, keys: await tx.$count(apiKeys, eq(apiKeys.accountId, accountId)) };
};

export const insertKey = async (tx: Tx, row: typeof apiKeys.$inferInsert): Promise<{ id: number }> => {
  const [key] = await tx.insert(apiKeys).values(row).returning({ id: apiKeys.id });
  if (!key) throw new Error("The insert returned no key");
  return key;
};

/** Null if the account has no such key. */
export const setStatus = async (
  tx: Tx,
  accountId: number,
  id: number,
  status: ApiKey["status"],
): Promise<{ name: string } | null> => {
  const [changed] = await tx
    .update(apiKeys)
    .set({ status })
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, id)))
    .returning({ name: apiKeys.name });
  return changed ?? null;
};

export const deleteKey = async (tx: Tx, accountId: number, id: number): Promise<{ name: string } | null> => {
  const [deleted] = await tx
    .delete(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, id)))
    .returning({ name: apiKeys.name });
  return deleted ?? null;
};

export type KeyHolder = { secretHash: Uint8Array; keyId: number; keyName: string; user: string; account: Account };

export const deleteKeys = (tx: Tx, accountId: number) => tx.delete(apiKeys).where(eq(apiKeys.accountId, accountId));

/** The active keys among these hashes, with their accounts: one query for all requests that wait. */
/** The active keys among these hashes with their accounts, in one query for all waiting requests. */
export const findActiveKeys = (db: Tx, hashes: Uint8Array[]): Promise<KeyHolder[]> =>
  activeKeys(db).execute({ hashes: hashes.map((hash) => `\\x${Buffer.from(hash).toString("hex")}`) });

const activeKeys = perDatabase((db) =>
  db
    .select({
      secretHash: apiKeys.secretHash,
      keyId: apiKeys.id,
      keyName: apiKeys.name,
      user: apiKeys.user,
      account: accountColumns,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(
      and(
        sql`${apiKeys.secretHash} = any(${sql.placeholder("hashes")}::text[]::bytea[])`,
        eq(apiKeys.status, "active"),
        isNull(accounts.closedAt),
      ),
    )
    .prepare("active_keys"),
);
