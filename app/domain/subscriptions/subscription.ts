/** A subscription and what is derived from it for its holder. @spec Subscription */
import type { Day } from "../dates.ts";
import type { Term } from "../pricing/discounts.ts";
import type { Renewal } from "./renewal.ts";
import type { SubscriptionStatus } from "./status.ts";

export type SubscriptionRow = {
  id: number;
  accountId: number;
  routeId: number;
  routeName: string;
  routeCode: string;
  periodId: number;
  term: Term;
  renewalTerm: Term;
  startDate: Day;
  anchorDate: Day;
  monthsPaid: number;
  endDate: Day;
  autoRenew: boolean;
  cancelledAt: Date | null;
};

export type Subscription = SubscriptionRow & {
  status: SubscriptionStatus;
  /** The next charge; null when nothing will be charged. */
  nextCharge: { date: Day; amountCents: number } | null;
  renewal: Renewal;
};
