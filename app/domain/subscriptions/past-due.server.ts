import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import * as queries from "./queries.server.ts";
import { needsAuthentication } from "./renewal-failure.ts";

export type PastDueRenewal = {
  subscriptionId: number;
  routeId: number;
  routeName: string;
  /** The first day without access, unless the renewal is paid. */
  endDate: Day;
  needsAuthentication: boolean;
};

/**
 * The account's renewals whose latest charge failed and that can still be paid before the end, soonest end first. One
 * statement, because every page asks.
 */
export const pastDueRenewals = async (
  ctx: Pick<Context, "db" | "clock">,
  { account }: Caller,
): Promise<PastDueRenewal[]> =>
  (await queries.pastDueOf(ctx.db, account.id, dayOf(ctx.clock.now()))).map(
    ({ subscriptionId, routeId, routeName, endDate, declineCode }) => ({
      subscriptionId,
      routeId,
      routeName,
      endDate,
      needsAuthentication: needsAuthentication(declineCode),
    }),
  );
