/**
 * Throttles guessing and flooding. An attempt is counted before it is examined, so that parallel attempts gain nothing
 * over sequential ones. A successful one is refunded.
 *
 * Passwords and codes have two kinds of budget. Known devices and places have one of their own. All others are
 * strangers: they share a budget per address, and then a budget per account.
 */
import { createHash } from "node:crypto";
import { logSecurityEvent } from "../../platform/security-events.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors.ts";
import type { Budget } from "../rate-limit/limiter.ts";
import { addressSubjectOf, retryAfterSeconds } from "../rate-limit/policy.ts";
import type { Origin } from "./lucia.server.ts";
import { networkOf } from "./place.ts";

/** No separate burst limit: for guessing, only the hourly total matters. */
const inAnHour = (hourly: number): Budget => ({ hourly, burst: hourly, strict: true });

const attemptsOfKnown = inAnHour(20);
const attemptsOfNetwork = inAnHour(20);
/** Passwords: against guessing from many networks. Five networks can exhaust it, which locks out strangers only. */
const attemptsOfStrangers = inAnHour(100);
/** Codes: 20 an hour give a chance of one in 17,000. Only someone with the password can exhaust it. */
const codesOfStrangers = inAnHour(20);
const failuresPerAddress: Budget = { hourly: 60, burst: 20, strict: true };
const registrationsPerAddress: Budget = { hourly: 60, burst: 10, strict: true };
const resetsPerAccount = inAnHour(5);
const resetsPerAddress: Budget = { hourly: 60, burst: 10, strict: true };
const supportMessagesPerAccount: Budget = { hourly: 30, burst: 5 };
const verificationsPerAccount = inAnHour(5);

type World = Pick<Context, "clock" | "rateLimiter">;
type Counted = { subject: string; budget: Budget };

/** An attempt that has been counted. */
export type Attempt = {
  /** The attempt succeeded: removes it from the count. */
  giveBack(): Promise<void>;
};
type Throttle = {
  /** @throws rate_limited */
  count(): Promise<Attempt>;
};

/** @param ownBudget the key of a known origin, see `findOwnBudget` */
export const passwordsOf = (ctx: World, email: string, ownBudget: string | null, origin: Origin): Throttle =>
  throttle(
    ctx,
    ownBudget === null
      ? [
          { subject: `sign-in-from:${addressSubjectOf(origin.ipAddress)}`, budget: failuresPerAddress },
          { subject: `sign-in:${hashOf(email)}:${networkOf(origin)}`, budget: attemptsOfNetwork },
          { subject: `sign-in:${hashOf(email)}`, budget: attemptsOfStrangers },
        ]
      : [{ subject: `sign-in:${ownBudget}`, budget: attemptsOfKnown }],
  );

/** Authenticator codes and recovery codes. @param ownBudget as for passwords */
export const secondFactorsOf = (ctx: World, email: string, ownBudget: string | null, origin: Origin): Throttle =>
  throttle(
    ctx,
    ownBudget === null
      ? [
          { subject: `second-factor-from:${addressSubjectOf(origin.ipAddress)}`, budget: failuresPerAddress },
          { subject: `second-factor:${hashOf(email)}`, budget: codesOfStrangers },
        ]
      : [{ subject: `second-factor:${ownBudget}`, budget: attemptsOfKnown }],
  );

/** Answers with a passkey, right or wrong: nobody can guess them, but checking them takes time. */
export const passkeysFrom = (ctx: World, origin: Origin): Throttle =>
  throttle(ctx, [{ subject: `passkey-from:${addressSubjectOf(origin.ipAddress)}`, budget: failuresPerAddress }]);

export const registrationsFrom = (ctx: World, origin: Origin): Throttle =>
  throttle(ctx, [{ subject: `register-from:${addressSubjectOf(origin.ipAddress)}`, budget: registrationsPerAddress }]);

/** Counted whether or not an account has the address, so that the response does not reveal it. */
export const passwordResetsOf = (ctx: World, email: string, origin: Origin): Throttle =>
  throttle(ctx, [
    { subject: `reset-from:${addressSubjectOf(origin.ipAddress)}`, budget: resetsPerAddress },
    { subject: `reset:${hashOf(email)}`, budget: resetsPerAccount },
  ]);

/** Messages to support, each of which is mailed to every operator. */
export const supportMessagesOf = (ctx: World, accountId: number): Throttle =>
  throttle(ctx, [{ subject: `support:${accountId}`, budget: supportMessagesPerAccount }]);

/** Verification mails of one account, to any address, so that an account cannot flood someone's mailbox. */
export const verificationsOf = (ctx: World, accountId: number): Throttle =>
  throttle(ctx, [{ subject: `verify:${accountId}`, budget: verificationsPerAccount }]);

const hashOf = (email: string): string => createHash("sha256").update(email.toLowerCase()).digest("hex");

/**
 * @param counted one after the other: an attempt refused by one budget does not count against the next ones, so that
 * one address cannot exhaust the budget shared by all
 */
const throttle = (ctx: World, counted: Counted[]): Throttle => {
  const now = ctx.clock.now();
  return {
    count: async () => {
      for (const { subject, budget } of counted) {
        const verdict = await ctx.rateLimiter.take(subject, budget, now);
        if (verdict.refusedBy === null) continue;
        logSecurityEvent("attempt.throttled", null, { attempt: subject.split(":")[0] });
        throw new Refusal("rate_limited", "Too many requests - Rate limit exceeded", {
          retryAfterSeconds: retryAfterSeconds(verdict, now),
        });
      }
      return {
        giveBack: async () => {
          await Promise.all(counted.map(({ subject }) => ctx.rateLimiter.giveBack(subject, now)));
        },
      };
    },
  };
};
