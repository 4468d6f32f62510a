/** Volume discounts agreed between sales and an account. Orders store them as JSON, so this file imports nothing. */

export type VolumeAgreement = {
  percent: number;
  /** The last day on which it applies, `YYYY-MM-DD`. Null: until an operator ends it. */
  through: string | null;
  /** The account of the operator who agreed to it. Null: a command-line tool. */
  agreedBy: number | null;
};

/** What an account has of its agreement. */
export type AgreedDiscount = { customDiscountPercent: number | null; customDiscountThrough: string | null };

/** The discount that is agreed on that day, in percent. Null: none. */
export const agreedPercentOn = (
  { customDiscountPercent, customDiscountThrough }: AgreedDiscount,
  day: string,
): number | null => (customDiscountThrough === null || day <= customDiscountThrough ? customDiscountPercent : null);
