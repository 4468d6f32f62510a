/** Tax at fixed rates by country, from the configuration. */
import { isReverseCharge, type SellerTax } from "./reverse-charge.ts";
import { type TaxProvider, type TaxRequest, type TaxResult, taxAt } from "./tax.ts";

/** By country. Buyers in countries without a rate are not taxed. */
export type FixedRates = ReadonlyMap<string, { name: string; ratePercent: string }>;

/** @param rates empty: no tax is charged anywhere, but the reverse charge still applies */
export const fixedRates = (seller: SellerTax | null, rates: FixedRates): TaxProvider => ({
  calculate: async (request) => taxAtFixedRates(seller, rates, request),
  estimate: async (request) => taxAtFixedRates(seller, rates, request),
});

const taxAtFixedRates = (seller: SellerTax | null, rates: FixedRates, { buyer, lines }: TaxRequest): TaxResult => {
  const country = buyer?.country ?? seller?.country ?? null;
  const reverseCharge = isReverseCharge(seller, buyer);
  const rate = reverseCharge || country === null ? undefined : rates.get(country);
  return {
    country,
    isReverseCharge: reverseCharge,
    lines: lines.map(({ netCents }) =>
      rate && country !== null
        ? [{ ...rate, jurisdiction: country, taxableCents: netCents, taxCents: taxAt(netCents, rate.ratePercent) }]
        : [],
    ),
    calculationId: null,
  };
};
