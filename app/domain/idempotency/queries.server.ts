import { and, eq, isNull, lt, or } from "drizzle-orm";
import { idempotencyKeys } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

type Row = { scope: string; keyHash: string };

const matches = (row: Row) => and(eq(idempotencyKeys.scope, row.scope), eq(idempotencyKeys.keyHash, row.keyHash));

/** Claims a key. @returns true when it is new, expired, or abandoned by a request whose process has died */
export const claim = async (
  db: Tx,
  row: Row & { endpoint: string; requestHash: string; createdAt: Date },
  limits: { keptSince: Date; inFlightSince: Date },
): Promise<boolean> => {
  const expired = lt(idempotencyKeys.createdAt, limits.keptSince);
  const abandoned = and(isNull(idempotencyKeys.sealedResponse), lt(idempotencyKeys.createdAt, limits.inFlightSince));
  const claimed = await db
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [idempotencyKeys.scope, idempotencyKeys.keyHash],
      set: { endpoint: row.endpoint, requestHash: row.requestHash, createdAt: row.createdAt, sealedResponse: null },
      setWhere: or(expired, abandoned) ?? expired,
    })
    .returning({ scope: idempotencyKeys.scope });
  return claimed.length > 0;
};

export const find = async (db: Tx, row: Row) => {
  const [found] = await db.select().from(idempotencyKeys).where(matches(row));
  return found ?? null;
};

type Claim = Row & { createdAt: Date };

/** Matches only while no other request has taken over the key. */
const stillHolds = (claim: Claim) => and(matches(claim), eq(idempotencyKeys.createdAt, claim.createdAt));

export const keep = (db: Tx, claim: Claim, sealedResponse: Uint8Array) =>
  db.update(idempotencyKeys).set({ sealedResponse }).where(stillHolds(claim));

export const release = (db: Tx, claim: Claim) =>
  db.delete(idempotencyKeys).where(and(stillHolds(claim), isNull(idempotencyKeys.sealedResponse)));

/** @returns how many were deleted */
export const deleteOlder = async (db: Tx, before: Date): Promise<number> => {
  const { count } = await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before));
  return count;
};
