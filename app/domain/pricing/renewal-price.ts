/** What a renewal costs compared with what was last paid for the same route and term. @spec Subscription, rule 5 */

import { freshnessPercent } from "../catalogue/priced-period.ts";
import type { Freshness } from "../catalogue/route.ts";
import { percentOf } from "../money.ts";
import { listed } from "../wording.ts";
import type { QuoteLine } from "./quote.ts";
import { type RenewalPriceChange, type RenewalPriceReason, renewalPriceReasons } from "./renewal-price-change.ts";

/** What was last paid for a term. */
export type LastPaid = {
  totalCents: number;
  volumeDiscountPercent: number;
  /** The list price per month at that time, and its factors. Null: from before they were recorded. */
  factors: {
    monthlyCents: number;
    basePriceCents: number;
    freshnessPercent: number;
    popularityPercent: number;
    /** The list price was an operator's; the factors had no effect on it. */
    isSetByOperator: boolean;
  } | null;
};

type PriceFactors = {
  basePriceCents: number;
  freshness: Freshness;
  popularityPercent: number;
  /** The monthly price that an operator has set. Null: the price is the product of the factors. */
  overrideCents: number | null;
};

/**
 * Caps a renewal's price. The cap lowers the line's monthly price, so that list price, discounts and total still add up on
 * the order and the invoice.
 *
 * @param line the renewal at the price of the day
 * @param today the factors of that price
 */
export const cappedRenewal = (
  line: QuoteLine,
  today: PriceFactors,
  paid: LastPaid | null,
  capPercent: number,
): QuoteLine & { priceChange: RenewalPriceChange | null } => {
  if (paid === null) return { ...line, priceChange: null };
  const highestCents = Math.floor((paid.totalCents * (100 + capPercent)) / 100);
  const isCapped = line.totalCents > highestCents;
  return {
    ...(isCapped ? loweredTo(highestCents, line) : line),
    priceChange: { previousCents: paid.totalCents, reasons: reasonsOf(line, today, paid), isCapped },
  };
};

/** The same line at the highest monthly price whose total does not exceed `totalCents`. */
const loweredTo = (totalCents: number, line: QuoteLine): QuoteLine => {
  const payPercent = 100 - line.termDiscountPercent - line.volumeDiscountPercent;
  const monthlyCents = Math.floor((totalCents * 100) / (line.months * payPercent));
  const listCents = monthlyCents * line.months;
  const lowered = percentOf(listCents, payPercent);
  return { ...line, monthlyCents, listCents, discountCents: listCents - lowered, totalCents: lowered };
};

const reasonsOf = (line: QuoteLine, today: PriceFactors, { factors, ...paid }: LastPaid): RenewalPriceReason[] => {
  const hasMoved = factors !== null && factors.monthlyCents !== line.monthlyCents;
  const isOperators = factors !== null && (factors.isSetByOperator || today.overrideCents !== null);
  const isCalculated = factors !== null && !isOperators;
  const changed = {
    base_price: isCalculated && factors.basePriceCents !== today.basePriceCents,
    freshness: isCalculated && factors.freshnessPercent !== freshnessPercent[today.freshness],
    popularity: isCalculated && factors.popularityPercent !== today.popularityPercent,
    set_by_operator: isOperators && hasMoved,
  };
  const isExplained = Object.values(changed).includes(true);
  const all: Record<RenewalPriceReason, boolean> = {
    ...changed,
    list_price: isCalculated && !isExplained && hasMoved,
    volume_discount: paid.volumeDiscountPercent !== line.volumeDiscountPercent,
  };
  return renewalPriceReasons.filter((reason) => all[reason]);
};

const inWords = {
  base_price: "the trade lane's base price",
  freshness: "the data's freshness",
  popularity: "the route's popularity",
  set_by_operator: "the price set by the operator",
  list_price: "the route's list price",
  volume_discount: "your volume discount",
} as const satisfies Record<RenewalPriceReason, string>;

/** Why the price moved, as sentences: `What changed: the route's popularity and your volume discount.` */
export const priceChangeInWords = ({ reasons, isCapped }: RenewalPriceChange): string =>
  [
    ...(reasons.length > 0 ? [`What changed: ${listed(reasons.map((reason) => inWords[reason]))}.`] : []),
    ...(isCapped ? ["Today's price is higher, but a renewal may not cost more than this."] : []),
  ].join(" ");

/** The rule of the cap, wherever a renewal is sold. */
export const renewalCapInWords = (percent: number): string =>
  `A renewal costs at most ${percent}% more than what you last paid for the same route and term.`;
