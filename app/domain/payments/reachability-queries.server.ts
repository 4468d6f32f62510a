import { paymentContact } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

export const findFailure = async (db: Tx): Promise<Date | null> => {
  const [row] = await db.select({ failedAt: paymentContact.failedAt }).from(paymentContact);
  return row?.failedAt ?? null;
};

export const noteFailure = (db: Tx, failedAt: Date | null) =>
  db.insert(paymentContact).values({ failedAt }).onConflictDoUpdate({ target: paymentContact.id, set: { failedAt } });
