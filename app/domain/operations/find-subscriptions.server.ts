import { z } from "zod";
import type { OperatorCaller } from "../accounts/caller.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import { cursorId, cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import { type NextCharge, nextChargeOf, nextCharges, renewalsOf } from "../subscriptions/next-charge.server.ts";
import { chargeDaysBeforeEnd } from "../subscriptions/policy.ts";
import type { RenewalState } from "../subscriptions/renewal.ts";
import type { RenewalPricing } from "../subscriptions/renewal-quotes.server.ts";
import { type SubscriptionStatus, statusOn } from "../subscriptions/status.ts";
import type { SubscriptionFilter } from "./subscription-filter.ts";
import * as queries from "./subscription-queries.server.ts";

type Row = Awaited<ReturnType<typeof queries.searchSubscriptions>>[number];
export type FoundSubscription = Row & {
  status: SubscriptionStatus;
  renewalState: RenewalState;
  nextCharge: NextCharge | null;
};

type World = RenewalPricing;

/** Newest first, or soonest end first. @throws invalid for a cursor of another list */
export const findSubscriptions = async (
  ctx: World,
  _operator: OperatorCaller,
  filter: SubscriptionFilter,
  page: PageRequest,
): Promise<Page<FoundSubscription>> => {
  const today = dayOf(ctx.clock.now());
  const after = subscriptionCursor.read(page.cursor);
  const found = await queries.searchSubscriptions(ctx.db, filter, { limit: page.limit, today, after });
  const { rows, nextCursor } = pageOf(found, page.limit, ({ endDate, id }) => subscriptionCursor.write([endDate, id]));
  const renewals = await renewalsOf(ctx, rows);
  return {
    rows: renewals.map(({ subscription, renewal }) => ({
      ...subscription,
      status: statusOn(today, subscription),
      renewalState: renewal.state,
      nextCharge: nextChargeOf(renewal),
    })),
    nextCursor,
  };
};

const subscriptionCursor = cursorOf(z.tuple([z.iso.date().regex(/^[12]/), cursorId]));

export type RenewalDay = { day: Day; charges: number; amountCents: number };

/** The charges of the next `days` days, today's included, at the price announced or else today's; days without any are zeros. */
export const comingRenewals = async (
  ctx: World,
  _operator: OperatorCaller,
  input: { days: number },
): Promise<RenewalDay[]> => {
  const today = dayOf(ctx.clock.now());
  const lastEnd = addDays(today, input.days - 1 + chargeDaysBeforeEnd);
  const renewing = await queries.renewingBetween(ctx.db, addDays(today, 1), lastEnd);
  const days = new Map(
    Array.from({ length: input.days }, (_, index) => addDays(today, index)).map((day) => [
      day,
      { day, charges: 0, amountCents: 0 },
    ]),
  );
  for (const { date, amountCents } of (await nextCharges(ctx, renewing)).values()) {
    const sum = days.get(date);
    if (!sum) continue;
    sum.charges += 1;
    sum.amountCents += amountCents;
  }
  return [...days.values()];
};
