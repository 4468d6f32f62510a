import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import { accounts, apiKeys, usageAccountDays, usageDays, usageHours } from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { statement } from "../../platform/statement.server.ts";
import type { Account } from "../accounts/caller.ts";
import { dayOf } from "../dates.ts";
import { largestId } from "../input.ts";
import type { Plan } from "../plans/plans.ts";
import { type Entitlement, entitlementOf } from "../subscriptions/entitlement.server.ts";
import { subscriptionsOf, wantedRoutes } from "../subscriptions/entitlement-columns.server.ts";
import { firstUnsettledDay } from "../usage/policy.ts";
import { firstNotSummed } from "../usage/summed-columns.server.ts";
import { type ActiveKeyRow, activeKeyWith, stateOf } from "./active-key-columns.server.ts";
import type { ApiKey } from "./api-key.ts";

/** By key, from the totals of past days and of the hours since. Daily totals are read only as far as days are settled. */
const totals = (db: Tx) => {
  const hoursFrom = sql`least(${firstNotSummed("days")}, ${sql.placeholder("unsettled")}::date)`;
  const ofKeys = (table: typeof usageAccountDays | typeof usageHours) =>
    and(eq(table.accountId, sql.placeholder("accountId")), gt(table.apiKeyId, 0));
  const days = db
    .select({ apiKeyId: usageAccountDays.apiKeyId, requests: usageAccountDays.requests })
    .from(usageAccountDays)
    .where(and(ofKeys(usageAccountDays), lt(usageAccountDays.day, hoursFrom)));
  const hours = db
    .select({ apiKeyId: usageHours.apiKeyId, requests: usageHours.requests })
    .from(usageHours)
    .where(and(ofKeys(usageHours), gte(usageHours.hour, sql`${hoursFrom}::timestamp at time zone 'UTC'`)));
  const counted = days.unionAll(hours).as("counted");
  return db
    .select({ apiKeyId: counted.apiKeyId, requests: sql`sum(${counted.requests})`.as("requests") })
    .from(counted)
    .groupBy(counted.apiKeyId)
    .as("totals");
};

/** From the key's last day with a request. */
const lastUsedAt = sql<Date | null>`(
  select max(${usageDays.lastAt}) from ${usageDays}
  where ${usageDays.accountId} = ${apiKeys.accountId} and ${usageDays.apiKeyId} = ${apiKeys.id}
    and ${usageDays.day} = (select max(used.day) from ${usageDays} used where used.api_key_id = ${apiKeys.id}))`.mapWith(
  usageDays.lastAt,
);

/** An ISO instant, or a placeholder for one. */
const instantOf = (now: Date | Placeholder) => (now instanceof Date ? now.toISOString() : now);

/** A rotated key is gone when its overlap ends, even before the job deletes it. */
const isThere = (now: Date | Placeholder) =>
  or(isNull(apiKeys.replacedAt), sql`${apiKeys.expiresAt} > ${instantOf(now)}::timestamptz`);

/** An expired key is inactive, even before the job updates its status. */
const statusAt = (now: Date | Placeholder) => sql<ApiKey["status"]>`
  case when ${apiKeys.expiresAt} <= ${instantOf(now)}::timestamptz then 'inactive' else ${apiKeys.status} end`;

/** Keys of the account that meet the condition, with their usage totals. To be executed with `givenOf`. */
const selectKeys = (db: Tx, condition: SQL) => {
  const used = totals(db);
  const now = sql.placeholder("now");
  return db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      user: apiKeys.user,
      displayPrefix: apiKeys.displayPrefix,
      status: statusAt(now),
      createdAt: apiKeys.createdAt,
      expiresAt: apiKeys.expiresAt,
      replacedAt: apiKeys.replacedAt,
      hourlyLimit: apiKeys.hourlyLimit,
      allowedAddresses: apiKeys.allowedAddresses,
      lastUsedAt,
      requests: sql`coalesce(${used.requests}, 0)`.mapWith(Number),
    })
    .from(apiKeys)
    .leftJoin(used, eq(used.apiKeyId, apiKeys.id))
    .where(and(eq(apiKeys.accountId, sql.placeholder("accountId")), isThere(now), condition));
};

const givenOf = (accountId: number, now: Date) => ({
  accountId,
  now: now.toISOString(),
  unsettled: firstUnsettledDay(dayOf(now)),
});

