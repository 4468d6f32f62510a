/** Changes that need no payment, and what rules them out. @spec States and transitions */
import { isAutoRenewalOn } from "./renewal.ts";
import type { SubscriptionStatus } from "./status.ts";
import type { SubscriptionRow } from "./subscription.ts";

export type Change = "cancel" | "resume" | "auto_renew";

const ruledOutBy = {
  cancel: {
    cancelled: "The subscription is already cancelled",
    expired: "The subscription has expired and cannot be cancelled",
  },
  resume: {
    active: "The subscription is not cancelled",
    expiring_soon: "The subscription is not cancelled",
    expired: "The subscription has expired. Renew it instead",
  },
  auto_renew: {
    cancelled: "The subscription is cancelled. Resume it first",
    expired: "The subscription has expired. Renew it instead",
  },
} as const satisfies Record<Change, Partial<Record<SubscriptionStatus, string>>>;

/** Why a subscription in this status cannot be changed like that; null if it can. */
export const reasonAgainst = (change: Change, status: SubscriptionStatus): string | null => {
  const reasons: Partial<Record<SubscriptionStatus, string>> = ruledOutBy[change];
  return reasons[status] ?? null;
};

/** For a selection: the same, and also why there would be nothing to change. */
export const reasonAgainstAutoRenewal = (
  subscription: Pick<SubscriptionRow, "autoRenew" | "cancelledAt" | "renewalTerm"> & { status: SubscriptionStatus },
  { autoRenew, renewalTerm }: { autoRenew: boolean; renewalTerm?: SubscriptionRow["renewalTerm"] | undefined },
): string | null => {
  const reason = reasonAgainst("auto_renew", subscription.status);
  if (reason !== null) return reason;
  const isSame = isAutoRenewalOn(subscription) === autoRenew;
  const keepsTerm = renewalTerm === undefined || renewalTerm === subscription.renewalTerm;
  return isSame && keepsTerm ? `Auto-renewal is already ${autoRenew ? "on" : "off"}` : null;
};
