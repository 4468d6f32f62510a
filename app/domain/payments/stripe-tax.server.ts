/** Tax by Stripe Tax. Stripe records it with the payment, and takes it back with refunds (`hooks` of the payment intent). */
import type { Clock } from "../clock.ts";
import { conflict } from "../errors.ts";
import { divideHalfUp } from "../money.ts";
import { isEuMember } from "../tax/countries.ts";
import type { TaxAddress, TaxProvider, TaxRequest, TaxResult } from "../tax/tax.ts";
import type { Tax } from "../tax/tax-line.ts";
import { callStripe, isInvalidRequest, type Stripe, type StripeOptions, stripeSdk } from "./stripe.server.ts";

/** Estimates for an address use the rates that Stripe gave for it within this time. */
const estimateMaxAgeMs = 3_600_000;
/** The amount whose tax gives the rates of an estimate. */
const sampleCents = 1_000_000;
/** Addresses whose rates are kept. */
const maxKept = 1_000;

/** @param seller.country where buyers without billing details are taxed */
export const stripeTax = (
  options: Omit<StripeOptions, "webhookSecret">,
  seller: { country: string },
  clock: Clock,
): TaxProvider => {
  const sdk = stripeSdk(options);
  const calculate = (request: TaxRequest): Promise<TaxResult> =>
    callStripe(async () => {
      const calculation = await sdk().tax.calculations.create(paramsOf(request, seller.country)).catch(refuseAddress);
      const id = calculation.id ?? "";
      const items = await sdk()
        .tax.calculations.listLineItems(id, { limit: 100, expand: ["data.tax_breakdown"] })
        .autoPagingToArray({ limit: 1_000 });
      return resultOf(request, calculation, items);
    });
  const kept = new Map<string, { taxes: Tax[]; at: number }>();
  const ratesFor = async (currency: string, buyer: TaxAddress | null): Promise<Tax[]> => {
    const key = JSON.stringify([currency, buyer]);
    const now = clock.now().getTime();
    const known = kept.get(key);
    if (known && now - known.at < estimateMaxAgeMs) return known.taxes;
    const { lines } = await calculate({ currency, buyer, lines: [{ reference: "sample", netCents: sampleCents }] });
    if (kept.size >= maxKept) kept.clear();
    const taxes = lines[0] ?? [];
    kept.set(key, { taxes, at: now });
    return taxes;
  };
  return {
    calculate,
    estimate: async ({ currency, buyer, lines }) => {
      try {
        const rates = await ratesFor(currency, buyer);
        return { lines: lines.map(({ netCents }) => rates.map((rate) => shareOf(rate, netCents))) };
      } catch {
        // A price that is only shown must not fail. The order's own calculation will.
        return null;
      }
    },
  };
};

const shareOf = (sample: Tax, netCents: number): Tax => ({
  ...sample,
  taxableCents: divideHalfUp(netCents * sample.taxableCents, sampleCents),
  taxCents: divideHalfUp(netCents * sample.taxCents, sampleCents),
});

const paramsOf = (
  { currency, buyer, lines }: TaxRequest,
  sellerCountry: string,
): Stripe.Tax.CalculationCreateParams => ({
  currency: currency.toLowerCase(),
  line_items: lines.map(({ reference, netCents }) => ({ reference, amount: netCents, tax_behavior: "exclusive" })),
  customer_details: {
    address: {
      country: buyer?.country ?? sellerCountry,
      ...(buyer?.region ? { state: buyer.region } : {}),
      ...(buyer?.postalCode ? { postal_code: buyer.postalCode } : {}),
    },
    address_source: "billing",
    ...(buyer ? taxIdsOf(buyer) : {}),
  },
});

/** Only the kinds of numbers whose form we check. */
const taxIdsOf = ({
  country,
  taxId,
}: TaxAddress): Pick<Stripe.Tax.CalculationCreateParams.CustomerDetails, "tax_ids"> => {
  const type = isEuMember(country) ? "eu_vat" : otherTypes[country];
  return taxId !== null && type !== undefined ? { tax_ids: [{ type, value: taxId }] } : {};
};

const otherTypes: Record<string, "gb_vat" | "ch_vat" | "no_vat"> = { GB: "gb_vat", CH: "ch_vat", NO: "no_vat" };

/** Stripe cannot place the buyer: a US address without a ZIP code. */
const refuseAddress = (error: unknown): never => {
  if (!isInvalidRequest(error)) throw error;
  throw conflict(`Tax cannot be calculated for your billing details: ${error.message}`);
};

const resultOf = (
  { lines }: TaxRequest,
  calculation: Stripe.Tax.Calculation,
  items: Stripe.Tax.CalculationLineItem[],
): TaxResult => {
  const itemOf = new Map(items.map((item) => [item.reference, item]));
  const breakdowns = lines.map(({ reference }) => {
    const item = itemOf.get(reference);
    if (!item) throw new Error(`Stripe's tax calculation lacks ${reference}`);
    return item.tax_breakdown ?? [];
  });
  return {
    country: calculation.customer_details.address?.country ?? null,
    isReverseCharge: breakdowns.flat().some(({ taxability_reason }) => taxability_reason === "reverse_charge"),
    lines: breakdowns.map((parts) => parts.filter(({ amount }) => amount !== 0).map(taxOf)),
    calculationId: calculation.id,
  };
};

const taxOf = (part: Stripe.Tax.CalculationLineItem.TaxBreakdown): Tax => ({
  name: part.tax_rate_details?.display_name ?? "Tax",
  jurisdiction: jurisdictionOf(part.jurisdiction),
  // `19.0` becomes `19`.
  ratePercent: String(Number(part.tax_rate_details?.percentage_decimal ?? "0")),
  taxableCents: part.taxable_amount,
  taxCents: part.amount,
});

/** `DE`, `US-CA`, `US-CA Los Angeles`. */
const jurisdictionOf = ({
  country,
  state,
  level,
  display_name,
}: Stripe.Tax.CalculationLineItem.TaxBreakdown["jurisdiction"]): string => {
  if (level === "country") return country;
  const region = state === null ? country : `${country}-${state}`;
  return level === "state" ? region : `${region} ${display_name}`;
};
