/**
 * The invariants that must hold in the end, checked in our tables and in the provider's, with nothing of the service's code.
 */
import type { Sql } from "postgres";
import { type Audit, auditBooks } from "../audit/books.ts";
import { daysEarlier, grouped, monthsIn, monthsLater } from "../audit/days.ts";

/**
 * @param killed names of the killed workers
 * @param now by the workers' clock
 */
export const audit = async (db: Sql, killed: ReadonlySet<string>, now: Date): Promise<Audit> => {
  const violations: string[] = [];
  const counts: Audit["counts"] = [];
  const count = (what: string, value: number | string) => counts.push([what, value]);
  const books = await auditBooks(db, db);
  violations.push(...books.violations);

  const [totals] = await db<{ accounts: number; subscriptions: number; events: number }[]>`
    select (select count(*) from accounts)::int as accounts, (select count(*) from subscriptions)::int as subscriptions,
      (select count(*) from webhook_events)::int as events`;
  count("accounts", totals?.accounts ?? 0);
  count("subscriptions", totals?.subscriptions ?? 0);
  counts.push(...books.counts);
  count("provider's reports handled", totals?.events ?? 0);

  await unfinished(db, now, violations);
  await renewals(db, now, count, violations);
  await terms(db, count, violations);
  await mail(db, killed, count, violations);
  return { counts, violations };
};

type Count = (what: string, value: number | string) => void;

// ── Neither paid nor cancelled ──────────────────────────────────────────────────────────────────────

const unfinished = async (db: Sql, now: Date, violations: string[]): Promise<void> => {
  const left = await db<{ id: number }[]>`
    select id from orders o where status = 'pending'
    and not exists (select from renewal_attempts a where a.order_id = o.id and a.state = 'declined')
    and expires_at < ${now.toISOString()}`;
  for (const { id } of left) violations.push(`Order ${id} is neither paid nor cancelled, and its price has lapsed`);
};

// ── Renewals ────────────────────────────────────────────────────────────────────────────────────────

type Attempt = {
  id: number;
  subscription_id: number;
  end_date: string;
  attempted_on: string;
  state: string;
  decline_code: string | null;
  charged_at: string[] | null;
};

const renewals = async (db: Sql, now: Date, count: Count, violations: string[]): Promise<void> => {
  const attempts = await db<Attempt[]>`
    select a.id, a.subscription_id, a.end_date::text, a.attempted_on::text, a.state, a.decline_code,
      (select array_agg(c.created_at::text) from simulator_objects c
        join simulator_objects i on i.object = 'payment_intent' and i.id = c.body->>'payment_intent'
        where c.object = 'charge' and c.body->>'status' = 'succeeded' and i.body->'metadata'->>'order_id' = a.order_id::text
      ) as charged_at
    from renewal_attempts a order by a.id`;
  const ends = grouped(attempts, ({ subscription_id, end_date }) => `subscription ${subscription_id}, end ${end_date}`);
  let charged = 0;
  let most = 0;
  for (const [name, own] of ends) {
    const charges = own.flatMap(({ charged_at }) => charged_at ?? []);
    charged += charges.length;
    most = Math.max(most, charges.length);
    if (charges.length > 1) violations.push(`${name}: charged ${charges.length} times`);
    const succeeded = own.filter(({ state }) => state === "succeeded").length;
    if (succeeded !== charges.length)
      violations.push(`${name}: ${charges.length} charges, but ${succeeded} attempts that succeeded`);
  }
  for (const { id, state, end_date, charged_at } of attempts) {
    if (state === "pending") violations.push(`Attempt ${id} was left open`);
    for (const instant of charged_at ?? []) {
      const day = instant.slice(0, 10);
      if (day >= end_date || day < daysEarlier(end_date, 3))
        violations.push(`Attempt ${id}: charged on ${day} for the end ${end_date}`);
    }
  }
  count("renewals due (subscription and end)", ends.size);
  count("renewals charged at the provider", charged);
  count("most charges for one subscription and end", most);
  const declined = attempts.filter(({ state }) => state === "declined");
  count("renewal attempts declined", declined.length);
  count(
    "… of which nothing reached the provider",
    declined.filter((attempt) => attempt.decline_code === "not_charged").length,
  );

  const missed = await db<{ id: number; end_date: string }[]>`
    select s.id, s.end_date::text from subscriptions s join accounts a on a.id = s.account_id
    where s.auto_renew and s.cancelled_at is null and a.standing = 'good'
    and s.end_date <= ${now.toISOString().slice(0, 10)}
    and not exists (select from renewal_attempts r where r.subscription_id = s.id and r.end_date = s.end_date)`;
  for (const { id, end_date } of missed)
    violations.push(`Subscription ${id}: its renewal before ${end_date} was never tried`);
};

// ── Paid days ───────────────────────────────────────────────────────────────────────────────────────

