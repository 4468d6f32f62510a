import { and, desc, eq, getTableColumns, inArray, isNotNull, sql } from "drizzle-orm";
import { accounts, paymentMethods } from "#drizzle/schema/index.ts";
import { batchByKey } from "../../platform/batch-by-key.server.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { isOneOf } from "../../platform/is-one-of.server.ts";

/** The default card first, then the newest. */
export const listCards = (db: Tx, accountId: number) => listCardsIn(db).execute({ accountId });

const listCardsIn = perDatabase((db) =>
  db
    .select()
    .from(paymentMethods)
    .where(eq(paymentMethods.accountId, sql.placeholder("accountId")))
    .orderBy(desc(paymentMethods.isDefault), desc(paymentMethods.id))
    .prepare("cards_of_account"),
);

/** Those of the accounts that have a default card with the payment provider. */
export const withDefaultCard = batchByKey(
  (db, accountIds) => withDefaultCardIn(db).execute({ accountIds }),
  ({ id }) => id,
);

const withDefaultCardIn = perDatabase((db) =>
  db
    .select({ id: accounts.id })
    .from(paymentMethods)
    .innerJoin(accounts, eq(accounts.id, paymentMethods.accountId))
    .where(
      and(
        // Passes all ids as one array parameter: PostgreSQL limits the number of parameters.
        isOneOf(accounts.id, sql.placeholder("accountIds")),
        eq(paymentMethods.isDefault, true),
        isNotNull(accounts.stripeCustomerId),
      ),
    )
    .prepare("with_default_card"),
);

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
    .set({ isDefault: true, disputedAt: null })
    .where(and(eq(paymentMethods.accountId, accountId), eq(paymentMethods.id, id)));
};

export const deleteCards = (tx: Tx, accountId: number, ids: number[]) =>
  tx.delete(paymentMethods).where(and(eq(paymentMethods.accountId, accountId), inArray(paymentMethods.id, ids)));

export const findAccountOfCustomer = async (db: Tx, customerId: string): Promise<number | null> => {
  const [row] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.stripeCustomerId, customerId));
  return row?.id ?? null;
};
