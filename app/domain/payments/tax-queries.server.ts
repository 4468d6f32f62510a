import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { orderLines, orders, planOrderLines } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { conflict } from "../errors.ts";
import type { Tax } from "../tax/tax-line.ts";

/** @throws conflict when the order was cancelled, and so deleted */
export const findOrderToTax = async (db: Tx, orderId: number) => {
  const [order] = await db
    .select({
      currency: orders.currency,
      amountCents: orders.amountCents,
      taxCents: orders.taxCents,
      taxCalculationId: orders.taxCalculationId,
      taxedAt: orders.taxedAt,
      planLine: { totalCents: planOrderLines.totalCents, taxes: planOrderLines.taxes },
    })
    .from(orders)
    .leftJoin(planOrderLines, eq(planOrderLines.orderId, orders.id))
    .where(eq(orders.id, orderId));
  if (!order) throw conflict("The order was cancelled in the meantime. Start again");
  const lines = await db
    .select({ id: orderLines.id, totalCents: orderLines.totalCents, taxes: orderLines.taxes })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.id));
  return { ...order, lines };
};

/** Adds the tax to the order's amount, unless it was taxed in the meantime. */
export const setTax = async (
  tx: Tx,
  orderId: number,
  {
    lines,
    planTaxes,
    ...tax
  }: Pick<
    typeof orders.$inferSelect,
    "taxedAt" | "taxCents" | "taxCountry" | "isReverseCharge" | "taxCalculationId" | "buyer"
  > & { lines: { id: number; taxes: Tax[] }[]; planTaxes: Tax[] },
): Promise<void> => {
  const taxed = await tx
    .update(orders)
    .set({ ...tax, amountCents: sql`${orders.amountCents} + ${tax.taxCents}` })
    .where(and(eq(orders.id, orderId), isNull(orders.taxedAt), eq(orders.status, "pending")))
    .returning({ id: orders.id });
  if (taxed.length === 0) return;
  for (const { id, taxes } of lines) {
    if (taxes.length > 0) await tx.update(orderLines).set({ taxes }).where(eq(orderLines.id, id));
  }
  if (planTaxes.length > 0) {
    await tx.update(planOrderLines).set({ taxes: planTaxes }).where(eq(planOrderLines.orderId, orderId));
  }
};
