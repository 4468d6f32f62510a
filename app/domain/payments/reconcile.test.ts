/** Each case breaks the books in one way, in a transaction that is rolled back, and lists what the check must find. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pay, periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { checkout } from "../subscriptions/checkout.server.ts";
import { renewSubscription } from "../subscriptions/renew.server.ts";
import { reconcile } from "./reconcile.server.ts";
import { allPayments } from "./reconcile-queries.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const { caller } = await world.account();
  const { id } = await subscribe(world, caller, { term: "3_months" });
  await subscribe(world, caller, { periodId: periodOf(world, world.routes[1]?.code), term: "12_months" });
  await pay(world, caller, await renewSubscription(world.ctx, caller, { id, term: "1_month" }));
  await checkout(world.ctx, caller, {
    items: [{ periodId: periodOf(world, world.routes[2]?.code), term: "1_month" }],
    autoRenew: false,
  });
  const [first, second] = await allPayments(world.ctx.db);
  await world.simulator.refundCharge(first?.chargeId ?? "");
  await world.simulator.refundCharge(second?.chargeId ?? "", 1234);
  await world.simulator.idle();
});
afterAll(() => world.close());

const check = () => reconcile(world.ctx);

/** Runs the statements and the check in a transaction that is rolled back. */
const differencesAfter = async (...statements: string[]): Promise<string[]> => {
  class Undo extends Error {}
  let found: string[] = [];
  await world.ctx.db
    .transaction(async (tx) => {
      for (const statement of statements) await tx.execute(sql.raw(statement));
      // The check opens its own transaction: inside this one it is a savepoint.
      const db = Object.assign(Object.create(tx), {
        transaction: (read: (inner: typeof tx) => Promise<unknown>) => read(tx),
      });
      ({ differences: found } = await reconcile({ db, settings: { testMode: true } }));
      throw new Undo();
    })
    .catch((error) => {
      if (!(error instanceof Undo)) throw error;
    });
  return found;
};

const dropConstraint = (table: string, constraint: string) => `alter table ${table} drop constraint ${constraint}`;

describe("Consistent books", () => {
  it("have no differences, and are counted and summed", async () => {
    const { tallies, differences } = await check();
    expect(differences).toEqual([]);
    const of = (what: string) => tallies.find((tally) => tally.what === what);
    expect(of("orders paid")).toMatchObject({ count: 3 });
    expect(of("orders pending")).toMatchObject({ count: 1 });
    expect(of("credit notes")).toMatchObject({ count: 2 });
    for (const what of ["payments", "invoices", "paid terms", "charges simulated"]) {
      expect(of(what)?.cents).toBe(of("orders paid")?.cents);
    }
    for (const what of ["payments refunded", "refunds simulated"]) {
      expect(of(what)?.cents).toBe(-(of("credit notes")?.cents ?? 0));
    }
  });
});

