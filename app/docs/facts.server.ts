import { demoSample, type SampleRoute } from "../api/sample-route.ts";
import type { Context } from "../domain/context.ts";
import { anonymousLimits, planLimits, plans } from "../domain/plans/plans.ts";
import { monthsOf, terms } from "../domain/pricing/discounts.ts";
import { termDiscountPercent } from "../domain/pricing/policy.ts";
import { capitalised } from "../domain/wording.ts";
import type { GuideFacts } from "./guides.ts";
import { referenceErrors } from "./reference.server.ts";

export const guideFacts = (
  { appUrl, testMode, renewalCapPercent }: Pick<Context["settings"], "appUrl" | "testMode" | "renewalCapPercent">,
  sample: SampleRoute = demoSample,
): GuideFacts => ({
  baseUrl: `${appUrl}/api`,
  testMode,
  sample,
  plans: plans.map((plan) => ({ name: capitalised(plan), ...planLimits[plan] })),
  anonymousHourly: anonymousLimits.hourly,
  errors: referenceErrors(appUrl),
  terms: terms
    .toSorted((a, b) => monthsOf[a] - monthsOf[b])
    .map((term) => ({ term, discountPercent: termDiscountPercent[term] })),
  renewalCapPercent,
});
