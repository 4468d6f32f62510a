/** What the service has answered with success against what its database holds. */
import type { Sql } from "postgres";
import type { Audit } from "./books.ts";

export type Acknowledged = {
  answers: { act: string; status: number | string; requestId: string | null }[];
  ordered: ReadonlySet<string>;
  paid: ReadonlySet<string>;
  confirmed: ReadonlySet<string>;
};

export const auditUsage = async (sql: Sql, { answers, ordered, paid, confirmed }: Acknowledged): Promise<Audit> => {
  const violations: string[] = [];
  const ids = answers
    .filter(({ act, status }) => act !== "health" && status === 200)
    .map(({ requestId }) => requestId ?? "");
  if (ids.includes("")) violations.push("An answer has no request ID");

  const logged = await sql<{ request_id: string; times: number }[]>`
    select request_id, count(*)::int as times from usage_logs where request_id = any(${ids}) group by 1`;
  if (logged.length !== new Set(ids).size) {
    violations.push(`${new Set(ids).size} requests were answered, but the log has ${logged.length} of them`);
  }
  const twice = logged.filter(({ times }) => times > 1);
  if (twice.length > 0) violations.push(`${twice.length} requests are in the log more than once`);

  const totals = await sql<{ account_id: number; logs: number; hours: number; days: number }[]>`
    with logs as (select account_id, count(*)::int as logs from usage_logs group by 1),
      hours as (select account_id, sum(requests)::int as hours from usage_hours group by 1),
      days as (select account_id, sum(requests)::int as days from usage_days group by 1)
    select * from logs full join hours using (account_id) full join days using (account_id)
    where logs is distinct from hours or logs is distinct from days`;
  for (const { account_id, logs, hours, days } of totals) {
    violations.push(`Account ${account_id}: ${logs} requests in the log, ${hours} by the hour, ${days} by the day`);
  }

  const missing = async (what: string, intents: ReadonlySet<string>, found: { intent: string }[]) => {
    const there = new Set(found.map(({ intent }) => intent));
    const lost = [...intents].filter((intent) => !there.has(intent));
    if (lost.length > 0) violations.push(`${lost.length} ${what}, such as ${lost[0]}`);
  };
  await missing(
    "orders were answered with success and are not there",
    ordered,
    await sql`select payment_intent_id as intent from orders where payment_intent_id = any(${[...ordered]})`,
  );
  const bought = await sql<{ intent: string }[]>`
    select o.payment_intent_id as intent from orders o
    join order_lines l on l.order_id = o.id join paid_terms t on t.order_line_id = l.id
    join subscriptions s on s.id = t.subscription_id and s.end_date >= t.end_date
    where o.status = 'paid' and o.payment_intent_id = any(${[...paid, ...confirmed]})`;
  await missing("payments bought nothing", paid, bought);
  await missing("confirmed payments bought nothing", confirmed, bought);
  return {
    counts: [
      ["answered requests, all in the log once", ids.length],
      ["paid purchases, all with their term", paid.size],
    ],
    violations,
  };
};
