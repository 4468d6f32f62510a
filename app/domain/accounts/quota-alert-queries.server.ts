import { and, eq, isNull, ne } from "drizzle-orm";
import { accounts } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

/** False for an account that is closed, too. */
export const findQuotaAlerts = async (db: Tx, accountId: number): Promise<boolean> => {
  const [row] = await db
    .select({ byMail: accounts.quotaAlertsByMail })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.closedAt)));
  return row?.byMail ?? false;
};

/** @returns whether the setting has changed */
export const setQuotaAlerts = async (tx: Tx, accountId: number, byMail: boolean): Promise<boolean> => {
  const changed = await tx
    .update(accounts)
    .set({ quotaAlertsByMail: byMail })
    .where(and(eq(accounts.id, accountId), ne(accounts.quotaAlertsByMail, byMail)))
    .returning({ id: accounts.id });
  return changed.length > 0;
};
