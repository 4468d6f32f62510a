import type { Context } from "../context.ts";
import type { Books } from "./books.ts";
import { differences } from "./ledger-check.ts";
import * as queries from "./reconcile-queries.server.ts";

export type Tally = { what: string; count: number; cents: number };

export type Reconciliation = {
  tallies: Tally[];
  /** One line of text per difference. Empty when everything agrees to the cent. */
  differences: string[];
};

/**
 * Checks that orders, payments, invoices, credit notes, paid terms, paid plans and, in test mode, the simulator's charges agree to the
 * cent. Reads from one snapshot and changes nothing. For operators.
 */
export const reconcile = async (
  ctx: Pick<Context, "db"> & { settings: { testMode: boolean } },
): Promise<Reconciliation> => {
  const books = await queries.inSnapshot(
    ctx.db,
    async (tx): Promise<Books> => ({
      orders: await queries.allOrders(tx),
      lines: await queries.allLines(tx),
      planLines: await queries.allPlanLines(tx),
      payments: await queries.allPayments(tx),
      invoices: await queries.allInvoices(tx),
      counters: await queries.allCounters(tx),
      paidTerms: await queries.allPaidTerms(tx),
      paidPlanTerms: await queries.allPaidPlanTerms(tx),
      paidPlans: await queries.allPaidPlans(tx),
      disputes: await queries.allDisputes(tx),
      subscriptionsWithoutTerm: await queries.subscriptionsWithoutTerm(tx),
      provider: ctx.settings.testMode
        ? {
            charges: await queries.simulatedCharges(tx),
            refunds: await queries.simulatedRefunds(tx),
            chargebacks: await queries.simulatedChargebacks(tx),
            customerOf: new Map((await queries.customerIds(tx)).map(({ id, customerId }) => [id, customerId])),
          }
        : null,
    }),
  );
  return { tallies: talliesOf(books), differences: differences(books) };
};

const talliesOf = ({ orders, payments, invoices, paidTerms, paidPlanTerms, provider }: Books): Tally[] => {
  const paid = orders.filter(({ status }) => status !== "pending");
  const refunded = payments.filter(({ refundedCents }) => refundedCents > 0);
  const chargedBack = payments.filter(({ chargedBackCents }) => chargedBackCents > 0);
  const amount = ({ amountCents }: { amountCents: number }) => amountCents;
  return [
    tally("orders paid", paid, amount),
    tally(
      "orders pending",
      orders.filter(({ status }) => status === "pending"),
      amount,
    ),
    tally("payments", payments, amount),
    tally("payments refunded", refunded, ({ refundedCents }) => refundedCents),
    tally("charged back", chargedBack, ({ chargedBackCents }) => chargedBackCents),
    tally(
      "invoices",
      invoices.filter(({ kind }) => kind === "invoice"),
      amount,
    ),
    tally(
      "credit notes",
      invoices.filter(({ kind }) => kind === "credit_note"),
      amount,
    ),
    tally("tax, net of credit", invoices, ({ taxCents }) => taxCents),
    tally("paid terms", paidTerms, ({ totalCents }) => totalCents),
    tally("paid plans", paidPlanTerms, ({ totalCents }) => totalCents),
    ...(provider
      ? [tally("charges simulated", provider.charges, amount), tally("refunds simulated", provider.refunds, amount)]
      : []),
  ];
};

const tally = <Item>(what: string, items: Item[], centsOf: (item: Item) => number): Tally => ({
  what,
  count: items.length,
  cents: items.reduce((total, item) => total + centsOf(item), 0),
});
