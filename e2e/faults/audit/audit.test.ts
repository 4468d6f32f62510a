/** What the audit is for: each of these faults is made on purpose, and must be reported. */
import { randomUUID } from "node:crypto";
import postgres, { type Sql } from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { recordUsage } from "#app/domain/usage/record.server.ts";
import { pay, periodOf } from "#app/testing/purchases.ts";
import { createWorld, type World } from "#app/testing/world.ts";
import { auditBooks } from "./books.ts";
import { type Acknowledged, auditUsage } from "./usage.ts";

let world: World;
/** One connection, in a transaction that is rolled back after each test. */
let sql: Sql;
let acknowledged: Acknowledged;

const violations = async (): Promise<string[]> => [
  ...(await auditBooks(sql, sql)).violations,
  ...(await auditUsage(sql, acknowledged)).violations,
];

beforeAll(async () => {
  world = await createWorld();
  const [database] = await world.ctx.db.execute<{ name: string }>("select current_database() as name");
  const url = new URL(inject("testDatabase").adminUrl);
  url.pathname = database?.name ?? "";
  sql = postgres(url.href, { max: 1, onnotice: () => {} });
  const { caller } = await world.account();
  const buy = async (code: string | undefined) => {
    const items = [{ periodId: periodOf(world, code), term: "2_months" as const }];
    return checkout(world.ctx, caller, { items, autoRenew: true });
  };
  const orders = [await buy(world.routes[0]?.code), await buy(world.routes[1]?.code)];
  for (const order of orders) await pay(world, caller, order);
  const [charge] = await sql<
    { id: string }[]
  >`select id from simulator_objects where object = 'charge' order by id limit 1`;
  await world.simulator.refundCharge(charge?.id ?? "", 500);
  const unpaid = await buy(world.routes[2]?.code);
  await world.simulator.idle();
  const answers: Acknowledged["answers"] = [];
  for (let request = 0; request < 3; request++) {
    const requestId = randomUUID();
    await recordUsage(world.ctx, {
      accountId: caller.account.id,
      occurredAt: world.clock.now(),
      method: "GET",
      endpoint: "/api-routes-data",
      status: 200,
      durationMs: 10,
      responseBytes: 100,
      requestCost: 1,
      apiKeyId: null,
      apiKeyName: null,
      routeId: null,
      requestId,
    });
    answers.push({ act: "read", status: 200, requestId });
  }
  const paid = new Set(orders.map(({ intent }) => intent.id));
  acknowledged = { answers, paid, confirmed: paid, ordered: new Set([...paid, unpaid.intent.id]) };
});
afterAll(async () => {
  await sql?.end();
  await world?.close();
});
beforeEach(async () => {
  await sql.unsafe("begin");
});
afterEach(async () => {
  await sql.unsafe("rollback");
});

/** A row of the provider's again, with another id and what `body` says. */
const anotherObject = (object: string, id: string, body: object) => `
  insert into simulator_objects
  select another.* from (select * from simulator_objects where object = '${object}' order by id limit 1) one,
    jsonb_populate_record(null::simulator_objects, to_jsonb(one)
      || jsonb_build_object('id', '${id}', 'body', one.body || '${JSON.stringify(body)}')) another`;

describe("The audit", () => {
  it("reports nothing when all is well", async () => {
    expect(await violations()).toEqual([]);
  });

  it.each([
    ["a card that was charged twice for one intent", anotherObject("charge", "ch_again", {}), /was charged 2 times/],
    [
      "an intent that the service does not know, but a customer paid",
      anotherObject("payment_intent", "pi_again", { id: "pi_again", status: "succeeded" }),
      /pi_again is paid, but no order names it/,
    ],
    [
      "an acknowledged order that is lost",
      "update orders set payment_intent_id = null where status = 'pending'",
      /1 orders were answered with success and are not there/,
    ],
    [
      "a payment that bought nothing",
      "update subscriptions set end_date = end_date - 1 where id = (select min(id) from subscriptions)",
      /1 confirmed payments bought nothing/,
    ],
    ["a paid term that is lost", "delete from paid_terms where id = (select min(id) from paid_terms)", /0 paid terms/],
    [
      "a paid order that is pending",
      "update orders set status = 'pending', paid_at = null where id = (select min(id) from orders)",
      /is paid, but order \d+ is pending/,
    ],
    [
      "an order that is not the sum of its lines",
      "update orders set amount_cents = amount_cents + 1 where id = (select min(id) from orders)",
      /its lines and tax are/,
    ],
    [
      "a payment without its invoice",
      "delete from invoices where kind = 'invoice' and number = (select max(number) from invoices where kind = 'invoice')",
      /is paid and has 0 invoices/,
    ],
    [
      "an invoice number that is missing",
      "update invoices set number = number + 1 where number = (select max(number) from invoices)",
      /number \d+ is missing, or/,
    ],
    [
      "a refund without its credit note",
      "delete from invoices where kind = 'credit_note'",
      /Refund \S+ over 500 has 0 credit notes/,
    ],
    [
      "a request that was answered and is not in the log",
      "delete from usage_logs where request_id = (select min(request_id) from usage_logs)",
      /3 requests were answered, but the log has 2 of them/,
    ],
    [
      "a request that is in the log twice",
      "insert into usage_logs overriding system value select * from usage_logs order by id limit 1",
      /1 requests are in the log more than once/,
    ],
    [
      "a request that the hour does not count",
      "update usage_hours set requests = requests - 1",
      /3 requests in the log, 2 by the hour, 3 by the day/,
    ],
  ])("reports %s", async (_, statement, report) => {
    await sql.unsafe("set local session_replication_role = replica");
    const { count } = await sql.unsafe(statement);
    expect(count).toBe(1);
    expect(await violations()).toContainEqual(expect.stringMatching(report));
  });
});
