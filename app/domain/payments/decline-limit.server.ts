import type { Account } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { overLimit } from "../rate-limit/charge.ts";
import type { Budget } from "../rate-limit/limiter.ts";
import { declinedCardsPerHour } from "./policy.ts";

type World = Pick<Context, "clock" | "rateLimiter">;
type Holder = Pick<Account, "id">;

const budget: Budget = { hourly: declinedCardsPerHour, burst: declinedCardsPerHour, strict: true };
const subjectOf = ({ id }: Holder): string => `declined-cards:${id}`;

/** @throws rate_limited when `declinedCardsPerHour` cards of the account were declined in this hour */
export const requireFewDeclines = async (ctx: World, account: Holder): Promise<void> => {
  const now = ctx.clock.now();
  const verdict = await ctx.rateLimiter.peek(subjectOf(account), budget, now);
  if (verdict.remaining === 0) throw overLimit({ ...verdict, refusedBy: "hour" }, now);
};

/** @returns whether the limit is reached */
export const countDecline = async (ctx: World, account: Holder): Promise<boolean> =>
  (await ctx.rateLimiter.take(subjectOf(account), budget, ctx.clock.now())).remaining === 0;
