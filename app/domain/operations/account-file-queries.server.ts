import { and, asc, desc, eq, gt, gte, max, sql } from "drizzle-orm";
import { apiKeys, invoices, payments, subscriptions, usageDays } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";

/** Newest first. */
export const keysOf = (db: Tx, accountId: number, limit: number) => {
  const lastUse = db
    .select({ at: max(usageDays.lastAt).as("at") })
    .from(usageDays)
    .where(eq(usageDays.apiKeyId, apiKeys.id))
    .as("last_use");
  return db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      user: apiKeys.user,
      displayPrefix: apiKeys.displayPrefix,
      status: apiKeys.status,
      createdAt: apiKeys.createdAt,
      lastUsedAt: lastUse.at,
    })
    .from(apiKeys)
    .leftJoinLateral(lastUse, sql`true`)
    .where(eq(apiKeys.accountId, accountId))
    .orderBy(desc(apiKeys.id))
    .limit(limit);
};

/** Invoices and credit notes, newest first. @param id only this one */
export const invoicesOf = (db: Tx, accountId: number, limit: number, id?: number) =>
  db
    .select({
      id: invoices.id,
      kind: invoices.kind,
      year: invoices.year,
      number: invoices.number,
      currency: invoices.currency,
      amountCents: invoices.amountCents,
      issuedAt: invoices.issuedAt,
      refundedCents: payments.refundedCents,
      paidCents: payments.amountCents,
      disputedAt: payments.disputedAt,
      chargeId: payments.chargeId,
    })
    .from(invoices)
    .leftJoin(payments, eq(payments.orderId, invoices.orderId))
    .where(and(eq(invoices.accountId, accountId), id === undefined ? undefined : eq(invoices.id, id)))
    .orderBy(desc(invoices.id))
    .limit(limit);

export const paidBy = async (db: Tx, accountId: number): Promise<number> => {
  const [row] = await db
    .select({
      cents:
        sql`coalesce(sum(greatest(0, ${payments.amountCents} - ${payments.refundedCents} - ${payments.chargedBackCents})), 0)`.mapWith(
          Number,
        ),
    })
    .from(payments)
    .where(eq(payments.accountId, accountId));
  return row?.cents ?? 0;
};

export const countRunning = (db: Tx, accountId: number, today: Day): Promise<number> =>
  db.$count(subscriptions, and(eq(subscriptions.accountId, accountId), gt(subscriptions.endDate, today)));

/** Only days with requests. */
export const usageOf = (db: Tx, accountId: number, from: Day) =>
  db
    .select({
      day: usageDays.day,
      requests: sql`sum(${usageDays.requests})`.mapWith(Number),
      errors: sql`sum(${usageDays.errors})`.mapWith(Number),
      rateLimited: sql`sum(${usageDays.rateLimited})`.mapWith(Number),
    })
    .from(usageDays)
    .where(and(eq(usageDays.accountId, accountId), gte(usageDays.day, from)))
    .groupBy(usageDays.day)
    .orderBy(asc(usageDays.day));
