/** The plans and what each allows. Every limit, page, mail and document reads this table. @spec Limits */
import { capitalised, counted, grouped, listed } from "../wording.ts";
import { plans } from "./enums.ts";

export { plans };
export type Plan = (typeof plans)[number];

export type PlanLimits = {
  /** Requests an hour, over all keys and tokens of the account. */
  hourly: number;
  /** Requests a second. */
  burst: number;
  /** Null: unlimited. */
  maxApiKeys: number | null;
  /** How long single log records are kept, in days. Null: for ever. */
  storageDays: number | null;
  /** Whether an account can have its own hourly limit, agreed with sales. */
  allowsCustomHourly: boolean;
};

export const planLimits = {
  free: { hourly: 1_000, burst: 20, maxApiKeys: 2, storageDays: 30, allowsCustomHourly: false },
  professional: { hourly: 5_000, burst: 50, maxApiKeys: 10, storageDays: 90, allowsCustomHourly: false },
  enterprise: { hourly: 25_000, burst: 100, maxApiKeys: null, storageDays: null, allowsCustomHourly: true },
} as const satisfies Record<Plan, PlanLimits>;

/** Requests without valid credentials, per client address. @spec Limits (60 unauthenticated) */
export const anonymousLimits = { hourly: 60, burst: planLimits.free.burst } as const;

/** The hourly limit that holds for an account: its own where its plan allows one, else its plan's. */
export const hourlyLimitOf = (account: { plan: Plan; customHourlyLimit: number | null }): number => {
  const { hourly, allowsCustomHourly } = planLimits[account.plan];
  return (allowsCustomHourly ? account.customHourlyLimit : null) ?? hourly;
};

/** `for 30 days`, `for ever`. */
export const storageInWords = (storageDays: number | null): string =>
  storageDays === null ? "for ever" : `for ${counted(storageDays, "day")}`;

/** `for 30 days (Free), for 90 days (Professional) and for ever (Enterprise)`. */
export const storageByPlan = listed(
  plans.map((plan) => `${storageInWords(planLimits[plan].storageDays)} (${capitalised(plan)})`),
);

/** `60 without credentials; 1,000 (Free), 5,000 (Professional) and 25,000 (Enterprise)`. */
export const hourlyByPlan = `${grouped(anonymousLimits.hourly)} without credentials; ${listed(plans.map((plan) => `${grouped(planLimits[plan].hourly)} (${capitalised(plan)})`))}`;

const keysInWords = (maxApiKeys: number | null): string => (maxApiKeys === null ? "any number" : grouped(maxApiKeys));

/** `2 (Free), 10 (Professional) and any number (Enterprise)`. */
export const keysByPlan = listed(
  plans.map((plan) => `${keysInWords(planLimits[plan].maxApiKeys)} (${capitalised(plan)})`),
);
