/**
 * The rules of reconciliation: orders, payments, invoices, refunds and paid terms must agree to the cent. Each rule reports
 * every difference it finds, and relies neither on other rules nor on database constraints.
 */
import { groupBy } from "../group-by.ts";
import { percentOf } from "../money.ts";
import { monthsOf } from "../pricing/discounts.ts";
import { refundedTaxes, taxCentsOf, taxesByRate } from "../tax/tax.ts";
import type { Tax } from "../tax/tax-line.ts";
import type { Books } from "./books.ts";

/** One line of text per difference. Empty when everything agrees. */
export const differences = (books: Books): string[] => rules.flatMap((rule) => [...rule(books)]);

type Rule = (books: Books) => Iterable<string>;

const isPaid = ({ status }: Books["orders"][number]) => status !== "pending";

/** Whether the order was paid and not returned. */
const isFulfilled = (order: Books["orders"][number]) => isPaid(order) && order.returnReason === null;

const lineAmountsAreCorrect: Rule = function* ({ lines, planLines }) {
  for (const line of planLines) {
    const totalCents = line.monthlyCents * monthsOf[line.term];
    if (line.totalCents !== totalCents) {
      yield `Plan of order ${line.orderId}: totals ${line.totalCents}, but its months cost ${totalCents}`;
    }
  }
  for (const line of lines) {
    const listCents = line.monthlyCents * monthsOf[line.term];
    if (line.listCents !== listCents) {
      yield `Order line ${line.id}: lists ${line.listCents}, but its months cost ${listCents}`;
    }
    const payPercent = Math.max(0, 100 - line.termDiscountPercent - line.volumeDiscountPercent);
    const discountCents = line.listCents - percentOf(line.listCents, payPercent);
    if (line.discountCents !== discountCents) {
      yield `Order line ${line.id}: takes off ${line.discountCents}, but its discounts come to ${discountCents}`;
    }
    const totalCents = Math.max(0, line.listCents - line.discountCents - line.creditCents);
    if (line.totalCents !== totalCents) {
      yield `Order line ${line.id}: totals ${line.totalCents}, but its parts come to ${totalCents}`;
    }
  }
};

/** An order of a plan has the plan and no lines. Any other has lines and no plan. */
const linesSumToOrders: Rule = function* ({ orders, lines, planLines }) {
  const byOrder = groupBy(lines, ({ orderId }) => orderId);
  const planOf = groupBy(planLines, ({ orderId }) => orderId);
  for (const order of orders) {
    const isPlan = order.kind === "plan";
    const plan = planOf.get(order.id) ?? [];
    const own = [...(byOrder.get(order.id) ?? []), ...plan];
    if (own.length === 0) yield `Order ${order.id}: has no lines`;
    else if (plan.length !== (isPlan ? 1 : 0) || (isPlan && own.length > 1)) {
      yield `Order ${order.id}: is of kind ${order.kind}, but has ${own.length - plan.length} lines and ${plan.length} plans`;
    }
    const sumCents = sum(own, ({ totalCents }) => totalCents) + order.taxCents;
    if (sumCents !== order.amountCents) {
      yield `Order ${order.id}: is over ${order.amountCents}, but its lines sum to ${sumCents}`;
    }
  }
};

/** Net + tax = gross on lines, orders, invoices and credit notes, for each rate. */
const taxesAgree: Rule = function* ({ orders, lines, planLines, invoices }) {
  const linesOf = groupBy<{ orderId: number; taxes: Tax[] }, number>(
    [...lines, ...planLines],
    ({ orderId }) => orderId,
  );
  const documentsOf = groupBy(invoices, ({ orderId }) => orderId);
  for (const order of orders) {
    const taxes = taxesByRate((linesOf.get(order.id) ?? []).map((line) => line.taxes));
    if (taxCentsOf(taxes) !== order.taxCents) {
      yield `Order ${order.id}: has ${order.taxCents} tax, but its lines' taxes sum to ${taxCentsOf(taxes)}`;
    }
    if (order.isReverseCharge && order.taxCents !== 0) yield `Order ${order.id}: has tax and a reverse charge`;
    const [invoice, ...creditNotes] = documentsOf.get(order.id) ?? [];
    if (!invoice) continue;
    if (!isSame(invoice.taxes, taxes)) {
      yield `${nameOf(invoice)}: its taxes are not those of the lines of order ${order.id}`;
    }
    if (invoice.isReverseCharge !== order.isReverseCharge) {
      yield `${nameOf(invoice)}: differs from order ${order.id} in the reverse charge`;
    }
    const creditedCents = -sum(creditNotes, ({ amountCents }) => amountCents);
    const creditedTaxes = refundedTaxes(invoice.taxes, invoice.amountCents, creditedCents);
    const creditedTaxCents = -sum(creditNotes, ({ taxCents }) => taxCents);
    if (creditedTaxCents !== taxCentsOf(creditedTaxes)) {
      yield `Order ${order.id}: credit notes over ${creditedCents} have ${creditedTaxCents} tax instead of ${taxCentsOf(creditedTaxes)}`;
    }
  }
  for (const document of invoices) {
    if (document.taxCents !== taxCentsOf(document.taxes)) {
      yield `${nameOf(document)}: has ${document.taxCents} tax, but its rates sum to ${taxCentsOf(document.taxes)}`;
    }
  }
};

