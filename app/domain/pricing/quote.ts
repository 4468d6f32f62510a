/** Quotes: what periods cost, in cents. @spec Terms and discounts */
import { freshnessPercent } from "../catalogue/priced-period.ts";
import type { Freshness } from "../catalogue/route.ts";
import { divideHalfUp, percentOf } from "../money.ts";
import { monthsOf, type Term } from "./discounts.ts";
import { termDiscountPercent } from "./policy.ts";
import { type VolumeDiscount, volumeDiscount } from "./volume-discount.ts";
import type { VolumeDiscountReason } from "./volume-discount-reason.ts";

/** The factors of a period's calculated price. */
type PriceFactors = { basePriceCents: number; freshness: Freshness; popularityPercent: number };

/** Base price of the trade lane × freshness × popularity. */
export const calculatedPriceCents = ({ basePriceCents, freshness, popularityPercent }: PriceFactors): number =>
  divideHalfUp(basePriceCents * freshnessPercent[freshness] * popularityPercent, 100 * 100);

/** The price from which terms are calculated: the operator's if one is set, else the calculated one. */
export const monthlyPriceCents = ({
  overrideCents,
  ...factors
}: PriceFactors & { overrideCents: number | null }): number => overrideCents ?? calculatedPriceCents(factors);

export type QuoteItem = { periodId: number; routeId: number; term: Term; monthlyCents: number };

/** What an item costs, and how that is made up. */
export type ItemPrice = {
  months: number;
  listCents: number;
  termDiscountPercent: number;
  volumeDiscountPercent: number;
  /** Null without a volume discount. */
  volumeDiscountReason: VolumeDiscountReason | null;
  discountCents: number;
  totalCents: number;
};

export type QuoteLine = QuoteItem & ItemPrice;

export type Quote = { lines: QuoteLine[]; listCents: number; discountCents: number; totalCents: number };

/**
 * @param otherRouteIds routes of the account's other active subscriptions, which count for the volume discount
 * @throws invalid beyond the table of volume discounts without an agreed one
 */
export const quote = (items: QuoteItem[], otherRouteIds: number[], agreedPercent: number | null): Quote => {
  return quoteAt(items, volumeDiscount(countRoutes(items, otherRouteIds), agreedPercent));
};

/** The distinct routes that count for the volume discount. */
export const countRoutes = (items: readonly { routeId: number }[], otherRouteIds: number[]): number =>
  new Set([...items.map(({ routeId }) => routeId), ...otherRouteIds]).size;

/** The price of these items at one volume discount. */
export const quoteAt = (items: QuoteItem[], volume: VolumeDiscount): Quote => {
  const lines = items.map((item) => quoteLine(item, volume));
  const sum = (of: (line: QuoteLine) => number) => lines.reduce((total, line) => total + of(line), 0);
  return {
    lines,
    listCents: sum((line) => line.listCents),
    discountCents: sum((line) => line.discountCents),
    totalCents: sum((line) => line.totalCents),
  };
};

/** One line of a quote. The total is rounded half up once, at the end. */
export const quoteLine = <Item extends Pick<QuoteItem, "term" | "monthlyCents">>(
  item: Item,
  volume: VolumeDiscount,
): Item & ItemPrice => {
  const months = monthsOf[item.term];
  const listCents = item.monthlyCents * months;
  const payPercent = Math.max(0, 100 - termDiscountPercent[item.term] - volume.percent);
  const totalCents = percentOf(listCents, payPercent);
  return {
    ...item,
    months,
    listCents,
    termDiscountPercent: termDiscountPercent[item.term],
    volumeDiscountPercent: volume.percent,
    volumeDiscountReason: volume.reason,
    discountCents: listCents - totalCents,
    totalCents,
  };
};
