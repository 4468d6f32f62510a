import { and, eq, isNull, lt, or } from "drizzle-orm";
import { idempotencyKeys } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

type Row = { scope: string; keyHash: string };

const is = (row: Row) => and(eq(idempotencyKeys.scope, row.scope), eq(idempotencyKeys.keyHash, row.keyHash));

/** Whether the key is the caller's to work under: new, lapsed, or left behind by a worker that is gone. */
export const claim = async (
  db: Tx,
  row: Row & { endpoint: string; requestHash: string; createdAt: Date },
  limits: { keptSince: Date; inFlightSince: Date },
): Promise<boolean> => {
  const lapsed = lt(idempotencyKeys.createdAt, limits.keptSince);
  const abandoned = and(isNull(idempotencyKeys.sealedResponse), lt(idempotencyKeys.createdAt, limits.inFlightSince));
  const claimed = await db
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [idempotencyKeys.scope, idempotencyKeys.keyHash],
      set: { endpoint: row.endpoint, requestHash: row.requestHash, createdAt: row.createdAt, sealedResponse: null },
      setWhere: or(lapsed, abandoned) ?? lapsed,
    })
    .returning({ scope: idempotencyKeys.scope });
  return claimed.length > 0;
};

export const find = async (db: Tx, row: Row) => {
  const [found] = await db.select().from(idempotencyKeys).where(is(row));
  return found ?? null;
};

type Claim = Row & { createdAt: Date };

/** Not while another request has taken the key over. */
const isStill = (claim: Claim) => and(is(claim), eq(idempotencyKeys.createdAt, claim.createdAt));

export const keep = (db: Tx, claim: Claim, sealedResponse: Uint8Array) =>
  db.update(idempotencyKeys).set({ sealedResponse }).where(isStill(claim));

export const release = (db: Tx, claim: Claim) =>
  db.delete(idempotencyKeys).where(and(isStill(claim), isNull(idempotencyKeys.sealedResponse)));

/** @returns how many there were */
export const deleteOlder = async (db: Tx, than: Date): Promise<number> => {
  const { count } = await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, than));
  return count;
};