const isSame = (some: readonly Tax[], others: readonly Tax[]): boolean =>
  some.length === others.length &&
  some.every(({ name, jurisdiction, ratePercent, taxableCents, taxCents }, index) => {
    const other = others[index];
    return (
      other?.name === name &&
      other.jurisdiction === jurisdiction &&
      other.ratePercent === ratePercent &&
      other.taxableCents === taxableCents &&
      other.taxCents === taxCents
    );
  });

const ordersArePaidOnce: Rule = function* ({ orders, payments }) {
  const byOrder = groupBy(payments, ({ orderId }) => orderId);
  for (const order of orders) {
    const own = byOrder.get(order.id) ?? [];
    const expected = isPaid(order) ? 1 : 0;
    if (own.length !== expected) {
      yield `Order ${order.id}: is ${order.status} and has ${own.length} payments instead of ${expected}`;
    }
    for (const payment of own) {
      yield* sameMoney(`Payment ${payment.id}`, payment, `order ${order.id}`, order);
      if (payment.paymentIntentId !== order.paymentIntentId) {
        yield `Payment ${payment.id}: is of intent ${payment.paymentIntentId}, but order ${order.id} names ${order.paymentIntentId}`;
      }
    }
  }
};

const ordersAreInvoicedOnce: Rule = function* ({ orders, invoices }) {
  const byOrder = groupBy(
    invoices.filter(({ kind }) => kind === "invoice"),
    ({ orderId }) => orderId,
  );
  for (const order of orders) {
    const own = byOrder.get(order.id) ?? [];
    const expected = isPaid(order) ? 1 : 0;
    if (own.length !== expected) {
      yield `Order ${order.id}: is ${order.status} and has ${own.length} invoices instead of ${expected}`;
    }
    for (const invoice of own) yield* sameMoney(nameOf(invoice), invoice, `order ${order.id}`, order);
  }
};

const linesAreFulfilledOnce: Rule = function* ({ orders, lines, paidTerms, subscriptionsWithoutTerm }) {
  const byLine = groupBy(paidTerms, ({ orderLineId }) => orderLineId);
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  for (const line of lines) {
    const order = orderOf.get(line.orderId);
    if (!order) continue;
    const own = byLine.get(line.id) ?? [];
    const expected = isFulfilled(order) ? 1 : 0;
    if (own.length !== expected) {
      const status = order.returnReason === null ? order.status : "returned";
      yield `Order line ${line.id}: of a ${status} order, has ${own.length} paid terms instead of ${expected}`;
    }
    for (const term of own) {
      if (term.totalCents !== line.totalCents) {
        yield `Paid term ${term.id}: is worth ${term.totalCents}, but order line ${line.id} cost ${line.totalCents}`;
      }
      if (term.term !== line.term) {
        yield `Paid term ${term.id}: is for ${term.term}, but order line ${line.id} bought ${line.term}`;
      }
      if (term.accountId !== order.accountId) {
        yield `Paid term ${term.id}: is account ${term.accountId}'s, but account ${order.accountId} paid for it`;
      }
      if (term.routeId !== line.routeId) {
        yield `Paid term ${term.id}: opens route ${term.routeId}, but route ${line.routeId} was paid for`;
      }
    }
  }
  for (const { id } of subscriptionsWithoutTerm) yield `Subscription ${id}: nothing was paid for it`;
};

