/** Operators read, answer and withdraw quotes. Each action is logged in the account of the quote. */
import { z } from "zod";
import type { Tx } from "../../platform/db.server.ts";
import { recordOperatorAudit } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { addDays, dayOf } from "../dates.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { cursorId, cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import { monthlyPriceCents, quoteLine } from "../pricing/quote.ts";
import { periodsOnSale } from "./lines-on-sale.server.ts";
import { notifyEnded, notifyOffered } from "./mail.server.ts";
import { longestValidityDays } from "./policy.ts";
import * as queries from "./queries.server.ts";
import type { NewOffer } from "./quote.ts";
import type { QuoteFilter } from "./quote-filter.ts";
import type { SalesQuoteDetail } from "./request.server.ts";

type World = Pick<Context, "db" | "clock" | "settings">;

export type QuoteRow = queries.NamedQuote;

/** Requests without an answer first, then newest first. @throws invalid for a cursor of another list */
export const findQuotes = async (
  ctx: Pick<Context, "db" | "clock">,
  _operator: OperatorCaller,
  filter: QuoteFilter,
  page: PageRequest,
): Promise<Page<QuoteRow>> => {
  const after = quoteCursor.read(page.cursor);
  const found = await queries.searchQuotes(ctx.db, filter, { limit: page.limit, after }, dayOf(ctx.clock.now()));
  const { rows, nextCursor } = pageOf(found, page.limit, ({ rank, id }) => quoteCursor.write([rank, id]));
  return { rows: rows.map(({ rank: _, ...row }) => row), nextCursor };
};

const quoteCursor = cursorOf(z.tuple([z.int().min(0).max(1), cursorId]));

/** @throws not_found */
export const readQuote = async (
  ctx: Pick<Context, "db" | "clock">,
  _operator: OperatorCaller,
  input: { id: number },
): Promise<SalesQuoteDetail> => {
  const [quote, lines] = await Promise.all([
    queries.findQuote(ctx.db, input.id, dayOf(ctx.clock.now())),
    queries.linesOf(ctx.db, input.id),
  ]);
  if (!quote) throw notFound("Quote");
  return { quote, lines };
};

/**
 * Offers a price, or another one in place of an offer that is not accepted. It fixes today's prices at that discount until
 * the offer expires, and mails the account holder.
 *
 * @param offer.offerNumber the last offer that the operator has seen; 0: none
 * @throws not_found
 * @throws conflict if it is accepted or ended, another operator has just made an offer, the account is closed, or a route
 *   is not on sale any more
 * @throws invalid for days in the past, and for a validity longer than `longestValidityDays`
 */
export const offerQuote = async (
  ctx: World,
  operator: OperatorCaller,
  { id, ...offer }: { id: number } & NewOffer,
): Promise<void> => {
  const now = ctx.clock.now();
  refuseDays(offer, now);
  await ctx.db.transaction(async (tx) => {
    const quote = await lockUndecided(tx, id, offer.offerNumber, now);
    await priceLines({ ...ctx, db: tx }, tx, id, offer.discountPercent);
    const { discountPercent, validThrough, keepsDiscount, discountThrough, note } = offer;
    await queries.setQuote(tx, id, {
      status: "offered",
      offerNumber: quote.offerNumber + 1,
      discountPercent,
      validThrough,
      keepsDiscount,
      discountThrough,
      offerNote: note,
      offeredAt: now,
      offeredBy: operator.account.id,
    });
    const details = {
      quote_id: id,
      percent: discountPercent,
      valid_through: validThrough,
      ...(keepsDiscount ? { keeps_discount: true, discount_through: discountThrough } : {}),
    };
    await recordOperatorAudit(tx, operator, quote.accountId, "quote.offered", now, details);
    const offered = await queries.findQuote(tx, id, dayOf(now));
    if (offered) await notifyOffered(tx, ctx, offered, now);
  });
};

/**
 * Withdraws a request or an offer that is not accepted, and mails the account holder.
 *
 * @param input.note why, for the account holder
 * @throws not_found
 * @throws conflict if it is accepted or ended, or another operator has just made an offer
 */
export const withdrawQuote = async (
  ctx: World,
  operator: OperatorCaller,
  input: { id: number; offerNumber: number; note: string },
): Promise<void> => {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const quote = await lockUndecided(tx, input.id, input.offerNumber, now);
    await queries.setQuote(tx, quote.id, { status: "withdrawn", endedAt: now, endNote: input.note });
    await recordOperatorAudit(tx, operator, quote.accountId, "quote.withdrawn", now, { quote_id: quote.id });
    await notifyEnded(tx, ctx, quote, { as: "withdrawn", note: input.note }, now);
  });
};

const refuseDays = ({ validThrough, discountThrough }: NewOffer, now: Date): void => {
  const today = dayOf(now);
  const last = addDays(today, longestValidityDays);
  if (validThrough < today) throw invalid("valid_through", "Enter a day that is not in the past");
  if (validThrough > last)
    throw invalid("valid_through", `Enter a day up to ${last}, ${longestValidityDays} days from now`);
  if (discountThrough !== null && discountThrough < validThrough) {
    throw invalid("discount_through", "Enter a day on or after the last day of the offer");
  }
};

const lockUndecided = async (tx: Tx, id: number, seenOffer: number, now: Date): Promise<queries.NamedQuote> => {
  const found = await queries.findQuote(tx, id, dayOf(now));
  const account = found && (await lockAccount(tx, found.accountId));
  const quote = account && (await queries.lockQuote(tx, id, dayOf(now)));
  if (!quote) throw notFound("Quote");
  if (account.closedAt !== null) throw conflict("The account holder has closed the account");
  if (quote.state !== "requested" && quote.state !== "offered") throw conflict(`The quote is ${quote.state}`);
  if (quote.offerNumber !== seenOffer) throw conflict("Someone else has changed the offer. Read it, then decide again");
  return quote;
};

/** Today's prices, at the discount of the offer. */
const priceLines = async (
  ctx: Pick<Context, "db" | "clock">,
  tx: Tx,
  quoteId: number,
  percent: number,
): Promise<void> => {
  const lines = await queries.linesOf(tx, quoteId);
  const periodOf = await periodsOnSale(ctx, lines);
  for (const { id, routeId, term, ...line } of lines) {
    const period = periodOf(line);
    const item = { periodId: period.id, routeId, term, monthlyCents: monthlyPriceCents(period) };
    const priced = quoteLine(item, { percent, reason: { kind: "quote", quoteId } });
    const { months: _, volumeDiscountReason: __, ...set } = priced;
    await queries.setLine(tx, id, set);
  }
};
