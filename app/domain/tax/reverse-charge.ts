import { isEuMember } from "./countries.ts";
import type { TaxAddress } from "./tax.ts";

/** Where the seller is established. */
export type SellerTax = { country: string; taxId: string | null };

/**
 * Whether the buyer accounts for the VAT (Article 196 of Directive 2006/112/EC): seller and buyer are in two different
 * countries of the EU, and both have a VAT number there. A number is checked for its form only.
 */
export const isReverseCharge = (seller: SellerTax | null, buyer: TaxAddress | null): boolean =>
  seller !== null &&
  buyer !== null &&
  seller.taxId !== null &&
  buyer.taxId !== null &&
  seller.country !== buyer.country &&
  isEuMember(seller.country) &&
  isEuMember(buyer.country);