describe("The check reports", () => {
  it.each([
    [
      "a missing payment",
      ["delete from payments where id = 3"],
      [/^Order 3: is paid and has 0 payments/, /no payment is on record$/],
    ],
    [
      "a payment of the wrong amount",
      ["update payments set amount_cents = amount_cents + 1 where id = 3"],
      [/^Payment 3: is over \d+ USD, but order 3 over \d+ USD$/, /^Charge ch_\w+: is over/],
    ],
    [
      "a payment of another account",
      [
        "insert into accounts (email, username, password_hash, created_at) values ('x@example.com', 'x', 'x', now())",
        "update payments set account_id = (select max(id) from accounts) where id = 3",
      ],
      [/^Payment 3: is account \d+'s, but order 3 account \d+'s$/, /^Charge ch_\w+: was made to customer cus_\w+/],
    ],
    [
      "an order that its lines do not add up to",
      ["update orders set amount_cents = amount_cents - 1 where id = 4"],
      [/^Order 4: is over \d+, but its lines sum to \d+$/],
    ],
    [
      "a line that does not add up",
      [
        dropConstraint("order_lines", "order_lines_total"),
        "update order_lines set discount_cents = discount_cents + 5 where order_id = 3",
      ],
      [/^Order line 3: takes off/, /^Order line 3: totals/],
    ],
    [
      "a missing invoice",
      ["delete from invoices where order_id = 3"],
      [/^Order 3: is paid and has 0 invoices/, /^Invoices of 2026: number 3 is missing$/],
    ],
    [
      "an invoice of the wrong amount",
      ["update invoices set amount_cents = 1 where order_id = 3"],
      [/^Invoice 2026-000003: is over 1 USD, but order 3 over/],
    ],
    [
      "an order with tax that its lines do not have",
      ["update orders set tax_cents = 5, amount_cents = amount_cents + 5 where id = 3"],
      [/^Order 3: has 5 tax, but its lines' taxes sum to 0$/, /^Payment 3: is over/, /^Invoice 2026-000003: is over/],
    ],
    [
      "an invoice whose tax is not that of its rates",
      ["update invoices set tax_cents = 5 where order_id = 3"],
      [/^Invoice 2026-000003: has 5 tax, but its rates sum to 0$/],
    ],
    [
      "a credit note that gives back tax that was not charged",
      ["update invoices set tax_cents = -5 where amount_cents = -1234"],
      [/^Order \d: credit notes over 1234 have 5 tax instead of 0$/, /^Credit note 2026-\d{6}: has -5 tax/],
    ],
    [
      "an invoice with a reverse charge that its order does not have",
      ["update invoices set is_reverse_charge = true where order_id = 3"],
      [/^Invoice 2026-000003: differs from order 3 in the reverse charge$/],
    ],
    [
      "an invoice counter that is ahead",
      ["update invoice_counters set last_number = 99"],
      [/^Invoices of 2026: the counter says 99, but the last number is 5$/],
    ],
    [
      "an invoice numbered in the wrong year",
      ["update invoices set issued_at = '2027-01-01T00:00:00Z' where order_id = 3"],
      [/^Invoice 2026-000003: was issued on 2027-01-01, in another year$/],
    ],
    [
      "a paid line without a paid term",
      ["delete from paid_terms where order_line_id = 3"],
      [/^Order line 3: of a paid order, has 0 paid terms instead of 1$/],
    ],
    [
      "a paid term of an unpaid order",
      ["update orders set status = 'pending', paid_at = null where id = 3"],
      [
        /^Order 3: is pending and has 1 payments instead of 0$/,
        /^Order 3: is pending and has 1 invoices instead of 0$/,
        /^Order line 3: of a pending order, has 1 paid terms instead of 0$/,
      ],
    ],
    [
      "a paid term of the wrong value",
      ["update paid_terms set total_cents = 0, term = '6_months' where order_line_id = 3"],
      [/^Paid term 3: is worth 0/, /^Paid term 3: is for 6_months, but order line 3 bought 1_month$/],
    ],
    [
      "a subscription that nothing was paid for",
      ["update paid_terms set subscription_id = 1 where order_line_id = 2"],
      [/^Paid term 2: opens route \d+, but route \d+ was paid for$/, /^Subscription 2: nothing was paid for it$/],
    ],
    [
      "a refund without a credit note",
      ["delete from invoices where kind = 'credit_note' and amount_cents = -1234"],
      [
        /^Payment 2: 1234 refunded, but credit notes over 0$/,
        /^Invoices of 2026:/,
        /^Refund re_\w+: 1234 were given back/,
      ],
    ],
    [
      "a credit note of the wrong amount",
      ["update invoices set amount_cents = -1 where amount_cents = -1234"],
      [
        /^Payment 2: 1234 refunded, but credit notes over 1$/,
        /^Refund re_\w+: is over 1234, but Credit note 2026-00000\d over 1$/,
      ],
    ],
    [
      "a credit note without a refund",
      ["update invoices set refund_id = 're_none' where amount_cents = -1234"],
      [
        /^Refund re_\w+: 1234 were given back/,
        /^Credit note 2026-00000\d: the payment provider has no refund re_none$/,
      ],
    ],
    [
      "an order marked as refunded without a refund",
      ["update orders set status = 'refunded' where id = 3"],
      [/^Order 3: is refunded, but 0 of \d+ are refunded$/],
    ],
    [
      "a payment that is due to be returned but was fulfilled",
      ["update orders set return_reason = 'paid_too_late' where id = 3"],
      [
        /^Order line 3: of a returned order, has 1 paid terms instead of 0$/,
        /^Order 3: is to be returned, but 0 of \d+ are refunded$/,
      ],
    ],
    [
      "a charge that is unknown to the service",
      ["update payments set charge_id = null where id = 3"],
      [
        /^Charge ch_\w+: \d+ USD were charged, but no payment is on record$/,
        /^Payment 3: the payment provider has no charge/,
      ],
    ],
    [
      "a charge with a larger refund at the provider",
      [
        "update simulator_objects set body = jsonb_set(body, '{amount_refunded}', '7') where object = 'charge' and id = (select charge_id from payments where id = 3)",
      ],
      [/^Charge ch_\w+: 7 refunded, but payment 3 says 0$/],
    ],
    [
      "a chargeback without a lost dispute",
      ["update payments set charged_back_cents = 7 where id = 3"],
      [
        /^Payment 3: 7 charged back, but disputes over 0 are lost$/,
        /^Charge ch_\w+: 0 charged back, but payment 3 says 7$/,
      ],
    ],
  ])("%s", async (_, statements, expected) => {
    const found = await differencesAfter(...statements);
    for (const pattern of expected) expect(found).toContainEqual(expect.stringMatching(pattern));
    expect(found.length).toBeGreaterThan(0);
    expect((await check()).differences).toEqual([]);
  });
});

it("Without a list of the provider's charges, the service's own books are still checked", async () => {
  const { tallies, differences } = await reconcile({ db: world.ctx.db, settings: { testMode: false } });
  expect(differences).toEqual([]);
  expect(tallies.some(({ what }) => what.includes("simulated"))).toBe(false);
});
