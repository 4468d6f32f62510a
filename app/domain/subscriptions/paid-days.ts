/**
 * Which days a subscription's payments cover, and what each day is worth. This is not stored but computed from all paid
 * terms, so that purchases, renewals and term changes in any order lose no value.
 *
 * Invariant: unless a payment was charged back, payments less refunds equal the value of all days, used and unused.
 *
 * @spec Subscription, rule 5
 */
import type { Day } from "../dates.ts";
import type { Term } from "../pricing/discounts.ts";
import { type PaidDays, unusedValueCents } from "../pricing/proration.ts";
import { beginTerm, extendTerm, type PaidUntil } from "./term.ts";

/** A paid order line, with the days as sold. Ids ascend in the order of settlement. */
export type BoughtTerm = {
  id: number;
  term: Term;
  startDate: Day;
  /** Exclusive. */
  endDate: Day;
  /** Net of refunds and chargebacks. Excludes the credit, which an earlier term paid for. */
  paidCents: number;
  /** Term changes only: the unused days of terms up to this id were credited against the price. */
  creditedThroughTermId: number | null;
  /** Set when the bank returned the payment: the remaining days ended then, and only terms up to `afterTermId` were bought. */
  ended?: { on: Day; afterTermId: number } | null;
};

/** Consecutive days that one term covers. */
export type TermDays = PaidDays & { id: number; term: Term };

/** @param bought all terms of one subscription, in ascending order of id */
export const paidDays = (bought: readonly BoughtTerm[]): TermDays[] => {
  const endings = bought
    .flatMap(({ id, ended }) => (ended ? [{ id, ...ended }] : []))
    .sort((a, b) => a.on.localeCompare(b.on));
  return bought.reduce<TermDays[]>(
    (days, next) =>
      endings
        .filter(({ afterTermId }) => afterTermId === next.id)
        .reduce((left, { id, on }) => endTerm(left, id, on), addTerm(days, next)),
    [],
  );
};

const addTerm = (days: TermDays[], next: BoughtTerm): TermDays[] => {
  const { id, term, startDate, endDate, paidCents } = next;
  const { over, replaced, following } = splitForChange(days, next.creditedThroughTermId, startDate);
  const own = { id, term, startDate, endDate, valueCents: paidCents + unusedValueCents(startDate, replaced) };
  const used = replaced.flatMap((each) => usedPart(each, startDate));
  return [...over, ...used, own, ...moveBehind(beginTerm(startDate, term), following)];
};

/** The days from `on` on go, and the terms behind them move up. Days that are over, or were credited, stay as they are. */
const endTerm = (days: TermDays[], id: number, on: Day): TermDays[] => {
  const own = days.find((each) => each.id === id && each.endDate > on);
  if (!own) return days;
  const at = days.indexOf(own);
  const endDate = on > own.startDate ? on : own.startDate;
  const following = moveBehind({ anchorDate: endDate, monthsPaid: 0, endDate }, days.slice(at + 1));
  return [...days.slice(0, at), ...usedPart(own, endDate), ...following];
};

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

const moveBehind = (paid: PaidUntil, following: TermDays[]): TermDays[] => {
  let until = paid;
  return following.map((each) => {
    const startDate = until.endDate;
    until = extendTerm(until, each.term);
    return { ...each, startDate, endDate: until.endDate };
  });
};
