/** Taxes orders: once, after the order is written and before anything is charged for it. */
import { taxAddressOf } from "../billing-details/billing-details.ts";
import { billingDetailsOf } from "../billing-details/manage.server.ts";
import type { Context } from "../context.ts";
import { totalTaxCents } from "../tax/tax.ts";
import type { Tax } from "../tax/tax-line.ts";
import * as queries from "./tax-queries.server.ts";

export type TaxedOrder = {
  /** With tax: what is charged. */
  amountCents: number;
  taxCents: number;
  /** The taxes of each line, in the order of the lines. */
  taxes: Tax[][];
  /** The tax provider's record of the calculation. */
  taxCalculationId: string | null;
};

/**
 * Calculates and records the tax of a pending order. An order is taxed once: repetitions return what was recorded, so that a
 * charge that is tried again is over the same amount.
 *
 * @throws unavailable when the tax provider cannot be reached; nothing may be charged then
 * @throws conflict when the order was cancelled in the meantime
 */
export const taxOrder = async (
  ctx: Pick<Context, "db" | "clock" | "tax">,
  { orderId, accountId }: { orderId: number; accountId: number },
): Promise<TaxedOrder> => {
  const recorded = await taxedOrder(ctx, orderId);
  if (recorded) return recorded;
  const [buyer, order] = await Promise.all([
    billingDetailsOf(ctx.db, accountId),
    queries.findOrderToTax(ctx.db, orderId),
  ]);
  const { lines, planLine } = order;
  const taxable = [
    ...lines.map(({ id, totalCents }) => ({ reference: `line-${id}`, netCents: totalCents })),
    ...(planLine ? [{ reference: `plan-of-order-${orderId}`, netCents: planLine.totalCents }] : []),
  ];
  const result = ctx.tax
    ? await ctx.tax.calculate({
        currency: order.currency,
        buyer: buyer && taxAddressOf(buyer),
        lines: taxable,
      })
    : { country: null, isReverseCharge: false, lines: taxable.map(() => []), calculationId: null };
  await ctx.db.transaction((tx) =>
    queries.setTax(tx, orderId, {
      taxedAt: ctx.clock.now(),
      taxCents: totalTaxCents(result),
      taxCountry: result.country,
      isReverseCharge: result.isReverseCharge,
      taxCalculationId: result.calculationId,
      buyer,
      lines: lines.map(({ id }, index) => ({ id, taxes: result.lines[index] ?? [] })),
      planTaxes: planLine ? (result.lines[lines.length] ?? []) : [],
    }),
  );
  // Of two concurrent calculations the first counts.
  const taxed = await taxedOrder(ctx, orderId);
  if (!taxed) throw new Error(`Order ${orderId} was not taxed`);
  return taxed;
};

/** Null: it is not taxed yet. */
const taxedOrder = async (ctx: Pick<Context, "db">, orderId: number): Promise<TaxedOrder | null> => {
  const { taxedAt, amountCents, taxCents, taxCalculationId, lines } = await queries.findOrderToTax(ctx.db, orderId);
  return taxedAt && { amountCents, taxCents, taxCalculationId, taxes: lines.map(({ taxes }) => taxes) };
};
