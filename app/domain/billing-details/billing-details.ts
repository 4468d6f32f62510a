/** Who is invoiced. Copied to every invoice when it is issued. */
import { z } from "zod";
import { email } from "../accounts/credentials.ts";
import { ownLine } from "../input.ts";
import { isCountry } from "../tax/countries.ts";
import type { TaxAddress } from "../tax/tax.ts";
import { readTaxId } from "../tax/vat-id.ts";
import type { BillingDetails } from "./buyer.ts";

const required = (message: string, longest: number) =>
  z
    .string()
    .trim()
    .min(1, message)
    .max(longest)
    .regex(...ownLine);
const optional = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(...ownLine)
    .default("")
    .transform((text) => text || null);

export const billingDetailsForm = z
  .strictObject({
    name: required("Enter the name of the company or person", 200),
    addressLine1: required("Enter the street and number, or a PO box", 200),
    addressLine2: optional(200),
    postalCode: optional(20),
    city: required("Enter the city", 100),
    region: optional(100),
    country: z.string().refine(isCountry, "Choose a country"),
    taxId: optional(40),
    purchaseOrder: optional(60),
    email: z
      .union([z.literal("").transform(() => null), email])
      .optional()
      .transform((text) => text ?? null),
  })
  .transform((details, ctx): BillingDetails => {
    if (details.taxId === null) return details;
    const taxId = readTaxId(details.taxId, details.country);
    if (taxId !== null) return { ...details, taxId };
    ctx.addIssue({ code: "custom", path: ["taxId"], message: "Enter a valid tax number for this country" });
    return z.NEVER;
  });

export const taxAddressOf = ({ country, region, postalCode, taxId }: BillingDetails): TaxAddress => ({
  country,
  region,
  postalCode,
  taxId,
});

type TaxedOrder = {
  buyer: BillingDetails | null;
  /** Where the order was taxed. Null: its tax does not depend on the buyer. */
  taxCountry: string | null;
  taxCents: number;
  isReverseCharge: boolean;
};

/** Whether an order was taxed as these details are. */
export const isTaxedFor = ({ buyer, taxCountry }: TaxedOrder, details: BillingDetails): boolean => {
  if (taxCountry === null) return true;
  if (buyer === null) return details.country === taxCountry && details.taxId === null;
  const [then, now] = [taxAddressOf(buyer), taxAddressOf(details)];
  return (Object.keys(now) as (keyof TaxAddress)[]).every((key) => then[key] === now[key]);
};

/**
 * Who is named on an invoice: the present details, unless the order has tax or a reverse charge for others. Then those,
 * because the tax must match the invoice.
 */
export const buyerAtIssue = (order: TaxedOrder, present: BillingDetails | null): BillingDetails | null => {
  if (present === null) return order.buyer;
  const isUntaxed = order.taxCents === 0 && !order.isReverseCharge;
  return isUntaxed || isTaxedFor(order, present) ? present : order.buyer;
};
