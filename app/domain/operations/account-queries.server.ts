import { and, desc, eq, getTableColumns, gt, lt, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import {
  accounts,
  apiKeys,
  auditLog,
  invoices,
  paidPlans,
  payments,
  sessions,
  subscriptions,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { accountColumns } from "../accounts/account-columns.server.ts";
import type { Day } from "../dates.ts";
import { containsPattern } from "../like.ts";
import type { AccountFilter } from "./account-filter.ts";

/** One more than `limit`, newest first, behind `before`. */
export const searchAccounts = (
  db: Tx,
  filter: AccountFilter,
  page: { limit: number; before: number | null; today: Day },
) =>
  db
    .select({
      id: accounts.id,
      email: accounts.email,
      username: accounts.username,
      plan: accounts.plan,
      standing: accounts.standing,
      role: accounts.role,
      createdAt: accounts.createdAt,
      closedAt: accounts.closedAt,
      runningSubscriptions: runningCount(page.today),
    })
    .from(accounts)
    .where(
      and(
        filter.q ? isNamed(filter.q) : undefined,
        filter.plan && eq(accounts.plan, filter.plan),
        filter.standing && eq(accounts.standing, filter.standing),
        page.before === null ? undefined : lt(accounts.id, page.before),
      ),
    )
    .orderBy(desc(accounts.id))
    .limit(page.limit + 1);

const isNamed = (q: string) => {
  const part = containsPattern(q.toLowerCase());
  return or(
    sql`lower(${accounts.email}) like ${part}`,
    sql`lower(${accounts.username}) like ${part}`,
    /^[1-9]\d{0,8}$/.test(q) ? eq(accounts.id, Number(q)) : undefined,
  );
};

/** A subquery per row of a page. Plain column names, as drizzle leaves out the table in a query of a single table. */
const runningCount = (today: Day) =>
  sql<number>`(select count(*)::int from ${subscriptions} running
    where running.account_id = accounts.id and running.end_date > ${today})`;

/** Null: no such account. */
export const findAccount = async (db: Tx, id: number) => {
  const agreeing = alias(accounts, "agreeing");
  const [row] = await db
    .select({
      ...accountColumns,
      createdAt: accounts.createdAt,
      emailVerifiedAt: accounts.emailVerifiedAt,
      closedAt: accounts.closedAt,
      stripeCustomerId: accounts.stripeCustomerId,
      /** The operator who agreed to the custom discount. */
      discountAgreedBy: agreeing.username,
      /** The exclusive end of a plan that the holder has paid for. */
      paidPlanEnd: paidPlans.endDate,
    })
    .from(accounts)
    .leftJoin(agreeing, eq(agreeing.id, accounts.customDiscountAgreedBy))
    .leftJoin(paidPlans, eq(paidPlans.accountId, accounts.id))
    .where(eq(accounts.id, id));
  return row ?? null;
};

export const countOpenSessions = (db: Tx, accountId: number, now: Date): Promise<number> =>
  db.$count(sessions, and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, now)));

export const countKeys = (db: Tx, accountId: number): Promise<number> =>
  db.$count(apiKeys, eq(apiKeys.accountId, accountId));

/** Whether the audit log already has an entry for the refund. */
export const isRefundOrdered = async (db: Tx, of: { accountId: number; refundId: string }): Promise<boolean> =>
  (await db.$count(
    auditLog,
    and(
      eq(auditLog.accountId, of.accountId),
      eq(auditLog.action, "refund.ordered"),
      sql`${auditLog.details} ->> 'refund_id' = ${of.refundId}`,
    ),
  )) > 0;

/** Null: the account has no such invoice, or it is a credit note. */
export const findPaymentOfInvoice = async (db: Tx, accountId: number, invoiceId: number) => {
  const [row] = await db
    .select({ ...getTableColumns(payments) })
    .from(invoices)
    .innerJoin(payments, eq(payments.orderId, invoices.orderId))
    .where(and(eq(invoices.id, invoiceId), eq(invoices.accountId, accountId), eq(invoices.kind, "invoice")));
  return row ?? null;
};
