/** A subscription, as its owner sees it. @spec Subscription */
import type { Day } from "../dates.ts";
import type { Term } from "../pricing/discounts.ts";
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
  /** What will be charged, and when; null when nothing will. */
  nextCharge: { date: Day; amountCents: number } | null;
};
