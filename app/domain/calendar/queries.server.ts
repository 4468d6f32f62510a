import { and, eq, isNull } from "drizzle-orm";
import { accounts, calendarFeeds } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

export const findFeed = async (db: Tx, accountId: number): Promise<{ createdAt: Date } | null> => {
  const [row] = await db
    .select({ createdAt: calendarFeeds.createdAt })
    .from(calendarFeeds)
    .where(eq(calendarFeeds.accountId, accountId));
  return row ?? null;
};

/** The account whose calendar this secret opens. Closed accounts have none. */
export const findReader = async (db: Tx, tokenHash: string) => {
  const [row] = await db
    .select({ id: accounts.id, standing: accounts.standing })
    .from(calendarFeeds)
    .innerJoin(accounts, eq(accounts.id, calendarFeeds.accountId))
    .where(and(eq(calendarFeeds.tokenHash, tokenHash), isNull(accounts.closedAt)));
  return row ?? null;
};

export const replaceFeed = (tx: Tx, row: typeof calendarFeeds.$inferInsert) =>
  tx
    .insert(calendarFeeds)
    .values(row)
    .onConflictDoUpdate({
      target: calendarFeeds.accountId,
      set: { tokenHash: row.tokenHash, createdAt: row.createdAt },
    });

/** @returns whether there was one */
export const deleteFeed = async (tx: Tx, accountId: number): Promise<boolean> =>
  (
    await tx
      .delete(calendarFeeds)
      .where(eq(calendarFeeds.accountId, accountId))
      .returning({ accountId: calendarFeeds.accountId })
  ).length > 0;
