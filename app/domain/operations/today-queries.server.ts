import { and, eq, gt, gte, isNotNull, isNull, lt, sql } from "drizzle-orm";
import {
  accounts,
  invoices,
  jobRuns,
  payments,
  renewalAttempts,
  subscriptions,
  supportRequests,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { type Day, startOf } from "../dates.ts";
import { isRenewing } from "../subscriptions/renewal-condition.server.ts";

const count = (condition?: ReturnType<typeof and>) =>
  condition ? sql<number>`(count(*) filter (where ${condition}))::int` : sql<number>`count(*)::int`;

/** Closed ones are not counted. */
export const accountsByPlan = (db: Tx, today: Day, weekFrom: Day) =>
  db
    .select({
      plan: accounts.plan,
      total: count(),
      suspended: count(eq(accounts.standing, "suspended")),
      newToday: count(gte(accounts.createdAt, startOf(today))),
      newThisWeek: count(gte(accounts.createdAt, startOf(weekFrom))),
    })
    .from(accounts)
    .where(isNull(accounts.closedAt))
    .groupBy(accounts.plan);

export const runningSubscriptions = async (db: Tx, today: Day) => {
  const [row] = await db
    .select({
      running: count(),
      renewing: count(isRenewing),
    })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .where(gt(subscriptions.endDate, today));
  return row ?? { running: 0, renewing: 0 };
};

/** Invoices less credit notes; only days on which one was issued. */
export const revenueByDay = (db: Tx, from: Day) =>
  db
    .select({
      day: sql<Day>`to_char(${invoices.issuedAt} at time zone 'UTC', 'YYYY-MM-DD')`,
      invoicedCents: sql`coalesce(sum(${invoices.amountCents}) filter (where ${invoices.kind} = 'invoice'), 0)`.mapWith(
        Number,
      ),
      creditedCents:
        sql`coalesce(-sum(${invoices.amountCents}) filter (where ${invoices.kind} = 'credit_note'), 0)`.mapWith(Number),
      refunds: count(eq(invoices.kind, "credit_note")),
    })
    .from(invoices)
    .where(gte(invoices.issuedAt, startOf(from)))
    .groupBy(sql`1`);

export const countDeclined = (db: Tx, from: Day, to: Day): Promise<number> =>
  db.$count(
    renewalAttempts,
    and(
      eq(renewalAttempts.state, "declined"),
      gte(renewalAttempts.attemptedOn, from),
      lt(renewalAttempts.attemptedOn, to),
    ),
  );

export const countDisputed = (db: Tx, since: Date): Promise<number> =>
  db.$count(payments, and(isNotNull(payments.disputedAt), gte(payments.disputedAt, since)));

export const countFailedRuns = (db: Tx, since: Date): Promise<number> =>
  db.$count(jobRuns, and(gte(jobRuns.startedAt, since), isNotNull(jobRuns.error)));

export const countOpenRequests = (db: Tx): Promise<number> =>
  db.$count(supportRequests, eq(supportRequests.status, "open"));

export const databaseBytes = async (db: Tx): Promise<number> => {
  const [row] = await db.execute<{ bytes: string }>(sql`select pg_database_size(current_database()) as bytes`);
  return Number(row?.bytes ?? 0);
};