const plansAreFulfilledOnce: Rule = function* ({ orders, planLines, paidPlanTerms, paidPlans }) {
  const byOrder = groupBy(paidPlanTerms, ({ orderId }) => orderId);
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  for (const line of planLines) {
    const order = orderOf.get(line.orderId);
    if (!order) continue;
    const own = byOrder.get(line.orderId) ?? [];
    const expected = isFulfilled(order) ? 1 : 0;
    if (own.length !== expected) {
      const status = order.returnReason === null ? order.status : "returned";
      yield `Plan of order ${order.id}: of a ${status} order, has ${own.length} paid terms instead of ${expected}`;
    }
    for (const term of own) {
      if (term.totalCents !== line.totalCents || term.plan !== line.plan || term.term !== line.term) {
        yield `Paid plan term ${term.id}: is ${term.term} of ${term.plan} for ${term.totalCents}, but order ${order.id} bought ${line.term} of ${line.plan} for ${line.totalCents}`;
      }
      if (term.accountId !== order.accountId) {
        yield `Paid plan term ${term.id}: is account ${term.accountId}'s, but account ${order.accountId} paid for it`;
      }
    }
  }
  const goingOn = groupBy(
    paidPlanTerms.filter(({ endedOn }) => endedOn === null),
    ({ accountId }) => accountId,
  );
  for (const { accountId, plan, endDate, accountPlan } of paidPlans) {
    if (accountPlan !== plan) yield `Account ${accountId}: has the ${accountPlan} plan, but has paid for ${plan}`;
    const terms = (goingOn.get(accountId) ?? []).filter((term) => term.plan === plan);
    const latest = terms
      .map((term) => term.endDate)
      .sort()
      .at(-1);
    if (latest === undefined) yield `Account ${accountId}: nothing was paid for its ${plan} plan`;
    // It can end earlier, as the days behind a returned term move up.
    else if (endDate > latest) yield `Account ${accountId}: its plan ends on ${endDate}, but is paid until ${latest}`;
  }
};

const refundsAreCredited: Rule = function* ({ orders, payments, invoices }) {
  const notes = invoices.filter(({ kind }) => kind === "credit_note");
  const byOrder = groupBy(notes, ({ orderId }) => orderId);
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const paymentOf = new Map(payments.map((payment) => [payment.orderId, payment]));
  for (const note of notes) {
    if (note.refundId === null) yield `${nameOf(note)}: names no refund`;
    const payment = paymentOf.get(note.orderId);
    if (!payment) yield `${nameOf(note)}: order ${note.orderId} has no payment to give back`;
    else if (note.currency !== payment.currency || note.accountId !== payment.accountId) {
      yield `${nameOf(note)}: is of another account or currency than payment ${payment.id}`;
    }
  }
  for (const payment of payments) {
    const creditedCents = -sum(byOrder.get(payment.orderId) ?? [], ({ amountCents }) => amountCents);
    if (creditedCents !== payment.refundedCents) {
      yield `Payment ${payment.id}: ${payment.refundedCents} refunded, but credit notes over ${creditedCents}`;
    }
    const isFullyRefunded = payment.refundedCents === payment.amountCents;
    const order = orderOf.get(payment.orderId);
    if (order && isPaid(order) && (order.status === "refunded") !== isFullyRefunded) {
      yield `Order ${order.id}: is ${order.status}, but ${payment.refundedCents} of ${payment.amountCents} are refunded`;
    }
    if (order && order.returnReason !== null && !isFullyRefunded && payment.disputedAt === null) {
      yield `Order ${order.id}: is to be returned, but ${payment.refundedCents} of ${payment.amountCents} are refunded`;
    }
  }
};

const chargebacksEndTerms: Rule = function* ({ payments, disputes, lines, paidTerms, paidPlanTerms }) {
  const lost = groupBy(
    disputes.filter(({ status }) => status === "lost"),
    ({ paymentId }) => paymentId,
  );
  const orderOf = new Map(lines.map(({ id, orderId }) => [id, orderId]));
  const terms = groupBy(paidTerms, ({ orderLineId }) => orderOf.get(orderLineId));
  const planTerms = groupBy(paidPlanTerms, ({ orderId }) => orderId);
  for (const payment of payments) {
    const lostCents = Math.min(
      payment.amountCents,
      sum(lost.get(payment.id) ?? [], ({ amountCents }) => amountCents),
    );
    if (lostCents !== payment.chargedBackCents) {
      yield `Payment ${payment.id}: ${payment.chargedBackCents} charged back, but disputes over ${lostCents} are lost`;
    }
    const isGone = lostCents > 0 && lostCents + payment.refundedCents >= payment.amountCents;
    for (const term of terms.get(payment.orderId) ?? []) {
      if (isGone && term.endedOn === null) {
        yield `Paid term ${term.id}: goes on, but payment ${payment.id} was charged back`;
      }
    }
    for (const term of planTerms.get(payment.orderId) ?? []) {
      if (isGone && term.endedOn === null) {
        yield `Paid plan term ${term.id}: goes on, but payment ${payment.id} was charged back`;
      }
    }
  }
};

