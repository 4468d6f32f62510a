/** Asking for another plan: a support request like others, of which an account has one at a time. */

import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import { planLimits } from "../plans/plans.ts";
import { openRequest } from "./ask.server.ts";
import * as queries from "./queries.server.ts";
import type { NewPlanRequest, SupportRequest } from "./request.ts";

/**
 * @throws conflict for the present plan, or while another such request waits
 * @throws rate_limited
 */
export const requestPlan = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter" | "settings">,
  caller: Caller,
  input: NewPlanRequest,
): Promise<{ id: number }> => {
  const { requested_plan: requestedPlan, message } = input;
  const { plan } = caller.account;
  // Where limits are agreed one by one, an account may ask for others on the plan it has.
  if (requestedPlan === plan && !planLimits[plan].allowsCustomHourly)
    throw conflict(`Your account is on the ${plan} plan already`);
  const subject = requestedPlan === plan ? "Other limits" : `From the ${plan} to the ${requestedPlan} plan`;
  return openRequest(ctx, caller, { topic: "plan", subject, message, reference: "", requestedPlan });
};

/** The one that is not closed; null: there is none. */
export const pendingPlanRequest = (ctx: Pick<Context, "db">, caller: Caller): Promise<SupportRequest | null> =>
  queries.findUnclosedPlanRequest(ctx.db, caller.account.id);
