/** Prices as pages show them: what the reader pays, and why it differs from the list price. */
import { lineDiscounts } from "../domain/payments/line-discounts.ts";
import { type Buyer, type Offer, type OwnPrice, priceFrom } from "../domain/pricing/own-price.ts";
import { customPricingFromRoutes } from "../domain/pricing/policy.ts";
import { volumeReasonInWords } from "../domain/pricing/volume-discount.ts";

export type PriceView = {
  cents: number;
  listCents: number;
  /** `10% off for the term, 5% off for 5 to 10 routes`. Null at list price. */
  reason: string | null;
};

export const priceView = (price: OwnPrice): PriceView => ({
  cents: price.totalCents,
  listCents: price.listCents,
  reason: [...discountsInWords(price), ...(price.needsQuote ? [quoteInWords] : [])].join(", ") || null,
});

/** "From", wherever a page says it: one month. Null if nothing is on sale. */
export const priceFromView = (buyer: Buyer, offers: readonly Offer[]): PriceView | null => {
  const price = priceFrom(buyer, offers);
  return price && priceView(price);
};

const discountsInWords = (price: OwnPrice): string[] =>
  lineDiscounts(price).map((discount) =>
    discount.kind === "term"
      ? `${discount.percent}% off for the term`
      : `${discount.percent}% off${discount.reason ? ` ${volumeReasonInWords(discount.reason)}` : ""}`,
  );

const quoteInWords = `by quote from ${customPricingFromRoutes} routes on`;
