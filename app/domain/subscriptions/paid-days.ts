/**
 * Which days a subscription's payments cover, and what each day is worth. This is not stored but computed from all paid
 * terms, so that purchases, renewals and term changes in any order lose no value.
 *
 * Invariant: payments less refunds equal the value of all days, used and unused.
 *
 * @spec Subscription, rule 5
 */
import type { Day } from "../dates.ts";
import type { Term } from "../pricing/discounts.ts";
import { type PaidDays, unusedValueCents } from "../pricing/proration.ts";
import { beginTerm, extendTerm } from "./term.ts";

/** A paid order line, with the days as sold. Ids ascend in the order of settlement. */
export type BoughtTerm = {
  id: number;
  term: Term;
  startDate: Day;
  /** Exclusive. */
  endDate: Day;
  /** Net of refunds. Excludes the credit, which an earlier term paid for. */
  paidCents: number;
  /** Term changes only: the unused days of terms up to this id were credited against the price. */
  creditedThroughTermId: number | null;
};

/** Consecutive days that one term covers. */
export type TermDays = PaidDays & { id: number; term: Term };

/** @param bought all terms of one subscription, in ascending order of id */
export const paidDays = (bought: readonly BoughtTerm[]): TermDays[] =>
  bought.reduce<TermDays[]>((days, next) => {
    const { id, term, startDate, endDate, paidCents } = next;
    const { over, replaced, following } = splitForChange(days, next.creditedThroughTermId, startDate);
    const own = { id, term, startDate, endDate, valueCents: paidCents + unusedValueCents(startDate, replaced) };
    return [...over, ...replaced.flatMap((each) => usedPart(each, startDate)), own, ...moveBehind(own, following)];
  }, []);

/**
 * Splits the days for a term change that begins on `startDate`: it replaces the credited days that are left, and the terms
 * bought after it was priced follow it. Both are empty when the credited days have run out, and for anything but a term
 * change.
 */
export const splitForChange = (
  days: TermDays[],
  creditedThroughTermId: number | null,
  startDate: Day,
): { over: TermDays[]; replaced: TermDays[]; following: TermDays[] } => {
  const credited = creditedThroughTermId ?? 0;
  const replaced = days.filter(({ id, endDate }) => id <= credited && endDate > startDate);
  const following = replaced.length === 0 ? [] : days.filter(({ id }) => id > credited);
  return { over: days.filter((each) => !replaced.includes(each) && !following.includes(each)), replaced, following };
};

const usedPart = (days: TermDays, until: Day): TermDays[] =>
  days.startDate < until
    ? [{ ...days, endDate: until, valueCents: days.valueCents - unusedValueCents(until, [days]) }]
    : [];

const moveBehind = (change: TermDays, following: TermDays[]): TermDays[] => {
  let until = beginTerm(change.startDate, change.term);
  return following.map((each) => {
    const startDate = until.endDate;
    until = extendTerm(until, each.term);
    return { ...each, startDate, endDate: until.endDate };
  });
};
