/** SQL on the changes of plans whose log records have not been moved yet. */
import { and, asc, eq } from "drizzle-orm";
import { usagePlanChanges } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

export const notePlanChange = async (tx: Tx, accountId: number, changedAt: Date): Promise<void> => {
  await tx
    .insert(usagePlanChanges)
    .values({ accountId, changedAt })
    .onConflictDoUpdate({ target: usagePlanChanges.accountId, set: { changedAt } });
};

export const planChanges = (db: Tx) => db.select().from(usagePlanChanges).orderBy(asc(usagePlanChanges.accountId));

/** Unless the plan has changed again. */
export const forgetPlanChange = (db: Tx, accountId: number, changedAt: Date) =>
  db
    .delete(usagePlanChanges)
    .where(and(eq(usagePlanChanges.accountId, accountId), eq(usagePlanChanges.changedAt, changedAt)));