/** Newest first. */
export const listKeys = (
  db: Tx,
  accountId: number,
  now: Date,
  { before, limit }: { before: number | null; limit: number | null },
): Promise<ApiKey[]> =>
  listKeysIn(db).execute({
    ...givenOf(accountId, now),
    before: before ?? largestId,
    limit: limit ?? largestId,
  });

const listKeysIn = perDatabase((db) =>
  selectKeys(db, lt(apiKeys.id, sql.placeholder("before")))
    .orderBy(desc(apiKeys.id))
    .limit(sql.placeholder("limit"))
    .prepare("keys_of_account"),
);

/** Newest first. */
export const keyNames = (db: Tx, accountId: number, now: Date) =>
  db
    .select({ id: apiKeys.id, name: apiKeys.name, status: statusAt(now) })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), isThere(now)))
    .orderBy(desc(apiKeys.id));

export const findKey = async (db: Tx, accountId: number, id: number, now: Date): Promise<ApiKey | null> => {
  const [key] = await findKeyIn(db).execute({ ...givenOf(accountId, now), id });
  return key ?? null;
};

const findKeyIn = perDatabase((db) => selectKeys(db, eq(apiKeys.id, sql.placeholder("id"))).prepare("key_of_account"));

/**
 * Locks the account's row, so that concurrent requests cannot exceed the maximum, even while the plan changes. A key that
 * was rotated does not count, because its successor does.
 */
export const countKeysLocked = async (tx: Tx, accountId: number): Promise<{ plan: Plan; keys: number }> => {
  const [account] = await tx
    .select({ plan: accounts.plan })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("no key update");
  if (!account) throw new Error("The caller's account is gone");
  const counted = and(eq(apiKeys.accountId, accountId), isNull(apiKeys.replacedAt));
  return { ...account, keys: await tx.$count(apiKeys, counted) };
};

export const insertKey = async (tx: Tx, row: typeof apiKeys.$inferInsert): Promise<{ id: number }> => {
  const [key] = await tx.insert(apiKeys).values(row).returning({ id: apiKeys.id });
  if (!key) throw new Error("The insert returned no key");
  return key;
};

/** Null if the account has no such key. */
export const findKeyLocked = async (tx: Tx, accountId: number, id: number, now: Date) => {
  const [key] = await tx
    .select({
      name: apiKeys.name,
      user: apiKeys.user,
      status: statusAt(now),
      expiresAt: apiKeys.expiresAt,
      replacedAt: apiKeys.replacedAt,
      hourlyLimit: apiKeys.hourlyLimit,
      allowedAddresses: apiKeys.allowedAddresses,
    })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, id), isThere(now)))
    .for("update");
  return key ?? null;
};

export const updateKey = (
  tx: Tx,
  id: number,
  set: Partial<
    Pick<typeof apiKeys.$inferInsert, "status" | "expiresAt" | "replacedAt" | "hourlyLimit" | "allowedAddresses">
  >,
) => tx.update(apiKeys).set(set).where(eq(apiKeys.id, id));

/** Deactivates keys that have expired, and deletes those that were rotated. @returns both */
export const revokeExpired = async (tx: Tx, now: Date) => {
  const key = { id: apiKeys.id, name: apiKeys.name, accountId: apiKeys.accountId, expiresAt: apiKeys.expiresAt };
  const due = lte(apiKeys.expiresAt, now);
  const deleted = await tx
    .delete(apiKeys)
    .where(and(due, isNotNull(apiKeys.replacedAt)))
    .returning(key);
  const deactivated = await tx
    .update(apiKeys)
    .set({ status: "inactive" })
    .where(and(due, eq(apiKeys.status, "active")))
    .returning(key);
  return { deleted, deactivated };
};

/** Active keys that expire in a time and were not rotated, soonest first. */
export const keysExpiringBetween = (db: Tx, from: Date, to: Date) =>
  db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      displayPrefix: apiKeys.displayPrefix,
      accountId: apiKeys.accountId,
      createdAt: apiKeys.createdAt,
      expiresAt: sql`${apiKeys.expiresAt}`.mapWith(apiKeys.createdAt),
    })
    .from(apiKeys)
    .where(
      and(
        gt(apiKeys.expiresAt, from),
        lte(apiKeys.expiresAt, to),
        isNull(apiKeys.replacedAt),
        eq(apiKeys.status, "active"),
      ),
    )
    .orderBy(asc(apiKeys.expiresAt), asc(apiKeys.id));

