/**
 * What customers paid at the provider against what the service has on its books. Plain SQL and sums of its own: nothing here
 * comes from the service, so a mistake there is not repeated here.
 */
import type { Sql } from "postgres";
import { grouped, monthsIn } from "./days.ts";

export type Audit = { counts: [what: string, count: number | string][]; violations: string[] };

type Intent = { id: string; order_id: string | null; status: string; amount: number };
type Charge = { id: string; intent: string; amount: number; refunded: number; order_id: string | null };
type Order = {
  id: number;
  account_id: number;
  status: string;
  intent: string | null;
  amount: number;
  tax: number;
  returned: boolean;
};
type Payment = {
  id: number;
  order_id: number;
  intent: string;
  charge: string | null;
  amount: number;
  refunded: number;
};
type Invoice = {
  order_id: number;
  kind: string;
  year: number;
  number: number;
  amount: number;
  refund_id: string | null;
};
type Line = {
  id: number;
  order_id: number;
  route_id: number;
  term: string;
  monthly: number;
  list: number;
  total: number;
};
type Term = { id: number; line_id: number; subscription_id: number; term: string; total: number };
type Subscription = { id: number; account_id: number; route_id: number; months: number };
type Plan = { order_id: number; term: string; monthly: number; total: number; granted: number };

const readProvider = async (sql: Sql) => ({
  intents: await sql<Intent[]>`
    select id, body->'metadata'->>'order_id' as order_id, body->>'status' as status, (body->>'amount')::int as amount
    from simulator_objects where object = 'payment_intent'`,
  charges: await sql<Charge[]>`
    select c.id, i.id as intent, (c.body->>'amount')::int as amount, (c.body->>'amount_refunded')::int as refunded,
      i.body->'metadata'->>'order_id' as order_id
    from simulator_objects c join simulator_objects i on i.object = 'payment_intent' and i.id = c.body->>'payment_intent'
    where c.object = 'charge' and c.body->>'status' = 'succeeded'`,
  refunds: await sql<{ id: string; charge: string; amount: number }[]>`
    select id, body->>'charge' as charge, (body->>'amount')::int as amount
    from simulator_objects where object = 'refund' and body->>'status' = 'succeeded'`,
});

const readService = async (sql: Sql) => ({
  orders: await sql<Order[]>`
    select id, account_id, status, payment_intent_id as intent, amount_cents as amount, tax_cents as tax,
      return_reason is not null as returned from orders`,
  lines: await sql<Line[]>`
    select id, order_id, route_id, term, monthly_cents as monthly, list_cents as list, total_cents as total from order_lines`,
  plans: await sql<Plan[]>`
    select l.order_id, l.term, l.monthly_cents as monthly, l.total_cents as total,
      (select count(*) from paid_plan_terms t where t.order_id = l.order_id)::int as granted from plan_order_lines l`,
  payments: await sql<Payment[]>`
    select id, order_id, payment_intent_id as intent, charge_id as charge, amount_cents as amount, refunded_cents as refunded
    from payments`,
  invoices: await sql<Invoice[]>`
    select order_id, kind, year, number, amount_cents as amount, refund_id from invoices`,
  terms: await sql<Term[]>`
    select id, order_line_id as line_id, subscription_id, term, total_cents as total from paid_terms`,
  subscriptions: await sql<Subscription[]>`
    select id, account_id, route_id, months_paid as months from subscriptions`,
});

type Books = Awaited<ReturnType<typeof readService>> & Awaited<ReturnType<typeof readProvider>>;

/**
 * @param service the service's database
 * @param provider the provider's; the same one if the provider is simulated there
 */
