import { and, desc, eq, ne, sql } from "drizzle-orm";
import { savedSearches } from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import type { SavedSearch } from "./saved-search.ts";

const columns = {
  id: savedSearches.id,
  name: savedSearches.name,
  query: savedSearches.query,
  createdAt: savedSearches.createdAt,
};

/** Newest first. */
export const listOf = (db: Tx, accountId: number): Promise<SavedSearch[]> => listIn(db).execute({ accountId });

const listIn = perDatabase((db) =>
  db
    .select(columns)
    .from(savedSearches)
    .where(eq(savedSearches.accountId, sql.placeholder("accountId")))
    .orderBy(desc(savedSearches.id))
    .prepare("saved_searches"),
);

export const insert = async (tx: Tx, row: typeof savedSearches.$inferInsert): Promise<void> => {
  await tx.insert(savedSearches).values(row);
};

/** Whether another search of the account has this name. */
export const isNameTaken = async (tx: Tx, accountId: number, name: string, exceptId: number): Promise<boolean> =>
  (await tx.$count(
    savedSearches,
    and(
      eq(savedSearches.accountId, accountId),
      sql`lower(${savedSearches.name}) = lower(${name})`,
      ne(savedSearches.id, exceptId),
    ),
  )) > 0;

/** @returns false if there is none */
export const updateName = async (tx: Tx, accountId: number, id: number, name: string): Promise<boolean> => {
  const own = and(eq(savedSearches.accountId, accountId), eq(savedSearches.id, id));
  return (await tx.update(savedSearches).set({ name }).where(own).returning({ id: savedSearches.id })).length > 0;
};

/** @returns false if there is none */
export const deleteOne = async (db: Tx, accountId: number, id: number): Promise<boolean> => {
  const own = and(eq(savedSearches.accountId, accountId), eq(savedSearches.id, id));
  return (await db.delete(savedSearches).where(own).returning({ id: savedSearches.id })).length > 0;
};

export const deleteAll = async (tx: Tx, accountId: number): Promise<void> => {
  await tx.delete(savedSearches).where(eq(savedSearches.accountId, accountId));
};