const numbersHaveNoGaps: Rule = function* ({ invoices, counters }) {
  const byYear = groupBy(invoices, ({ year }) => year);
  const lastOf = new Map(counters.map(({ year, lastNumber }) => [year, lastNumber]));
  for (const year of [...new Set([...byYear.keys(), ...lastOf.keys()])].sort()) {
    const issued = byYear.get(year) ?? [];
    const numbers = new Set(issued.map(({ number }) => number));
    const last = Math.max(0, ...numbers);
    if (numbers.size !== issued.length) yield `Invoices of ${year}: a number was given out twice`;
    for (let number = 1; number <= last; number += 1) {
      if (!numbers.has(number)) yield `Invoices of ${year}: number ${number} is missing`;
    }
    const counted = lastOf.get(year) ?? 0;
    if (counted !== last) yield `Invoices of ${year}: the counter says ${counted}, but the last number is ${last}`;
    for (const invoice of issued) {
      if (invoice.issuedAt.getUTCFullYear() !== year) {
        yield `${nameOf(invoice)}: was issued on ${invoice.issuedAt.toISOString().slice(0, 10)}, in another year`;
      }
    }
  }
};

const providerAgrees: Rule = function* ({ provider, payments, invoices }) {
  if (!provider) return;
  const paymentOf = new Map(payments.map((payment) => [payment.chargeId, payment]));
  const chargeOf = new Map(provider.charges.map((charge) => [charge.id, charge]));
  const chargebacks = groupBy(provider.chargebacks, ({ chargeId }) => chargeId);
  for (const charge of provider.charges) {
    const payment = paymentOf.get(charge.id);
    if (!payment) {
      yield `Charge ${charge.id}: ${charge.amountCents} ${charge.currency} were charged, but no payment is on record`;
      continue;
    }
    if (charge.amountCents !== payment.amountCents || charge.currency !== payment.currency) {
      yield `Charge ${charge.id}: is over ${charge.amountCents} ${charge.currency}, but payment ${payment.id} over ${payment.amountCents} ${payment.currency}`;
    }
    if (charge.refundedCents !== payment.refundedCents) {
      yield `Charge ${charge.id}: ${charge.refundedCents} refunded, but payment ${payment.id} says ${payment.refundedCents}`;
    }
    const lostCents = sum(chargebacks.get(charge.id) ?? [], ({ amountCents }) => amountCents);
    if (lostCents !== payment.chargedBackCents) {
      yield `Charge ${charge.id}: ${lostCents} charged back, but payment ${payment.id} says ${payment.chargedBackCents}`;
    }
    if (charge.paymentIntentId !== payment.paymentIntentId) {
      yield `Charge ${charge.id}: is of intent ${charge.paymentIntentId}, but payment ${payment.id} names ${payment.paymentIntentId}`;
    }
    if (charge.customerId !== provider.customerOf.get(payment.accountId)) {
      yield `Charge ${charge.id}: was made to customer ${charge.customerId}, who is not account ${payment.accountId}`;
    }
  }
  for (const payment of payments) {
    if (payment.chargeId === null || !chargeOf.has(payment.chargeId)) {
      yield `Payment ${payment.id}: the payment provider has no charge ${payment.chargeId ?? "for it"}`;
    }
  }
  const noteOf = new Map(invoices.map((invoice) => [invoice.refundId, invoice]));
  for (const refund of provider.refunds) {
    const note = noteOf.get(refund.id);
    if (!note) yield `Refund ${refund.id}: ${refund.amountCents} were given back, but there is no credit note`;
    else if (-note.amountCents !== refund.amountCents) {
      yield `Refund ${refund.id}: is over ${refund.amountCents}, but ${nameOf(note)} over ${-note.amountCents}`;
    }
  }
  const refunds = new Set(provider.refunds.map(({ id }) => id));
  for (const { refundId, ...note } of invoices) {
    if (refundId !== null && !refunds.has(refundId)) {
      yield `${nameOf(note)}: the payment provider has no refund ${refundId}`;
    }
  }
};

const rules: Rule[] = [
  lineAmountsAreCorrect,
  linesSumToOrders,
  taxesAgree,
  ordersArePaidOnce,
  ordersAreInvoicedOnce,
  linesAreFulfilledOnce,
  plansAreFulfilledOnce,
  refundsAreCredited,
  chargebacksEndTerms,
  numbersHaveNoGaps,
  providerAgrees,
];

type Money = { accountId: number; amountCents: number; currency: string };

const sameMoney = function* (name: string, money: Money, orderName: string, order: Money): Iterable<string> {
  if (money.amountCents !== order.amountCents || money.currency !== order.currency) {
    yield `${name}: is over ${money.amountCents} ${money.currency}, but ${orderName} over ${order.amountCents} ${order.currency}`;
  }
  if (money.accountId !== order.accountId) {
    yield `${name}: is account ${money.accountId}'s, but ${orderName} account ${order.accountId}'s`;
  }
};

const nameOf = ({ kind, year, number }: Pick<Books["invoices"][number], "kind" | "year" | "number">) =>
  `${kind === "invoice" ? "Invoice" : "Credit note"} ${year}-${String(number).padStart(6, "0")}`;

const sum = <Item>(items: Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
