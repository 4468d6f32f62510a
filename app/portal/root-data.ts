import type { Toast } from "./toast.ts";

/** The root loader's data, available on every page. */
export type RootData = {
  /** Null if nobody is signed in. */
  account: { username: string; email: string; isEmailVerified: boolean; role: "holder" | "operator" } | null;
  /** Renewals that are past due, the one that ends soonest first. Null if there are none. */
  pastDue: {
    count: number;
    first: { subscriptionId: number; routeName: string; endDate: string; needsAuthentication: boolean };
  } | null;
  /** Open disputes, the oldest one first. Null if there are none. */
  disputed: {
    count: number;
    first: { amountCents: number; currency: string; hasRenewalCard: boolean };
    isSuspended: boolean;
  } | null;
  /** Unread alerts of the watchlist. */
  unreadAlerts: number;
  /** Number of routes in the basket. */
  basketCount: number;
  /** Payments are simulated, which every page must say. */
  testMode: boolean;
  /** The reader's choice; unset, the system's preference applies. */
  theme?: "light" | "dark" | undefined;
  /** Whether single-key shortcuts are on. */
  singleKeys: boolean;
  /** Confirms the last action. */
  toast?: Toast | undefined;
};
