/** Taxes on orders: what a tax provider is asked and what it returns. */
import { divideHalfUp } from "../money.ts";
import type { Tax } from "./tax-line.ts";

/** Where a buyer is taxed. */
export type TaxAddress = {
  country: string;
  region: string | null;
  postalCode: string | null;
  /** A VAT or other tax number, checked for its form. */
  taxId: string | null;
};

export type TaxRequest = {
  currency: string;
  /** Null: not known. The buyer is then taxed as in the seller's country. */
  buyer: TaxAddress | null;
  lines: readonly { reference: string; netCents: number }[];
};

export type TaxResult = {
  /** The country where the buyer was taxed. Null: not known. */
  country: string | null;
  /** The buyer accounts for the VAT. No tax is charged, and the invoice says so. */
  isReverseCharge: boolean;
  /** The taxes of each line, in the order of the request. */
  lines: Tax[][];
  /** The tax provider's record of this calculation. */
  calculationId: string | null;
};

/** Calculates the tax on orders. `fixed-rates.ts` and `stripe.server.ts` in payments implement it. */
export type TaxProvider = {
  /** @throws unavailable when the provider cannot be reached */
  calculate(request: TaxRequest): Promise<TaxResult>;
  /** For prices that are only shown. Null when the provider cannot be reached. */
  estimate(request: TaxRequest): Promise<Pick<TaxResult, "lines"> | null>;
};

export const taxCentsOf = (taxes: readonly Pick<Tax, "taxCents">[]): number =>
  taxes.reduce((sum, { taxCents }) => sum + taxCents, 0);

/** The total tax of a calculation. */
export const totalTaxCents = ({ lines }: Pick<TaxResult, "lines">): number => taxCentsOf(lines.flat());

/** `ratePercent` of an amount, rounded half up once. */
export const taxAt = (netCents: number, ratePercent: string): number => {
  const [whole = "0", fraction = ""] = ratePercent.split(".");
  return divideHalfUp(netCents * Number(whole + fraction), 100 * 10 ** fraction.length);
};

/** Taxes of several lines, one for each rate, as the totals of an invoice show them. */
export const taxesByRate = (lines: readonly (readonly Tax[])[]): Tax[] => {
  const byRate = new Map<string, Tax>();
  for (const tax of lines.flat()) {
    const key = `${tax.jurisdiction} ${tax.name} ${tax.ratePercent}`;
    const sum = byRate.get(key);
    byRate.set(key, {
      ...tax,
      taxableCents: tax.taxableCents + (sum?.taxableCents ?? 0),
      taxCents: tax.taxCents + (sum?.taxCents ?? 0),
    });
  }
  return [...byRate.values()];
};

/**
 * The part of an invoice's taxes that refunds of `refundedCents` in all give back. Each tax is rounded on the running total,
 * so that the credit notes of a full refund add up to the invoice's taxes to the cent.
 */
export const refundedTaxes = (taxes: readonly Tax[], amountCents: number, refundedCents: number): Tax[] =>
  taxes.map((tax) => ({
    ...tax,
    taxableCents: divideHalfUp(tax.taxableCents * refundedCents, amountCents),
    taxCents: divideHalfUp(tax.taxCents * refundedCents, amountCents),
  }));

/** What one more refund gives back: the taxes of all refunds so far, less those of the earlier ones. */
export const taxesOfRefund = (
  taxes: readonly Tax[],
  amountCents: number,
  refund: { earlierCents: number; cents: number },
): Tax[] => {
  const before = refundedTaxes(taxes, amountCents, refund.earlierCents);
  return refundedTaxes(taxes, amountCents, refund.earlierCents + refund.cents).map((tax, index) => ({
    ...tax,
    taxableCents: (before[index]?.taxableCents ?? 0) - tax.taxableCents || 0,
    taxCents: (before[index]?.taxCents ?? 0) - tax.taxCents || 0,
  }));
};
