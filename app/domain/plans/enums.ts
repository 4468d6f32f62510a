/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

/** From the smallest to the largest. */
export const plans = ["free", "professional", "enterprise"] as const;