export const deleteKey = async (tx: Tx, accountId: number, id: number, now: Date): Promise<{ name: string } | null> => {
  const [deleted] = await tx
    .delete(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, id), isThere(now)))
    .returning({ name: apiKeys.name });
  return deleted ?? null;
};

export const countKeys = (db: Tx, accountId: number, now: Date): Promise<number> =>
  db.$count(apiKeys, and(eq(apiKeys.accountId, accountId), isThere(now)));

/** The keys that are there. */
export const deleteKeys = (tx: Tx, accountId: number, now: Date) =>
  tx
    .delete(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), isThere(now)))
    .returning({ id: apiKeys.id, name: apiKeys.name });

export const deleteAllKeys = (tx: Tx, accountId: number) => tx.delete(apiKeys).where(eq(apiKeys.accountId, accountId));

/** By its secret, whichever its status. */
export const deleteLeaked = async (tx: Tx, secretHash: Uint8Array) => {
  const [deleted] = await tx.delete(apiKeys).where(eq(apiKeys.secretHash, secretHash)).returning({
    id: apiKeys.id,
    name: apiKeys.name,
    displayPrefix: apiKeys.displayPrefix,
    accountId: apiKeys.accountId,
  });
  return deleted ?? null;
};

export type ActiveKey = {
  keyId: number;
  keyName: string;
  user: string;
  hourlyLimit: number | null;
  allowedAddresses: string[] | null;
  account: Account;
  /** The account's entitlement to the wanted route. */
  entitlement: Entitlement | null;
  /** Of all this, see `stateOf`. */
  state: string;
};

/**
 * For each of these secrets the active key with its account; null where there is none. One query for all waiting requests.
 *
 * @param wanted the secret's SHA-256 in hex, and a route to read the account's entitlement to
 */
export const findActiveKeys = async (
  db: Tx,
  wanted: { secretHash: string; routeId: number | null }[],
  now: Date,
): Promise<(ActiveKey | null)[]> => {
  const rows = await selectActiveKeys(db, {
    secretHashes: wanted.map(({ secretHash }) => `\\x${secretHash}`),
    routeIds: wanted.map(({ routeId }) => routeId),
    now: now.toISOString(),
  });
  const found = wanted.map((): ActiveKey | null => null);
  for (const row of rows) found[row.place - 1] = activeKeyOf(row);
  return found;
};

const activeKeyOf = (row: ActiveKeyRow & { state: string }): ActiveKey => ({
  keyId: row.key_id,
  keyName: row.key_name,
  user: row.user,
  hourlyLimit: row.hourly_limit,
  allowedAddresses: row.allowed_addresses,
  account: {
    id: row.account_id,
    email: row.email,
    username: row.username,
    plan: row.plan,
    standing: row.standing,
    role: row.role,
    emailVerifiedAt: row.email_verified_at === null ? null : new Date(row.email_verified_at),
    customHourlyLimit: row.custom_hourly_limit,
    customDiscountPercent: row.custom_discount_percent,
    customDiscountThrough: row.custom_discount_through,
  },
  entitlement: row.route_id === null ? null : entitlementOf(row),
  state: row.state,
});

const selectActiveKeys = statement<
  ActiveKeyRow & { place: number; state: string },
  { secretHashes: string[]; routeIds: (number | null)[]; now: string }
>(
  ({ secretHashes, routeIds, now }) => sql`
    with ${wantedRoutes({ routeIds, now })}
    select wanted.place::integer, found.*, ${stateOf("found")} as state,
      ${subscriptionsOf({ accountId: sql`found.account_id`, routeId: sql`wanted.route_id` })} as subscriptions
    from unnest((select ${secretHashes}::text[]::bytea[]), (select ${routeIds}::integer[]))
      with ordinality as wanted (secret_hash, route_id, place)
    cross join lateral (
      ${activeKeyWith({ secretHash: sql`wanted.secret_hash`, routeId: sql`wanted.route_id`, now: sql`${now}::timestamptz` })}
    ) as found`,
);
