/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

/** From the shortest to the longest. @spec Terms and discounts */
export const terms = ["1_month", "2_months", "3_months", "6_months", "12_months"] as const;
