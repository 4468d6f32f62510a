import { and, asc, desc, eq, gt, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { accounts, paidPlans, paidPlanTerms, payments, planPrices } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import type { BoughtTerm } from "../subscriptions/paid-days.ts";
import type { PaidPlan } from "./paid-plan.ts";

/** The latest price of each plan. Null: withdrawn. */
export const latestPrices = (db: Tx) =>
  db
    .selectDistinctOn([planPrices.plan], { plan: planPrices.plan, monthlyCents: planPrices.monthlyCents })
    .from(planPrices)
    .orderBy(planPrices.plan, desc(planPrices.id));

/** All prices, newest first. */
export const priceHistory = (db: Tx) =>
  db
    .select({
      id: planPrices.id,
      plan: planPrices.plan,
      monthlyCents: planPrices.monthlyCents,
      validFrom: planPrices.validFrom,
      operator: accounts.username,
    })
    .from(planPrices)
    .leftJoin(accounts, eq(accounts.id, planPrices.operatorAccountId))
    .orderBy(desc(planPrices.id));

export const insertPrice = (tx: Tx, row: typeof planPrices.$inferInsert) => tx.insert(planPrices).values(row);

/** Serializes the changes of prices. */
export const lockPrices = (tx: Tx) => tx.execute(sql`lock table ${planPrices} in share row exclusive mode`);

const paidPlanColumns = {
  plan: paidPlans.plan,
  startDate: paidPlans.startDate,
  anchorDate: paidPlans.anchorDate,
  monthsPaid: paidPlans.monthsPaid,
  endDate: paidPlans.endDate,
};

export const findPaidPlan = async (db: Tx, accountId: number): Promise<PaidPlan | null> => {
  const [row] = await db.select(paidPlanColumns).from(paidPlans).where(eq(paidPlans.accountId, accountId));
  return row ?? null;
};

export const putPaidPlan = (tx: Tx, accountId: number, paid: PaidPlan) =>
  tx
    .insert(paidPlans)
    .values({ accountId, ...paid })
    .onConflictDoUpdate({ target: paidPlans.accountId, set: paid });

/** @returns false when the account had none */
export const deletePaidPlan = async (tx: Tx, accountId: number): Promise<boolean> =>
  (await tx.delete(paidPlans).where(eq(paidPlans.accountId, accountId)).returning({ id: paidPlans.accountId })).length >
  0;

/** The accounts whose paid plan ends on `last` or earlier, the earliest first. */
export const plansEndingBy = (db: Tx, last: Day) =>
  db
    .select({ accountId: paidPlans.accountId, plan: paidPlans.plan, endDate: paidPlans.endDate })
    .from(paidPlans)
    .where(lte(paidPlans.endDate, last))
    .orderBy(asc(paidPlans.endDate), asc(paidPlans.accountId));

export const insertTerm = (tx: Tx, row: typeof paidPlanTerms.$inferInsert) => tx.insert(paidPlanTerms).values(row);

/** All terms that the account has paid for, in the order of payment. Without their value. */
export const boughtTerms = (db: Tx, accountId: number): Promise<BoughtTerm[]> =>
  db
    .select({
      id: paidPlanTerms.id,
      term: paidPlanTerms.term,
      startDate: paidPlanTerms.startDate,
      endDate: paidPlanTerms.endDate,
      paidCents: sql`0`.mapWith(Number),
      creditedThroughTermId: sql<null>`null`,
      ended: sql<NonNullable<BoughtTerm["ended"]> | null>`case when ${paidPlanTerms.endedOn} is not null
        then jsonb_build_object('on', ${paidPlanTerms.endedOn}, 'afterTermId', ${paidPlanTerms.endedAfterTermId}) end`,
    })
    .from(paidPlanTerms)
    .where(eq(paidPlanTerms.accountId, accountId))
    .orderBy(asc(paidPlanTerms.id));

/** The terms of payments of which nothing is left after a chargeback, unless they have been ended. Oldest first. */
export const chargedBackTerms = (db: Tx) =>
  db
    .select({ termId: paidPlanTerms.id, orderId: paidPlanTerms.orderId, accountId: paidPlanTerms.accountId })
    .from(payments)
    .innerJoin(paidPlanTerms, eq(paidPlanTerms.orderId, payments.orderId))
    .where(
      and(
        isNotNull(payments.disputedAt),
        gt(payments.chargedBackCents, 0),
        sql`${payments.refundedCents} + ${payments.chargedBackCents} >= ${payments.amountCents}`,
        isNull(paidPlanTerms.endedOn),
      ),
    )
    .orderBy(asc(paidPlanTerms.id));

const latestTermOf = (accountId: number) =>
  sql`(select max(latest.id) from ${paidPlanTerms} latest where latest.account_id = ${accountId})`;

/** @returns false when the term has been ended meanwhile */
export const markTermEnded = async (
  tx: Tx,
  { termId, accountId }: { termId: number; accountId: number },
  endedOn: Day,
): Promise<boolean> => {
  const ended = await tx
    .update(paidPlanTerms)
    .set({ endedOn, endedAfterTermId: latestTermOf(accountId) })
    .where(and(eq(paidPlanTerms.id, termId), isNull(paidPlanTerms.endedOn)))
    .returning({ id: paidPlanTerms.id });
  return ended.length > 0;
};

/** Ends every term of the account that goes on. */
export const markTermsEnded = (tx: Tx, accountId: number, endedOn: Day) =>
  tx
    .update(paidPlanTerms)
    .set({ endedOn, endedAfterTermId: latestTermOf(accountId) })
    .where(
      and(eq(paidPlanTerms.accountId, accountId), isNull(paidPlanTerms.endedOn), gt(paidPlanTerms.endDate, endedOn)),
    );
