import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import {
  disputes,
  invoices,
  orderLines,
  orders,
  paidPlanTerms,
  paidTerms,
  payments,
  planOrderLines,
  routes,
} from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { isOneOf } from "../../platform/is-one-of.server.ts";

export const findInvoice = async (db: Tx, accountId: number, id: number) => {
  const [row] = await db
    .select({
      invoice: invoices,
      orderKind: orders.kind,
      paidAt: payments.paidAt,
      chargedBackCents: payments.chargedBackCents,
      cardBrand: payments.cardBrand,
      cardLast4: payments.cardLast4,
      planLine: planOrderLines,
      /** The days that were paid for. Null: nothing was fulfilled. */
      planDays: { startDate: paidPlanTerms.startDate, endDate: paidPlanTerms.endDate },
    })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .leftJoin(payments, eq(payments.orderId, invoices.orderId))
    .leftJoin(planOrderLines, eq(planOrderLines.orderId, invoices.orderId))
    .leftJoin(paidPlanTerms, eq(paidPlanTerms.orderId, invoices.orderId))
    .where(and(eq(invoices.accountId, accountId), eq(invoices.id, id)));
  return row ?? null;
};

/** The latest dispute of an order's payment. */
export const latestDisputeOfOrder = async (db: Tx, orderId: number) => {
  const [latest] = await db
    .select({ status: disputes.status, openedAt: disputes.openedAt, endedAt: disputes.endedAt })
    .from(disputes)
    .innerJoin(payments, eq(payments.id, disputes.paymentId))
    .where(eq(payments.orderId, orderId))
    .orderBy(desc(disputes.id))
    .limit(1);
  return latest ?? null;
};

/** An order's lines with the days that each has paid for; null where nothing was fulfilled. */
export const invoicedLines = (db: Tx, orderId: number) =>
  db
    .select({
      id: orderLines.id,
      routeId: routes.id,
      routeName: routes.name,
      routeCode: routes.code,
      term: orderLines.term,
      monthlyCents: orderLines.monthlyCents,
      listCents: orderLines.listCents,
      termDiscountPercent: orderLines.termDiscountPercent,
      volumeDiscountPercent: orderLines.volumeDiscountPercent,
      volumeDiscountReason: orderLines.volumeDiscountReason,
      discountCents: orderLines.discountCents,
      creditCents: orderLines.creditCents,
      totalCents: orderLines.totalCents,
      taxes: orderLines.taxes,
      startDate: paidTerms.startDate,
      endDate: paidTerms.endDate,
    })
    .from(orderLines)
    .innerJoin(routes, eq(routes.id, orderLines.routeId))
    .leftJoin(paidTerms, eq(paidTerms.orderLineId, orderLines.id))
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.id));

/** The lines of orders, as they were priced. */
export const pricedLines = async (db: Tx, orderIds: number[]) =>
  orderIds.length === 0 ? [] : pricedLinesIn(db).execute({ orderIds });

const pricedLinesIn = perDatabase((db) =>
  db
    .select()
    .from(orderLines)
    .where(isOneOf(orderLines.orderId, sql.placeholder("orderIds")))
    .orderBy(asc(orderLines.id))
    .prepare("lines_of_orders"),
);

/** All invoices and credit notes of an account, newest first. */
export const billingHistory = (db: Tx, accountId: number) => billingHistoryIn(db).execute({ accountId });

const billingHistoryIn = perDatabase((db) =>
  db
    .select({
      invoice: invoices,
      orderKind: orders.kind,
      cardBrand: payments.cardBrand,
      cardLast4: payments.cardLast4,
    })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .leftJoin(payments, eq(payments.orderId, invoices.orderId))
    .where(eq(invoices.accountId, sql.placeholder("accountId")))
    .orderBy(desc(invoices.year), desc(invoices.number))
    .prepare("billing_history"),
);

export const routeCodesOfOrders = async (db: Tx, orderIds: number[]): Promise<Map<number, string[]>> => {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .select({
      orderId: orderLines.orderId,
      codes: sql<string[]>`array_agg(${routes.code} order by ${orderLines.id})`,
    })
    .from(orderLines)
    .innerJoin(routes, eq(routes.id, orderLines.routeId))
    .where(inArray(orderLines.orderId, orderIds))
    .groupBy(orderLines.orderId);
  return new Map(rows.map(({ orderId, codes }) => [orderId, codes]));
};
