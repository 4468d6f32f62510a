/** The credit for unused days when a subscription changes its term, in cents. @spec Subscription, rule 5 */
import { type Day, daysBetween } from "../dates.ts";
import { divideHalfUp } from "../money.ts";

export type PaidDays = {
  startDate: Day;
  /** Exclusive. */
  endDate: Day;
  /** What the account paid for these days, less refunds. */
  valueCents: number;
};

/**
 * The value of the days from `today` on, pro rata at the price paid. Today counts as unused, because the new term begins
 * today. Each paid term is rounded half up once and is never worth more than was paid for it.
 */
export const unusedValueCents = (today: Day, terms: PaidDays[]): number =>
  terms.reduce((sum, term) => sum + unusedOf(today, term), 0);

const unusedOf = (today: Day, { startDate, endDate, valueCents }: PaidDays): number => {
  const days = daysBetween(startDate, endDate);
  const unused = Math.min(days, Math.max(0, daysBetween(today, endDate)));
  return divideHalfUp(valueCents * unused, days);
};
