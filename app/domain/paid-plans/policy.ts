/** Which plans are sold, and for how long. */
import { plans } from "../plans/plans.ts";
import type { Term } from "../pricing/discounts.ts";

/** The plans that can have a price. */
export const soldPlans = plans.filter((plan) => plan !== "free");
export type SoldPlan = (typeof soldPlans)[number];

/** The terms that plans are sold for. */
export const planTerms = ["1_month", "3_months", "6_months", "12_months"] as const satisfies readonly Term[];
export type PlanTerm = (typeof planTerms)[number];

/** How many days before its end the account holder is reminded. */
export const planReminderDays = 7;
