/** What slows guessing and flooding down: failures and lost passwords per account and address, and the like. */
import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { Refusal } from "../errors.ts";
import type { Budget, Verdict } from "../rate-limit/limiter.ts";
import { addressSubjectOf, retryAfterSeconds } from "../rate-limit/policy.ts";
import type { Origin } from "./lucia.server.ts";

const failuresPerAccount: Budget = { hourly: 20, burst: 5, strict: true };
const failuresPerAddress: Budget = { hourly: 60, burst: 20, strict: true };
const registrationsPerAddress: Budget = { hourly: 60, burst: 10, strict: true };
const resetsPerAccount: Budget = { hourly: 5, burst: 5, strict: true };
const resetsPerAddress: Budget = { hourly: 60, burst: 10, strict: true };
const supportMessagesPerAccount: Budget = { hourly: 30, burst: 5 };

const verificationsPerAccount: Budget = { hourly: 5, burst: 5, strict: true };

type World = Pick<Context, "clock" | "rateLimiter">;
type Counted = { subject: string; budget: Budget };

/** @throws rate_limited from both of its functions */
export const failedSignInsOf = (ctx: World, email: string, origin: Origin) =>
  throttle(ctx, [
    { subject: `sign-in:${hashOf(email)}`, budget: failuresPerAccount },
    { subject: `sign-in-from:${addressSubjectOf(origin.ipAddress)}`, budget: failuresPerAddress },
  ]);

export const registrationsFrom = (ctx: World, origin: Origin) =>
  throttle(ctx, [{ subject: `register-from:${addressSubjectOf(origin.ipAddress)}`, budget: registrationsPerAddress }]);

/** Whether there is an account of that address or not, so that neither answer tells. */
export const passwordResetsOf = (ctx: World, email: string, origin: Origin) =>
  throttle(ctx, [
    { subject: `reset:${hashOf(email)}`, budget: resetsPerAccount },
    { subject: `reset-from:${addressSubjectOf(origin.ipAddress)}`, budget: resetsPerAddress },
  ]);

/** What an account writes to support, each message mailed to every operator. */
export const supportMessagesOf = (ctx: World, accountId: number) =>
  throttle(ctx, [{ subject: `support:${accountId}`, budget: supportMessagesPerAccount }]);

/** Codes of a second factor, right ones too: each is counted before it is looked at. */
export const secondFactorsOf = (ctx: World, accountId: number, origin: Origin) =>
  throttle(ctx, [
    { subject: `second-factor:${accountId}`, budget: failuresPerAccount },
    { subject: `second-factor-from:${addressSubjectOf(origin.ipAddress)}`, budget: failuresPerAddress },
  ]);

/** Mails with links that prove an address: to whichever address, so that nobody's mailbox is flooded by one account. */
export const verificationsOf = (ctx: World, accountId: number) =>
  throttle(ctx, [{ subject: `verify:${accountId}`, budget: verificationsPerAccount }]);

const hashOf = (email: string): string => createHash("sha256").update(email.toLowerCase()).digest("hex");

const throttle = (ctx: World, counted: Counted[]) => {
  const now = ctx.clock.now();
  const refuse = (verdicts: Verdict[], usedUp: (verdict: Verdict) => boolean) => {
    const reached = verdicts.find(usedUp);
    if (!reached) return;
    throw new Refusal("rate_limited", "Too many requests - Rate limit exceeded", {
      retryAfterSeconds: retryAfterSeconds({ ...reached, refusedBy: "hour" }, now),
    });
  };
  return {
    /** Without counting: has enough been counted already? */
    refuseWhenUsedUp: async () =>
      refuse(
        await Promise.all(counted.map(({ subject, budget }) => ctx.rateLimiter.peek(subject, budget, now))),
        (verdict) => verdict.remaining === 0,
      ),
    count: async () =>
      refuse(
        await Promise.all(counted.map(({ subject, budget }) => ctx.rateLimiter.take(subject, budget, now))),
        (verdict) => verdict.refusedBy !== null,
      ),
  };
};
