import { and, desc, eq, isNull, sql } from "drizzle-orm";
import {
  orderLines,
  orders,
  payments,
  periodPrices,
  quotes,
  renewalPriceLocks,
  subscriptions,
} from "#drizzle/schema/index.ts";
import { batchByKey } from "../../platform/batch-by-key.server.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { isOneOf } from "../../platform/is-one-of.server.ts";
import type { Day } from "../dates.ts";
import type { Term } from "../pricing/discounts.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import type { LastPaid } from "../pricing/renewal-price.ts";
import type { RenewalPriceChange } from "../pricing/renewal-price-change.ts";

type AnnouncedPrice = Omit<QuoteLine, "periodId" | "routeId" | "term" | "months"> & {
  priceChange: RenewalPriceChange | null;
};

export type TermPrices = {
  subscriptionId: number;
  term: Term;
  /** What the account last paid for this route and term. */
  paid: LastPaid | null;
  /** The announced price of the renewal that moves the present end. */
  announced: AnnouncedPrice | null;
};

/** What was paid and announced for the terms of these subscriptions, while they run. One statement. */
export const termPrices = batchByKey(
  (db, subscriptionIds, today: Day) => findTermPrices(db, subscriptionIds, today),
  ({ subscriptionId }) => subscriptionId,
);

const findTermPrices = async (db: Tx, subscriptionIds: number[], today: Day): Promise<TermPrices[]> => {
  const rows = await termPricesIn(db).execute({ subscriptionIds, today });
  return rows.flatMap(({ paid, announced }) => {
    const key = paid ?? announced;
    if (!key) return [];
    const { subscriptionId, term } = key;
    return { subscriptionId, term, paid, announced: announced && withoutKey(announced) };
  });
};

const termPricesIn = perDatabase((db) => {
  // Passes all ids as one array parameter: PostgreSQL limits the number of parameters.
  const isRunning = and(
    isOneOf(subscriptions.id, sql.placeholder("subscriptionIds")),
    sql`${subscriptions.endDate} > ${sql.placeholder("today")}`,
  );
  const paid = db.$with("paid").as((build) =>
    build
      .selectDistinctOn([subscriptions.id, orderLines.term], {
        subscriptionId: subscriptions.id,
        term: orderLines.term,
        totalCents: sql<number>`${orderLines.listCents} - ${orderLines.discountCents}`.as("price_cents"),
        volumeDiscountPercent: orderLines.volumeDiscountPercent,
        factors: sql<LastPaid["factors"]>`(
          select jsonb_build_object('monthlyCents', ${periodPrices.monthlyCents},
            'basePriceCents', ${periodPrices.basePriceCents}, 'freshnessPercent', ${periodPrices.freshnessPercent},
            'popularityPercent', ${periodPrices.popularityPercent}, 'isSetByOperator', ${periodPrices.overrideKind} is not null)
          from ${periodPrices}
          where ${periodPrices.periodId} = ${orderLines.periodId} and ${periodPrices.validFrom} <= coalesce(${quotes.offeredAt}, ${orders.createdAt})
          order by ${periodPrices.validFrom} desc limit 1)`.as("factors"),
      })
      .from(subscriptions)
      .innerJoin(orders, eq(orders.accountId, subscriptions.accountId))
      .innerJoin(orderLines, and(eq(orderLines.orderId, orders.id), eq(orderLines.routeId, subscriptions.routeId)))
      // The prices of a quote are those of the day of its offer.
      .leftJoin(quotes, eq(quotes.id, orders.quoteId))
      .innerJoin(payments, and(eq(payments.orderId, orders.id), eq(payments.chargedBackCents, 0)))
      .where(and(isRunning, eq(orders.status, "paid"), isNull(orders.returnReason)))
      .orderBy(subscriptions.id, orderLines.term, desc(orders.paidAt), desc(orderLines.id)),
  );
  const announced = db.$with("announced").as((build) =>
    build
      .select({
        subscriptionId: renewalPriceLocks.subscriptionId,
        term: renewalPriceLocks.term,
        monthlyCents: renewalPriceLocks.monthlyCents,
        listCents: renewalPriceLocks.listCents,
        termDiscountPercent: renewalPriceLocks.termDiscountPercent,
        volumeDiscountPercent: renewalPriceLocks.volumeDiscountPercent,
        volumeDiscountReason: renewalPriceLocks.volumeDiscountReason,
        discountCents: renewalPriceLocks.discountCents,
        totalCents: renewalPriceLocks.totalCents,
        priceChange: renewalPriceLocks.priceChange,
      })
      .from(renewalPriceLocks)
      .innerJoin(
        subscriptions,
        and(
          eq(subscriptions.id, renewalPriceLocks.subscriptionId),
          eq(subscriptions.endDate, renewalPriceLocks.endDate),
        ),
      )
      .where(isRunning),
  );
  return db
    .with(paid, announced)
    .select()
    .from(paid)
    .fullJoin(announced, and(eq(announced.subscriptionId, paid.subscriptionId), eq(announced.term, paid.term)))
    .prepare("term_prices");
});

const withoutKey = <Row extends { subscriptionId: number; term: Term }>({
  subscriptionId: _subscription,
  term: _term,
  ...price
}: Row) => price;
