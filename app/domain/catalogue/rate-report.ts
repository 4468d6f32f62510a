/** Rate reports: base rate, surcharges and their total in one currency. */
import type { Day } from "../dates.ts";

/** An exchange rate that was applied to an amount: one unit of the amount's currency in units of the rate's. */
export type AppliedExchangeRate = { rate: string; asOf: Day; source: string };

/** A surcharge of a rate report, per unit of the rate's basis. */
export type ReportedSurcharge = {
  code: string;
  /** In minor units of `currency`. */
  amountCents: number;
  /** Absent: the currency of the base rate. */
  currency?: string;
  /** Present if the currency differs. */
  exchangeRate?: AppliedExchangeRate;
};
