import type { OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { addDays, type Day, dayOf, startOf } from "../dates.ts";
import { type Plan, plans } from "../plans/plans.ts";
import { type ServiceDay, serviceDays } from "../usage/aggregate-days.server.ts";
import { comingRenewals, type RenewalDay } from "./find-subscriptions.server.ts";
import { countMail, type MailCounts } from "./mail.server.ts";
import { chartDays, weekDays } from "./policy.ts";
import * as queries from "./today-queries.server.ts";

export type RevenueDay = { day: Day; invoicedCents: number; creditedCents: number; refunds: number };

export type Figures = {
  today: Day;
  /** Without closed accounts. */
  accounts: { total: number; suspended: number; newToday: number; newThisWeek: number; byPlan: Record<Plan, number> };
  subscriptions: { running: number; renewing: number };
  /** The last `chartDays`. Credit notes are counted separately. */
  revenue: RevenueDay[];
  /** The next `weekDays`, starting today. */
  renewals: RenewalDay[];
  /** In the last `weekDays`. */
  troubles: { declinedCharges: number; disputes: number; failedRuns: number };
  /** The last `chartDays`. */
  usage: ServiceDay[];
  mail: MailCounts;
  openRequests: number;
  databaseBytes: number;
};

/** The figures of the operators' start page. */
export const figuresOfToday = async (
  ctx: Pick<Context, "db" | "clock" | "settings" | "tax">,
  operator: OperatorCaller,
): Promise<Figures> => {
  const today = dayOf(ctx.clock.now());
  const from = addDays(today, 1 - chartDays);
  const weekFrom = addDays(today, 1 - weekDays);
  const [accounts, subscriptions, revenue, renewals, declinedCharges, disputes, failedRuns] = await Promise.all([
    queries.accountsByPlan(ctx.db, today, weekFrom),
    queries.runningSubscriptions(ctx.db, today),
    queries.revenueByDay(ctx.db, from),
    comingRenewals(ctx, operator, { days: weekDays }),
    queries.countDeclined(ctx.db, weekFrom, addDays(today, 1)),
    queries.countDisputed(ctx.db, startOf(weekFrom)),
    queries.countFailedRuns(ctx.db, startOf(weekFrom)),
  ]);
  const [usage, mail, openRequests, databaseBytes] = await Promise.all([
    serviceDays(ctx, { from }),
    countMail(ctx, operator),
    queries.countOpenRequests(ctx.db),
    queries.databaseBytes(ctx.db),
  ]);
  return {
    today,
    accounts: summed(accounts),
    subscriptions,
    revenue: everyDay(revenue, from, today),
    renewals,
    troubles: { declinedCharges, disputes, failedRuns },
    usage,
    mail,
    openRequests,
    databaseBytes,
  };
};

const summed = (rows: Awaited<ReturnType<typeof queries.accountsByPlan>>): Figures["accounts"] => {
  const sum = (of: "total" | "suspended" | "newToday" | "newThisWeek") => rows.reduce((all, row) => all + row[of], 0);
  const ofPlan = (plan: Plan) => rows.find((row) => row.plan === plan)?.total ?? 0;
  return {
    total: sum("total"),
    suspended: sum("suspended"),
    newToday: sum("newToday"),
    newThisWeek: sum("newThisWeek"),
    byPlan: Object.fromEntries(plans.map((plan) => [plan, ofPlan(plan)])) as Record<Plan, number>,
  };
};

const everyDay = (rows: RevenueDay[], from: Day, today: Day): RevenueDay[] => {
  const known = new Map(rows.map((row) => [row.day, row]));
  const days: RevenueDay[] = [];
  for (let day = from; day <= today; day = addDays(day, 1)) {
    days.push(known.get(day) ?? { day, invoicedCents: 0, creditedCents: 0, refunds: 0 });
  }
  return days;
};
