/**
 * What slows guessing and flooding down. Everything is counted before it is looked at, so that a hundred attempts at once
 * are no more than a hundred in a row; what turns out right is given back.
 *
 * Passwords and codes have two kinds of budget. Whoever the account knows, by device or place, has one of their own.
 * All others are strangers: they count against their address, and then against what strangers may do to the account.
 */
import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { Refusal } from "../errors.ts";
import type { Budget } from "../rate-limit/limiter.ts";
import { addressSubjectOf, retryAfterSeconds } from "../rate-limit/policy.ts";
import type { Origin } from "./lucia.server.ts";
import { networkOf } from "./place.ts";

/** The hour's budget may be used within a second: for guessing, that makes no difference. */
const inAnHour = (hourly: number): Budget => ({ hourly, burst: hourly, strict: true });

const attemptsOfKnown = inAnHour(20);
const attemptsOfNetwork = inAnHour(20);
/** Passwords: against guessing from many networks. Five networks can use it up, and then lock out strangers alone. */
const attemptsOfStrangers = inAnHour(100);
/** Codes: 20 an hour are one in 17,000 to be right. Only those who have the password can use it up. */
const codesOfStrangers = inAnHour(20);
const failuresPerAddress: Budget = { hourly: 60, burst: 20, strict: true };
const registrationsPerAddress: Budget = { hourly: 60, burst: 10, strict: true };
const resetsPerAccount = inAnHour(5);
const resetsPerAddress: Budget = { hourly: 60, burst: 10, strict: true };
const supportMessagesPerAccount: Budget = { hourly: 30, burst: 5 };
const verificationsPerAccount = inAnHour(5);

type World = Pick<Context, "clock" | "rateLimiter">;
type Counted = { subject: string; budget: Budget };

/** What has been counted. */
export type Attempt = {
  /** It was right: as if it had not been made. */
  giveBack(): Promise<void>;
};
type Throttle = {
  /** @throws rate_limited */
  count(): Promise<Attempt>;
};

/** @param ownBudget of whoever the account knows: `findOwnBudget` */
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

/** Codes of authenticators, and recovery codes. @param ownBudget as for passwords */
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

export const registrationsFrom = (ctx: World, origin: Origin): Throttle =>
  throttle(ctx, [{ subject: `register-from:${addressSubjectOf(origin.ipAddress)}`, budget: registrationsPerAddress }]);

/** Whether there is an account of that address or not, so that neither answer tells. */
export const passwordResetsOf = (ctx: World, email: string, origin: Origin): Throttle =>
  throttle(ctx, [
    { subject: `reset-from:${addressSubjectOf(origin.ipAddress)}`, budget: resetsPerAddress },
    { subject: `reset:${hashOf(email)}`, budget: resetsPerAccount },
  ]);

/** What an account writes to support, each message mailed to every operator. */
export const supportMessagesOf = (ctx: World, accountId: number): Throttle =>
  throttle(ctx, [{ subject: `support:${accountId}`, budget: supportMessagesPerAccount }]);

/** Mails with links that prove an address: to whichever address, so that nobody's mailbox is flooded by one account. */
export const verificationsOf = (ctx: World, accountId: number): Throttle =>
  throttle(ctx, [{ subject: `verify:${accountId}`, budget: verificationsPerAccount }]);

const hashOf = (email: string): string => createHash("sha256").update(email.toLowerCase()).digest("hex");

/**
 * @param counted one after the other: what the first budget refuses does not reach those behind it, so that one address
 * cannot use up what the whole world has
 */
const throttle = (ctx: World, counted: Counted[]): Throttle => {
  const now = ctx.clock.now();
  return {
    count: async () => {
      for (const { subject, budget } of counted) {
        const verdict = await ctx.rateLimiter.take(subject, budget, now);
        if (verdict.refusedBy === null) continue;
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
