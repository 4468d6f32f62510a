/** Forms with which operators change a period. */
import { z } from "zod";
import { freshnesses, periodPolicies } from "./enums.ts";

const longestName = 200;

export const closing = z.object({
  ends_on: z.iso.date("A date, like 2026-12-05"),
  opens_next: z.literal("on").optional(),
});

export const correction = z.object({
  name: z.string().trim().min(1, "A name").max(longestName, `At most ${longestName} characters`),
  freshness: z.enum(freshnesses, "Choose one"),
});

export const policyChoice = z.object({ policy: z.enum(periodPolicies, "Choose one") });