export const auditBooks = async (service: Sql, provider: Sql): Promise<Audit> => {
  const books: Books = { ...(await readService(service)), ...(await readProvider(provider)) };
  const paid = books.orders.filter(({ status }) => status !== "pending");
  const kept = new Set(paid.filter(({ returned }) => !returned).map(({ id }) => id));
  const numbers = [...grouped(books.invoices, ({ year }) => year)].sort(([a], [b]) => a - b);
  return {
    counts: [
      ["paid intents at the provider", books.intents.filter(({ status }) => status === "succeeded").length],
      ["charges at the provider", books.charges.length],
      ["paid orders", paid.length],
      ["payments", books.payments.length],
      ["invoices", books.invoices.filter(({ kind }) => kind === "invoice").length],
      ["payments returned (too late, or of a suspended account)", paid.filter(({ returned }) => returned).length],
      ["lines of paid orders", books.lines.filter(({ order_id }) => kept.has(order_id)).length],
      ["paid terms", books.terms.length],
      ["refunds at the provider", books.refunds.length],
      ["credit notes", books.invoices.filter(({ kind }) => kind === "credit_note").length],
      ["invoice numbers", numbers.map(([year, issued]) => `${year}: ${issued.length}`).join("; ")],
    ],
    violations: rules.flatMap((rule) => [...rule(books)]),
  };
};

type Rule = (books: Books) => Iterable<string>;

const paidIntentsAreSettledOnce: Rule = function* ({ intents, charges, orders }) {
  const orderOf = new Map(orders.map((order) => [String(order.id), order]));
  const chargesOf = grouped(charges, ({ intent }) => intent);
  for (const { id, order_id, status, amount } of intents) {
    const own = chargesOf.get(id)?.length ?? 0;
    if (own !== (status === "succeeded" ? 1 : 0)) yield `Intent ${id} is ${status} and was charged ${own} times`;
    if (status !== "succeeded") continue;
    const order = orderOf.get(order_id ?? "");
    if (!order || order.intent !== id) yield `Intent ${id} is paid, but no order names it (it names order ${order_id})`;
    else if (order.status === "pending") yield `Intent ${id} is paid, but order ${order.id} is pending`;
    else if (order.amount !== amount)
      yield `Intent ${id}: ${amount} were paid for order ${order.id} over ${order.amount}`;
  }
  for (const [orderId, own] of grouped(charges, ({ order_id }) => order_id)) {
    if (own.length > 1) yield `Order ${orderId} was charged ${own.length} times`;
  }
};

const paidOrdersHaveTheirPapers: Rule = function* ({ orders, payments, invoices, charges }) {
  const chargeOf = new Map(charges.map((charge) => [charge.id, charge]));
  const paymentsOf = grouped(payments, ({ order_id }) => order_id);
  const invoicesOf = grouped(
    invoices.filter(({ kind }) => kind === "invoice"),
    ({ order_id }) => order_id,
  );
  for (const order of orders) {
    const expected = order.status === "pending" ? 0 : 1;
    const [payment, ...more] = paymentsOf.get(order.id) ?? [];
    const documents = invoicesOf.get(order.id) ?? [];
    if ((payment ? 1 : 0) + more.length !== expected) {
      yield `Order ${order.id} is ${order.status} and has ${(payment ? 1 : 0) + more.length} payments`;
    }
    if (documents.length !== expected)
      yield `Order ${order.id} is ${order.status} and has ${documents.length} invoices`;
    for (const { amount } of documents) {
      if (amount !== order.amount) yield `Order ${order.id} over ${order.amount} has an invoice over ${amount}`;
    }
    if (!payment) continue;
    const charge = chargeOf.get(payment.charge ?? "");
    if (!charge) yield `Payment ${payment.id}: the provider knows no charge ${payment.charge}`;
    else if (charge.intent !== payment.intent || charge.amount !== payment.amount || payment.amount !== order.amount) {
      yield `Payment ${payment.id} over ${payment.amount} is not charge ${charge.id} over ${charge.amount}`;
    }
  }
};

