import { z } from "zod";
import type { Account, Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { addDays, type Day, dayOf, daysBetween } from "../dates.ts";
import { notFound } from "../errors.ts";
import { cursorId, cursorOf, type Page, pageOf } from "../page.ts";
import { invoiceNumber } from "../payments/invoices.server.ts";
import type { Term } from "../pricing/discounts.ts";
import { taxCentsOf } from "../tax/tax.ts";
import { nextChargeOf, renewalsOf } from "./next-charge.server.ts";
import * as paidTermQueries from "./paid-term-queries.server.ts";
import * as queries from "./queries.server.ts";
import type { RenewalPricing } from "./renewal-quotes.server.ts";
import { type SubscriptionStatus, statusOn } from "./status.ts";
import type { Subscription, SubscriptionRow } from "./subscription.ts";

type World = RenewalPricing;
type Holder = Pick<Account, "id" | "standing">;

/** All of the account's subscriptions in any status, newest first. */
export const listSubscriptions = async (ctx: World, { account }: { account: Holder }): Promise<Subscription[]> =>
  withStatus(ctx, account, await queries.listOf(ctx.db, account.id));

/** The same with their status only: one statement, as their renewals are not priced. */
export const listStatuses = async (
  ctx: Pick<Context, "db" | "clock">,
  { account }: { account: Pick<Account, "id"> },
): Promise<(SubscriptionRow & { status: SubscriptionStatus })[]> => {
  const today = dayOf(ctx.clock.now());
  return (await queries.listOf(ctx.db, account.id)).map((row) => ({ ...row, status: statusOn(today, row) }));
};

/** Whether the account has ever had a subscription. */
export const hasSubscribed = async ({ db }: Pick<Context, "db">, { account }: Caller): Promise<boolean> =>
  (await queries.pageOfAccount(db, account.id, 0, null)).length > 0;

/** Without a limit, everything after the cursor. */
type WholeOrPage = { limit?: number | undefined; cursor?: string | undefined };
const unlimited = Number.MAX_SAFE_INTEGER - 1;

/** One page of the same list. @throws invalid for a cursor of another list */
export const pageSubscriptions = async (
  ctx: World,
  caller: Caller,
  { limit = unlimited, cursor }: WholeOrPage,
): Promise<Page<Subscription>> => {
  if (limit === unlimited && cursor === undefined) {
    return { rows: await listSubscriptions(ctx, caller), nextCursor: null };
  }
  const found = await queries.pageOfAccount(ctx.db, caller.account.id, limit, subscriptionCursor.read(cursor));
  const { rows, nextCursor } = pageOf(found, limit, ({ id }) => subscriptionCursor.write([id]));
  return { rows: await withStatus(ctx, caller.account, rows), nextCursor };
};

const subscriptionCursor = cursorOf(z.tuple([cursorId]));

/** One of the account's subscriptions. @throws not_found */
export const getSubscription = async (ctx: World, caller: Caller, input: { id: number }): Promise<Subscription> => {
  const [found] = await getSubscriptions(ctx, caller, { ids: [input.id] });
  if (!found) throw notFound("Subscription");
  return found;
};

/** The account's subscriptions among these ids, oldest first. */
export const getSubscriptions = async (
  ctx: World,
  { account }: Caller,
  { ids }: { ids: number[] },
): Promise<Subscription[]> => {
  const found = await queries.findByIds(ctx.db, ids);
  return withStatus(
    ctx,
    account,
    found.filter(({ accountId }) => accountId === account.id),
  );
};

export type PaidTerm = {
  id: number;
  term: Term;
  startDate: Day;
  endDate: Day;
  /** With tax: what was paid. */
  amountCents: number;
  /** The day of the payment, which for an early renewal is before the term starts. */
  paidOn: Day;
  invoice: { id: number; number: string } | null;
  /** The day on which it ended because the bank had returned its payment. */
  endedOn: Day | null;
};

/** The terms paid for one of the account's subscriptions, oldest first. Terms that a later change cut short are listed as bought. */
export const paidTermsOf = async (
  ctx: Pick<Context, "db">,
  caller: Caller,
  input: { id: number },
): Promise<PaidTerm[]> => {
  const rows = await paidTermQueries.paidTermsOf(ctx.db, caller.account.id, input.id);
  return rows.map(({ totalCents, taxes, invoice, ...term }) => ({
    ...term,
    amountCents: totalCents + taxCentsOf(taxes ?? []),
    paidOn: invoice ? dayOf(invoice.issuedAt) : term.startDate,
    invoice: invoice && { id: invoice.id, number: invoiceNumber(invoice.year, invoice.number) },
  }));
};

/**
 * Active subscriptions that end within this many days, soonest first.
 *
 * @throws invalid for a cursor of another list
 */
export const upcomingExpirations = async (
  ctx: World,
  caller: Caller,
  input: { days: number } & WholeOrPage,
): Promise<Page<Subscription & { daysLeft: number }>> => {
  const { limit = unlimited, cursor, days } = input;
  const today = dayOf(ctx.clock.now());
  const within = { first: addDays(today, 1), last: addDays(today, days) };
  const after = expirationCursor.read(cursor);
  const isWhole = limit === unlimited && after === null;
  const found = isWhole
    ? await queries.endingOf(ctx.db, caller.account.id, within)
    : await queries.pageOfEnding(ctx.db, caller.account.id, within, limit, after);
  const { rows, nextCursor } = pageOf(found, limit, ({ endDate, id }) => expirationCursor.write([endDate, id]));
  const subscriptions = await withStatus(ctx, caller.account, rows);
  return { rows: subscriptions.map((each) => ({ ...each, daysLeft: daysBetween(today, each.endDate) })), nextCursor };
};

const expirationCursor = cursorOf(z.tuple([z.iso.date(), cursorId]));

/** Adds what depends on the day: the status, the renewal and the next charge. */
const withStatus = async (ctx: World, { standing }: Holder, rows: SubscriptionRow[]): Promise<Subscription[]> => {
  const today = dayOf(ctx.clock.now());
  const renewals = await renewalsOf(
    ctx,
    rows.map((row) => ({ ...row, standing })),
  );
  return renewals.map(({ subscription: { standing: _, ...row }, renewal }) => ({
    ...row,
    status: statusOn(today, row),
    nextCharge: nextChargeOf(renewal),
    renewal,
  }));
};
