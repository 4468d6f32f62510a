/** The limits and defaults of watchlists and alerts. */
import type { mailCadences } from "./enums.ts";
import type { WatchRules } from "./watch.ts";

export const maxWatches = 200;

/** Routes of a port pair that a page or a response shows. */
export const maxRoutesOfPair = 20;

export type MailCadence = (typeof mailCadences)[number];

export const defaultCadence: MailCadence = "daily";

/** When daily mail is sent, in UTC. */
export const digestHour = 6;

/** The rules of a new watch. Thresholds need a number that only the account knows. */
export const defaultRules: WatchRules = {
  rateChangePercent: 3,
  allInBelowCents: null,
  allInAboveCents: null,
  capacityBelow: null,
  bookingStatus: true,
  scheduleSlipDays: 2,
  staleData: true,
};

/** By how much a figure must recover from its threshold before it can raise another alert. */
export const recoveryPercent = { allIn: 2, capacity: 10 } as const;

/** How long alerts are kept. */
export const alertRetentionDays = 365;
