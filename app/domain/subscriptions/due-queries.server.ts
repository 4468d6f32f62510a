/** The subscriptions that the scheduled jobs have to renew, remind of or announce as ended. */
import { and, asc, between, eq, sql } from "drizzle-orm";
import { accounts, renewalAttempts, routes, subscriptions } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import { isRenewing } from "./renewal-condition.server.ts";

const chargeIsOpen =
  sql`exists (select from ${renewalAttempts} where ${renewalAttempts.subscriptionId} = ${subscriptions.id}
  and ${renewalAttempts.state} = 'pending')`.mapWith(Boolean);

const selectEnding = (db: Tx) =>
  db
    .select({
      id: subscriptions.id,
      accountId: subscriptions.accountId,
      routeId: subscriptions.routeId,
      periodId: subscriptions.periodId,
      endDate: subscriptions.endDate,
      renewalTerm: subscriptions.renewalTerm,
      autoRenew: subscriptions.autoRenew,
      cancelledAt: subscriptions.cancelledAt,
      routeName: routes.name,
      routeCode: routes.code,
      chargeIsOpen,
      standing: accounts.standing,
    })
    .from(subscriptions)
    .innerJoin(routes, eq(routes.id, subscriptions.routeId))
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId));

export type EndingSubscription = Awaited<ReturnType<typeof selectEnding>>[number];

/** Up to `limit` subscriptions that end between these days, both included, soonest first, after `after`. */
export const endingBetween = (
  db: Tx,
  { first, last }: { first: Day; last: Day },
  after: Pick<EndingSubscription, "endDate" | "id"> | null,
  limit: number,
): Promise<EndingSubscription[]> =>
  selectEnding(db)
    .where(
      and(
        between(subscriptions.endDate, first, last),
        after
          ? sql`(${subscriptions.endDate}, ${subscriptions.id}) > (${after.endDate}::date, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(asc(subscriptions.endDate), asc(subscriptions.id))
    .limit(limit);

/**
 * The subscriptions with auto-renewal that end after today and by `last`, in turns: the first of each account, then the
 * second of each. An account with very many therefore delays no other account.
 */
export const renewingInTurns = async (db: Tx, today: Day, last: Day): Promise<number[]> => {
  const turns = db
    .select({
      id: subscriptions.id,
      endDate: subscriptions.endDate,
      turn: sql`row_number() over (partition by ${subscriptions.accountId}
        order by ${subscriptions.endDate}, ${subscriptions.id})`.as("turn"),
    })
    .from(subscriptions)
    .where(
      and(
        sql`${subscriptions.autoRenew} and ${subscriptions.cancelledAt} is null`,
        sql`${subscriptions.endDate} > ${today}`,
        sql`${subscriptions.endDate} <= ${last}`,
      ),
    )
    .as("turns");
  const rows = await db.select({ id: turns.id }).from(turns).orderBy(turns.turn, turns.endDate, turns.id);
  return rows.map(({ id }) => id);
};

/**
 * Those of the subscriptions that are to be charged today, in the given order: renewing, ending after today and by `last`,
 * neither charged nor attempted today.
 */
export const dueForRenewal = async (db: Tx, ids: number[], today: Day, last: Day): Promise<EndingSubscription[]> => {
  // One array parameter: PostgreSQL limits the number of parameters.
  const isGiven = sql`${subscriptions.id} = any(${sql.param(ids)}::int[])`;
  const rows = await selectEnding(db).where(and(isDue(today), sql`${subscriptions.endDate} <= ${last}`, isGiven));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** Whether the subscription is still due, with the same end and term. The caller has locked the account. */
export const isDueForRenewal = async (tx: Tx, due: EndingSubscription, today: Day): Promise<boolean> => {
  const rows = await selectEnding(tx).where(
    and(
      isDue(today),
      eq(subscriptions.id, due.id),
      eq(subscriptions.endDate, due.endDate),
      eq(subscriptions.renewalTerm, due.renewalTerm),
    ),
  );
  return rows.length > 0;
};

const isDue = (today: Day) =>
  and(
    sql`${subscriptions.endDate} > ${today}`,
    isRenewing,
    sql`not exists (select from ${renewalAttempts} where ${renewalAttempts.subscriptionId} = ${subscriptions.id}
      and ${renewalAttempts.endDate} = ${subscriptions.endDate}
      and (${renewalAttempts.state} in ('pending', 'succeeded') or ${renewalAttempts.attemptedOn} >= ${today}))`,
  );
