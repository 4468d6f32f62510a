/** Requests for another plan: support requests, of which an account can have one at a time. */
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import { planLimits } from "../plans/plans.ts";
import { openRequest } from "./ask.server.ts";
import * as queries from "./queries.server.ts";
import type { NewPlanRequest, SupportRequest } from "./request.ts";

/**
 * @throws conflict for the current plan, and while another such request is not closed
 * @throws rate_limited
 */
export const requestPlan = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter" | "settings">,
  caller: Caller,
  input: NewPlanRequest,
): Promise<{ id: number }> => {
  const { requested_plan: requestedPlan, message } = input;
  const { plan } = caller.account;
  // Accounts with individually agreed limits may request the plan they have.
  if (requestedPlan === plan && !planLimits[plan].allowsCustomHourly)
    throw conflict(`Your account is already on the ${plan} plan`);
  const subject = requestedPlan === plan ? "Other limits" : `From the ${plan} to the ${requestedPlan} plan`;
  return openRequest(ctx, caller, { topic: "plan", subject, message, reference: "", requestedPlan });
};

/** The request that is not closed, or null. */
export const pendingPlanRequest = (ctx: Pick<Context, "db">, caller: Caller): Promise<SupportRequest | null> =>
  queries.findUnclosedPlanRequest(ctx.db, caller.account.id);
