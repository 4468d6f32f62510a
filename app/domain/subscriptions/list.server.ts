import type { Account, Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf, daysBetween } from "../dates.ts";
import { notFound } from "../errors.ts";
import type { Term } from "../pricing/discounts.ts";
import { nextCharges } from "./next-charge.server.ts";
import * as queries from "./queries.server.ts";
import { statusOn } from "./status.ts";
import type { Subscription, SubscriptionRow } from "./subscription.ts";

type World = Pick<Context, "db" | "clock">;

/** All of the account's subscriptions in any status, newest first. */
export const listSubscriptions = async (ctx: World, caller: Caller): Promise<Subscription[]> =>
  withStatus(ctx, caller.account, await queries.listOf(ctx.db, caller.account.id));

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

export type PaidTerm = { id: number; term: Term; startDate: Day; endDate: Day; totalCents: number };

/** The terms paid for one of the account's subscriptions, oldest first. Terms that a later change cut short are listed as bought. */
export const paidTermsOf = (ctx: Pick<Context, "db">, caller: Caller, input: { id: number }): Promise<PaidTerm[]> =>
  queries.paidTermsOf(ctx.db, caller.account.id, input.id);

/** Running subscriptions that end within this many days, soonest first. */
export const upcomingExpirations = async (
  ctx: World,
  caller: Caller,
  input: { days: number },
): Promise<(Subscription & { daysLeft: number })[]> => {
  const today = dayOf(ctx.clock.now());
  return (await listSubscriptions(ctx, caller))
    .filter(({ status }) => status !== "expired")
    .map((subscription) => ({ ...subscription, daysLeft: daysBetween(today, subscription.endDate) }))
    .filter(({ daysLeft }) => daysLeft <= input.days)
    .sort((a, b) => a.daysLeft - b.daysLeft || a.id - b.id);
};

/** Adds what depends on the day: the status and the next charge. */
const withStatus = async (ctx: World, { standing }: Account, rows: SubscriptionRow[]): Promise<Subscription[]> => {
  const today = dayOf(ctx.clock.now());
  const charges = await nextCharges(
    ctx,
    rows.map((row) => ({ ...row, standing })),
  );
  return rows.map((row) => ({ ...row, status: statusOn(today, row), nextCharge: charges.get(row.id) ?? null }));
};
