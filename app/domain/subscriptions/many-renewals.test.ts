/** Scheduled work over many subscriptions: fair, resumable, and read by index. */
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import * as schema from "#drizzle/schema/index.ts";
import { paidTerms, payments, renewalAttempts, subscriptions } from "#drizzle/schema/index.ts";
import type { Db } from "../../platform/db.server.ts";
import "../../testing/database.ts";
import { subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Context } from "../context.ts";
import { writtenAbout } from "../notifications/outbox.server.ts";
import type { PaymentGateway, PaymentIntent } from "../payments/gateway.ts";
import * as orderQueries from "../payments/queries.server.ts";
import { chargeDueRenewals } from "./charge-renewals.server.ts";
import * as dueQueries from "./due-queries.server.ts";
import * as queries from "./queries.server.ts";

const large = 80;
const small = 40;

describe("Many renewals that are due on one day", () => {
  let world: World;
  let largeAccount: number;
  beforeAll(async () => {
    world = await createWorld({ webhooks: false });
    const { account, caller } = await world.account();
    await subscribe(world, caller);
    largeAccount = account.id;
    const { db } = world.ctx;
    // So that one account can have many subscriptions to the few routes of the test.
    await db.execute(sql`alter table subscriptions drop constraint subscriptions_no_overlap`);
    await copyAccounts(db, small);
    await copySubscriptions(db, sql`select id as account_id from accounts where id <> ${largeAccount}`);
    await copySubscriptions(db, sql`select ${largeAccount}::int as account_id from generate_series(2, ${large})`);
    world.clock.set("2026-12-17T10:00:00Z");
  });
  afterAll(() => world.close());

  it("are charged once each, in turns by account, although the process dies in the middle", async () => {
    const provider = providerThatDies();
    const dying: Context = { ...world.ctx, payments: { ...world.ctx.payments, ...provider.gateway } };
    await chargeDueRenewals(dying, provider.died);
    expect(world.complaints.length).toBeGreaterThan(0);
    expect(await world.ctx.db.$count(renewalAttempts, eq(renewalAttempts.state, "pending"))).toBeGreaterThan(0);

    world.clock.set("2026-12-17T10:06:00Z");
    provider.revive();
    await chargeDueRenewals(dying);

    expect(provider.charged().length).toBe(large + small);
    expect(new Set(provider.charged().map(({ orderId }) => orderId)).size).toBe(large + small);
    const renewed = await world.ctx.db.$count(subscriptions, eq(subscriptions.endDate, "2027-01-20"));
    expect(renewed).toBe(large + small);
    // The purchase and the renewals.
    expect(await world.ctx.db.$count(payments)).toBe(1 + large + small);
    expect(await world.ctx.db.$count(paidTerms)).toBe(1 + large + small);
    const firstTurn = provider.charged().slice(0, small + 1 + world.ctx.settings.renewalConcurrency);
    expect(new Set(firstTurn.map(({ customerId }) => customerId)).size).toBe(small + 1);
    expect(await chargeDueRenewals(dying)).toEqual({ succeeded: 0, declined: 0 });
  });
});

describe("Among 60,000 subscriptions, due work is found by index", () => {
  const plans: string[] = [];
  let close: () => Promise<void>;
  beforeAll(async () => {
    const world = await createWorld({ webhooks: false });
    const { caller } = await world.account();
    await subscribe(world, caller);
    await world.ctx.db.execute(sql`alter table subscriptions drop constraint subscriptions_no_overlap`);
    await fill(world.ctx.db);
    close = world.close;

    const statements: { query: string; params: unknown[] }[] = [];
    const logger = { logQuery: (query: string, params: unknown[]) => void statements.push({ query, params }) };
    const [database] = await world.ctx.db.execute<{ name: string }>(sql`select current_database() as name`);
    const url = Object.assign(new URL(inject("testDatabase").adminUrl), { pathname: database?.name ?? "" });
    const client = postgres(url.href, { max: 1, onnotice: () => {} });
    const db = drizzle(client, { schema, casing: "snake_case", logger }) as unknown as Db;
    const [today, last] = ["2027-03-01", "2027-03-04"];
    const ids = await dueQueries.renewingInTurns(db, today, last);
    expect(ids.length).toBeGreaterThan(100);
    const due = await dueQueries.dueForRenewal(db, ids.slice(0, 200), today, last);
    await dueQueries.endingBetween(db, { first: "2027-02-01", last: "2027-03-08" }, null, 1_000);
    await dueQueries.endingBetween(db, { first: "2027-02-01", last: "2027-03-08" }, due[0] ?? null, 1_000);
    await queries.pendingAttempts(db, 0, 200);
    await orderQueries.openOrders(db, ids[0] ?? 0, "renewal");
    await writtenAbout({ db }, ["reminder-7:subscription-1:2027-03-08"]);
    for (const { query, params } of statements) {
      const rows = await client.unsafe(`explain ${query}`, params as never[]);
      plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
    }
    await client.end();
  });
  afterAll(() => close());

  it.each(["subscriptions", "renewal_attempts", "orders", "order_lines", "outbox_messages"])(
    "without reading all %s",
    (table) => {
      expect(plans.length).toBe(7);
      expect(plans.join("\n")).not.toMatch(new RegExp(`Seq Scan on ${table}\\b`));
    },
  );
});

