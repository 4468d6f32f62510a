/** Forms with which operators change a period. */
import { z } from "zod";
import { freshnesses, periodPolicies } from "../catalogue/enums.ts";
import { maxAgeMinutes } from "../catalogue/freshness.ts";
import type { Freshness } from "../catalogue/route.ts";
import { enteredDay } from "../input.ts";

export const closing = z.object({
  ends_on: enteredDay,
  opens_next: z.literal("on").optional(),
});

export const policyChoice = z.object({ policy: z.enum(periodPolicies, `Choose one of ${periodPolicies.join(", ")}`) });

const laneMinutes = (freshness: Freshness) => {
  const most = maxAgeMinutes[freshness];
  const message = `Enter a whole number of minutes from 1 to ${most}, or leave it empty`;
  return z.union([
    z.literal("").transform(() => null),
    z
      .string()
      .trim()
      .regex(/^\d{1,5}$/, message)
      .transform(Number)
      .refine((minutes) => minutes >= 1 && minutes <= most, message),
  ]);
};

/** What a trade lane promises. Empty: what the service promises, and the freshness of the period before. */
export const lanePromise = z.object({
  real_time_minutes: laneMinutes("real_time"),
  daily_minutes: laneMinutes("daily"),
  weekly_minutes: laneMinutes("weekly"),
  period_freshness: z.union([
    z.literal("").transform(() => null),
    z.enum(freshnesses, `Choose one of ${freshnesses.join(", ")}`),
  ]),
});
