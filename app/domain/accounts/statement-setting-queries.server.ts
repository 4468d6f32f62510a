import { and, asc, eq, isNotNull, isNull, lt } from "drizzle-orm";
import { accounts } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

export const findStatementsSince = async (db: Tx, accountId: number): Promise<Date | null> => {
  const [row] = await db
    .select({ since: accounts.monthlyStatementsSince })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return row?.since ?? null;
};

/** @returns whether the setting has changed */
export const setStatementsSince = async (tx: Tx, accountId: number, since: Date | null): Promise<boolean> => {
  const differs = since === null ? isNotNull(accounts.monthlyStatementsSince) : isNull(accounts.monthlyStatementsSince);
  const changed = await tx
    .update(accounts)
    .set({ monthlyStatementsSince: since })
    .where(and(eq(accounts.id, accountId), differs))
    .returning({ id: accounts.id });
  return changed.length > 0;
};

export const wantingStatements = async (db: Tx, end: Date): Promise<number[]> => {
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(lt(accounts.monthlyStatementsSince, end), isNull(accounts.closedAt)))
    .orderBy(asc(accounts.id));
  return rows.map(({ id }) => id);
};