type PaidTerm = {
  id: number;
  subscription_id: number;
  term: string;
  start_date: string;
  end_date: string;
  kind: "purchase" | "renewal" | "term_change";
  credited_through: number | null;
  paid_ms: number;
  sold_until: string;
};

/** Follows the terms of each subscription from the first one to its current end. */
const terms = async (db: Sql, count: Count, violations: string[]): Promise<void> => {
  const paid = await db<PaidTerm[]>`
    select t.id, t.subscription_id, t.term, t.start_date::text, t.end_date::text, o.kind,
      l.credited_through_term_id as credited_through, (extract(epoch from o.paid_at) * 1000)::float8 as paid_ms,
      s.end_date::text as sold_until
    from paid_terms t join order_lines l on l.id = t.order_line_id join orders o on o.id = l.order_id
    join subscriptions s on s.id = t.subscription_id order by t.subscription_id, t.id`;
  let overlaps = 0;
  let gaps = 0;
  for (const [id, own] of grouped(paid, ({ subscription_id }) => subscription_id)) {
    const faults = [...faultsOf(own)];
    for (const { what, term } of faults) {
      if (what === "overlap") overlaps += 1;
      else gaps += 1;
      violations.push(
        `Subscription ${id}: ${what} at paid term ${term.id} (${term.kind}), ${term.start_date} to ${term.end_date}`,
      );
    }
  }
  count("overlaps of paid days", overlaps);
  count("gaps in paid days", gaps);
};

/** A gap is correct only if the subscription had ended before the next payment, and starts again on that day. */
const faultsOf = function* (own: PaidTerm[]): Iterable<{ what: "overlap" | "gap"; term: PaidTerm }> {
  let anchor: string = "";
  let months = 0;
  let end: string | null = null;
  for (const [index, term] of own.entries()) {
    const paidOn = new Date(term.paid_ms).toISOString().slice(0, 10);
    const length = monthsIn(term.term);
    // A term change paid after its credited days had run out continues like a renewal.
    if (term.kind === "term_change" && end !== null && term.start_date < end) {
      const following = own.slice(0, index).filter(({ id }) => id > (term.credited_through ?? 0));
      if (term.start_date !== paidOn) yield { what: "gap", term };
      anchor = term.start_date;
      months = length + following.reduce((sum, each) => sum + monthsIn(each.term), 0);
      if (term.end_date !== monthsLater(anchor, length)) yield { what: "overlap", term };
    } else {
      const goesOn = end !== null && term.start_date === end && term.end_date === monthsLater(anchor, months + length);
      if (!goesOn) {
        if (end !== null && term.start_date < end) yield { what: "overlap", term };
        if (term.start_date !== paidOn || term.end_date !== monthsLater(paidOn, length)) yield { what: "gap", term };
        anchor = term.start_date;
        months = 0;
      }
      months += length;
    }
    end = monthsLater(anchor, months);
  }
  const last = own.at(-1);
  if (last && end !== last.sold_until) yield { what: (end ?? "") < last.sold_until ? "gap" : "overlap", term: last };
};

// ── Mail ────────────────────────────────────────────────────────────────────────────────────────────

const mail = async (db: Sql, killed: ReadonlySet<string>, count: Count, violations: string[]): Promise<void> => {
  const [written] = await db<{ messages: number; subjects: number; unsent: number; receipts: number; paid: number }[]>`
    select count(*)::int as messages, count(distinct dedupe_key)::int as subjects,
      count(*) filter (where sent_at is null)::int as unsent,
      count(*) filter (where dedupe_key like 'receipt:%')::int as receipts,
      (select count(*) from orders where status <> 'pending' and return_reason is null)::int as paid from outbox_messages`;
  const delivered = await db<
    { message_id: string; worker: string; id: number }[]
  >`select * from deliveries order by id`;
  const byMessage = grouped(delivered, ({ message_id }) => message_id);
  const again = [...byMessage].filter(([, deliveries]) => deliveries.length > 1);
  count("messages written", written?.messages ?? 0);
  count("messages delivered (by Message-ID)", byMessage.size);
  count("… of which a second time, after a kill between delivery and mark", again.length);
  if (written?.messages !== written?.subjects) violations.push("Two messages are about the same subject");
  if (written?.unsent !== 0) violations.push(`${written?.unsent} messages were not sent`);
  if (written?.receipts !== written?.paid)
    violations.push(`${written?.paid} paid orders, but ${written?.receipts} receipts`);
  if (byMessage.size !== written?.messages)
    violations.push(`${written?.messages} messages written, but ${byMessage.size} delivered`);
  const lastOf = new Map(delivered.map(({ worker, id }) => [worker, id]));
  for (const [messageId, deliveries] of again) {
    for (const { worker, id } of deliveries.slice(0, -1)) {
      const explained = killed.has(worker) && lastOf.get(worker) === id;
      if (!explained) violations.push(`Message ${messageId} was delivered again, though ${worker} lived on after it`);
    }
  }
};