/** 60,000 subscriptions that end over three years, half of them renewed before, each with an attempt, an order and a mail. */
const fill = async (db: Db): Promise<void> => {
  await copyAccounts(db, 2_999);
  await db.execute(sql`
    insert into subscriptions (account_id, route_id, period_id, term, renewal_term, start_date, anchor_date, months_paid,
      end_date, auto_renew, created_at)
    select account.id, route_id, period_id, term, renewal_term, start_date, anchor_date, months_paid,
      date '2026-12-21' + ((account.number * 20 + copy) % 1000)::int, true, model.created_at
    from (select * from subscriptions order by id limit 1) model,
      (select id, row_number() over (order by id) as number from accounts) account,
      generate_series(1, 20) copy`);
  await db.execute(sql`
    insert into orders (account_id, kind, status, currency, amount_cents, auto_renew, created_at, expires_at, paid_at, taxed_at,
      payment_intent_id)
    select subscriptions.account_id, 'renewal', 'paid', model.currency, model.amount_cents, true, model.created_at,
      model.expires_at, model.paid_at, model.taxed_at, 'pi_' || subscriptions.id
    from (select * from orders limit 1) model, subscriptions where subscriptions.id % 2 = 0`);
  await db.execute(sql`
    insert into order_lines (order_id, period_id, route_id, subscription_id, term, monthly_cents, list_cents,
      term_discount_percent, volume_discount_percent, discount_cents, total_cents)
    select orders.id, subscriptions.period_id, subscriptions.route_id, subscriptions.id, model.term, monthly_cents,
      list_cents, term_discount_percent, 0, list_cents - total_cents, total_cents
    from (select * from order_lines limit 1) model,
      orders join subscriptions on orders.payment_intent_id = 'pi_' || subscriptions.id`);
  await db.execute(sql`
    insert into renewal_attempts (subscription_id, order_id, end_date, attempted_on, state, idempotency_key, created_at)
    select subscription_id, order_id, date '2026-12-20', date '2026-12-17', 'succeeded', 'renewal-' || subscription_id,
      timestamptz '2026-12-17'
    from order_lines where subscription_id is not null`);
  await db.execute(sql`
    insert into outbox_messages (dedupe_key, account_id, to_address, subject, text, created_at, due_at, sent_at)
    select 'reminder-7:subscription-' || id || ':2026-12-20', account_id, 'holder@example.com', 'Reminder', 'Text',
      created_at, created_at, created_at
    from subscriptions`);
  for (const table of ["accounts", "subscriptions", "orders", "order_lines", "renewal_attempts", "outbox_messages"]) {
    await db.execute(sql`vacuum analyze ${sql.identifier(table)}`);
  }
};

/** Copies of the one account, each with the same card on file. */
const copyAccounts = async (db: Db, count: number): Promise<void> => {
  await db.execute(sql`
    insert into accounts (email, username, password_hash, created_at, plan, stripe_customer_id)
    select 'copy-' || number || '@example.com', 'copy-' || number, password_hash, created_at, plan, 'customer-of-copy-' || number
    from accounts, generate_series(1, ${sql.raw(String(count))}) number`);
  await db.execute(sql`
    insert into payment_methods (account_id, stripe_payment_method_id, brand, last4, exp_month, exp_year, is_default, created_at)
    select accounts.id, 'card-of-' || accounts.id, brand, last4, exp_month, exp_year, true, card.created_at
    from accounts, (select * from payment_methods limit 1) card
    where accounts.id not in (select account_id from payment_methods)`);
};

const copySubscriptions = (db: Db, accounts: ReturnType<typeof sql>) =>
  db.execute(sql`
    insert into subscriptions (account_id, route_id, period_id, term, renewal_term, start_date, anchor_date, months_paid,
      end_date, auto_renew, created_at)
    select copy.account_id, route_id, period_id, term, renewal_term, start_date, anchor_date, months_paid, end_date,
      auto_renew, created_at
    from (${accounts}) copy, (select * from subscriptions order by id limit 1) model`);

type Charge = { orderId: number; customerId: string };

/** Charges 78 renewals, loses the answers to the last 8 of them, and is unreachable until it is revived. */
const providerThatDies = () => {
  const [answered, chargedAtAll] = [70, 78];
  const intents = new Map<string, PaymentIntent & Charge>();
  const died = new AbortController();
  let isDead = false;
  const gateway: Partial<PaymentGateway> = {
    chargeOffSession: async (input, key) => {
      const number = intents.size + 1;
      if (isDead) throw new Error("The process has died");
      const known = intents.get(key);
      const intent = known ?? intentOf(input, number);
      intents.set(key, { ...intent, orderId: input.orderId, customerId: input.customerId });
      if (number > answered && !died.signal.aborted) {
        isDead = number >= chargedAtAll;
        if (isDead) died.abort();
        throw new Error("The process has died");
      }
      return intent;
    },
    findIntent: async ({ orderId }) => [...intents.values()].find((intent) => intent.orderId === orderId) ?? null,
  };
  return {
    gateway,
    died: died.signal,
    revive: () => {
      isDead = false;
    },
    charged: (): Charge[] => [...intents.values()],
  };
};

const intentOf = (input: Parameters<PaymentGateway["chargeOffSession"]>[0], number: number): PaymentIntent => ({
  id: `pi_many_${number}`,
  status: "succeeded",
  amountCents: input.amountCents,
  currency: input.currency,
  customerId: input.customerId,
  orderId: input.orderId,
  chargeId: `ch_many_${number}`,
  chargedAt: new Date("2026-12-17T10:00:00Z"),
  clientSecret: "secret",
  declineCode: null,
  card: null,
});
