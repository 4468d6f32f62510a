/** Filters for an operator's list of accounts. */
import { z } from "zod";
import { standings } from "../accounts/enums.ts";
import { plans } from "../plans/plans.ts";

export const accountFilter = z.object({
  /** Part of an e-mail address or username, or an account id. */
  q: z.string().trim().max(254).optional(),
  plan: z.enum(plans).optional(),
  standing: z.enum(standings).optional(),
});

export type AccountFilter = z.output<typeof accountFilter>;
