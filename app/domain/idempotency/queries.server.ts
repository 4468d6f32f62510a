import { and, eq, isNull, lt, or } from "drizzle-orm";
import { idempotencyKeys } from "../../../drizzle/schema.ts";
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

export const keep = (db: Tx, row: Row, sealedResponse: Uint8Array) =>
  db.update(idempotencyKeys).set({ sealedResponse }).where(is(row));

export const release = (db: Tx, row: Row) =>
  db.delete(idempotencyKeys).where(and(is(row), isNull(idempotencyKeys.sealedResponse)));

/** @returns how many there were */
export const deleteOlder = async (db: Tx, than: Date): Promise<number> => {
  const { count } = await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, than));
  return count;
};
