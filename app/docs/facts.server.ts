import { monthsOf, termDiscountPercent, terms } from "../domain/pricing/discounts.ts";
import { anonymousBudget, planLimits } from "../domain/rate-limit/policy.ts";
import type { GuideFacts } from "./guides.ts";
import { referenceErrors } from "./reference.server.ts";

export const guideFacts = ({ appUrl, testMode }: { appUrl: string; testMode: boolean }): GuideFacts => ({
  baseUrl: `${appUrl}/api`,
  testMode,
  plans: Object.entries(planLimits).map(([plan, limits]) => ({
    name: plan.charAt(0).toUpperCase() + plan.slice(1),
    ...limits,
  })),
  anonymousHourly: anonymousBudget.hourly,
  errors: referenceErrors(appUrl),
  terms: terms
    .toSorted((a, b) => monthsOf[a] - monthsOf[b])
    .map((term) => ({ term, discountPercent: termDiscountPercent[term] })),
});
