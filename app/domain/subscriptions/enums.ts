/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

/** `pending`: the outcome of the charge is not known yet. */
export const renewalAttemptStates = ["pending", "succeeded", "declined"] as const;
