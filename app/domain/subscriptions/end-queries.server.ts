import { and, eq, gt, sql } from "drizzle-orm";
import { subscriptions } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";

export const endSubscriptions = async (tx: Tx, accountId: number, today: Day, now: Date): Promise<void> => {
  await tx.update(subscriptions).set({ autoRenew: false }).where(eq(subscriptions.accountId, accountId));
  await tx
    .update(subscriptions)
    .set({
      cancelledAt: sql`coalesce(${subscriptions.cancelledAt}, ${now.toISOString()}::timestamptz)`,
      endDate: sql`greatest(${today}::date, ${subscriptions.startDate} + 1)`,
    })
    .where(and(eq(subscriptions.accountId, accountId), gt(subscriptions.endDate, today)));
};
