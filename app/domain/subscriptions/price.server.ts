import type { Account } from "../accounts/caller.ts";
import { agreedPercentOn } from "../accounts/volume-agreement.ts";
import { pricedPeriods } from "../catalogue/browse.server.ts";
import { isOnSale, type PricedPeriod } from "../catalogue/priced-period.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { expectedTaxes, taxOfLines } from "../payments/expected-tax.server.ts";
import { type Buyer, type BuyersQuote, offerOf, quoteFor, visitor } from "../pricing/own-price.ts";
import type { Quote, QuoteItem } from "../pricing/quote.ts";
import { contactSales } from "../pricing/volume-discount.ts";
import { type OrderItem, quoteRequestPath } from "./order-items.ts";
import * as queries from "./queries.server.ts";

/**
 * Today's price of an order for this account.
 *
 * @throws not_found for a period that does not exist
 * @throws conflict for a period that is not on sale, because it has ended, not begun or been retired
 * @throws invalid for duplicate periods, and from `customPricingFromRoutes` on without an agreed discount; then with
 *   `salesPath`
 * @spec Terms and discounts
 */
export const priceOrder = async (
  ctx: Pick<Context, "db" | "clock">,
  account: Account,
  items: OrderItem[],
): Promise<Quote> => {
  const facts = await orderFacts(ctx, account, items);
  const seen = new Set<number>();
  const priced = items.map((item, index) => {
    const { periodId } = item;
    const period = facts.periods.get(periodId);
    if (!period) throw notFound(`Period ${periodId}`);
    if (!isOnSale(period, facts.today)) {
      throw conflict(
        period.isSample
          ? `Period ${periodId} is not on sale: its route is a sample, open to everybody`
          : period.retiredAt === null
            ? `Period ${periodId} is not on sale: it has ended or has not begun`
            : `Period ${periodId} is not on sale: it was retired`,
      );
    }
    if (seen.has(periodId)) throw invalid(`items.${index}.period_id`, "This period is already in the order");
    seen.add(periodId);
    return { ...offerOf(period), term: item.term };
  });
  const { quote, needsQuote } = quoteFor(facts.buyer, priced);
  if (needsQuote) throw contactSales(quoteRequestPath(items));
  return quote;
};

export type TaxedQuote = Quote & {
  /** The tax of each line. */
  taxes: number[];
  taxCents: number;
  /** With tax: what would be charged. */
  amountCents: number;
};

/**
 * Today's price of an order with the tax that this account is charged.
 *
 * @throws the errors of `priceOrder`
 * @throws unavailable when the tax provider cannot be reached
 */
export const priceWithTax = async (
  ctx: Pick<Context, "db" | "clock" | "tax">,
  account: Account,
  items: OrderItem[],
): Promise<TaxedQuote> => {
  const priced = await priceOrder(ctx, account, items);
  const taxes = await taxOfLines(ctx, account.id, priced.lines);
  const taxCents = taxes.reduce((sum, cents) => sum + cents, 0);
  return { ...priced, taxes, taxCents, amountCents: priced.totalCents + taxCents };
};

/** The items on sale, priced, and the rest. */
export type PricedBasket = BuyersQuote & {
  /** Items that cannot be bought any more. `routeId` is null if the period does not exist. */
  unavailable: { periodId: number; routeId: number | null }[];
  /** The tax that the account would be charged. Zero for a visitor, and while the tax provider cannot be reached. */
  taxCents: number;
};

/**
 * Today's price of a basket. Unlike `priceOrder` it refuses nothing, so that the basket can always be changed.
 *
 * @param account null for a visitor
 */
export const priceBasket = async (
  ctx: Pick<Context, "db" | "clock" | "tax">,
  account: Account | null,
  items: OrderItem[],
): Promise<PricedBasket> => {
  const { periods, buyer, today } = await orderFacts(ctx, account, items);
  const priced: QuoteItem[] = [];
  const unavailable: PricedBasket["unavailable"] = [];
  for (const item of items) {
    const period = periods.get(item.periodId);
    if (period && isOnSale(period, today)) priced.push({ ...offerOf(period), term: item.term });
    else unavailable.push({ periodId: item.periodId, routeId: period?.routeId ?? null });
  }
  const bought = quoteFor(buyer, priced);
  const lines = bought.quote.lines.map(({ totalCents }) => totalCents);
  const taxes = account
    ? await expectedTaxes(
        ctx,
        lines.map((totalCents) => ({ accountId: account.id, totalCents })),
      )
    : [];
  return { ...bought, unavailable, taxCents: taxes.reduce((sum, cents) => sum + cents, 0) };
};

/**
 * What decides about the account's discounts today. Pages that show prices take it from here, as orders do.
 *
 * @param account null for a visitor
 */
export const buyerOf = async (ctx: Pick<Context, "db" | "clock">, account: Account | null): Promise<Buyer> => {
  if (!account) return visitor;
  const today = dayOf(ctx.clock.now());
  const running = await queries.runningRoutes(ctx.db, [account.id], today);
  return { runningRouteIds: running.map(({ routeId }) => routeId), agreedPercent: agreedPercentOn(account, today) };
};

type Facts = { today: Day; periods: Map<number, PricedPeriod>; buyer: Buyer };

const orderFacts = async (
  ctx: Pick<Context, "db" | "clock">,
  account: Account | null,
  items: OrderItem[],
): Promise<Facts> => {
  const [periods, buyer] = await Promise.all([
    pricedPeriods(
      ctx,
      items.map(({ periodId }) => periodId),
    ),
    buyerOf(ctx, account),
  ]);
  return { today: dayOf(ctx.clock.now()), periods: new Map(periods.map((period) => [period.id, period])), buyer };
};
