import { and, isNotNull, isNull, lte, sql } from "drizzle-orm";
import {
  accounts,
  catalogueImports,
  orders,
  outboxMessages,
  renewalAttempts,
  subscriptions,
  webhookDeliveries,
  webhookEndpoints,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import { chargeDaysBeforeEnd } from "../subscriptions/policy.ts";
import { isRenewing } from "../subscriptions/renewal-condition.server.ts";

type Waiting = { due: number; oldestSeconds: number };

/** The seconds since an instant; 0 without one. */
const secondsSince = (instant: unknown, now: string) =>
  sql`greatest(0, coalesce(extract(epoch from ${now}::timestamptz - ${instant}), 0))::float8`;

/** What waits in each queue, in one statement. Each part reads an index of what is open, not the history. */
export const readQueues = async (db: Tx, at: Date) => {
  const now = at.toISOString();
  const today = dayOf(at);
  const [row] = await db.execute<Record<keyof QueueFigures, Waiting & { other: number }>>(sql`
    select ${asJson(mailDue(at), now)} as mail, ${asJson(webhooksDue(now), now)} as webhooks,
      ${asJson(renewalsDue(today), now)} as renewals, ${asJson(ordersDue(now), now)} as orders,
      ${asJson(importsRunning, now)} as imports`);
  if (!row) throw new Error("The statement returned no row");
  return row satisfies QueueFigures;
};

/** `other`: late renewals, open orders; 0 for the other queues. */
export type QueueFigures = Record<"mail" | "webhooks" | "renewals" | "orders" | "imports", Waiting & { other: number }>;

const asJson = (queue: ReturnType<typeof sql>, now: string) => sql`(
  select json_build_object('due', due, 'oldestSeconds', ${secondsSince(sql`oldest`, now)}, 'other', other)
  from (${queue}) as queue)`;

const mailDue = (now: Date) => sql`
  select count(*)::int as due, min(${outboxMessages.dueAt}) as oldest, 0 as other from ${outboxMessages}
  where ${and(isNull(outboxMessages.sentAt), isNull(outboxMessages.givenUpAt), lte(outboxMessages.dueAt, now))}`;

const webhooksDue = (now: string) => sql`
  select count(*)::int as due, min(${webhookDeliveries.dueAt}) as oldest, 0 as other
  from ${webhookDeliveries} join ${webhookEndpoints} on ${webhookEndpoints.id} = ${webhookDeliveries.endpointId}
  where ${webhookDeliveries.status} = 'pending' and ${webhookDeliveries.dueAt} <= ${now}::timestamptz
    and ${webhookEndpoints.disabledAt} is null`;

/**
 * A renewal is due from midnight of its first day, and after a decline from midnight of the next. It is late once a whole day
 * has passed without an attempt.
 */
const renewalsDue = (today: Day) => {
  const firstDay = sql`(${subscriptions.endDate} - ${chargeDaysBeforeEnd}::int)`;
  const attempts = sql`${renewalAttempts} where ${renewalAttempts.subscriptionId} = ${subscriptions.id}
    and ${renewalAttempts.endDate} = ${subscriptions.endDate}`;
  const due = sql`
    select ${firstDay} as first_day, exists (select from ${attempts}) as was_attempted
    from ${subscriptions} join ${accounts} on ${accounts.id} = ${subscriptions.accountId}
    where ${subscriptions.endDate} > ${today}::date and ${subscriptions.endDate} <= ${addDays(today, chargeDaysBeforeEnd)}::date
      and ${isRenewing} and not exists (select from ${attempts}
        and (${renewalAttempts.state} in ('pending', 'succeeded') or ${renewalAttempts.attemptedOn} >= ${today}::date))`;
  return sql`
    select count(*)::int as due,
      min(case when was_attempted then ${today}::date else first_day end)::timestamp at time zone 'UTC' as oldest,
      (count(*) filter (where not was_attempted and first_day < ${today}::date))::int as other
    from (${due}) as due_renewals`;
};

/** Pending orders whose price lock has ended: the hourly job closes them. */
const ordersDue = (now: string) => sql`
  select (count(*) filter (where ${orders.expiresAt} <= ${now}::timestamptz))::int as due,
    min(${orders.expiresAt}) filter (where ${orders.expiresAt} <= ${now}::timestamptz) as oldest, count(*)::int as other
  from ${orders} where ${orders.status} = 'pending'`;

const importsRunning = sql`
  select count(*)::int as due, min(${catalogueImports.heartbeatAt}) as oldest, 0 as other
  from ${catalogueImports} where ${isNotNull(catalogueImports.heartbeatAt)}`;
