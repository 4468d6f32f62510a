/** Exchange rates, and the amounts that keep the rate that was applied to them. */
import type { Day } from "../dates.ts";
import { convertHalfUp } from "../money.ts";
import type { AppliedExchangeRate } from "./reported-surcharge.ts";

/** One unit of `base` is `rate` units of `quote`. */
export type ExchangeRate = AppliedExchangeRate & { base: string; quote: string };

/** An amount that is added to others, which may be in another currency. */
export type Convertible = {
  /** In minor units of `currency`. */
  amountCents: number;
  /** Absent: that of the others. */
  currency?: string | undefined;
  /** Present if the currency differs. */
  exchangeRate?: AppliedExchangeRate | null | undefined;
};

/** An amount in the currency of the others, rounded half up once. */
export const convertedCents = ({ amountCents, currency: own, exchangeRate }: Convertible, currency: string): number =>
  own && exchangeRate ? convertHalfUp(amountCents, { from: own, to: currency, rate: exchangeRate.rate }) : amountCents;

/** The newest exchange rate of a pair of currencies as of a day. */
export type FindExchangeRate = (base: string, quote: string, day: Day) => AppliedExchangeRate | undefined;

export const exchangeRateFinder = (rates: readonly ExchangeRate[]): FindExchangeRate => {
  const byPair = new Map<string, ExchangeRate[]>();
  for (const rate of rates.toSorted((a, b) => (a.asOf < b.asOf ? 1 : -1))) {
    const pair = `${rate.base} ${rate.quote}`;
    byPair.set(pair, [...(byPair.get(pair) ?? []), rate]);
  }
  return (base, quote, day) => {
    const found = byPair.get(`${base} ${quote}`)?.find(({ asOf }) => asOf <= day);
    return found && { rate: found.rate, asOf: found.asOf, source: found.source };
  };
};

/** Why an amount is refused that no exchange rate can convert. */
export const noExchangeRate = (base: string, quote: string, day: Day): string =>
  `There is no exchange rate from ${base} to ${quote} as of ${day}. Add one, or convert the amount`;
