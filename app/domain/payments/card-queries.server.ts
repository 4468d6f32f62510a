import { and, desc, eq, getTableColumns, inArray, isNotNull } from "drizzle-orm";
import { accounts, paymentMethods } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

/** The default card first, then the newest. */
export const listCards = (db: Tx, accountId: number) =>
  db
    .select()
    .from(paymentMethods)
    .where(eq(paymentMethods.accountId, accountId))
    .orderBy(desc(paymentMethods.isDefault), desc(paymentMethods.id));

export const listCardsOfClosed = (db: Tx) =>
  db
    .select(getTableColumns(paymentMethods))
    .from(paymentMethods)
    .innerJoin(accounts, eq(accounts.id, paymentMethods.accountId))
    .where(isNotNull(accounts.closedAt))
    .orderBy(paymentMethods.id);

export const setDefault = async (tx: Tx, accountId: number, id: number): Promise<void> => {
  await tx.update(paymentMethods).set({ isDefault: false }).where(eq(paymentMethods.accountId, accountId));
  await tx
    .update(paymentMethods)
    .set({ isDefault: true })
    .where(and(eq(paymentMethods.accountId, accountId), eq(paymentMethods.id, id)));
};

export const deleteCards = (tx: Tx, accountId: number, ids: number[]) =>
  tx.delete(paymentMethods).where(and(eq(paymentMethods.accountId, accountId), inArray(paymentMethods.id, ids)));
