/** The tax on prices that are shown before there is an order. */
import { taxAddressOf } from "../billing-details/billing-details.ts";
import { billingDetailsOf, billingDetailsOfAll } from "../billing-details/manage.server.ts";
import type { Context } from "../context.ts";
import { groupBy } from "../group-by.ts";
import { currency } from "../money.ts";
import { type TaxRequest, taxCentsOf } from "../tax/tax.ts";

/**
 * The tax that an order of these lines would have today, line by line.
 *
 * @throws unavailable when the tax provider cannot be reached
 */
export const taxOfLines = async (
  ctx: Pick<Context, "db" | "tax">,
  accountId: number,
  lines: readonly { totalCents: number }[],
): Promise<number[]> => {
  if (!ctx.tax || lines.length === 0) return lines.map(() => 0);
  const buyer = await billingDetailsOf(ctx.db, accountId);
  const result = await ctx.tax.calculate({ currency, buyer: buyer && taxAddressOf(buyer), lines: lines.map(asLine) });
  return result.lines.map(taxCentsOf);
};

type Amounts = readonly { accountId: number; totalCents: number }[];

/**
 * The tax on amounts of several accounts, in their order, for lists. Zero while the tax provider cannot be reached, so that
 * lists do not depend on it. One statement, however many amounts.
 */
export const expectedTaxes = async (ctx: Pick<Context, "db" | "tax">, amounts: Amounts): Promise<number[]> => {
  const accountIds = amounts.map(({ accountId }) => accountId);
  return (await taxEstimator(ctx, accountIds))(amounts);
};

/** The same in two steps: reads what the tax of these accounts depends on, and returns what estimates it. */
export const taxEstimator = async (
  ctx: Pick<Context, "db" | "tax">,
  accountIds: readonly number[],
): Promise<(amounts: Amounts) => Promise<number[]>> => {
  const { tax } = ctx;
  if (!tax || accountIds.length === 0) return async (amounts) => amounts.map(() => 0);
  const buyers = await billingDetailsOfAll(ctx.db, [...new Set(accountIds)]);
  return async (amounts) => {
    const taxes = amounts.map(() => 0);
    const byAccount = groupBy(
      amounts.map((amount, index) => ({ ...amount, index })),
      ({ accountId }) => accountId,
    );
    await Promise.all(
      [...byAccount].map(async ([accountId, own]) => {
        const buyer = buyers.get(accountId) ?? null;
        const result = await tax.estimate({ currency, buyer: buyer && taxAddressOf(buyer), lines: own.map(asLine) });
        for (const [position, { index }] of own.entries()) taxes[index] = taxCentsOf(result?.lines[position] ?? []);
      }),
    );
    return taxes;
  };
};

const asLine = ({ totalCents }: { totalCents: number }, index: number): TaxRequest["lines"][number] => ({
  reference: `line-${index + 1}`,
  netCents: totalCents,
});
