/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

/**
 * `requested`: an operator has to make an offer. `offered`: the account holder decides. `accepted`: the account holder has
 * agreed and pays, or has paid. `declined`: by the account holder. `expired`: nobody paid in time. `withdrawn`: by the account
 * holder before the offer, or by an operator.
 */
export const quoteStatuses = ["requested", "offered", "accepted", "declined", "expired", "withdrawn"] as const;
