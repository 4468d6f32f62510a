import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { invoices, orderLines, orders, paidTerms, payments, routes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

export const findInvoice = async (db: Tx, accountId: number, id: number) => {
  const [row] = await db
    .select({
      invoice: invoices,
      orderKind: orders.kind,
      paidAt: payments.paidAt,
      refundedCents: payments.refundedCents,
      cardBrand: payments.cardBrand,
      cardLast4: payments.cardLast4,
    })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .leftJoin(payments, eq(payments.orderId, invoices.orderId))
    .where(and(eq(invoices.accountId, accountId), eq(invoices.id, id)));
  return row ?? null;
};

/** An order's invoice and credit notes, oldest first. */
export const invoicesOfOrder = (db: Tx, orderId: number) =>
  db.select().from(invoices).where(eq(invoices.orderId, orderId)).orderBy(asc(invoices.year), asc(invoices.number));

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
  orderIds.length === 0
    ? []
    : db.select().from(orderLines).where(inArray(orderLines.orderId, orderIds)).orderBy(asc(orderLines.id));

/** All invoices and credit notes of an account, newest first. */
export const billingHistory = (db: Tx, accountId: number) =>
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
    .where(eq(invoices.accountId, accountId))
    .orderBy(desc(invoices.year), desc(invoices.number));

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
