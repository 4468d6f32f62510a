import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/platform/db.server.ts";
import { simulatorObjects, simulatorRequests } from "#drizzle/schema/index.ts";
import type { Hidden, Kind, Objects } from "./objects.ts";

export type Stored<K extends Kind> = { kind: K; body: Objects[K]; hidden: Hidden[K]; parentId: string | null };

type Row = typeof simulatorObjects.$inferSelect;

/** The only cast from the table's JSON to the type that was stored. */
const stored = <K extends Kind>(kind: K, row: Row): Stored<K> => ({
  kind,
  body: row.body as unknown as Objects[K],
  hidden: row.hidden as unknown as Hidden[K],
  parentId: row.parentId,
});

const columnsOf = <K extends Kind>({ body, hidden, parentId }: Omit<Stored<K>, "kind">) => ({
  body: body as unknown as Row["body"],
  hidden: hidden as unknown as Row["hidden"],
  parentId,
});

const isObject = (kind: Kind, id: string) => and(eq(simulatorObjects.id, id), eq(simulatorObjects.object, kind));

export const insertObject = async <K extends Kind>(tx: Tx, object: Stored<K>, createdAt: Date): Promise<void> => {
  await tx
    .insert(simulatorObjects)
    .values({ ...columnsOf(object), id: object.body.id, object: object.kind, createdAt });
};

export const updateObject = async <K extends Kind>(tx: Tx, object: Stored<K>): Promise<void> => {
  await tx.update(simulatorObjects).set(columnsOf(object)).where(eq(simulatorObjects.id, object.body.id));
};

export const findObject = async <K extends Kind>(tx: Tx, kind: K, id: string): Promise<Stored<K> | null> => {
  const [row] = await tx.select().from(simulatorObjects).where(isObject(kind, id));
  return row ? stored(kind, row) : null;
};

/** Reads an object and locks it until the transaction ends. */
export const lockObject = async <K extends Kind>(tx: Tx, kind: K, id: string): Promise<Stored<K> | null> => {
  const [row] = await tx.select().from(simulatorObjects).where(isObject(kind, id)).for("update");
  return row ? stored(kind, row) : null;
};

export const findBody = async (tx: Tx, id: string): Promise<Record<string, unknown> | null> => {
  const [row] = await tx.select().from(simulatorObjects).where(eq(simulatorObjects.id, id));
  return row?.body ?? null;
};

/** Up to `limit` + 1 objects, newest first. */
export const listObjects = async <K extends Kind>(
  tx: Tx,
  kind: K,
  page: { parentId?: string | undefined; type?: string | undefined; after?: string | undefined; limit: number },
): Promise<Objects[K][]> => {
  const conditions: SQL[] = [eq(simulatorObjects.object, kind)];
  if (page.parentId !== undefined) conditions.push(eq(simulatorObjects.parentId, page.parentId));
  if (page.type !== undefined) conditions.push(sql`${simulatorObjects.body}->>'type' = ${page.type}`);
  if (page.after !== undefined) {
    conditions.push(
      sql`(${simulatorObjects.createdAt}, ${simulatorObjects.id}) <
        (select created_at, id from simulator_objects where id = ${page.after})`,
    );
  }
  const rows = await tx
    .select()
    .from(simulatorObjects)
    .where(and(...conditions))
    .orderBy(desc(simulatorObjects.createdAt), desc(simulatorObjects.id))
    .limit(page.limit + 1);
  return rows.map((row) => stored(kind, row).body);
};

export const undeliveredEventIds = async (tx: Tx): Promise<string[]> => {
  const rows = await tx
    .select({ id: simulatorObjects.id })
    .from(simulatorObjects)
    .where(and(eq(simulatorObjects.object, "event"), sql`${simulatorObjects.hidden}->>'delivered_at' is null`))
    .orderBy(simulatorObjects.createdAt);
  return rows.map((row) => row.id);
};

/**
 * Claims a key that is new or expired. Waits for a concurrent request with the same key; after a successful claim, others
 * wait for this transaction.
 *
 * @returns false when the key is in use
 */
export const claimKey = async (
  tx: Tx,
  claim: { idempotencyKey: string; requestHash: string; createdAt: Date },
  expiredBefore: Date,
): Promise<boolean> => {
  const claimed = await tx
    .insert(simulatorRequests)
    .values(claim)
    .onConflictDoUpdate({
      target: simulatorRequests.idempotencyKey,
      set: { requestHash: claim.requestHash, createdAt: claim.createdAt, status: null, body: null },
      setWhere: lt(simulatorRequests.createdAt, expiredBefore),
    })
    .returning({ key: simulatorRequests.idempotencyKey });
  return claimed.length > 0;
};

export const findRequest = async (tx: Tx, key: string) => {
  const [row] = await tx.select().from(simulatorRequests).where(eq(simulatorRequests.idempotencyKey, key));
  return row ?? null;
};

export const finishRequest = async (tx: Tx, key: string, status: number, body: Record<string, unknown>) => {
  await tx.update(simulatorRequests).set({ status, body }).where(eq(simulatorRequests.idempotencyKey, key));
};

export const deleteRequests = async (tx: Tx, before: Date) => {
  await tx.delete(simulatorRequests).where(lt(simulatorRequests.createdAt, before));
};
