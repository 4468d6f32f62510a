/**
 * Which days a subscription's payments still open, and what each day is worth. Nothing of this is stored: it follows from
 * all terms that were ever paid for, so that no order of purchases, renewals and changes of term can lose any of it.
 *
 * What was paid, less refunds, is always the value of the days below: of those used and of those to come.
 *
 * @spec Subscription, rule 5
 */
import type { Day } from "../dates.ts";
import type { Term } from "../pricing/discounts.ts";
import { type PaidDays, unusedValueCents } from "../pricing/proration.ts";
import { beginTerm, extendTerm } from "./term.ts";

/** A paid order line, with the days as they were sold. Ids rise in the order in which the lines were settled. */
export type BoughtTerm = {
  id: number;
  term: Term;
  startDate: Day;
  /** Exclusive. */
  endDate: Day;
  /** Less refunds; without the credit, which an earlier term paid for. */
  paidCents: number;
  /** A change of term only: its price took off the unused days of terms up to this id. */
  creditedThroughTermId: number | null;
};

/** Consecutive days that one term opens. */
export type TermDays = PaidDays & { id: number; term: Term };

/** @param bought all terms of one subscription, by id */
export const paidDays = (bought: readonly BoughtTerm[]): TermDays[] =>
  bought.reduce<TermDays[]>((days, next) => {
    const { id, term, startDate, endDate, paidCents } = next;
    const { over, replaced, following } = splitForChange(days, next.creditedThroughTermId, startDate);
    const own = { id, term, startDate, endDate, valueCents: paidCents + unusedValueCents(startDate, replaced) };
    return [...over, ...replaced.flatMap((each) => usedPart(each, startDate)), own, ...moveBehind(own, following)];
  }, []);

/**
 * What a change of term that begins on `startDate` meets: the credited days that are left, which it replaces, and the
 * terms that were paid for after it was priced, which follow it. Both are empty when the credited days have run out, and
 * for whatever is no change of term.
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