/** What was paid is granted once: a term for each line, a plan for each plan, nothing for an order that is returned. */
const paidLinesAreGrantedOnce: Rule = function* ({ orders, lines, plans, terms, subscriptions }) {
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const subscriptionOf = new Map(subscriptions.map((subscription) => [subscription.id, subscription]));
  const termsOf = grouped(terms, ({ line_id }) => line_id);
  for (const line of lines) {
    const order = orderOf.get(line.order_id);
    const granted = termsOf.get(line.id) ?? [];
    const expected = order && order.status !== "pending" && !order.returned ? 1 : 0;
    if (granted.length !== expected) {
      yield `Line ${line.id} of the ${order?.status} order ${line.order_id} has ${granted.length} paid terms`;
    }
    for (const { id, term, total, subscription_id } of granted) {
      const subscription = subscriptionOf.get(subscription_id);
      if (term !== line.term || total !== line.total) yield `Paid term ${id} is not what line ${line.id} sold`;
      if (subscription?.account_id !== order?.account_id || subscription?.route_id !== line.route_id) {
        yield `Paid term ${id} opens another route or account than line ${line.id} paid for`;
      }
    }
  }
  for (const { order_id, granted } of plans) {
    const order = orderOf.get(order_id);
    const expected = order && order.status !== "pending" && !order.returned ? 1 : 0;
    if (granted !== expected) yield `The plan of the ${order?.status} order ${order_id} was granted ${granted} times`;
  }
  const paidFor = new Set(terms.map(({ subscription_id }) => subscription_id));
  for (const { id } of subscriptions) if (!paidFor.has(id)) yield `Nobody paid for subscription ${id}`;
};

const sumsAreRight: Rule = function* ({ orders, lines, plans }) {
  const linesOf = grouped(lines, ({ order_id }) => order_id);
  const planOf = grouped(plans, ({ order_id }) => order_id);
  for (const { id, term, monthly, list } of lines) {
    if (list !== monthly * monthsIn(term)) yield `Line ${id}: ${term} at ${monthly} a month are not ${list}`;
  }
  for (const { order_id, term, monthly, total } of plans) {
    if (total !== monthly * monthsIn(term)) yield `Order ${order_id}: ${term} of a plan at ${monthly} are not ${total}`;
  }
  for (const { id, amount, tax } of orders) {
    const parts = [...(linesOf.get(id) ?? []), ...(planOf.get(id) ?? [])];
    const sum = parts.reduce((cents, { total }) => cents + total, tax);
    if (sum !== amount) yield `Order ${id} is over ${amount}, but its lines and tax are ${sum}`;
  }
};

const refundsAreCreditedOnce: Rule = function* ({ charges, refunds, payments, invoices, orders }) {
  const notes = invoices.filter(({ kind }) => kind === "credit_note");
  const notesOf = grouped(notes, ({ refund_id }) => refund_id);
  const returned = new Set(orders.filter((order) => order.returned).map(({ id }) => id));
  for (const { id, amount } of refunds) {
    const own = notesOf.get(id) ?? [];
    if (own.length !== 1 || own[0]?.amount !== -amount)
      yield `Refund ${id} over ${amount} has ${own.length} credit notes`;
  }
  if (notes.length !== refunds.length) yield `${refunds.length} refunds, but ${notes.length} credit notes`;
  const chargeOf = new Map(charges.map((charge) => [charge.id, charge]));
  for (const { id, order_id, charge, amount, refunded } of payments) {
    const given = chargeOf.get(charge ?? "")?.refunded ?? 0;
    if (refunded !== given) yield `Payment ${id}: ${refunded} refunded, but ${given} at the provider`;
    if (returned.has(order_id) && given !== amount)
      yield `Payment ${id} is to be returned, but only ${given} of ${amount} were`;
  }
};

const invoiceNumbersHaveNoGaps: Rule = function* ({ invoices }) {
  for (const [year, issued] of grouped(invoices, (invoice) => invoice.year)) {
    const numbers = issued.map(({ number }) => number).sort((a, b) => a - b);
    for (const [index, number] of numbers.entries()) {
      if (number === index + 1) continue;
      yield `Invoices of ${year}: number ${index + 1} is missing, or ${number} was given twice`;
      break;
    }
  }
};

const rules: Rule[] = [
  paidIntentsAreSettledOnce,
  paidOrdersHaveTheirPapers,
  paidLinesAreGrantedOnce,
  sumsAreRight,
  refundsAreCreditedOnce,
  invoiceNumbersHaveNoGaps,
];
