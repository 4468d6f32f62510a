/** An exchange rate that was applied to an amount: one unit of the amount's currency in units of the rate's currency. */
export type AppliedExchangeRate = {
  /** A decimal, exactly as published. */
  rate: string;
  /** `YYYY-MM-DD`. */
  asOf: string;
  source: string;
};

/** A surcharge of a rate report, per unit of the rate's basis. */
export type ReportedSurcharge = {
  code: string;
  /** In minor units of `currency`. */
  amountCents: number;
  /** Absent: the currency of the base rate. */
  currency?: string | undefined;
  /** Present if the currency differs. */
  exchangeRate?: AppliedExchangeRate | undefined;
};
