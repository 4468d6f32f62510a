/** Account closure by the account holder. Personal data is erased, the books stay. */
import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller, SessionProof } from "../accounts/caller.ts";
import { confirmHolder, type SecondProof, secondProofOf } from "../accounts/confirm-holder.server.ts";
import type { AccountClosure } from "../accounts/credentials.ts";
import { anonymizeAccount, deleteSignInCredentials } from "../accounts/erasure.server.ts";
import { endSessions, lockUnchanged } from "../accounts/lock.server.ts";
import type { Origin } from "../accounts/lucia.server.ts";
import { lockOperators, operatorIds } from "../accounts/operators.server.ts";
import { deleteWatchlist } from "../alerts/watchlist.server.ts";
import { deleteKeys } from "../api-keys/manage.server.ts";
import { deleteBillingDetails } from "../billing-details/manage.server.ts";
import { deleteCalendarFeed } from "../calendar/feed.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { conflict, invalid } from "../errors.ts";
import { accountClosed } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { deleteSentMail } from "../notifications/outbox-changes.server.ts";
import { endPaidPlan } from "../paid-plans/paid-plans.server.ts";
import { listCards, removeCardsOfClosed } from "../payments/manage-cards.server.ts";
import { cancelOpenOrders } from "../payments/orders.server.ts";
import { withdrawQuotesOfClosed } from "../quotes/request.server.ts";
import { deleteSavedSearches } from "../saved-searches/saved-searches.server.ts";
import { endSubscriptions } from "../subscriptions/end.server.ts";
import { deleteWebhooks } from "../webhooks/manage.server.ts";
import * as queries from "./queries.server.ts";

export type WhatEnds = {
  /** Running ones only. */
  subscriptions: number;
  apiKeys: number;
  sessions: number;
  /** As the page of cards lists them: a card that was saved twice counts once. */
  cards: number;
  /** What the form asks for besides the password. */
  asks: SecondProof;
  /** There is no other operator in good standing. */
  isLastOperator: boolean;
};

/** What closing the account would end, for the confirmation page. */
export const closureSummary = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller<SessionProof>,
): Promise<WhatEnds> => {
  const now = ctx.clock.now();
  const [counts, cards, asks, operators] = await Promise.all([
    queries.countEnding(ctx.db, caller.account.id, dayOf(now), now),
    listCards(ctx, caller),
    secondProofOf(ctx, caller),
    operatorIds(ctx.db),
  ]);
  return { ...counts, cards: cards.length, asks, isLastOperator: isLast(operators, caller) };
};

const isLast = (operators: number[], { account }: Caller) => operators.length === 1 && operators[0] === account.id;

/**
 * Closes the account immediately and permanently. Subscriptions end without refund, keys and sessions stop working, address
 * and username become free, and cards are detached at the payment provider, or later by a job if the provider is unavailable.
 * Invoices, payments and usage stay.
 *
 * @throws invalid for a wrong username or password, and for a wrong or missing code
 * @throws conflict for the last operator, and while a payment or renewal is in progress
 * @throws rate_limited after too many wrong passwords or codes
 * @throws unavailable if an order is open and the payment provider is unavailable; nothing has changed then
 */
export const closeAccount = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "log" | "payments" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  input: AccountClosure,
  origin: Origin,
): Promise<void> => {
  const { account } = caller;
  if (input.username !== account.username)
    throw invalid("username", `Enter your username exactly: ${account.username}`);
  const passwordHash = await confirmHolder(ctx, caller, input, origin);
  if (isLast(await operatorIds(ctx.db), caller)) throw lastOperator();
  if (!(await cancelOpenOrders(ctx, account.id))) throw paymentUnderWay();
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const operators = await lockOperators(tx);
    const locked = await lockUnchanged(tx, account.id, passwordHash);
    if (!locked) throw conflict("The account was changed at the same time. Try again");
    if (isLast(operators, caller)) throw lastOperator();
    if (await queries.isPaying(tx, account.id)) throw paymentUnderWay();
    await endSubscriptions(locked, now);
    await endPaidPlan(locked, now);
    await withdrawQuotesOfClosed(locked, now);
    await endSessions(locked, now);
    await deleteCredentials(tx, account.id);
    await anonymizeAccount(locked, now);
    await deleteCalendarFeed(tx, account.id);
    await deleteWebhooks(tx, account.id);
    await deleteWatchlist(tx, account.id);
    await deleteSavedSearches(tx, account.id);
    await deleteBillingDetails(tx, account.id);
    await deleteSentMail(tx, account.id);
    await recordAudit(tx, caller, "account.closed", now);
    const about = { dedupeKey: `account-closed:${account.id}`, accountId: account.id, toAddress: account.email };
    await enqueue(tx, { ...accountClosed(ctx.settings.appUrl), ...about }, now);
  });
  await removeCardsOfClosed(ctx);
};

/** Deletes keys and everything that signs in or makes a browser known. Sessions are ended by `endSessions`. */
export const deleteCredentials = async (tx: Tx, accountId: number): Promise<void> => {
  await deleteKeys(tx, accountId);
  await deleteSignInCredentials(tx, accountId);
};

const lastOperator = () => conflict("You are the only operator. Grant the role to another account first");
const paymentUnderWay = () => conflict("A payment of this account is in progress. Try again in a few minutes");
