/** When paid time ends. */
import { addMonths, type Day } from "../dates.ts";
import { monthsOf, type Term } from "../pricing/discounts.ts";

/** Months always count from the anchor date, so that the day of the month survives February. */
export type PaidUntil = { anchorDate: Day; monthsPaid: number; endDate: Day };

export const beginTerm = (startDate: Day, term: Term): PaidUntil => after(startDate, monthsOf[term]);

export const extendTerm = (paid: Pick<PaidUntil, "anchorDate" | "monthsPaid">, term: Term): PaidUntil =>
  after(paid.anchorDate, paid.monthsPaid + monthsOf[term]);

/** A term that begins today and replaces the current one, followed by terms bought in the meantime. */
export const replaceTerm = (today: Day, term: Term, following: Term[]): PaidUntil =>
  after(
    today,
    [term, ...following].reduce((months, each) => months + monthsOf[each], 0),
  );

const after = (anchorDate: Day, monthsPaid: number): PaidUntil => ({
  anchorDate,
  monthsPaid,
  endDate: addMonths(anchorDate, monthsPaid),
});
