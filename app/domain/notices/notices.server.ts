/** What every page tells the account holder. One statement, because every page asks. */
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { needsAuthentication } from "../subscriptions/renewal-failure.ts";
import { selectNotices } from "./queries.server.ts";

export type Notices = {
  /** Renewals whose latest charge failed and that can still be paid before the end. Soonest end first. */
  pastDue: PastDueRenewal[];
  /** Open disputes, oldest first, each with whether a card is chosen for renewals. */
  disputes: { amountCents: number; currency: string; hasRenewalCard: boolean }[];
  /** Alerts of the watchlist that are not read yet. */
  unreadAlerts: number;
};

type PastDueRenewal = {
  subscriptionId: number;
  routeId: number;
  routeName: string;
  /** The first day without access, unless the renewal is paid. */
  endDate: Day;
  needsAuthentication: boolean;
};

export const noticesOf = async (ctx: Pick<Context, "db" | "clock">, { account }: Caller): Promise<Notices> => {
  const [found] = await selectNotices(ctx.db, { accountId: account.id, today: dayOf(ctx.clock.now()) });
  return {
    pastDue: (found?.pastDue ?? []).map(({ subscriptionId, routeId, routeName, endDate, declineCode }) => ({
      subscriptionId,
      routeId,
      routeName,
      endDate,
      needsAuthentication: needsAuthentication(declineCode),
    })),
    disputes: found?.disputes ?? [],
    unreadAlerts: found?.unreadAlerts ?? 0,
  };
};
