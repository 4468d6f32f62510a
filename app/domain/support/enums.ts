/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

export const topics = ["technical", "billing", "data", "plan", "other"] as const;

/** `open`: an operator has to answer; `answered`: the account holder may reply; `closed`: done. */
export const supportStatuses = ["open", "answered", "closed"] as const;
