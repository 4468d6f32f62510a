/** Holders request quotes, read them, and withdraw or decline them. Quotes of other accounts are not found. */
import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import { type Caller, requireGoodStanding } from "../accounts/caller.ts";
import { type ExclusiveLock, lockAccount } from "../accounts/lock.server.ts";
import { supportMessagesOf } from "../accounts/throttle.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { conflict, notFound } from "../errors.ts";
import { currency } from "../money.ts";
import { customPricingInWords } from "../pricing/volume-discount.ts";
import type { OrderItem } from "../subscriptions/order-items.ts";
import { priceBasket } from "../subscriptions/price.server.ts";
import { counted } from "../wording.ts";
import { notifyOperators } from "./mail.server.ts";
import { maxOpenQuotes } from "./policy.ts";
import * as queries from "./queries.server.ts";
import type { QuoteLineRow } from "./quote.ts";

type World = Pick<Context, "db" | "clock" | "settings">;

export type SalesQuoteDetail = { quote: queries.NamedQuote; lines: QuoteLineRow[] };

/**
 * Sends an order beyond the table of volume discounts to sales, and mails every operator.
 *
 * @throws forbidden for a suspended account
 * @throws conflict if the order has a price already, an item is not on sale, or `maxOpenQuotes` are undecided
 * @throws rate_limited with the messages to support
 * @spec Terms and discounts (custom pricing)
 */
export const requestQuote = async (
  ctx: World & Pick<Context, "rateLimiter" | "tax">,
  caller: Caller,
  input: { items: OrderItem[]; note: string },
): Promise<{ id: number }> => {
  const { account } = caller;
  requireGoodStanding(account);
  const { quote, needsQuote, unavailable } = await priceBasket(ctx, account, input.items);
  if (unavailable.length > 0) {
    throw conflict(
      `${counted(unavailable.length, "route")} cannot be bought any more. Remove what is not on sale first`,
    );
  }
  if (!needsQuote) throw conflict(`This order needs no quote. Quotes are for ${customPricingInWords}`);
  await supportMessagesOf(ctx, account.id).count();
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    await lockAccount(tx, account.id);
    if ((await queries.countOpen(tx, account.id)) >= maxOpenQuotes) {
      throw conflict(`You have ${maxOpenQuotes} open quotes. Accept, decline or withdraw one of them first`);
    }
    const id = await queries.insertQuote(
      tx,
      { accountId: account.id, currency, requestNote: input.note, requestedAt: now },
      quote.lines.map(({ months: _, volumeDiscountReason: __, ...line }) => line),
    );
    await recordAudit(tx, caller, "quote.requested", now, { quote_id: id, routes: quote.lines.length });
    const requested = await queries.findQuote(tx, id, dayOf(now));
    if (requested) await notifyOperators(tx, ctx, requested, "requested", input.note, now);
    return { id };
  });
};

/** Newest first. */
export const listQuotes = (ctx: Pick<Context, "db" | "clock">, caller: Caller): Promise<queries.NamedQuote[]> =>
  queries.quotesOfAccount(ctx.db, caller.account.id, dayOf(ctx.clock.now()));

/** @throws not_found */
export const getQuote = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
  input: { id: number },
): Promise<SalesQuoteDetail> => {
  const [quote, lines] = await Promise.all([
    queries.findQuote(ctx.db, input.id, dayOf(ctx.clock.now())),
    queries.linesOf(ctx.db, input.id),
  ]);
  if (quote?.accountId !== caller.account.id) throw notFound("Quote");
  return { quote, lines };
};

/**
 * Declines an offer, or withdraws a request that has no offer yet. Idempotent.
 *
 * @param input.note why, for the operators
 * @throws not_found
 * @throws conflict for an accepted or expired quote
 */
export const endOwnQuote = async (ctx: World, caller: Caller, input: { id: number; note: string }): Promise<void> => {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, caller.account.id);
    const quote = await lockOwnQuote(tx, caller, input.id, now);
    if (quote.state === "declined" || quote.state === "withdrawn") return;
    if (quote.state !== "requested" && quote.state !== "offered") throw conflict(`The quote is ${quote.state}`);
    const status = quote.state === "offered" ? "declined" : "withdrawn";
    await queries.setQuote(tx, quote.id, { status, endedAt: now, endNote: input.note });
    await recordAudit(tx, caller, `quote.${status}`, now, { quote_id: quote.id });
    await notifyOperators(tx, ctx, quote, status, input.note, now);
  });
};

/** Locks a quote of the account, which is locked already. @throws not_found */
export const lockOwnQuote = async (tx: Tx, caller: Caller, id: number, now: Date): Promise<queries.NamedQuote> => {
  const quote = await queries.lockQuote(tx, id, dayOf(now));
  if (quote?.accountId !== caller.account.id) throw notFound("Quote");
  return quote;
};

/** Withdraws what a closed account has not decided. */
export const withdrawQuotesOfClosed = async ({ tx, account }: ExclusiveLock, now: Date): Promise<void> => {
  await queries.withdrawOpen(tx, account.id, now);
};
