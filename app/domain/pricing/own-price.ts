/** What a buyer pays for one route: the price that pages show, and that an order of this route alone charges. */
import type { PricedPeriod } from "../catalogue/priced-period.ts";
import {
  countRoutes,
  type ItemPrice,
  monthlyPriceCents,
  type Quote,
  type QuoteItem,
  quoteAt,
  quoteLine,
} from "./quote.ts";
import { needsSales, type VolumeDiscount, volumeDiscount } from "./volume-discount.ts";

/** What the volume discount depends on, besides the order. */
export type Buyer = {
  /** Distinct routes of the account's active subscriptions. */
  runningRouteIds: number[];
  /** Agreed with sales, for orders beyond the table. */
  agreedPercent: number | null;
};

/** Only the discounts of the order itself apply to visitors. */
export const visitor: Buyer = { runningRouteIds: [], agreedPercent: null };

type VolumeDecision = {
  /** The order is beyond the table of volume discounts. */
  needsQuote: boolean;
  /** Distinct routes of the order and of active subscriptions. */
  routes: number;
};

export type BuyersQuote = VolumeDecision & {
  /** If `needsQuote`, at list price and term discount, because sales decides about the rest. */
  quote: Quote;
};

/** The price of an order that is not placed yet. Unlike `quote` it refuses nothing. */
export const quoteFor = (buyer: Buyer, items: QuoteItem[]): BuyersQuote => {
  const { volume, ...decision } = volumeFor(buyer, items);
  return { quote: quoteAt(items, volume), ...decision };
};

export type OwnPrice = ItemPrice & Pick<VolumeDecision, "needsQuote">;

/** A route at its list price of a month. */
export type Offer = Pick<QuoteItem, "routeId" | "monthlyCents">;

export const offerOf = (period: PricedPeriod): Omit<QuoteItem, "term"> => ({
  periodId: period.id,
  routeId: period.routeId,
  monthlyCents: monthlyPriceCents(period),
});

/** The price of one route, ordered alone. @spec Terms and discounts */
export const ownPrice = <Item extends Offer & Pick<QuoteItem, "term">>(buyer: Buyer, item: Item): Item & OwnPrice => {
  const { volume, needsQuote } = volumeFor(buyer, [item]);
  return { ...quoteLine(item, volume), needsQuote };
};

/** "From", wherever it is said: one month of the offer that costs this buyer least. Null without an offer. */
export const priceFrom = <One extends Offer>(buyer: Buyer, offers: readonly One[]): (One & OwnPrice) | null =>
  offers
    .map((offer) => ownPrice(buyer, { ...offer, term: "1_month" }))
    .sort((a, b) => a.totalCents - b.totalCents)[0] ?? null;

/** Names all that the price of one route, ordered alone, depends on of the buyer: equal names, equal prices. */
export const buyersTerms = (buyer: Buyer, routeId: number): string => {
  const { volume, needsQuote } = volumeFor(buyer, [{ routeId }]);
  return JSON.stringify([volume, needsQuote]);
};

const noDiscount: VolumeDiscount = { percent: 0, reason: null };

const volumeFor = (
  { runningRouteIds, agreedPercent }: Buyer,
  items: readonly Pick<QuoteItem, "routeId">[],
): VolumeDecision & { volume: VolumeDiscount } => {
  const routes = countRoutes(items, runningRouteIds);
  const needsQuote = items.length > 0 && needsSales(routes, agreedPercent);
  const hasPrice = items.length > 0 && !needsQuote;
  return { volume: hasPrice ? volumeDiscount(routes, agreedPercent) : noDiscount, needsQuote, routes };
};
