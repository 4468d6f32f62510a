import { eq, sql } from "drizzle-orm";
import { billingDetails } from "#drizzle/schema/index.ts";
import { batchByKey } from "../../platform/batch-by-key.server.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { isOneOf } from "../../platform/is-one-of.server.ts";
import type { BillingDetails } from "./buyer.ts";

const columns = {
  name: billingDetails.name,
  addressLine1: billingDetails.addressLine1,
  addressLine2: billingDetails.addressLine2,
  postalCode: billingDetails.postalCode,
  city: billingDetails.city,
  region: billingDetails.region,
  country: billingDetails.country,
  taxId: billingDetails.taxId,
  purchaseOrder: billingDetails.purchaseOrder,
  email: billingDetails.email,
};

export const findDetails = async (db: Tx, accountId: number): Promise<BillingDetails | null> => {
  const [row] = await db.select(columns).from(billingDetails).where(eq(billingDetails.accountId, accountId));
  return row ?? null;
};

export const findDetailsOf = batchByKey(
  (db, accountIds) => detailsOfIn(db).execute({ accountIds }),
  ({ accountId }) => accountId,
);

const detailsOfIn = perDatabase((db) =>
  db
    .select({ accountId: billingDetails.accountId, ...columns })
    .from(billingDetails)
    .where(isOneOf(billingDetails.accountId, sql.placeholder("accountIds")))
    .prepare("billing_details_of"),
);

export const saveDetails = (tx: Tx, accountId: number, details: BillingDetails, updatedAt: Date) =>
  tx
    .insert(billingDetails)
    .values({ accountId, ...details, updatedAt })
    .onConflictDoUpdate({ target: billingDetails.accountId, set: { ...details, updatedAt } });

export const deleteDetails = (tx: Tx, accountId: number) =>
  tx.delete(billingDetails).where(eq(billingDetails.accountId, accountId));
