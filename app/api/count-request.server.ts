/** Counts requests against the limits of accounts, keys and addresses. @spec Limits */
import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../domain/accounts/caller.ts";
import type { Context } from "../domain/context.ts";
import { anonymousLimits } from "../domain/plans/plans.ts";
import { chargeRequests } from "../domain/rate-limit/charge.ts";
import type { Budget, Verdict } from "../domain/rate-limit/limiter.ts";
import { addressSubjectOf, budgetOf, subjectOf, verdictOf } from "../domain/rate-limit/policy.ts";
import { type MaybePromise, whenKnown } from "../platform/maybe-promise.ts";
import { rateLimitRefusals } from "../platform/metrics/metrics.ts";

type World = Pick<Context, "rateLimiter">;

export type Counted = {
  /** Decides about the request, and is what its headers say: of the account's and the key's, the one with less left. */
  verdict: Verdict;
  /** The account's, for its quota alerts. Null for visitors, and for a request above its key's own limit. */
  quota: Verdict | null;
};

/** Adds a request above a limit to the metrics. */
export const observeOverLimit = ({ verdict, quota }: Counted, caller: Caller | null): void =>
  rateLimitRefusals.add({
    limit: verdict.refusedBy ?? "hour",
    counted_by: caller === null ? "address" : quota === null ? "key" : "account",
    plan: caller?.account.plan ?? "none",
  });

/** What the headers of an answer say that was not counted. */
export const uncounted = (now: Date): Verdict => verdictOf({ hour: 0, second: 0 }, anonymousLimits, now);

/**
 * Counts a request. One above its key's own limit does not count toward the account's, so that the other keys can go on.
 *
 * @param caller null: counted by address
 */
export const countRequest = (
  { rateLimiter }: World,
  caller: Caller | null,
  ipAddress: string,
  now: Date,
): MaybePromise<Counted> => {
  if (!caller) {
    const verdict = rateLimiter.take(addressSubjectOf(ipAddress), anonymousLimits, now);
    return whenKnown(verdict, (known) => ({ verdict: known, quota: null }));
  }
  const countForAccount = (ofKey: Verdict | null) =>
    whenKnown(rateLimiter.take(subjectOf(caller.account), budgetOf(caller.account), now), (quota) =>
      counted(ofKey, quota),
    );
  const key = keyBudgetOf(caller);
  if (!key) return countForAccount(null);
  return whenKnown(
    rateLimiter.take(key.subject, key.budget, now),
    (ofKey): MaybePromise<Counted> =>
      ofKey.refusedBy === null ? countForAccount(ofKey) : { verdict: ofKey, quota: null },
  );
};

/** What a request was counted as, and for whom. */
export type CountedFor = { caller: Caller | null; counted: Counted };

/**
 * Counts a request that is handled again. It keeps its place in the quota, so that no alert is lost, unless it now counts against
 * other limits.
 */
export const recountRequest = async (
  world: World,
  before: CountedFor,
  caller: Caller | null,
  ipAddress: string,
  now: Date,
): Promise<Counted> => {
  if (isDeepStrictEqual(limitsOf(before.caller), limitsOf(caller))) return before.counted;
  await uncountRequest(world, before, ipAddress, now);
  return countRequest(world, caller, ipAddress, now);
};

const limitsOf = (caller: Caller | null) =>
  caller && { subject: subjectOf(caller.account), budget: budgetOf(caller.account), key: keyBudgetOf(caller) };

/** Undoes `countRequest`. */
const uncountRequest = async (
  { rateLimiter }: World,
  { caller, counted: { quota } }: CountedFor,
  ipAddress: string,
  now: Date,
): Promise<void> => {
  if (!caller) return rateLimiter.giveBack(addressSubjectOf(ipAddress), now);
  const key = keyBudgetOf(caller);
  if (key) await rateLimiter.giveBack(key.subject, now);
  if (quota) await rateLimiter.giveBack(subjectOf(caller.account), now);
};

/** Counts what an accepted request costs beyond the first one. @throws rate_limited */
export const chargeCaller = async (
  { rateLimiter }: World,
  caller: Caller,
  now: Date,
  requests: number,
): Promise<Counted> => {
  const key = keyBudgetOf(caller);
  const ofKey = key && (await chargeRequests(rateLimiter, { ...key, now }, requests));
  try {
    const account = { subject: subjectOf(caller.account), budget: budgetOf(caller.account), now };
    return counted(ofKey, await chargeRequests(rateLimiter, account, requests));
  } catch (error) {
    if (key) await rateLimiter.giveBack(key.subject, now, requests);
    throw error;
  }
};

const keyBudgetOf = ({ account, proof }: Caller): { subject: string; budget: Budget } | null =>
  proof.scheme === "key" && proof.hourlyLimit !== null
    ? { subject: `key:${proof.keyId}`, budget: { ...budgetOf(account), hourly: proof.hourlyLimit } }
    : null;

const counted = (ofKey: Verdict | null, quota: Verdict): Counted => ({
  verdict: ofKey && quota.refusedBy === null && ofKey.remaining < quota.remaining ? ofKey : quota,
  quota,
});
